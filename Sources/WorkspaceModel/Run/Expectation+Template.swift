package import SortieHTTP

extension Expectation {
    /// Replaces the templates of the expectation.
    ///
    /// Conditions that cannot be resolved are left out and returned as failures.
    package func resolved(in scope: TemplateScope) -> (expectation: Expectation, problems: [StepFailure]) {
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
        return (result, problems)
    }
}
