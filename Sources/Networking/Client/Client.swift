internal import Glibc
public import Model
internal import Synchronization

/// Sends requests: the one door to the engine.
///
/// A client has its own channels, addresses and table of calls; all clients of a process share the engine's thread. It may be used from anywhere.
public final class Client: Sendable {
    /// What a client is made with.
    public struct Configuration: Sendable {
        /// The folder for bodies above 1 MiB while they are looked at; made when missing, private to the user.
        public var spoolFolder: String
        /// How many requests of a channel may be in flight: by the service's folder, or by the origin where there is no service.
        ///
        /// 64 where nothing is said.
        public var channelLimits: [String: Int]
        /// How many connections of a channel may be open, named in the same way; not limited where nothing is said.
        public var connectionLimits: [String: Int]
        /// The plugins of every call, in order.
        public var plugins: [any Plugin]
        /// The services, by name: the folder of those of a workspace.
        public var services: [String: ServiceConfiguration]
        /// The cookies that are kept, by the request's environment (S2.15).
        public var cookies: CookieJars
        /// Where requests wait that may wait for the network; nil where none may (S3.16).
        public var parking: ParkingLot?
        /// Who keeps the addresses of names over the end of the program; nil where nobody does (S3.12).
        public var addresses: (any AddressKeeper)?
        /// Asks the user for the passphrase of an encrypted client key; nil where the user cannot be asked.
        public var clientKeyQuestion: ClientKeyQuestion.Asking?
        /// The environment whose servers are used (S1.7).
        public var environment: String?
        /// Where endpoints go that are sent to no server and no service; nil asks for absolute URLs (S2.3).
        public var server: Server?

        /// A configuration.
        public init(
            spoolFolder: String = Configuration.defaultSpoolFolder, channelLimits: [String: Int] = [:], connectionLimits: [String: Int] = [:],
            plugins: [any Plugin] = [],
            services: [String: ServiceConfiguration] = [:], environment: String? = nil, server: Server? = nil, cookies: CookieJars = CookieJars(),
            parking: ParkingLot? = nil, addresses: (any AddressKeeper)? = nil
        ) {
            self.spoolFolder = spoolFolder
            self.channelLimits = channelLimits
            self.connectionLimits = connectionLimits
            self.plugins = plugins
            self.services = services
            self.cookies = cookies
            self.parking = parking
            self.addresses = addresses
            self.environment = environment
            self.server = server
        }

        /// `$XDG_CACHE_HOME/sortie/spool`, or the same below `~/.cache`.
        public static var defaultSpoolFolder: String { CacheFolder.path(for: "spool") }
    }

    private let ids = RequestIDs()
    let core: ClientCore
    /// What was counted of its calls, by service, server and address.
    public var monitor: Monitor { core.monitor }
    /// Downloads into files, which go on where they were.
    public let downloads: Downloads
    /// Where callbacks are called when nothing else is said.
    let callbackQueue = CallbackQueue()

    /// A client; nothing is opened before its first request.
    public convenience init(_ configuration: Configuration = .init()) {
        self.init(configuration, resolver: nil)
    }

    /// A client that asks `resolver` for addresses; the system and DNS over HTTPS servers where there is none.
    init(
        _ configuration: Configuration, resolver: Resolver?, retrySource: Retry.Source = .init(), conditions: ConditionsTable = ConditionsTable()
    ) {
        let servers = DNSOverHTTPS(spoolFolder: configuration.spoolFolder)
        let resolver = resolver ?? Resolver(askingServers: { servers.start($0, $1, $2) }, keeper: configuration.addresses)
        core = ClientCore(configuration: configuration, resolver: resolver, retrySource: retrySource, conditions: conditions)
        downloads = Downloads(core: core)
        CacheFolder.make(configuration.spoolFolder)
    }

    /// A new identity for a call, to cancel it by.
    public func makeID() -> RequestID {
        ids.next()
    }

    /// Sends a request and waits for its whole response.
    ///
    /// Cancelling the task stops the request. A 404 or 500 is a response.
    ///
    /// - Throws: a ``NetworkError`` when no whole response came; `cancelled` when the task was.
    public func send(_ request: Request) async throws(NetworkError) -> Response {
        try await exchange(request).result.get()
    }

