internal import Glibc
public import SortieHTTP

/// Sends requests.
///
/// A client has separate request queues, addresses and calls; all clients of a process share the engine's thread. It can be used from any thread.
public final class Client: Sendable {
    private let ids = RequestIDs()
    let core: ClientCore
    /// The counts of its calls, by service, server and address.
    public var monitor: Monitor { core.monitor }
    /// The cached responses.
    public var cache: CachedResponses { CachedResponses(client: self) }
    /// Downloads to files, which continue after an interruption.
    public let downloads: Downloads
    /// The default actor of callbacks.
    package let callbackQueue = CallbackQueue()

    /// Creates a client; nothing is opened before its first request.
    public convenience init(_ configuration: ClientConfiguration = .init()) {
        self.init(configuration, resolver: nil)
    }

    /// Creates a client with a resolver; nil for the system's resolver and DNS over HTTPS servers.
    init(
        _ configuration: ClientConfiguration, resolver: Resolver?, retrySource: Retry.Source = .init(),
        conditions: ConditionsTable = ConditionsTable(), clock: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        let servers = DNSOverHTTPS(spoolFolder: configuration.spoolFolder)
        let resolver = resolver ?? Resolver(askingServers: { servers.start($0, $1, $2) }, keeper: configuration.addresses)
        core = ClientCore(configuration: configuration, resolver: resolver, retrySource: retrySource, conditions: conditions, clock: clock)
        downloads = Downloads(core: core)
        CacheFolder.make(configuration.spoolFolder)
    }

    /// Creates an identity for a call, for example to cancel it.
    public func makeID() -> RequestID {
        ids.next()
    }

    /// Sends a request and waits for its whole response.
    ///
    /// Cancelling the task stops the request. A 404 or 500 is a response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    /// - Throws: A `NetworkError` when no complete response arrived; `cancelled` when the task was cancelled.
    public func send(_ request: Request, plugins: [any Plugin] = []) async throws(NetworkError) -> Response {
        try await exchange(request, plugins: plugins).result.get()
    }

    /// Sends a request and returns the exchange: its attempts, its timing, and the error with what arrived before it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The identity of the call; nil for a new one.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    ///   - onEvent: Called for each event, on any thread; the last event, `finished`, is reported before this method returns.
    public func exchange(
        _ request: Request, id: RequestID? = nil, plugins: [any Plugin] = [], onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async -> Exchange {
        await run(request, id: id ?? ids.next(), CallAdditions(plugins: plugins), reading: nil, onEvent: onEvent)
    }

    /// Sends a request whose response is processed as a part of the call: a response that `reading` rejects is not stored.
    func exchange(_ request: Request, _ own: CallAdditions, reading: @escaping Call.Reading) async -> Exchange {
        await run(request, id: ids.next(), own, reading: reading)
    }

    /// Sends a request and returns its events; the last one is `finished`.
    ///
    /// Ending the iteration cancels the request. Progress is reported about every 40 ms. Progress that a slow consumer has not read is replaced by newer
    /// progress, and of more than a thousand waiting events the oldest are dropped, but never the last one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The identity of the call; nil for a new one.
    ///   - parked: The state of a request that waited for the network when an earlier run of the program ended: it continues to wait, in the order of
    ///     these calls.
    public func events(_ request: Request, id: RequestID? = nil, parked: ParkingNotice? = nil) -> AsyncStream<CallEvent> {
        events(request, id: id, parked: parked, demand: nil)
    }

    /// Sends a request whose body is paused while its consumer is behind.
    ///
    /// A response over HTTP/2 is not paused, except for the decoding of its content: the rest waits in a file.
    ///
    /// - Parameter heads: The first bytes of pipes in the body, where the program has read them already, by their paths.
    package func events(
        _ request: Request, id: RequestID? = nil, parked: ParkingNotice? = nil, demand: BodyDemand?, heads: [String: [UInt8]] = [:]
    ) -> AsyncStream<CallEvent> {
        let id = id ?? ids.next()
        let buffer = EventBuffer.ofCall()
        // Registered before this method returns, so that `cancel` with its identity finds it.
        let call = core.register(id, request, parked: parked, demand: demand) { signal in
            if case .event(let event) = signal { buffer.yield(event) }
        }
        if !heads.isEmpty { call.files.use(heads: heads) }
        Task { [core] in
            _ = await core.run(call)
            buffer.finish()
        }
        return buffer.stream { call.abort(.cancelledByCaller) }
    }

    /// Replaces the declarations of services for calls that start from now on; running calls are not affected.
    public func use(services: [String: ServiceConfiguration]) {
        core.use(services)
    }

    /// Looks up the hosts of these URLs in advance, now and after each change of the network; replaces the hosts of the previous call.
    ///
    /// Returns at once. A host that is not found is looked up again by its first request.
    public func resolveAhead(_ hosts: [(url: HTTPURL, resolution: NameResolution)]) {
        guard core.configuration.transport.usesEngine else { return }
        core.resolver.resolveAhead(Set(hosts.map { .init(host: $0.url.hostForLookup, server: $0.resolution.server) }))
    }

    /// Returns what a request would send, with all decisions, without sending anything.
    ///
    /// Plugins run up to the signature; none renews a token or signals anything. No name is looked up.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    package func dryRun(_ request: Request, plugins: [any Plugin] = []) async -> DryRun {
        await core.dryRun(request, id: ids.next(), plugins: plugins)
    }

