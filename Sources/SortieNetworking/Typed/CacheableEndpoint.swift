internal import SortieHTTP

/// A typed endpoint whose responses are cached (S2.2); a cached response is decoded like one of the server.
public protocol CacheableEndpoint: TypedEndpoint {
    /// How long a cached response may be served without revalidation; 60 s by default (S1.23).
    var cacheLifetime: Duration { get }
    /// Whether the stored response is ignored and replaced; false by default.
    var ignoresCache: Bool { get }
    /// Whether responses are also stored in the cache folder of the client (S2.61); false by default.
    var cachesOnDisk: Bool { get }
}

extension CacheableEndpoint {
    /// 60 s.
    public var cacheLifetime: Duration { .seconds(60) }
    /// False.
    public var ignoresCache: Bool { false }
    /// False.
    public var cachesOnDisk: Bool { false }

    /// Applies the cache settings to the options of a request; a POST is then cached by its URL and body.
    func applyCache(to options: inout RequestOptions) {
        options.cacheLifetime = cacheLifetime
        options.cachesOnDisk = cachesOnDisk
        if ignoresCache { options.cachePolicy = .reload }
        if method == .post { options.cachedMethods.insert(.post) }
    }
}
