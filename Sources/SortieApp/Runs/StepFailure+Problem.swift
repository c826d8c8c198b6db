internal import SortieBase
internal import SortieHTTP

extension StepFailure {
    /// Creates the reason for a step whose request could not be prepared.
    init(_ problem: Diagnostic) {
        guard let failure = problem.failure else {
            self.init(.preparation, subject: problem.location.description, actual: problem.message)
            remedy = problem.remedy
            return
        }
        self.init(failure.kind == .network ? .network : .response, subject: failure.name, actual: problem.description)
    }
}
