internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension ValueFailure {
    /// Creates the failure of a request that gives a value; nil for a mistake in its settings, and for a request that was cancelled.
    init?(_ error: NetworkError) {
        switch CommandFailure(error).kind {
        case .network: self.init(.network, name: error.code.rawValue, hint: error.programHint)
        case .response: self.init(.response, name: error.code.rawValue, hint: error.programHint)
        case .usage, .file, .interrupted: return nil
        }
    }

    /// Creates the failure of a response without the value; nil for a mistake in the file of the endpoint.
    init?(_ failure: StepFailure) {
        switch failure.kind {
        case .network: self.init(.network, name: failure.subject)
        case .response: self.init(.response, name: failure.subject)
        case .expectation: self.init(.response, name: "expectation")
        case .preparation: return nil
        }
    }
}
