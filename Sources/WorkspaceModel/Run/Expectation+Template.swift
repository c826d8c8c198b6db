package import SortieHTTP

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
