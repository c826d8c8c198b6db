public import SortieHTTP
internal import Synchronization

extension Client {
    /// Sends a typed endpoint to the server of a service that is in use; see ``send(_:to:plugins:options:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - service: The name of the service.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    public func send<Target: TypedEndpoint>(
        _ endpoint: Target, through service: String, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) async throws(NetworkError) -> Target.Output {
        try await send(endpoint, to: try server(of: service), plugins: plugins, options: options)
    }

    /// Sends a typed endpoint and returns the output that it makes of the response.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: The server; nil for that of the endpoint's service, else that of the client.
    ///   - plugins: Plugins of this call, after those of the endpoint, or in their places where ``Plugin/isReplaceable`` is true.
    ///   - options: The options of this call, above those of the endpoint.
    /// - Throws: A `NetworkError`: `status` for a status that the endpoint does not accept, `badBody` when no output can be made, and the errors of
    ///   ``send(_:plugins:)``.
    public func send<Target: TypedEndpoint>(
        _ endpoint: Target, to server: Server? = nil, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) async throws(NetworkError) -> Target.Output {
        let call = try TypedCall(endpoint, server: server, options, of: self)
        let exchange = await exchange(call.request, call.additions(plugins), reading: call.reading)
        return try call.output(of: exchange.result).get()
    }

    /// Creates a call of a typed endpoint that has not started, with callbacks that receive the output.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: The server; nil for that of the endpoint's service, else that of the client.
    ///   - callbacks: The closures to call; `success` receives the output.
    ///   - actor: The actor on which they are called, one after another; nil for an actor of this client.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    /// - Throws: `invalidURL`, `badBody` or `invalidOption` when no request can be made of the endpoint.
    public func task<Target: TypedEndpoint>(
        _ endpoint: Target, to server: Server? = nil, callbacks: LifecycleCallbacks<CallProgress, Target.Output, NetworkError>,
        on actor: (any Actor)? = nil, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) throws(NetworkError) -> CallTask {
        let call = try TypedCall(endpoint, server: server, options, of: self)
        var forwarded = CallCallbacks { result in
            switch call.output(of: result) {
            case .success(let output): callbacks.success?(output)
            case .failure(let error): callbacks.failure?(error)
            }
        }
        forwarded.willStart = callbacks.willStart
        forwarded.willSuspend = callbacks.willSuspend
        forwarded.didSuspend = callbacks.didSuspend
        forwarded.progress = callbacks.progress
        forwarded.willStop = callbacks.willStop
        forwarded.didStop = callbacks.didStop
        return task(call.request, call.additions(plugins), forwarded, nil, actor, reading: call.reading)
    }
}

/// The call of a typed endpoint: its request, and the output that is made of the response.
private final class TypedCall<Target: TypedEndpoint>: Sendable {
    let request: Request
    private let endpoint: Target
    private let made = Mutex<Target.Output?>(nil)

    init(_ endpoint: Target, server: Server?, _ options: RequestOptions, of client: Client) throws(NetworkError) {
        self.endpoint = endpoint
        var server = server
        if server == nil, let service = endpoint.service { server = try client.server(of: service) }
        request = try Self.request(for: endpoint, on: server ?? client.core.configuration.server, options, of: client.core)
    }

    func additions(_ plugins: [any Plugin]) -> CallAdditions {
        CallAdditions(plugins: endpoint.plugins.overlaid(with: plugins), encryptor: endpoint.encryptor)
    }

    /// Makes the output as a stage of the call.
    var reading: Call.Reading {
        { [self] response in
            let output = try endpoint.output(of: try endpoint.filter(response))
            do { try endpoint.validate(output) } catch { throw NetworkError.rejected(by: "validator", error) }
            made.withLock { $0 = output }
        }
    }

    func output(of result: Result<Response, NetworkError>) -> Result<Target.Output, NetworkError> {
        result.flatMap { _ in
            made.withLock { $0 }.map { .success($0) }
                ?? .failure(NetworkError(.internalFailure, "the request ended without a response or an error"))
        }
    }

