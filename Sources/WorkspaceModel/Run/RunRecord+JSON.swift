public import SortieBase
public import SortieHTTP

extension RunRecord {
    /// The beginning of the contract's `run --json`, up to the first step; ``StepRecord/json(exchange:)`` of each step follows, separated by commas.
    ///
    /// The steps come before the state, so that they can be written while the run goes on.
    public var jsonStart: String {
        let head: JSONValue = ["run": .string(run), "kind": .string(kind.rawValue)]
        return String(head.text.dropLast()) + ", \"steps\": ["
    }

    /// The end of the record, behind the last step.
    ///
    /// - Parameter monitor: what was counted meanwhile, by service, server and address (S3.3).
    public func jsonEnd(monitor: MonitorReport = MonitorReport()) -> String {
        let tail: JSONValue = [
            "state": .string(state.rawValue), "failedStep": failedStep.map { .string(steps[$0].name) } ?? .null, "duration": .seconds(duration),
            "monitor": monitor.record,
        ]
        return "], " + String(tail.text.dropFirst())
    }
}

extension StepRecord {
    /// The step's exchange as every command prints it, with the step's name and state before it and its failures behind.
    public func json(exchange: JSONValue?) -> JSONValue {
        var members: [JSONValue.Member] = [.init("step", .string(name)), .init("state", .string(state.name))]
        let failures = JSONValue.array(failures.map(\.json))
        if case .object(let own)? = exchange {
            members += own
        } else {
            members += [.init("endpoint", .string(target)), .init("request", .null), .init("response", .null), .init("error", .null)]
        }
        return .object(members + [.init("failures", failures)])
    }
}

extension StepFailure {
    /// The failure as the records of commands have it.
    public var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "subject": .string(subject), "expected": .optional(expected), "actual": .string(actual),
        ]
    }
}
