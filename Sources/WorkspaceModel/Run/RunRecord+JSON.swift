package import SortieBase
package import SortieHTTP

extension RunRecord {
    /// The beginning of the output of `run --json`, up to the first step.
    ///
    /// ``StepRecord/json(exchange:)`` of each step follows, separated by commas.
    ///
    /// The steps precede the state, so that they can be written while the run is in progress.
    package var jsonStart: String {
        let head: JSONValue = ["run": .string(run), "kind": .string(kind.rawValue), "environment": .optional(environment)]
        return String(head.text.dropLast()) + ", \"steps\": ["
    }

    /// The beginning of the output for several environments.
    ///
    /// The records follow, separated by commas, and then the end of the list and of the object.
    package static func jsonStart(ofSeveral run: String) -> String {
        let head: JSONValue = ["run": .string(run)]
        return String(head.text.dropLast()) + ", \"environments\": ["
    }

    /// The end of the output, after the last step.
    ///
    /// - Parameters:
    ///   - monitor: the counts during the run, by service, server and address.
    ///   - hasDifferences: whether the differences from the previous run follow, separated by commas, and then ``jsonEndOfDifferences``.
    package func jsonEnd(monitor: MonitorReport = MonitorReport(), hasDifferences: Bool = false) -> String {
        let members: [JSONValue.Member] = [
            .init("state", .string(state.rawValue)), .init("failedStep", failedStep.map { .string(steps[$0].name) } ?? .null),
            .init("duration", .seconds(duration)), .init("monitor", monitor.record),
        ]
        let end = "], " + String(JSONValue.object(members).text.dropFirst())
        return hasDifferences ? String(end.dropLast()) + ", \"differences\": [" : end
    }

    /// The end of the output after the last difference from the previous run.
    package static let jsonEndOfDifferences = "]}"
}

extension StepRecord {
    /// The step's exchange in the format of all commands, preceded by the step's name and state and followed by its failures.
    package func json(exchange: JSONValue?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("step", .string(name)), .init("state", .string(state.name)), .init("reason", .optional(reason)),
            .init("repetition", repetition.map { .number(String($0.number)) } ?? .null),
        ]
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
    /// The failure in the format of all commands.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "subject": .string(subject), "expected": .optional(expected), "actual": .string(actual),
        ]
    }
}