    /// The options of endpoint and call.
    private static func options(of endpoint: Target, _ options: RequestOptions) -> RequestOptions {
        var own = endpoint.options
        addCache(of: endpoint, to: &own)
        let statuses = endpoint.acceptedStatuses
        if statuses != ResponseRules.defaultStatuses, !own.answer.assigns(.statuses) { own.answer.statuses = ResponseRules.statuses(statuses) }
        if let types = endpoint.acceptedContentTypes, !own.answer.assigns(.contentTypes) { own.answer.contentTypes = types }
        if let shape = endpoint.shape, !own.answer.assigns(.shape) { own.answer.shape = shape }
        if !endpoint.resultMessages.isEmpty, !own.answer.assigns(.messages) { own.answer.messages = endpoint.resultMessages }
        return own.overlaid(with: options)
    }

    /// Adds the cache settings of an endpoint, or of the one that it refines.
    private static func addCache(of endpoint: any TypedEndpoint, to options: inout RequestOptions) {
        if let cacheable = endpoint as? any CacheableEndpoint { return cacheable.addCache(to: &options) }
        if let refined = endpoint as? any RefinedEndpoint { addCache(of: refined.base, to: &options) }
    }

    private static func request(
        for endpoint: Target, on server: Server?, _ options: RequestOptions, of core: ClientCore
    ) throws(NetworkError) -> Request {
        let body: RequestBody
        do { body = try endpoint.body() } catch { throw .badBody(error) }
        let options = Self.options(of: endpoint, options)
        var request: Request
        if let server {
            request = try server.request(
                endpoint.method, endpoint.path, query: endpoint.query, headers: endpoint.headers, body: body, options: options)
        } else {
            request = try Request(endpoint.method, endpoint.path, on: nil, query: endpoint.query, headers: endpoint.headers, body: body)
            request.options = options
        }
        request.tag = endpoint.tag
        let parameters: [ParameterValue.Member]
        do {
            parameters = try endpoint.parameters()
            try request.add(parameters, endpoint.parameterPlacement, endpoint.parameterEncoder)
        } catch {
            throw error as? NetworkError ?? NetworkError(.invalidOption, "the parameters cannot be written: \(error)")
        }
        // Before rules are added, so that those of the client and the service stay.
        request = core.layered(request)
        if endpoint.parameterEncoder is ParameterEncoding {
            if !endpoint.parameterRules.isEmpty { request.options.parameterRules += endpoint.parameterRules }
        } else {
            // The text of another encoder cannot be read back, so its values are compared here.
            let values = Dictionary(grouping: ParameterEncoding().pairs(of: parameters), by: \.name).mapValues { $0.map { $0.value ?? "" } }
            if let problem = Request.problem(of: values, by: endpoint.parameterRules) {
                throw NetworkError(.invalidOption, "\(problem); nothing was sent")
            }
        }
        // The default is the lowest layer: a rule of the service or the client takes precedence.
        if request.options.answer.statuses == nil, core.service(of: request).answer.statuses == nil {
            request.options.answer.statuses = ResponseRules.statuses(ResponseRules.defaultStatuses)
        }
        return request
    }
}

extension ResponseRules {
    /// The default of ``TypedEndpoint/acceptedStatuses``.
    static let defaultStatuses = 200..<300

    static func statuses(_ range: Range<Int>) -> [ClosedRange<Int>] {
        range.isEmpty ? [] : [range.lowerBound...range.upperBound - 1]
    }
}

extension Request {
    /// Adds parameters at the place that the method requires.
    fileprivate mutating func add(
        _ parameters: [ParameterValue.Member], _ placement: ParameterPlacement, _ encoder: any ParameterEncoder
    ) throws {
        guard !parameters.isEmpty else { return }
        if placement.isQuery(for: method, hasBody: body != .none) {
            append(query: try encoder.text(of: parameters, in: .query))
        } else if placement == .json {
            let encoding = encoder as? ParameterEncoding ?? ParameterEncoding()
            body = .text(encoding.json(.object(parameters)).compactText, contentType: "application/json")
        } else {
            body = .text(try encoder.text(of: parameters, in: .form), contentType: encoder.formType)
        }
    }
}