    /// Sends a request and tells all that came of it: attempts, moments, and the error beside what arrived before it.
    ///
    /// - Parameter onEvent: is told what happens while it happens, on whichever thread it happens; the last event, `finished`, before this returns.
    public func exchange(
        _ request: Request, id: RequestID? = nil, onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async -> Exchange {
        await run(request, id: id ?? ids.next(), reading: nil, onEvent: onEvent)
    }

    /// The same, with what the caller makes of the answer as a part of the call: an answer that it refuses is not kept (X3).
    func exchange(_ request: Request, reading: @escaping Call.Reading) async -> Exchange {
        await run(request, id: ids.next(), reading: reading)
    }

    /// Sends a request and tells what happens while it happens; the last event is `finished`.
    ///
    /// Ending the iteration cancels the request. Progress is collected for about 40 ms, so a fast transfer makes few events. Progress that a slow
    /// consumer has not taken is replaced by newer, and of more than a thousand waiting events the oldest are dropped; the end never is.
    ///
    /// - Parameter parked: how the request stood when an earlier program ended while it waited for the network: it goes on waiting, in the order of
    ///   these calls (S3.16).
    public func events(_ request: Request, id: RequestID? = nil, parked: ParkingNotice? = nil) -> AsyncStream<CallEvent> {
        let id = id ?? ids.next()
        let buffer = EventBuffer.ofCall()
        // In the table before this returns, so that a later `cancel` with its identity finds it.
        let call = core.register(id, request, parked: parked) { signal in
            if case .event(let event) = signal { buffer.yield(event) }
        }
        Task { [core] in
            _ = await core.run(call)
            buffer.finish()
        }
        return buffer.stream { call.abort(.cancelledByCaller) }
    }

    /// Treats the services' calls that begin from now on in another way; those that run end as they began.
    public func use(services: [String: ServiceConfiguration]) {
        core.use(services)
    }

    /// Looks up the hosts of these URLs before they are needed, now and after each change of the network; those given before are forgotten (S3.12).
    ///
    /// Returns at once. What could not be found is looked up again by the first request.
    public func resolveAhead(_ hosts: [(url: HTTPURL, resolution: NameResolution)]) {
        core.resolver.resolveAhead(Set(hosts.map { .init(host: $0.url.hostForLookup, server: $0.resolution.server) }))
    }

    /// Shows what a request would send, with every decision on the way there, and sends nothing.
    ///
    /// Plugins take part up to the signature; none may renew a token or tell anybody. What is found out from the world is the address of a name.
    public func dryRun(_ request: Request) async -> DryRun {
        await core.dryRun(request, id: ids.next())
    }

    /// Stops one call or one download; it ends as `cancelled`, and a download keeps its part.
    ///
    /// One that has ended, or never began, is left alone.
    public func cancel(_ id: RequestID) async {
        core.table.abort(id, reason: .cancelledByCaller)
    }

    /// Lets a call stand still: nothing is sent or taken, and no limit of time runs, until ``resume(_:)`` (S2.1).
    ///
    /// One that waits for its turn keeps its place in the order and lets others go first. One that has ended, or never began, is left alone.
    public func suspend(_ id: RequestID) {
        core.table[id]?.suspend()
    }

    /// Lets a suspended call go on; any other is left alone.
    public func resume(_ id: RequestID) {
        core.table[id]?.resume()
    }

    /// Where a call is in its life; nil for one that has ended, or never began (S2.26).
    public func state(of id: RequestID) -> CallState? {
        core.table[id]?.phase
    }

    /// Stops every call and every download of this client, paused ones too; downloads keep their parts.
    public func cancelAll() async {
        core.table.abortAll(reason: .cancelledByCaller)
    }

    /// Stops every call and every download, and refuses further ones.
    public func shutDown() async {
        core.table.shutDown()
    }

    /// Waits until no call and no download of this client is under way; one that is paused is under way.
    public func waitUntilIdle() async {
        await core.table.waitUntilIdle()
    }

    /// Ends the engine of the process: all calls of all clients end, connections are closed.
    ///
    /// For the end of a program.
    public static func shutDownEngine() async {
        await withCheckedContinuation { continuation in
            Engine.post {
                TransferQueue.shared.shutDown()
                continuation.resume()
            }
        }
    }

    private func run(
        _ request: Request, id: RequestID, reading: Call.Reading?, onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async -> Exchange {
        var observer: (@Sendable (CallSignal) -> Void)?
        if let onEvent {
            observer = { signal in
                if case .event(let event) = signal { onEvent(event) }
            }
        }
        let call = core.register(id, request, reading: reading, observer: observer)
        return await withTaskCancellationHandler {
            await core.run(call)
        } onCancel: {
            call.abort(.cancelledByCaller)
        }
    }
}
