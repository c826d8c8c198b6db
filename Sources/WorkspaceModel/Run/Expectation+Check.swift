internal import SortieBase
package import SortieHTTP

extension Expectation {
    /// Returns all failed expectations of a response, in the order of the contract: status, headers, JSON, time.
    ///
    /// - Parameters:
    ///   - body: the response's body as JSON, or the reason why it is not JSON.
    ///   - seconds: the duration of the request.
    ///   - patternSteps: the combined budget of all regular expressions, see ``TextPattern``.
    package func failures(
        of response: Response, body: Result<JSONValue, BodyProblem>, seconds: Double, patternSteps: Int = WorkspaceLimits.patternSteps
    ) -> [StepFailure] {
        var failures: [StepFailure] = []
        // One budget for all conditions, so that the cost does not grow with their number.
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

    /// The failure of one condition when none of the values at its path or name satisfies it.
    private func failure(_ row: Parameter, subject: String, of values: [JSONValue], _ steps: inout Int) -> [StepFailure] {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch {
            return [StepFailure(.preparation, subject: subject, actual: error.message)]
        }
        do throws(PatternError) {
            if try condition.holds(for: values, steps: &steps) { return [] }
            // Reports are sent to build servers, so values with the name of a secret are left out.
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
    /// A description of the values that were found instead.
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
