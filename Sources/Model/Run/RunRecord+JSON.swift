extension RunRecord {
    /// The record of the contract's `run --json`.
    ///
    /// - Parameters:
    ///   - exchanges: what each step sent and got, in the order of the steps; nil for one that was not sent.
    ///   - monitor: what was counted meanwhile, by service, server and address (S3.3).
    public func json(exchanges: [JSONValue?], monitor: MonitorReport = MonitorReport()) -> JSONValue {
        [
            "run": .string(run), "kind": .string(kind.rawValue), "state": .string(state.rawValue),
            "failedStep": failedStep.map { .string(steps[$0].name) } ?? .null,
            "steps": .array(zip(steps, exchanges).map { $0.json(exchange: $1) }), "duration": .seconds(duration),
            "monitor": monitor.record,
        ]
    }
}

extension StepRecord {
    /// The step's exchange as every command prints it, with the step's name and state before it and its failures behind.
    fileprivate func json(exchange: JSONValue?) -> JSONValue {
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
