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
    typealias Sending = @Sendable (PreparedRequest) async throws -> Exchange

    private struct Key: Hashable {
        let target: String
        let environment: String?
    }

    private struct Entry {
        let number: Int
        let task: Task<Result<[String: String], TemplateError>, Never>
        let expires: ContinuousClock.Instant
        /// Whether the values are still requested.
        var isRunning = true
        /// The number of requests that wait for the values.
        var waiting = 1
        /// The values that the request of the endpoint waits for.
        var needs: Set<Key> = []
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var lastNumber = 0

        /// The targets from the request of an endpoint to one that it waits for; nil where it does not wait for that.
        func path(from key: Key, to wanted: Key, _ visited: Set<Key> = []) -> [String]? {
            if key == wanted { return [key.target] }
            guard let entry = entries[key], entry.isRunning, !visited.contains(key) else { return nil }
            for next in entry.needs {
                if let rest = path(from: next, to: wanted, visited.union([key])) { return [key.target] + rest }
            }
            return nil
        }
    }

    private let send: Sending
    private let permission: WorkspacePermission
    private let hide: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// How long values are used where the endpoint has no `cache:`.
    private static let lifetime = Duration.seconds(300)

    /// - Parameters:
    ///   - permission: Receives the origins of the values.
    ///   - hide: Called with each value that must be masked.
    ///   - send: Sends the request of the endpoint that captures the values.
    init(permission: WorkspacePermission, hide: @escaping @Sendable (String) -> Void, send: @escaping Sending) {
        (self.permission, self.hide, self.send) = (permission, hide, send)
    }

    /// The value, from the last response or from a new one.
    ///
    /// - Parameters:
    ///   - requester: The endpoint whose values are requested and need this one; nil for a request that is not shared.
    ///   - preparation: Prepares the request of the endpoint that captures it.
    ///   - cancellation: Ends the wait, and the request with the last one that waits for it.
    func value(
        _ wanted: EarlierValue, for requester: String?, _ preparation: RequestPreparation, cancelledBy cancellation: Cancellation
    ) async -> Result<String, TemplateError> {
        let (workspace, environment) = (preparation.builder.workspace, preparation.builder.environment)
        guard let endpoint = workspace.endpoint(wanted.target) else { return .failure(TemplateError("there is no endpoint \(wanted.target)")) }
        let key = Key(target: wanted.target, environment: environment)
        let requester = requester.map { Key(target: $0, environment: environment) }
        let entry: Entry
        do throws(TemplateError) {
            entry = try join(key, for: requester, lifetime: endpoint.cache?.lifetime ?? Self.lifetime) { [self] in
                await captured(endpoint, preparation)
            }
        } catch { return .failure(error) }
        let outcome = await entry.task.valueUnlessCancelled { cancellation.whenCancelled($0) }
        leave(key, entry, for: requester, isCancelled: outcome == nil)
        switch outcome {
        case .success(let captured):
            guard let text = captured[wanted.capture] else { return .failure(TemplateError("\(wanted.target) captures no \(wanted.capture)")) }
            return .success(text)
        case .failure(let error):
            state.withLock { if $0.entries[key]?.number == entry.number { $0.entries[key] = nil } }
            return .failure(error)
        case nil: return .failure(TemplateError("the request for a value of \(wanted.target) was cancelled"))
        }
    }

    /// The entry of a response that can be used, or one that is requested now.
    ///
    /// - Throws: Where the response waits for the requester.
    private func join(
        _ key: Key, for requester: Key?, lifetime: Duration, _ request: @escaping @Sendable () async -> Result<[String: String], TemplateError>
    ) throws(TemplateError) -> Entry {
        try state.withLock { state throws(TemplateError) -> Entry in
            if let requester, let path = state.path(from: key, to: requester) {
                throw EarlierContext.circle([requester.target] + path)
            }
            if let requester { state.entries[requester]?.needs.insert(key) }
            if let entry = state.entries[key], entry.isRunning || entry.expires > .now {
                state.entries[key]?.waiting += 1
                return entry
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task(executorPreference: BlockingExecutor.shared) { [self] in
                let result = await request()
                self.state.withLock { if $0.entries[key]?.number == number { $0.entries[key]?.isRunning = false } }
                return result
            }
            let entry = Entry(number: number, task: task, expires: .now + lifetime)
            state.entries[key] = entry
            return entry
        }
    }

    /// Ends a wait; a request whose last wait was cancelled is cancelled, and not joined again.
    private func leave(_ key: Key, _ entry: Entry, for requester: Key?, isCancelled: Bool) {
        let isLast = state.withLock { state in
            if let requester { state.entries[requester]?.needs.remove(key) }
            guard state.entries[key]?.number == entry.number else { return false }
            state.entries[key]?.waiting -= 1
            guard isCancelled, state.entries[key]?.waiting == 0, state.entries[key]?.isRunning == true else { return false }
            state.entries[key] = nil
            return true
        }
        if isLast { entry.task.cancel() }
    }

    /// The values are not used again: a file has changed, or a server has rejected one of them.
    func forget() { state.withLock { $0.entries.removeAll() } }

    /// Keeps the values of a response that the user requested.
    func note(_ exchange: Exchange, of endpoint: Endpoint, in environment: String?) {
        guard !endpoint.captures.isEmpty, case .success(let captured) = evaluated(exchange, endpoint) else { return }
        let expires = ContinuousClock.now + (endpoint.cache?.lifetime ?? Self.lifetime)
        state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(number: state.lastNumber, task: Task { .success(captured) }, expires: expires, isRunning: false, waiting: 0)
            state.entries[Key(target: endpoint.target, environment: environment)] = entry
        }
    }

    private func captured(_ endpoint: Endpoint, _ preparation: RequestPreparation) async -> Result<[String: String], TemplateError> {
        do {
            let request = try await preparation.request(forValueOf: endpoint) { request in
                // The user does not see the progress of this request, whose body is read for values only.
                if endpoint.captures.contains(where: \.readsBody) { request.options.limitBody(to: Int64(JSONValue.bodyLimit)) }
            }
            return evaluated(try await send(request), endpoint)
        } catch let problem as Diagnostic {
            return .failure(
                TemplateError("the value of \(endpoint.target) cannot be requested: \(problem)", failure: problem.failure, remedy: problem.remedy))
        } catch {
            return .failure(TemplateError("the value of \(endpoint.target) cannot be requested: \(error)"))
        }
    }

    private func evaluated(_ exchange: Exchange, _ endpoint: Endpoint) -> Result<[String: String], TemplateError> {
        let evaluation = StepEvaluation(exchange, PreparedStep(request: exchange.request, captures: endpoint.captures))
        let redaction = Redaction(adding: exchange.request.secrets.names.sorted())
        for capture in endpoint.captures {
            guard let value = evaluation.found[capture.name] else { continue }
            if redaction.hidesCapture(value, named: capture.name, from: capture.path) { hide(value) }
        }
        if let error = exchange.error, let failure = evaluation.failures.first, failure == StepFailure(error) {
            return .failure(TemplateError("the request of \(endpoint.target) for the value failed: \(error.message)", failure: ValueFailure(error)))
        }
        if let failure = evaluation.failures.first {
            return .failure(TemplateError("the response of \(endpoint.target) has no value to use: \(failure)", failure: ValueFailure(failure)))
        }
        permission.note(evaluation.captures.values, from: exchange.captureOrigins)
        return .success(evaluation.captures)
    }
}

