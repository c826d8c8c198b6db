internal import FoundationEssentials
internal import SortieHTTP
internal import Synchronization

/// The table of calls, the channels, and the road of one request, which runs on the caller's own task.
final class ClientCore: Sendable {
    let configuration: Client.Configuration
    let resolver: Resolver
    /// What was counted of all calls.
    let monitor: Monitor
    /// What was answered and may be answered again.
    let cache = ResponseCache()
    private let strictTransport = StrictTransport()
    /// The passphrases of client keys.
    private let clientKeys: ClientKeyring
    /// How the network is made worse on purpose.
    let conditions: ConditionsTable
    /// Who is told of everything that passes.
    let recorder = TrafficObserver<RecordedHop>()
    /// Who keeps what has ended.
    let keeper = TrafficObserver<FinishedCall>()
    /// What is special about services; each call takes along what holds when it begins.
    private let services: Mutex<[String: ServiceConfiguration]>
    /// Where the waits before repetitions come from.
    private let retrySource: Retry.Source
    private let state = Mutex(State())

    private struct State {
        var calls: [RequestID: Call] = [:]
        /// The downloads under way: between two attempts, and while it is paused, one has no call.
        var downloads: [RequestID: RunningDownload] = [:]
        var channels: [ChannelKey: Channel] = [:]
        var rings: [RingKey: ServerRing] = [:]
        var isShutDown = false
        /// Who waits until no call is left.
        var idleWaiters: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { calls.isEmpty && downloads.isEmpty }

