public import SortieHTTP
internal import Synchronization

public import struct FoundationEssentials.URL

extension Client {
    /// Sends one request and decodes the JSON of the response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL, or a path on the server of the service.
    ///   - query: Query parameters, in order.
    ///   - headers: Header fields; they take precedence over those of the service.
    ///   - body: The body.
    ///   - service: The service; nil for the server of the client.
    ///   - settings: Options, accepted types, filter, plugins and decoder.
    ///   - type: The type of the value.
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func call<Value: Decodable & Sendable>(
        _ method: HTTPMethod, _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        through service: String? = nil, with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let endpoint = OneLineCall(method: method, path: url, query: query, headers: headers, content: body, settings: settings) { response in
            try response.decoded(as: type, by: settings.decoder, charset: settings.charset)
        }
        return try await send(endpoint, to: try server(named: service))
    }

    /// Sends one request and returns the response that the filter makes of it, with any media type unless the settings name some.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func call(
        _ method: HTTPMethod, _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        through service: String? = nil, with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        let endpoint = OneLineCall(method: method, path: url, query: query, headers: headers, content: body, settings: settings) { $0 }
        return try await send(endpoint, to: try server(named: service))
    }

    /// Sends one GET request and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func get<Value: Decodable & Sendable>(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.get, url, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one GET request to a URL of Foundation and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func get<Value: Decodable & Sendable>(
        _ url: URL, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.get, url.absoluteString, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one DELETE request and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func delete<Value: Decodable & Sendable>(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.delete, url, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one HEAD request; its response has no body.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func head(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.head, url, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one POST request with a form and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func post<Value: Decodable & Sendable>(
        _ url: String, form: [(name: String, value: String)], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.post, url, headers: headers, body: .form(form), through: service, with: settings)
    }

    /// Sends one POST request with a JSON body and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    public func post<Value: Decodable & Sendable>(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.post, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    /// Sends one PUT request with a JSON body and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    public func put<Value: Decodable & Sendable>(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.put, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    /// Sends one PATCH request with a JSON body and decodes the JSON of the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    public func patch<Value: Decodable & Sendable>(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(), as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await call(.patch, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    /// Sends one GET request and returns the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func get(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.get, url, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one GET request to a URL of Foundation and returns the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    public func get(
        _ url: URL, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.get, url.absoluteString, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one DELETE request and returns the response, which often has no body.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``.
    @discardableResult
    public func delete(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.delete, url, query: query, headers: headers, through: service, with: settings)
    }

    /// Sends one POST request with a JSON body and returns the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    @discardableResult
    public func post(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.post, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    /// Sends one PUT request with a JSON body and returns the response, which often has no body.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    @discardableResult
    public func put(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.put, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    /// Sends one PATCH request with a JSON body and returns the response.
    ///
    /// The parameters are those of ``call(_:_:query:headers:body:through:with:as:)``.
    ///
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `badBody` when `json` cannot be encoded.
    @discardableResult
    public func patch(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(.patch, url, headers: headers, body: try .json(encoding: json), through: service, with: settings)
    }

    private func server(named service: String?) throws(NetworkError) -> Server? {
        guard let service else { return nil }
        return try server(of: service)
    }
}

/// The endpoint of a one-line call.
private struct OneLineCall<Output: Sendable>: TypedEndpoint {
    let method: HTTPMethod
    let path: String
    let query: [(name: String, value: String)]
    let headers: Headers
    let content: RequestBody
    let settings: CallSettings
    let make: @Sendable (Response) throws -> Output

    var options: RequestOptions {
        var options = settings.options
        if let statuses = settings.acceptedStatuses { options.answer.statuses = ResponseRules.statuses(statuses) }
        return options
    }
    var acceptedContentTypes: [String]? { settings.acceptedContentTypes }
    var plugins: [any Plugin] { settings.plugins }
    var encryptor: (any BodyEncryptor)? { settings.encryptor }

    func body() -> RequestBody { content }
    func parameters() -> [ParameterValue.Member] { [] }
    func filter(_ response: Response) throws -> Response { try settings.filter?(response) ?? response }
    func output(of response: Response) throws -> Output { try make(response) }
}

extension Client {
    /// Sends a typed endpoint to the server of a service that is in use; see ``send(_:to:plugins:options:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - service: The name of the service.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    /// - Throws: The errors of ``server(of:)`` and of ``send(_:to:plugins:options:)``.
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
        try await exchange(endpoint, to: server, plugins: plugins, options: options).output.get()
    }

    /// Sends a typed endpoint to the server of a service that is in use; see ``exchange(_:to:plugins:options:)``.
    ///
    /// - Throws: The errors of ``server(of:)``; those of the call are in the result.
    public func exchange<Target: TypedEndpoint>(
        _ endpoint: Target, through service: String, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) async throws(NetworkError) -> (output: Result<Target.Output, NetworkError>, exchange: Exchange) {
        try await exchange(endpoint, to: try server(of: service), plugins: plugins, options: options)
    }

    /// Sends a typed endpoint and returns, beside the output, the exchange: its response, also one that was rejected, its attempts and its timing.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: The server; nil for that of the endpoint's service, else that of the client.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    /// - Throws: `invalidURL`, `badBody` or `invalidOption` when no request can be made of the endpoint; other errors are in the result.
    public func exchange<Target: TypedEndpoint>(
        _ endpoint: Target, to server: Server? = nil, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) async throws(NetworkError) -> (output: Result<Target.Output, NetworkError>, exchange: Exchange) {
        let call = try TypedCall(endpoint, server: server, options, of: self)
        let exchange = await exchange(call.request, call.additions(plugins), reading: call.reading)
        return (call.output(of: exchange.result), exchange)
    }

    /// Creates a call of a typed endpoint that has not started.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: The server; nil for that of the endpoint's service, else that of the client.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    ///   - deliver: Receives the signals of the call, and what makes the output of its result; the call has ended when it returns.
    /// - Throws: `invalidURL`, `badBody` or `invalidOption` when no request can be made of the endpoint.
    package func task<Target: TypedEndpoint>(
        _ endpoint: Target, to server: Server?, plugins: [any Plugin], options: RequestOptions,
        deliver:
            @escaping @Sendable (
                AsyncStream<CallSignal>, @escaping @Sendable (Result<Response, NetworkError>) -> Result<Target.Output, NetworkError>
            ) async -> Void
    ) throws(NetworkError) -> CallTask {
        let call = try TypedCall(endpoint, server: server, options, of: self)
        return CallTask(id: makeID(), request: call.request, own: call.additions(plugins), reading: call.reading, core: core) { signals in
            await deliver(signals) { call.output(of: $0) }
        }
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
        if statuses != ResponseRules.defaultStatuses, own.answer.$statuses == nil { own.answer.statuses = ResponseRules.statuses(statuses) }
        if let types = endpoint.acceptedContentTypes, own.answer.$contentTypes == nil { own.answer.contentTypes = types }
        if let schema = endpoint.schema, own.answer.$schema == nil { own.answer.schema = schema }
        if !endpoint.resultMessages.isEmpty, own.answer.$messages == nil { own.answer.messages = endpoint.resultMessages }
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
            throw error as? NetworkError ?? NetworkError(.invalidOption, "the parameters cannot be written: \(error.wordsInMessage)", cause: error)
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
        if request.options.answer.statuses == nil, core.service(of: request).configuration.answer.statuses == nil {
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