    /// Cancels a call or a download; it ends as `cancelled`, and a download keeps its part.
    ///
    /// Has no effect on one that has ended or never started.
    public func cancel(_ id: RequestID) {
        core.table.abort(id, reason: .cancelledByCaller)
    }

    /// Suspends a call: nothing is sent or received, and time limits stop, until ``resume(_:)``.
    ///
    /// A queued call keeps its position and lets others go first. Has no effect on a call that has ended or never started.
    public func suspend(_ id: RequestID) {
        core.table[id]?.suspend()
    }

    /// Resumes a suspended call; has no effect on any other.
    public func resume(_ id: RequestID) {
        core.table[id]?.resume()
    }

    /// The state of a call; nil for one that has ended or never started.
    public func state(of id: RequestID) -> CallState? {
        core.table[id]?.phase
    }

    /// Cancels every call and every download of this client, including paused ones; downloads keep their parts.
    public func cancelAll() {
        core.table.abortAll(reason: .cancelledByCaller)
    }

    /// Cancels every call and every download, refuses further ones, and waits until all have ended.
    ///
    /// A plugin or a closure of the program that ignores the cancellation of its task delays the end. Neither may call this method, which would wait for it.
    public func shutDown() async {
        core.table.shutDown()
        await core.table.waitUntilIdle()
    }

    /// Waits until no call and no download of this client is active; a paused one is active.
    package func waitUntilIdle() async {
        await core.table.waitUntilIdle()
    }

    /// Starts to load and initialise libcurl on the engine's thread, so that the first request need not wait for it.
    package static func prepareEngine() {
        Engine.post { TransferQueue.shared.prepareAhead() }
    }

    /// Shuts down the engine of the process: all calls of all clients end, and connections are closed.
    ///
    /// For the end of the program.
    ///
    /// - Parameter ended: Called when the engine is shut down, on any thread.
    package static func shutDownEngine(_ ended: @escaping @Sendable () -> Void) {
        guard Engine.isStarted else { return ended() }
        Engine.post {
            TransferQueue.shared.shutDown()
            ended()
        }
    }