        /// Those whose wait is over.
        mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
            guard isIdle, !idleWaiters.isEmpty else { return [] }
            defer { idleWaiters = [] }
            return idleWaiters
        }
    }

    init(configuration: Client.Configuration, resolver: Resolver, retrySource: Retry.Source, conditions: ConditionsTable) {
        self.conditions = conditions
        self.retrySource = retrySource
        self.configuration = configuration
        self.resolver = resolver
        clientKeys = ClientKeyring(asking: configuration.clientKeyQuestion)
        monitor = Monitor(scores: resolver.scores)
        services = Mutex(configuration.services)
    }

    /// Has calls that begin from now on treated in another way.
    func use(_ services: [String: ServiceConfiguration]) {
        self.services.withLock { $0 = services }
    }

    // MARK: Table (S0.6–S0.9, S1.10–S1.12)

    /// Puts a call into the table; it is there before anything starts, so that it can be cancelled from its first moment (S0.8).
    func register(
        _ id: RequestID, _ request: Request, parked: ParkingNotice? = nil, reading: Call.Reading? = nil,
        makeSink: (@Sendable (HTTPURL) -> any BodySink)? = nil, observer: (@Sendable (CallSignal) -> Void)?
    ) -> Call {
        let call = Call(id: id, request: request, parked: parked, reading: reading, makeSink: makeSink, observer: observer)
        let isShutDown = state.withLock { state in
            state.calls[id] = call
            return state.isShutDown
        }
        if isShutDown { call.abort(.clientShutDown) }
        // Its place is taken here and now, so that the order of those that waited is that of these calls.
        if parked != nil {
            do throws(NetworkError) { try configuration.parking?.enter(id, lane: lane(of: request), bytes: 0) } catch { call.abort(error) }
        }
        return call
    }

    /// Puts a download into the table before anything of it starts, so that it can be cancelled and waited for from its first moment to its last.
    func begin(_ download: RunningDownload) {
        state.withLock { $0.downloads[download.id] = download }
    }

    /// Notes that a download has ended.
    func end(_ download: RunningDownload) {
        let waiters = state.withLock { state in
            state.downloads[download.id] = nil
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends a call or a download with `reason`; one that has ended is left alone.
    func abort(_ id: RequestID, reason: NetworkError) {
        let (call, download) = state.withLock { ($0.calls[id], $0.downloads[id]) }
        download?.cancel()
        call?.abort(reason)
    }

    /// Ends several calls with `reason`.
    func abort(_ ids: Set<RequestID>, reason: NetworkError) {
        Call.abort(state.withLock { state in ids.compactMap { state.calls[$0] } }, reason)
    }

    /// Where a call is in its life; nil for one that has ended, or never began.
    func phase(of id: RequestID) -> CallState? {
        state.withLock { $0.calls[id] }?.phase
    }

    /// Lets a call stand still; one that has ended is left alone.
    func suspend(_ id: RequestID) {
        state.withLock { $0.calls[id] }?.suspend()
    }

    /// Lets a call go on; one that runs or has ended is left alone.
    func resume(_ id: RequestID) {
        state.withLock { $0.calls[id] }?.resume()
    }

    /// Ends every call and every download, paused ones too; what downloads brought is kept.
    func abortAll(reason: NetworkError) {
        let (calls, downloads) = state.withLock { (Array($0.calls.values), Array($0.downloads.values)) }
        for download in downloads { download.cancel() }
        Call.abort(calls, reason)
    }

    /// Ends every call and takes no more.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        abortAll(reason: .clientShutDown)
    }

    /// Waits until no call and no download is left.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                if !state.isIdle { state.idleWaiters.append(waiter) }
                return state.isIdle
            }
            if isIdle { waiter.resume() }
        }
    }

    /// How a request's service is treated now.
    func service(of request: Request) -> ServiceConfiguration { request.service.flatMap { declaration(of: $0) } ?? .plain }

    /// Who takes part in a call: the client's plugins, then those of the service.
    func plugins(of call: Call, _ service: ServiceConfiguration) -> PluginChain {
        let all = service.plugins.isEmpty ? configuration.plugins : configuration.plugins + service.plugins
        return PluginChain(plugins: all, context: PluginContext(call: call), isReadyMade: call.request.options.isReadyMade)
    }

    /// The call's dealings with the jar of its environment.
    func cookies(of call: Call) -> HopCookies {
        HopCookies(call: call, jar: call.request.options.usesCookies ? configuration.cookies[call.request.environment] : nil)
    }

    /// Encrypts the body where the service does that; the key may have to be waited for.
    func encrypt(_ request: inout Request, with encryption: ServiceConfiguration.Encryption?, of call: Call) async throws(NetworkError) {
        guard let encryption, !request.options.isReadyMade else { return }
        let encryptor = try await call.encryptor(encryption, of: request)
        try request.encrypt(with: encryptor)
    }

    /// Runs a call of the table to its end, with exactly one `finished`.
    func run(_ call: Call) async -> Exchange {
        var exchange = Exchange(id: call.id, request: call.request, startedAt: Date())
        let service = service(of: call.request)
        let plugins = plugins(of: call, service)
        let cookies = cookies(of: call)
        var cached: CacheVisit?
        var road = HopRoad(
            call: call, plugins: plugins, cookies: cookies, resolver: resolver, strictTransport: strictTransport, monitor: monitor,
            spoolFolder: configuration.spoolFolder, conditions: conditions, recorder: recorder, cache: cache)
        do throws(NetworkError) {
            try await call.passSuspension()
            var request = call.request
            try await plugins.willPrepare(&request)
            try RequestCheck.checkSecrets(request)
            let plain = request
            try await encrypt(&request, with: service.encryption, of: call)
            if service.encryption != nil { road.plainBody = plain.body }
            try RequestCheck.check(request)
            let unconditional = request
            if let lifetime = request.options.cacheLifetime {
                cached = CacheVisit(
                    cache: cache, request: plain, lifetime: lifetime, identity: try await plugins.identity() + cookies.identity(of: request),
                    call: call)
            }
            if let fresh = try cached?.begin(&request) {
                exchange.response = fresh
            } else {
                try await ask(request, on: road, &exchange)
                if try cached?.confirm(&exchange) == .askAgain { try await ask(unconditional, on: road, &exchange) }
            }
            if call.makeSink == nil { try await ResponseReading(service: service, call: call).read(&exchange) }
        } catch {
            exchange.error = error
            if let last = exchange.attempts.last {
                exchange.error?.attempt = exchange.attempts.count
                exchange.error?.timing = last.timing
            }
        }
        exchange.note(end: call)
        await plugins.process(&exchange)
        // Only what everybody was content with is kept (S1.26).
        if exchange.error == nil, !exchange.endsAtRedirect { cached?.store(exchange) }
        exchange.note(end: call)
        await plugins.didFinish(exchange)
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.calls[call.id] = nil
            return state.takeIdleWaiters()
        }
        defer { for waiter in waiters { waiter.resume() } }
        call.end()
        // Those of a download are told as one.
        if keeper.isOn, call.makeSink == nil {
            keeper.note(FinishedCall(exchange, kind: call.request.kind == .upload ? .upload : .data))
        }
        call.tell(.finished(exchange))
        return exchange
    }

    /// Sends a request, and lets it wait for the network where that is allowed: what can be tried again at once comes before (X7).
    private func ask(_ request: Request, on road: HopRoad, _ exchange: inout Exchange) async throws(NetworkError) {
        let request = try await unlockingClientKey(of: request, for: road.call)
        guard request.options.retry?.parksWhenOffline == true, let lot = configuration.parking else {
            return try await send(request, on: road, &exchange)
        }
        try await ParkedRoad(call: road.call, lot: lot, lane: lane(of: request)).follow(&exchange) { exchange throws(NetworkError) in
            try await send(request, on: road, &exchange)
        }
    }

    /// The request with the passphrase of its client key, where it may speak TLS with one that can be read.
    ///
    /// - Parameter call: the call that waits while the user is asked for the passphrase; nil does not ask.
    func unlockingClientKey(of request: Request, for call: Call?) async throws(NetworkError) -> Request {
        guard request.options.trust.clientCertificateFile != nil else { return request }
        let urls = [request.url] + request.otherServers
        guard urls.contains(where: { $0.scheme == .https || strictTransport.upgraded($0) != nil }) else { return request }
        var unlocked = request
        try await clientKeys.unlock(&unlocked, for: call)
        return unlocked
    }

    /// Whose requests share limits and order: the service's, or the origin's where there is none.
    private func lane(of request: Request) -> String {
        request.service ?? request.url.origin
    }

    /// Sends a request over its channel, again where that may help; between two tries its place is free for others.
    private func send(_ request: Request, on road: HopRoad, _ exchange: inout Exchange) async throws(NetworkError) {
        let channel = channel(for: request)
        guard (request.options.retry?.limit ?? 0) > 0 else { return try await sendOnce(request, on: road, channel, &exchange) }
        let call = road.call
        channel.retryBudget.deposit()
        var retry = Retry(request, budget: channel.retryBudget, source: retrySource)
        var delay = 0.0
        while true {
            let first = exchange.attempts.count
            var failure: NetworkError?
            do throws(NetworkError) { try await sendOnce(request, on: road, channel, &exchange) } catch { failure = error }
            if exchange.attempts.indices.contains(first) { exchange.attempts[first].delay = delay }
            let left = call.deadline.map { MonotonicClock.seconds(from: MonotonicClock.now, to: $0) }
            let wasAnswered = exchange.wasAnswered(since: first)
            switch retry.verdict(
                after: failure, exchange.response, secondsLeft: left, isBodySpent: call.files.isSpent, wasAnswered: wasAnswered)
            {
            case .end(let reason):
                if let reason { call.decided(.retry, reason) }
                if let failure { throw failure }
                return
            case .again(let seconds, let reason):
                call.decided(.retry, reason)
                delay = seconds
                // What refused to answer properly is not the answer, whatever comes of the next try.
                exchange.response = nil
                call.tell(.retrying(seconds: seconds))
                try await call.pause(seconds: seconds)
                call.tell(.retrying(seconds: 0))
            }
        }
    }

    /// Sends a request over its channel and everything it leads to: to its server, and where that cannot be reached to the next ones (X7).
    private func sendOnce(_ request: Request, on road: HopRoad, _ channel: Channel, _ exchange: inout Exchange) async throws(NetworkError) {
        let call = road.call
        let demand = channel.demand(of: request, isTransfer: call.isTransfer)
        try await admit(call, to: channel, as: demand)
        defer {
            if let response = exchange.response, let url = exchange.attempts.last?.url { channel.note(version: response.httpVersion, of: url) }
            channel.release(demand)
        }
        var road = road
        road.pool = channel.pool
        guard !request.otherServers.isEmpty else { return try await road.follow(request, &exchange) }
        // A try before may have ended at another server.
        exchange.request.url = call.request.url
        var first = exchange.attempts.count
        var failure: NetworkError
        do throws(NetworkError) {
            try await road.follow(request, &exchange)
            return judge(request, call, exchange, since: first, nil)
        } catch {
            judge(request, call, exchange, since: first, error)
            failure = error
        }
        for place in request.otherServers {
            // A server that answered, with a redirect for example, has done what it was asked for.
            guard failure.blamesServer, call.abortReason == nil, request.mayBeRepeated || !exchange.wasAnswered(since: first) else { break }
            first = exchange.attempts.count
            var other = request
            var target = place
            // What plugins put into the query is the same for all servers.
            target.query = request.url.query
            other.redirect(to: target)
            // The server that the exchange shows is the one that was used.
            exchange.request.url = place
            call.decided(.server, "\(failure.message); trying \(place.origin), the next server")
            do throws(NetworkError) { return try await road.follow(other, cachedAs: request.url, &exchange) } catch { failure = error }
        }
        throw failure
    }

    // MARK: Servers (S1.7, S1.8, S1.14–S1.17)

    /// Whose ring it is.
    struct RingKey: Hashable {
        var service: String
        var environment: String?
    }

    /// What is declared of a service now.
    func declaration(of name: String) -> ServiceConfiguration? {
        services.withLock { $0[name] }
    }

    /// Which server of a ring is in use; one whose servers are others by now begins again with the first.
    func turn(of key: RingKey, count: Int) -> ServerTurn {
        changeRing(key, count: count) { $0.turn }
    }

    /// How many servers a ring has: those that are declared, or those that requests came with; 0 for one that nobody has heard of.
    func ringCount(_ key: RingKey) -> Int {
        if let declared = key.environment.flatMap({ declaration(of: key.service)?.servers[$0] }), !declared.isEmpty { return declared.count }
        return state.withLock { $0.rings[key]?.count ?? 0 }
    }

    /// Changes a ring.
    func changeRing<Value: Sendable>(_ key: RingKey, count: Int, _ change: (inout ServerRing) -> Value) -> Value {
        let (value, before, after) = state.withLock { state in
            let before = state.rings[key]?.index ?? 0
            var ring = state.rings[key] ?? ServerRing(count: count)
            if ring.count != count { ring.begin(count: count) }
            let value = change(&ring)
            state.rings[key] = ring
            return (value, before, ring.index)
        }
        if before != after { monitor.note(RingReport(service: key.service, environment: key.environment, index: after)) }
        return value
    }

    /// Counts how a request came out for its server, and goes on to the next one where the rule says so.
    ///
    /// - Parameter first: the first attempt that was made for it; those before belong to earlier tries.
    private func judge(_ request: Request, _ call: Call, _ exchange: Exchange, since first: Int, _ error: NetworkError?) {
        guard let name = request.service, let generation = request.serverGeneration, let next = request.otherServers.first else { return }
        let rule = service(of: request).serverSwitch
        guard let verdict = ServerVerdict(of: request, exchange, since: first, error: error, rule) else { return }
        let count = request.otherServers.count + 1
        let key = RingKey(service: name, environment: request.environment)
        // A request that began when the ring had other servers has nothing to say about the one of today.
        let (failures, index) = state.withLock { state -> (Int?, Int) in
            guard state.rings[key]?.count == count else { return (nil, 0) }
            return (state.rings[key]?.note(isFailure: verdict == .failure, of: generation, rule), state.rings[key]?.index ?? 0)
        }
        guard let failures else { return }
        monitor.note(RingReport(service: name, environment: request.environment, index: index))
        let text =
            "\(name) goes on from \(request.url.origin) to \(next.origin): \(failures) of the last \(rule.after) requests got no answer"
        call.decided(.server, text)
        monitor.note(.server, text)
    }

    // MARK: Admission

    private func channel(for request: Request) -> Channel {
        let key = ChannelKey(request)
        return state.withLock { state in
            if let channel = state.channels[key] { return channel }
            let ofService = request.service.flatMap { declaration(of: $0)?.maximumRequests }
            let limit = configuration.channelLimits[lane(of: request)] ?? ofService ?? Channel.defaultLimit
            let connections =
                configuration.connectionLimits[lane(of: request)] ?? request.service.flatMap { declaration(of: $0)?.maximumConnections }
            let channel = Channel(limit: limit, connections: connections)
            state.channels[key] = channel
            return channel
        }
    }

    /// Gets the call a place in its channel; the time that it waits there does not count against its total limit.
    private func admit(_ call: Call, to channel: Channel, as demand: Channel.Demand) async throws(NetworkError) {
        if let reason = call.abortReason { throw reason }
        guard call.isSuspended || !channel.tryAdmit(demand) else { return }
        let situation = call.isObserved ? channel.situation(for: demand) : ""
        var isQueued = false
        let start = call.waitStart
        defer { if isQueued { call.noteQueued(since: start) } }
        do throws(NetworkError) {
            try await call.wait(until: nil, timeout: .cancelledByCaller) { answer in
                isQueued = true
                channel.wait(call.id, demand, isHeld: { call.isSuspended }) { answer(.success(())) }
                // Told when it is true, so that who reads it knows the order.
                call.decided(.admission, "waits: \(situation)")
                call.tell(.queued(because: situation))
                // Suspended, it keeps its place in the order and lets others go.
                call.whileWaiting { if call.isSuspended { call.confirmSuspension() } else { channel.revisit() } }
            }
        } catch {
            if isQueued { channel.leave(call.id, demand) }
            throw error
        }
        call.tell(.queued(because: nil))
    }
}

