public import SortieHTTP

/// The destination of typed endpoints: a base URL and the settings that all requests to it share.
///
/// An environment is another value of this type. ``Client/server(of:)`` creates the servers of declared services.
public struct Server: Hashable, Sendable {
    /// The base URL; paths are joined to it with exactly one `/`.
    public var base: String
    /// The service whose request queue and configuration apply; those of the origin where nil.
    public var service: String?
    /// Header fields of every request; those of an endpoint take precedence.
    public var headers: Headers
    /// The credentials, used where no header field contains any.
    public var auth: Auth
    /// The options of its requests, above those of the client and below those of the endpoint.
    @CopyOnWrite public var options: RequestOptions
    /// The environment of the service.
    package internal(set) var environment: String?
    /// The generation of the service's server ring when the URL was chosen; nil without a ring.
    package internal(set) var generation: Int?
    /// The base URLs of the other servers of the ring, the next one first.
    package internal(set) var others: [String] = []

    /// Creates a server.
    public init(
        _ base: String, service: String? = nil, headers: Headers = [], auth: Auth = .none, options: RequestOptions = RequestOptions()
    ) {
        self.base = base
        self.service = service
        self.headers = headers
        self.auth = auth
        _options = CopyOnWrite(wrappedValue: options)
    }

    /// Creates a request to this server; a request that bypasses plugins takes only the base URL.
    func request(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)], headers: Headers, body: RequestBody, options: RequestOptions
    ) throws(NetworkError) -> Request {
        var request = try Request(
            method, path, on: base, query: query, headers: options.bypassesPlugins ? headers : self.headers.overlaid(with: headers),
            body: body)
        request.sharedOptions = _options.overlaid(with: CopyOnWrite(wrappedValue: options))
        request.service = service
        request.environment = environment
        request.serverGeneration = generation
        if !others.isEmpty, !HTTPURL.isAbsolute(path) {
            request.otherServers = try others.map { base throws(NetworkError) in
                try Request(method, path, on: base, query: query, headers: [], body: .none).url
            }
        }
        if !request.options.bypassesPlugins { request.authorize(auth) }
        return request
    }
}

extension Request {
    /// Creates a request for a path on a base URL, or for an absolute URL.
    init(
        _ method: HTTPMethod, _ path: String, on base: String?, query: [(name: String, value: String)], headers: Headers, body: RequestBody
    ) throws(NetworkError) {
        let url: HTTPURL
        do { url = try HTTPURL.joining(base: base, path: path) } catch { throw NetworkError(.invalidURL, error.description) }
        self.init(method: method, url: url.appending(query: query), headers: headers, body: body)
    }
}