    private func run(
        _ request: Request, id: RequestID, _ own: CallAdditions, reading: Call.Reading?, onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async -> Exchange {
        await core.runCancellably(core.register(id, request, reading: reading, observer: Call.observer(of: onEvent)), own)
    }
}

extension Client {
    /// The services that a gRPC server describes by reflection, as a `FileDescriptorSet` with all imports.
    ///
    /// - Parameter request: A request to the server, whose fields and options are used; its path is that of the services.
    /// - Throws: `badResponse` where the server is not one of gRPC or has no reflection, and the errors of sending.
    package func describedServices(_ request: Request) async throws(NetworkError) -> [UInt8] {
        var request = core.resolved(request)
        GRPCRequest.prepare(&request, secondsLeft: nil)
        return try await core.reflection(like: request, nil).descriptorSet()
    }
}

/// Observing the exchanges of a client, and simulating network conditions.
extension Client {
    /// Reports every attempt that ends from now on: the exchange up to now, whose last attempt has just ended.
    ///
    /// Replaces the observer of an earlier call. The body of the response is a view, so it is not copied. A response of the cache is not reported.
    ///
    /// - Parameter observer: Called on any thread; must not block. Nil ends the reports.
    public func observeAttempts(_ observer: (@Sendable (Exchange) -> Void)?) {
        core.recorder.use(observer)
    }

    /// Reports every call and every download that ends from now on, before its caller receives the result.
    ///
    /// Replaces the observer of an earlier call.
    ///
    /// - Parameter observer: Called on any thread; must not block. Nil ends the reports.
    public func observeCalls(_ observer: (@Sendable (CompletedCall) -> Void)?) {
        core.archive.use(observer)
    }

    /// Simulates network conditions for attempts that start from now on; an empty table ends that.
    ///
    /// - Parameter conditions: By the request's service, or by the URL's origin where it has none.
    package func use(conditions: [String: NetworkConditions]) {
        core.conditions.use(conditions)
    }
}

extension Client {
    /// The fields that every request carries where it has none of that name; what depends on its URL and body comes beside them.
    package static func standardHeaders(_ fields: StandardFields) -> [HeaderField] {
        fields.fields + [HeaderField("Accept", "*/*"), HeaderField("Accept-Encoding", ContentCoding.offer)]
    }
}

extension Client {
    /// Creates a call that has not started, and that can be suspended, resumed and cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    public func task(_ request: Request, plugins: [any Plugin] = []) -> CallTask {
        CallTask(id: makeID(), request: request, own: CallAdditions(plugins: plugins), core: core, deliver: nil)
    }

    /// Starts a call that can be suspended, resumed and cancelled.
    @discardableResult
    public func start(_ request: Request, plugins: [any Plugin] = []) -> CallTask {
        let task = task(request, plugins: plugins)
        task.start()
        return task
    }

    /// Creates a call that has not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    ///   - deliver: Receives the identity and the signals of the call; the call has ended when it returns.
    package func task(
        _ request: Request, plugins: [any Plugin], deliver: @escaping @Sendable (RequestID, AsyncStream<CallSignal>) async -> Void
    ) -> CallTask {
        let id = makeID()
        return CallTask(id: id, request: request, own: CallAdditions(plugins: plugins), core: core) { await deliver(id, $0) }
    }

    /// Cancels calls; they end as `cancelled`.
    package func cancel(_ ids: Set<RequestID>) {
        core.table.abort(ids, reason: .cancelledByCaller)
    }
}

extension Client {
    /// Forgets the access tokens in memory, so that the next requests read those of the archive or get new ones.
    package func forgetAccessTokens() { core.oauth2.forget() }

    /// The access token of a request with OAuth 2 settings, which is fetched or renewed where needed; the user signs in where its grant requires it.
    ///
    /// - Parameters:
    ///   - request: The request; it is not sent.
    ///   - renews: Whether a valid token is replaced, too.
    /// - Throws: `invalidOption` for a request without settings, and the errors of requests with them.
    public func accessToken(for request: Request, renews: Bool = false) async throws(NetworkError) -> OAuth2Token {
        let request = core.resolved(request)
        guard case .oauth2(let settings) = request.options.credential else {
            throw NetworkError(.invalidOption, "the request has no OAuth 2 settings that apply, so it has no access token")
        }
        let session = core.oauth2Session(settings, for: request)
        let credential = try await session.store.credential()
        if renews { _ = try await session.store.refresh(after: credential.version) }
        guard let token = session.token else { throw .credentialInvalidated }
        return token
    }
}
