public import SortieHTTP

/// The cached responses of a client, for programs that read, fill and clear the cache.
///
/// Files are read and written on separate threads, not on Swift's shared thread pool.
public struct CachedResponses: Sendable {
    let client: Client
    private var core: ClientCore { client.core }

    /// All entries, the most recently stored one first.
    ///
    /// - Returns: The entries, and a sentence for each damaged file, which is removed.
    public func entries() async -> (entries: [CacheEntry], problems: [String]) {
        await BlockingExecutor.shared.run { [cache = core.cache] in cache.listing() }
    }

    /// The response that the cache has for a request, regardless of its age; nil without one.
    ///
    /// The request needs a `RequestOptions.cacheLifetime`. Plugins add its parameters and credentials as in a call; nothing is sent.
    ///
    /// - Throws: The error of a plugin.
    public func response(to request: Request) async throws(NetworkError) -> Response? {
        var stored = request
        stored.options.cachePolicy = .cacheOnly
        guard let place = try await place(of: stored) else { return nil }
        let cache = core.cache
        if place.rules.isOnDisk { _ = await BlockingExecutor.shared.run { cache.readDisk(place.key, tag: place.rules.tag) } }
        guard case .fresh(let entry, _) = cache.lookup(place.request, key: place.key, rules: place.rules) else { return nil }
        return entry.response
    }

    /// Stores a response for a request, as if the server had sent it.
    ///
    /// - Throws: `invalidOption` with the reason when the request or the response may not be stored: no `RequestOptions.cacheLifetime`, `no-store`,
    ///   a method that is not cached, an incomplete body; `storage` when it was kept in memory but could not be stored on disk, as requested.
    public func store(_ response: Response, for request: Request) async throws(NetworkError) {
        guard let place = try await place(of: request) else {
            throw NetworkError(.invalidOption, "the request has no lifetime for cached responses", hint: "set options.cacheLifetime")
        }
        let cache = core.cache
        if case .refused(let reason) = cache.store(response, for: place.request, key: place.key, rules: place.rules) {
            throw NetworkError(.invalidOption, reason)
        }
        guard place.rules.isOnDisk else { return }
        let isEncrypted = core.service(of: request).configuration.encryption != nil
        let outcome = await BlockingExecutor.shared.run { cache.writeDisk(place.key, request: place.request, isEncrypted: isEncrypted) }
        if case .refused(let reason) = outcome { throw NetworkError(.storage, reason) }
    }

    /// Removes the entry with an identity; returns whether there was one.
    @discardableResult
    public func remove(_ id: CacheEntry.ID) async -> Bool {
        await remove { $0.id == id } > 0
    }

    /// Removes the entries that fulfil a condition; returns their number.
    @discardableResult
    public func remove(where condition: @escaping @Sendable (CacheEntry) -> Bool) async -> Int {
        await BlockingExecutor.shared.run { [cache = core.cache] in cache.remove(where: condition) }
    }

    /// Removes the entries of a service; returns their number.
    @discardableResult
    public func removeAll(ofService service: String) async -> Int {
        await remove { $0.service == service }
    }

    /// Removes all entries; returns their number.
    @discardableResult
    public func removeAll() async -> Int {
        await remove { _ in true }
    }

    /// The request with what plugins add, its key, and its settings; nil for a request that is not cached.
    private func place(of request: Request) async throws(NetworkError) -> (request: Request, key: CacheKey, rules: CacheRules)? {
        let request = core.resolved(request)
        guard let rules = CacheRules(request.options) else { return nil }
        let call = Call(id: client.makeID(), request: request) { _ in }
        defer { call.end() }
        var plugins = core.plugins(of: call, core.service(of: request), [])
        plugins.context.dryRun = DryRunNotes()
        var next = request
        try await plugins.willPrepare(&next)
        let identity = try await plugins.identity() + core.cookies(of: call).identity(of: next)
        return (next, CacheKey(next, identity: identity), rules)
    }
}