extension Exchange {
    /// Whether the response is a redirect that was not followed because of a secret; its body was not read.
    fileprivate var endsAtRedirect: Bool {
        guard let response, !notices.isEmpty, request.options.maximumRedirects > 0 else { return false }
        return Redirect.location(status: response.status, headers: response.headers) != nil
    }

    /// Notes how long a call took up to now; once more when something was added to its end.
    fileprivate mutating func note(end call: Call) {
        timing.queued += call.takeQueued()
        duration = MonotonicClock.seconds(from: call.startedAt)
        if attempts.isEmpty { timing.total = max(0, duration - timing.queued) }
    }
}

extension NetworkError {
    static let cancelledByCaller = NetworkError(.cancelled, "the request was cancelled")
    /// A status that was refused (S2.29).
    static func status(of response: Response) -> NetworkError {
        let reason = response.reason.isEmpty ? "" : " \(response.reason)"
        return NetworkError(.status, "the server answered \(response.status)\(reason)")
    }

    static let clientShutDown = NetworkError(.shutDown, "the client was shut down")

    static func total(_ limit: Duration?) -> NetworkError {
        NetworkError(
            .timedOut, "no complete answer within \(limit?.spoken ?? "the time limit")",
            hint: "raise it with --timeout or timeout: in the endpoint", timeLimit: .total)
    }
}
