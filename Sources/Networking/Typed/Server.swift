public import Model

/// Where typed endpoints are sent: a base URL and what all requests to it share.
///
/// A value, so that an environment is another value (S1.7, S2.3). ``Client/server(of:)`` makes those of declared services.
public struct Server: Hashable, Sendable {
    /// The base URL; paths are joined to it with exactly one `/` (S2.5).
    public var base: String
    /// The channel and configuration that requests go through; those of the origin where nil.
    public var service: String?
    /// Header fields of every request; those of an endpoint win.
    public var headers: Headers
    /// Who asks, where no header says it.
    public var auth: Auth
    /// How requests are sent that say nothing of their own.
    public var options: RequestOptions
    /// The environment that it belongs to.
    public internal(set) var environment: String?
    /// Which turn of its service's ring it is from; nil without a ring (S1.15).
    public internal(set) var generation: Int?
    /// The base URLs of the other servers of its ring, the next one first (X7).
    public internal(set) var others: [String] = []

    /// A server.
    public init(
        _ base: String, service: String? = nil, headers: Headers = [], auth: Auth = .none, options: RequestOptions = RequestOptions()
    ) {
        self.base = base
        self.service = service
        self.headers = headers
        self.auth = auth
        self.options = options
    }

    /// A request to this server; a ready-made one gets nothing of it but the base URL (S2.19).
    func request(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)], headers: Headers, body: RequestBody, options: RequestOptions?
    ) throws(NetworkError) -> Request {
        var request = try Request(
            method, path, on: base, query: query, headers: options?.isReadyMade == true ? headers : self.headers.overlaid(with: headers), body: body)
        request.options = options ?? self.options
        request.service = service
        request.environment = environment
        request.serverGeneration = generation
        if !others.isEmpty, !HTTPURL.isAbsolute(path) {
            request.otherServers = try others.map { base throws(NetworkError) in
                try Request(method, path, on: base, query: query, headers: [], body: .none).url
            }
        }
        if !request.options.isReadyMade { request.authorize(auth) }
        return request
    }
}

extension Request {
    /// A request for a path on a base URL, or for an absolute URL (X5).
    init(
        _ method: HTTPMethod, _ path: String, on base: String?, query: [(name: String, value: String)], headers: Headers, body: RequestBody
    ) throws(NetworkError) {
        let url: HTTPURL
        do { url = try HTTPURL.joining(base: base, path: path) } catch { throw NetworkError(.invalidURL, error.description) }
        self.init(method: method, url: url.appending(query: query), headers: headers, body: body)
    }
}
