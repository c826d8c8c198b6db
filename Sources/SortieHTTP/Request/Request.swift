/// A complete request: sending it requires no further resolution of templates or settings.
///
/// Copies share their storage until one of them changes.
public struct Request: Hashable, Sendable {
    /// The properties, which are documented at those of the request.
    @usableFromInline
    struct Storage: Hashable, Sendable {
        @usableFromInline var target: String?
        @usableFromInline var service: String?
        @usableFromInline var environment: String?
        @usableFromInline var serverGeneration: Int?
        @usableFromInline var otherServers: [HTTPURL] = []
        @usableFromInline var method: HTTPMethod
        @usableFromInline var url: HTTPURL
        @usableFromInline var headers: Headers
        @usableFromInline var body: RequestBody
        @usableFromInline var options: CopyOnWrite<RequestOptions>
        @usableFromInline var kind = RequestKind.data
        @usableFromInline var tag = Request.noTag
        @usableFromInline var secrets = Request.noSecrets
    }

    @usableFromInline @CopyOnWrite var storage: Storage

    /// The target's name in the workspace (`shop/orders`); nil for a request without one.
    public var target: String? {
        @inlinable _read { yield storage.target }
        @inlinable _modify { yield &storage.target }
    }
    /// The service whose request queue is used; nil for the queue of the origin.
    public var service: String? {
        @inlinable _read { yield storage.service }
        @inlinable _modify { yield &storage.service }
    }
    /// The environment of the request.
    public var environment: String? {
        @inlinable _read { yield storage.environment }
        @inlinable _modify { yield &storage.environment }
    }
    /// The generation of the service's ring of servers when the request was created, so that late results do not count for another server; nil
    /// without a ring.
    package var serverGeneration: Int? {
        @inlinable _read { yield storage.serverGeneration }
        @inlinable _modify { yield &storage.serverGeneration }
    }
    /// The same URL on the other servers of the ring, the next one first, for failover when the server cannot be reached.
    public var otherServers: [HTTPURL] {
        @inlinable _read { yield storage.otherServers }
        @inlinable _modify { yield &storage.otherServers }
    }
    /// The method.
    public var method: HTTPMethod {
        @inlinable _read { yield storage.method }
        @inlinable _modify { yield &storage.method }
    }
    /// The URL.
    public var url: HTTPURL {
        @inlinable _read { yield storage.url }
        @inlinable _modify { yield &storage.url }
    }
    /// The header fields that the user or a file specified.
    public var headers: Headers {
        @inlinable _read { yield storage.headers }
        @inlinable _modify { yield &storage.headers }
    }
    /// The body.
    public var body: RequestBody {
        @inlinable _read { yield storage.body }
        @inlinable _modify { yield &storage.body }
    }
    /// The options for sending.
    public var options: RequestOptions {
        @inlinable _read { yield storage.options.wrappedValue }
        @inlinable _modify { yield &storage.options.wrappedValue }
    }
    /// The storage of ``options``, which requests with the same options share.
    package var sharedOptions: CopyOnWrite<RequestOptions> {
        @inlinable _read { yield storage.options }
        @inlinable _modify { yield &storage.options }
    }
    /// The purpose of sending it.
    package var kind: RequestKind {
        @inlinable _read { yield storage.kind }
        @inlinable _modify { yield &storage.kind }
    }
    /// The value that the program attached; nil where it attached none.
    public var tag: RequestTag? {
        @inlinable _read { yield storage.tag.wrappedValue }
        @inlinable _modify { yield &storage.tag.wrappedValue }
    }
    /// The secrets of the request, and the hosts that may receive them.
    public var secrets: RequestSecrets {
        @inlinable _read { yield storage.secrets.wrappedValue }
        @inlinable _modify { yield &storage.secrets.wrappedValue }
    }

    /// Creates a request.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init(),
        target: String? = nil, service: String? = nil, environment: String? = nil
    ) {
        _storage = CopyOnWrite(
            wrappedValue: Storage(
                target: target, service: service, environment: environment, method: method, url: url, headers: headers, body: body,
                options: CopyOnWrite(wrappedValue: options)))
    }

    /// A shared box for all requests without a tag.
    private static let noTag = CopyOnWrite<RequestTag?>(wrappedValue: nil)
    /// A shared box for all requests without secrets.
    private static let noSecrets = CopyOnWrite(wrappedValue: RequestSecrets())
}
