/// One request, complete: nothing in it is looked up again after this.
public struct Request: Hashable, Sendable {
    /// The target's name in the workspace (`shop/orders`), if it came from there.
    public var target: String?
    /// The service whose channel it goes through; nil for the channel of its origin.
    public var service: String?
    /// The environment it was made for.
    public var environment: String?
    /// Which turn of the service's ring of servers it was made for, so that late results do not count for another; nil without a ring (S1.15).
    public var serverGeneration: Int?
    /// The same place on the other servers of the ring, the next one first: where it goes when its server cannot be reached (X7).
    public var otherServers: [HTTPURL] = []
    /// The method.
    public var method: HTTPMethod
    /// Where to.
    public var url: HTTPURL
    /// The fields as a person or a file gave them.
    public var headers: Headers
    /// The body.
    public var body: RequestBody
    /// How it is sent.
    @Boxed public var options: RequestOptions
    /// The purpose of sending it.
    public var kind = RequestKind.data
    /// The value that the program attached; nil where it attached none.
    @Boxed public var tag: RequestTag?
    /// What is secret in it, and where that may be sent.
    @Boxed public var secrets: RequestSecrets

    /// A request.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init(),
        target: String? = nil, service: String? = nil, environment: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self._options = Boxed(wrappedValue: options)
        self._tag = Request.noTag
        self._secrets = Request.noSecrets
        self.target = target
        self.service = service
        self.environment = environment
    }

    /// One box for all requests without a tag.
    private static let noTag = Boxed<RequestTag?>(wrappedValue: nil)
    /// One box for all requests without secrets.
    private static let noSecrets = Boxed(wrappedValue: RequestSecrets())
}
