#if HTTPTypes
    public import HTTPTypes
    public import SortieHTTP

    // Conversions to and from swift-http-types. They require the package trait `HTTPTypes`.

    extension Headers {
        /// Creates a list from the fields of swift-http-types, in their order.
        ///
        /// - Parameter fields: The fields.
        public init(_ fields: HTTPFields) {
            self.init(fields.map { HeaderField($0.name.rawName, $0.value) })
        }
    }

    extension HTTPFields {
        /// Creates fields of swift-http-types, in their order; fields whose names are not tokens (RFC 9110 §5.6.2) are left out.
        ///
        /// - Parameter headers: The fields.
        public init(_ headers: Headers) {
            self.init()
            for field in headers.fields {
                if let name = HTTPField.Name(field.name) { append(HTTPField(name: name, value: field.value)) }
            }
        }
    }

    extension Request {
        /// Creates a request from one of swift-http-types.
        ///
        /// - Parameters:
        ///   - request: A request with a scheme and an authority.
        ///   - body: The body.
        ///   - options: The options for sending.
        /// - Throws: `invalidURL` for a request whose parts are not a URL to which a request can be sent; `invalidMethod`.
        public init(_ request: HTTPRequest, body: RequestBody = .none, options: RequestOptions = .init()) throws(NetworkError) {
            guard let method = HTTPMethod(request.method.rawValue) else {
                throw NetworkError(.invalidMethod, "“\(request.method.rawValue)” is not a method")
            }
            try self.init(
                "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "/")", method: method, headers: Headers(request.headerFields),
                body: body, options: options)
        }
    }

    extension HTTPRequest {
        /// Creates a request of swift-http-types, without the body and the options.
        ///
        /// - Parameter request: The request.
        public init(_ request: Request) {
            self.init(
                method: Method(request.method.rawValue) ?? .get, scheme: request.url.scheme.rawValue, authority: request.url.authority,
                path: request.url.requestTarget, headerFields: HTTPFields(request.headers))
        }
    }

    extension HTTPResponse {
        /// Creates a response of swift-http-types, without the body.
        ///
        /// - Parameter response: The response.
        public init(_ response: Response) {
            self.init(
                status: Status(code: min(max(response.status, 0), 999), reasonPhrase: response.reason), headerFields: HTTPFields(response.headers))
        }
    }

    extension Client {
        /// Sends a request of swift-http-types and waits for its whole response, as ``send(_:plugins:)`` does.
        ///
        /// - Parameters:
        ///   - request: A request with a scheme and an authority.
        ///   - body: The body.
        /// - Returns: The response, and its body, which is a view over memory or a file.
        /// - Throws: The errors of ``send(_:plugins:)``.
        public func send(_ request: HTTPRequest, body: RequestBody = .none) async throws(NetworkError) -> (HTTPResponse, BodyBytes) {
            let response = try await send(Request(request, body: body))
            return (HTTPResponse(response), response.body)
        }
    }
#endif