/// What the values of a request need to use values of earlier responses.
struct EarlierContext: Sendable {
    /// The responses; nil where nothing may be sent, as in a dry run.
    let responses: EarlierResponses?
    /// Builds the requests of the endpoints that capture the values.
    let builder: RequestBuilder
    /// The endpoints whose requests wait for the value.
    private(set) var waiting: [String]

    /// - Parameter endpoint: The endpoint that is sent.
    init(_ responses: EarlierResponses?, _ builder: RequestBuilder, for endpoint: Endpoint) {
        (self.responses, self.builder) = (responses, builder)
        waiting = [endpoint.target]
    }

    /// A value, for which the endpoint that captures it is sent where its last response is too old.
    ///
    /// - Parameter cancellation: Ends the wait for it.
    func value(_ wanted: EarlierValue, _ values: LiveValues, cancelledBy cancellation: Cancellation) async -> Result<String, TemplateError> {
        guard let responses else {
            return .failure(
                TemplateError(
                    "\(wanted.capture) comes from a response of \(wanted.target), which is not sent for a preview",
                    remedy: .capturedValue(name: wanted.capture)))
        }
        guard !waiting.contains(wanted.target) else { return .failure(Self.circle(waiting + [wanted.target])) }
        var next = values
        next.earlier?.waiting.append(wanted.target)
        // Other requests can wait for the values of all but the endpoint that is sent.
        let preparation = RequestPreparation(builder, next)
        return await responses.value(wanted, for: waiting.dropFirst().last, preparation, cancelledBy: cancellation)
    }

    /// The error of endpoints that wait for each other, of which the last is the first.
    static func circle(_ targets: [String]) -> TemplateError {
        TemplateError("the endpoints need values of each other: \(targets.joined(separator: ", which needs one of "))")
    }
}
