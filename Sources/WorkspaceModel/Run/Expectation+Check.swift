internal import SortieBase
package import SortieHTTP

extension Expectation {
    /// Compares a response with all expectations, in the order of the contract: status, headers, JSON, text, time, size, schema.
    ///
    /// - Parameters:
    ///   - body: the response's body as JSON, or the reason why it is not JSON.
    ///   - seconds: the duration of the request.
    ///   - patternSteps: the combined budget of all regular expressions, see ``TextPattern``.
    package func checks(
        of response: Response, body: Result<JSONValue, BodyProblem>, seconds: Double, patternSteps: Int = WorkspaceLimits.patternSteps
    ) -> [ExchangeCheck] {
        var checks: [ExchangeCheck] = []
        // One budget for all conditions, so that the cost does not grow with their number.
        var steps = patternSteps
        if let statuses {
            checks.append(
                ExchangeCheck(
                    .expect, statuses.contains { $0.contains(response.status) } ? .passed : .failed, subject: "status",
                    expected: StatusRange.text(statuses), actual: String(response.status)))
        }
        for row in headers where row.isEnabled {
            checks.append(check(row, subject: "header \(row.name)", of: response.values(of: row.name).map(JSONValue.string), areTexts: true, &steps))
        }
        for row in json where row.isEnabled {
            var check: ExchangeCheck
            do {
                let root = try body.get()
                check = self.check(row, subject: row.name, of: try NestedJSONPath(row.name).values(in: root), &steps)
            } catch {
                check = ExchangeCheck(.expect, .failed, subject: row.name, expected: expected(row), actual: "\(error)")
            }
            check.readsBody = true
            checks.append(check)
        }
        // The text is decoded once, and only for conditions.
        let text = self.body.isEmpty ? nil : response.body.count <= JSONValue.bodyLimit ? response.text : nil
        for row in self.body where row.isEnabled {
            var check = self.check(row, subject: Self.bodyName, of: text.map { [.string($0)] } ?? [], areTexts: true, &steps)
            // The whole text would be as long as the body, and may have credentials.
            check.actual =
                text.map { "a text of \($0.count) characters" } ?? "a body that is no text, or is larger than \(ByteCount(JSONValue.bodyLimit).text)"
            check.readsBody = true
            checks.append(check)
        }
        if let under {
            let limit = under / .milliseconds(1)
            let took = Int((seconds * 1000).rounded(.up))
            checks.append(
                ExchangeCheck(
                    .expect, seconds > under / .seconds(1) ? .failed : .passed, subject: "under", expected: "at most \(Self.number(limit)) ms",
                    actual: "\(took) ms"))
        }
        if let size {
            let count = Int64(response.body.count)
            checks.append(
                ExchangeCheck(
                    .expect, size.holds(for: count) ? .passed : .failed, subject: "size", expected: size.text, actual: "\(count) B", readsBody: true))
        }
        if let schema { checks += self.checks(by: schema, of: body, &steps) }
        return checks
    }

    /// The comparison with one condition, which fails when none of the values at its path or name satisfies it.
    private func check(
        _ row: Parameter, subject: String, of values: [JSONValue], areTexts: Bool = false, _ steps: inout Int
    ) -> ExchangeCheck {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch {
            return ExchangeCheck(.expect, .unresolved, subject: subject, actual: error.message)
        }
        do throws(PatternError) {
            let outcome = try condition.holds(for: values, areTexts: areTexts, steps: &steps) ? ExchangeCheck.Outcome.passed : .failed
            // Reports are sent to build servers, so values with the name of a secret are left out.
            let isHidden = !values.isEmpty && Redaction.standard.isSecretPath(row.name)
            let actual = isHidden ? HeaderField.mask : condition.actual(values)
            return ExchangeCheck(.expect, outcome, subject: subject, expected: condition.expected, actual: actual)
        } catch {
            return ExchangeCheck(.expect, .failed, subject: subject, expected: condition.expected, actual: error.message)
        }
    }

    private func expected(_ row: Parameter) -> String {
        do { return try Condition(row.value).expected } catch { return row.value }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

extension Response {
    /// The values of a field of the header, or else of the trailer, which has the status of gRPC.
    fileprivate func values(of name: String) -> [String] {
        let values = headers.values(of: name)
        return values.isEmpty ? trailers.values(of: name) : values
    }
}

extension Expectation {
    /// The comparison with the schema: one check for a valid body, else one for each failure.
    private func checks(by source: SchemaSource, of body: Result<JSONValue, BodyProblem>, _ steps: inout Int) -> [ExchangeCheck] {
        let subject = ExchangeCheck.schemaSubject
        guard case .loaded(let schema, let name) = source else {
            return [ExchangeCheck(.expect, .unresolved, subject: subject, expected: source.name, actual: "the schema was not read", readsBody: true)]
        }
        return schema.checks(.expect, subject, named: name, of: body, &steps)
    }
}

extension Expectation {
    /// Replaces the templates of the expectation, and reads its schema.
    ///
    /// Conditions that cannot be resolved are left out and returned as failures.
    ///
    /// - Parameters:
    ///   - file: the file with the expectation, relative to the workspace; the path of a schema is relative to its folder. Schema and snapshot are not
    ///     read where this is nil.
    ///   - step: the name of the step that has the expectation; nil for that of an endpoint.
    package func resolved(in scope: TemplateScope, file: String? = nil, step: String? = nil) -> (expectation: Expectation, problems: [StepFailure]) {
        var problems: [StepFailure] = []
        let scope = scope.withinOneBudget()
        func resolved(_ rows: [Parameter]) -> [Parameter] {
            rows.compactMap { row in
                var row = row
                do throws(TemplateError) { row.value = try Condition.resolved(row.value, in: scope) } catch {
                    problems.append(StepFailure(.preparation, subject: row.name, actual: error.message))
                    return nil
                }
                return row
            }
        }
        var result = self
        result.json = resolved(json)
        result.headers = resolved(headers)
        result.body = resolved(body)
        if let file, let schema {
            do throws(TemplateError) { result.schema = try schema.loaded(in: scope, file: file) } catch {
                problems.append(StepFailure(.preparation, subject: "schema", actual: error.message))
                result.schema = nil
            }
        }
        if let file, let snapshot { result.snapshot = snapshot.loaded(in: scope, file: SnapshotExpectation.file(beside: file, step: step)) }
        return (result, problems)
    }
}
