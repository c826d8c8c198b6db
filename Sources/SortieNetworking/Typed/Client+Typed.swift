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
    ///   ``send(_:plugins:)``.
    public func send<Target: TypedEndpoint>(_ endpoint: Target, to server: Server? = nil) async throws(NetworkError) -> Target.Output {
        let request = try request(for: endpoint, on: server ?? core.configuration.server)
        let made = Mutex<Target.Output?>(nil)
        let exchange = await exchange(request, plugins: endpoint.plugins) { response in
            let output = try endpoint.output(of: try endpoint.filter(response))
            try endpoint.validate(output)
            made.withLock { $0 = output }
        }
        if let error = exchange.error { throw error }
        guard let output = made.withLock({ $0 }) else { throw NetworkError(.internalFailure, "the request ended without a response or an error") }
        return output
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
