/// A complete request: sending it requires no further resolution of templates or settings.
public struct Request: Hashable, Sendable {
    /// The target's name in the workspace (`shop/orders`); nil for a request without one.
    public var target: String?
    /// The service whose request queue is used; nil for the queue of the origin.
    public var service: String?
    /// The environment of the request.
    public var environment: String?
    /// The generation of the service's ring of servers when the request was created, so that late results do not count for another server; nil
    /// without a ring (S1.15).
    package var serverGeneration: Int?
    /// The same URL on the other servers of the ring, the next one first, for failover when the server cannot be reached (X7).
    public var otherServers: [HTTPURL] = []
    /// The method.
    public var method: HTTPMethod
    /// The URL.
    public var url: HTTPURL
    /// The header fields that the user or a file specified.
    public var headers: Headers
    /// The body.
    public var body: RequestBody
    /// The options for sending.
    public var options: RequestOptions {
        // A getter would copy every field for each option that is read.
        _read { yield sharedOptions.wrappedValue }
        _modify { yield &sharedOptions.wrappedValue }
    }
    /// The storage of ``options``, which requests with the same options share.
    package var sharedOptions: CopyOnWrite<RequestOptions>
    /// The purpose of sending it.
    package var kind = RequestKind.data
    /// The value that the program attached; nil where it attached none.
    @CopyOnWrite public var tag: RequestTag?
    /// The secrets of the request, and the hosts that may receive them.
    @CopyOnWrite public var secrets: RequestSecrets

    /// Creates a request.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init(),
        target: String? = nil, service: String? = nil, environment: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        sharedOptions = CopyOnWrite(wrappedValue: options)
        self._tag = Request.noTag
        self._secrets = Request.noSecrets
        self.target = target
        self.service = service
        self.environment = environment
    }

    /// A shared box for all requests without a tag.
    private static let noTag = CopyOnWrite<RequestTag?>(wrappedValue: nil)
    /// A shared box for all requests without secrets.
    private static let noSecrets = CopyOnWrite(wrappedValue: RequestSecrets())
}
