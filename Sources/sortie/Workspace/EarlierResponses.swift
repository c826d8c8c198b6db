internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization
internal import WorkspaceModel

/// The captured values of responses that templates use outside of runs: `{{login.token}}` sends the endpoint `login` and uses its value `token`.
///
/// A response is used for the time of the endpoint's `cache:`, five minutes without one; requests at the same time share it.
final class EarlierResponses: Sendable {
    /// Sends a request and returns its exchange.
    typealias Sending = @Sendable (Request) async throws -> Exchange

    private struct Key: Hashable {
        let target: String
        let environment: String?
    }

    private struct Entry {
        let task: Task<Result<[String: String], TemplateError>, Never>
        let expires: ContinuousClock.Instant
    }

    private let send: Sending
    private let hide: @Sendable (String) -> Void
    private let entries = Mutex<[Key: Entry]>([:])

    /// How long values are used where the endpoint has no `cache:`.
    private static let lifetime = Duration.seconds(300)

    /// - Parameters:
    ///   - hide: Called with each value that must be masked.
    ///   - send: Sends the request of the endpoint that captures the values.
    init(hide: @escaping @Sendable (String) -> Void, send: @escaping Sending) {
        (self.hide, self.send) = (hide, send)
    }

    /// The value, from the last response or from a new one.
    ///
    /// - Parameter values: The values for the templates of the endpoint that captures it.
    func value(_ wanted: EarlierValue, _ plan: RequestBuilder, _ values: LiveValues) async -> Result<String, TemplateError> {
        guard let endpoint = plan.workspace.endpoint(wanted.target) else { return .failure(TemplateError("there is no endpoint \(wanted.target)")) }
        let key = Key(target: wanted.target, environment: plan.environment)
        let entry = entries.withLock { entries in
            if let entry = entries[key], entry.expires > .now { return entry }
            let task = Task(executorPreference: BlockingExecutor.shared) { [self] in await captured(endpoint, plan, values) }
            let entry = Entry(task: task, expires: .now + (endpoint.cache?.lifetime ?? Self.lifetime))
            entries[key] = entry
            return entry
        }
        switch await entry.task.value {
        case .success(let captured):
            guard let text = captured[wanted.capture] else { return .failure(TemplateError("\(wanted.target) captures no \(wanted.capture)")) }
            return .success(text)
        case .failure(let error):
            entries.withLock { if $0[key]?.expires == entry.expires { $0[key] = nil } }
            return .failure(error)
        }
    }

    /// The values are not used again: a file has changed, or a server has rejected one of them.
    func forget() { entries.withLock { $0.removeAll() } }

    /// Keeps the values of a response that the user requested.
    func note(_ exchange: Exchange, of endpoint: Endpoint, in environment: String?) {
        guard !endpoint.captures.isEmpty, case .success(let captured) = evaluated(exchange, endpoint) else { return }
        let entry = Entry(task: Task { .success(captured) }, expires: .now + (endpoint.cache?.lifetime ?? Self.lifetime))
        entries.withLock { $0[Key(target: endpoint.target, environment: environment)] = entry }
    }

    private func captured(_ endpoint: Endpoint, _ plan: RequestBuilder, _ values: LiveValues) async -> Result<[String: String], TemplateError> {
        do {
            let request = try await values.resolve { values throws(Diagnostic) in
                let request = try plan.request(for: endpoint, in: values.scope(of: endpoint, plan: plan))
                try values.permission.refuseProtectedFiles(of: request, at: endpoint.location ?? SourceLocation(file: endpoint.target))
                return request
            }
            return evaluated(try await send(request), endpoint)
        } catch {
            return .failure(TemplateError("the value of \(endpoint.target) cannot be requested: \(error)"))
        }
    }

    private func evaluated(_ exchange: Exchange, _ endpoint: Endpoint) -> Result<[String: String], TemplateError> {
        let evaluation = StepEvaluation(exchange, PreparedStep(request: exchange.request, captures: endpoint.captures))
        if let failure = evaluation.failures.first {
            return .failure(TemplateError("the response of \(endpoint.target) has no value to use: \(failure)"))
        }
        let redaction = Redaction(adding: exchange.request.secrets.names.sorted())
        for capture in endpoint.captures {
            guard let value = evaluation.captures[capture.name] else { continue }
            if redaction.hidesCapture(value, named: capture.name, from: capture.path) { hide(value) }
        }
        return .success(evaluation.captures)
    }
}
