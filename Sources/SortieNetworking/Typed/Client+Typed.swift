public import SortieHTTP
internal import Synchronization

extension Client {
    /// Sends a typed endpoint to the server of a service that is in use.
    public func send<Target: TypedEndpoint>(_ endpoint: Target, through service: String) async throws(NetworkError) -> Target.Output {
        try await send(endpoint, to: try server(of: service))
    }

    /// Sends a typed endpoint and returns the output that it makes of the response.
    ///
    /// - Throws: A `NetworkError`: `status` for a status that the endpoint does not accept, `badBody` when no output can be made, and the errors of
    ///   ``send(_:)``.
    public func send<Target: TypedEndpoint>(_ endpoint: Target, to server: Server? = nil) async throws(NetworkError) -> Target.Output {
        let request = try request(for: endpoint, on: server ?? core.configuration.server)
        let made = Mutex<Target.Output?>(nil)
        let exchange = await exchange(request) { response in
            let output = try endpoint.output(of: try endpoint.filter(response))
            try endpoint.validate(output)
            made.withLock { $0 = output }
        }
        if let error = exchange.error { throw error }
        guard let output = made.withLock({ $0 }) else { throw NetworkError(.internalFailure, "the request ended without a response or an error") }
        return output
    }

    /// Sends one GET request and decodes the JSON of the response (S2.60, S4.1).
    ///
    /// - Throws: The errors of ``send(_:to:)``.
    public func get<Value: Decodable & Sendable>(
        _ url: String, query: [(name: String, value: String)] = [], headers: Headers = [], through service: String? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await send(OneOff<Value>(method: .get, path: url, query: query, headers: headers, content: .none), to: try server(named: service))
    }

    /// Sends one POST request with a JSON body and decodes the JSON of the response.
    ///
    /// - Throws: The errors of ``send(_:to:)``, and `badBody` when `json` cannot be encoded.
    public func post<Value: Decodable & Sendable>(
        _ url: String, json: some Encodable & Sendable, headers: Headers = [], through service: String? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let content: RequestBody
        do { content = try .json(encoding: json) } catch { throw .badBody(error) }
        return try await send(OneOff<Value>(method: .post, path: url, query: [], headers: headers, content: content), to: try server(named: service))
    }

    /// Sends one POST request with a form and decodes the JSON of the response.
    ///
    /// - Throws: The errors of ``send(_:to:)``.
    public func post<Value: Decodable & Sendable>(
        _ url: String, form: [(name: String, value: String)], headers: Headers = [], through service: String? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await send(OneOff<Value>(method: .post, path: url, query: [], headers: headers, content: .form(form)), to: try server(named: service))
    }

    private func server(named service: String?) throws(NetworkError) -> Server? {
        guard let service else { return nil }
        return try server(of: service)
    }

    private func request(for endpoint: some TypedEndpoint, on server: Server?) throws(NetworkError) -> Request {
        let body: RequestBody
        do { body = try endpoint.body() } catch { throw .badBody(error) }
        let options = endpoint.options == RequestOptions() ? nil : endpoint.options
        var request: Request
        if let server {
            request = try server.request(
                endpoint.method, endpoint.path, query: endpoint.query, headers: endpoint.headers, body: body, options: options)
        } else {
            request = try Request(endpoint.method, endpoint.path, on: nil, query: endpoint.query, headers: endpoint.headers, body: body)
            if let options { request.options = options }
        }
        do { try request.add(try endpoint.parameters(), endpoint.parameterPlacement, endpoint.parameterEncoder) } catch {
            throw error as? NetworkError ?? NetworkError(.invalidOption, "the parameters cannot be written: \(error)")
        }
        request.options.parameterRules += endpoint.parameterRules
        let statuses = endpoint.acceptedStatuses
        request.options.answer = ResponseRules(
            statuses: statuses.isEmpty ? [] : [statuses.lowerBound...statuses.upperBound - 1], contentTypes: endpoint.acceptedContentTypes,
            shape: endpoint.shape, messages: endpoint.resultMessages)
        (endpoint as? any CacheableEndpoint)?.applyCache(to: &request.options)
        return request
    }
}

extension Request {
    /// Adds parameters at the place that the method requires (S0.29).
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

/// The endpoint of a call to `get` or `post`.
private struct OneOff<Value: Decodable & Sendable>: TypedEndpoint {
    typealias Output = Value

    let method: HTTPMethod
    let path: String
    let query: [(name: String, value: String)]
    let headers: Headers
    let content: RequestBody

    func body() -> RequestBody { content }
}
