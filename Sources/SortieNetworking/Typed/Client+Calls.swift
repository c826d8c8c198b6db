public import SortieHTTP

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
    func filter(_ response: Response) throws -> Response { try settings.filter?(response) ?? response }
    func output(of response: Response) throws -> Output { try make(response) }
}
