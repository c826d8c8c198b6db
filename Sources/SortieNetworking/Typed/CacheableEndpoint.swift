internal import SortieHTTP

/// A typed endpoint whose responses are cached; a cached response is decoded like one of the server.
public protocol CacheableEndpoint: TypedEndpoint {
    /// How long a cached response may be served without revalidation; 60 s by default.
    var cacheLifetime: Duration { get }
    /// Whether the stored response is ignored and replaced; false by default.
    var ignoresCache: Bool { get }
    /// Whether responses are also stored in the cache folder of the client; false by default.
    var cachesOnDisk: Bool { get }
}

extension CacheableEndpoint {
    /// 60 s.
    public var cacheLifetime: Duration { .seconds(60) }
    /// False.
    public var ignoresCache: Bool { false }
    /// False.
    public var cachesOnDisk: Bool { false }

    /// Adds the cache settings to the endpoint's options where they assign none; a POST is then cached by its URL and body.
    func addCache(to options: inout RequestOptions) {
        if !options.assigned.contains(.cacheLifetime) { options.cacheLifetime = cacheLifetime }
        if cachesOnDisk, !options.assigned.contains(.cachesOnDisk) { options.cachesOnDisk = true }
        if ignoresCache, !options.assigned.contains(.cachePolicy) { options.cachePolicy = .reload }
        if method == .post, !options.assigned.contains(.cachedMethods) { options.cachedMethods.insert(.post) }
    }
}
