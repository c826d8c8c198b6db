internal import SortieBase
internal import SortieHTTP
internal import Synchronization
internal import WorkspaceModel

/// The values that templates of one request have to wait for: secrets of commands, files, and what the user enters.
///
/// Templates are resolved synchronously. The first value that is missing ends the pass with an error; it is fetched without blocking a thread, and the
/// templates are resolved again with it.
final class TemplateInputs: Sendable {
    /// What has to be fetched.
    enum Input: Hashable, Sendable {
        /// The output of the command of a secret.
        case secret(String, command: String)
        /// A secret of the workspace that the user stored under another name.
        case stored(String, String)
        /// A secret of the workspace in an environment file, with its path and the name of the variable.
        case variable(String, path: String, variable: String)
        /// The text of a file; `argument` is its path as the template has it.
        case file(String, argument: String)
        /// The text of a file that a check needs.
        case text(String)
        /// A value of the response of another endpoint.
        case earlier(EarlierValue)
        /// What the user enters.
        case prompt(PromptQuestion)
    }

    private struct State {
        var values: [Input: Result<String, TemplateError>] = [:]
        var missing: Input?
        var areDynamic = false
        var timeLimit: Duration?
    }

    private let state = Mutex(State())

    /// Whether a value was used that differs each time, such as that of `{{$uuid}}`.
    var areDynamic: Bool { state.withLock { $0.areDynamic } }

    /// Notes that a value was used that differs each time.
    func noteDynamic() { state.withLock { $0.areDynamic = true } }

    /// The limit of the request whose templates are resolved; nil for none.
    var timeLimit: Duration? { state.withLock { $0.timeLimit } }

    /// Notes the limit of the request.
    func note(timeLimit: Duration?) { state.withLock { $0.timeLimit = timeLimit } }

    /// A fetched value.
    ///
    /// - Throws: The reason why it could not be fetched, or an error that ends the pass.
    func value(of input: Input) throws(TemplateError) -> String {
        let known = state.withLock { state in
            let known = state.values[input]
            if known == nil, state.missing == nil { state.missing = input }
            return known
        }
        guard let known else { throw TemplateError("a value has to be fetched first") }
        return try known.get()
    }

    /// The values that are known, for passes beside those of this object.
    func copy() -> TemplateInputs {
        let copy = TemplateInputs()
        let values = state.withLock { $0.values }
        copy.state.withLock { $0.values = values }
        return copy
    }

    /// Ends a pass; returns the value that it lacked, nil when it was complete.
    func endPass() -> Input? {
        state.withLock { $0.missing.take() }
    }

    /// Adds a fetched value.
    func add(_ value: Result<String, TemplateError>, for input: Input) {
        state.withLock { $0.values[input] = value }
    }
}

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
