internal import SortieBase
public import SortieHTTP

extension Expectation {
    /// Everything about an answer that is not as it must be, in the order of the contract: status, headers, JSON, time.
    ///
    /// - Parameters:
    ///   - body: the answer's body as JSON; the sentence says why it is none.
    ///   - seconds: how long the answer took.
    ///   - patternSteps: the budget of all regular expressions together, see ``TextPattern``.
    public func failures(
        of response: Response, body: Result<JSONValue, BodyProblem>, seconds: Double, patternSteps: Int = WorkspaceLimits.patternSteps
    ) -> [StepFailure] {
        var failures: [StepFailure] = []
        // One budget for all conditions, so that their number does not multiply it.
        var steps = patternSteps
        if let status, response.status != status {
            failures.append(StepFailure(.expectation, subject: "status", expected: String(status), actual: String(response.status)))
        }
        for row in headers where row.isEnabled {
            failures += failure(row, subject: "header \(row.name)", of: response.headers.values(of: row.name).map(JSONValue.string), &steps)
        }
        for row in json where row.isEnabled {
            do {
                let root = try body.get()
                failures += failure(row, subject: row.name, of: try JSONPath(row.name).values(in: root), &steps)
            } catch {
                failures.append(StepFailure(.expectation, subject: row.name, expected: expected(row), actual: "\(error)"))
            }
        }
        if let under, seconds > under / .seconds(1) {
            let limit = under / .milliseconds(1)
            let took = Int((seconds * 1000).rounded(.up))
            failures.append(
                StepFailure(.expectation, subject: "under", expected: "at most \(Self.number(limit)) ms", actual: "\(took) ms"))
        }
        return failures
    }

    /// The failure of one condition, where it does not hold: for no value of those that its path or name gives.
    private func failure(_ row: Parameter, subject: String, of values: [JSONValue], _ steps: inout Int) -> [StepFailure] {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch {
            return [StepFailure(.preparation, subject: subject, actual: error.message)]
        }
        do throws(PatternError) {
            if try condition.holds(for: values, steps: &steps) { return [] }
            // A report goes to build servers; what is a secret by its name stays out of it.
            let isHidden = !values.isEmpty && Redaction.standard.isSecretPath(row.name)
            let actual = isHidden ? HeaderField.mask : condition.actual(values)
            return [StepFailure(.expectation, subject: subject, expected: condition.expected, actual: actual)]
        } catch {
            return [StepFailure(.expectation, subject: subject, expected: condition.expected, actual: error.message)]
        }
    }

    private func expected(_ row: Parameter) -> String {
        do { return try Condition(row.value).expected } catch { return row.value }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

extension Condition {
    /// What was there instead, for a sentence.
    fileprivate func actual(_ values: [JSONValue]) -> String {
        guard let first = values.first else { return "nothing" }
        if case .type = test { return "\(first.typeName) \(first.text)" }
        let more = values.count > 10 ? ", and \(values.count - 10) more" : ""
        return values.prefix(10).map(\.text).joined(separator: ", ") + more
    }
}

extension JSONValue {
    fileprivate var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
