internal import FoundationEssentials
internal import Model

/// The client on the engine's thread: the table of calls, the channels and the road of one request.
@Engine
final class ClientCore {
    private let configuration: Client.Configuration
    private var calls: [RequestID: Call] = [:]
    private var channels: [ChannelKey: Channel] = [:]
    private let resolver: Resolver
    private var isShutDown = false

    nonisolated init(configuration: Client.Configuration, resolver: Resolver) {
        self.configuration = configuration
        self.resolver = resolver
    }

    // MARK: Table (S0.6–S0.9, S1.10–S1.12)

    /// Ends a call with `reason`; one that has ended is left alone.
    func abort(_ id: RequestID, reason: NetworkError) {
        calls[id]?.abort(reason)
    }

    /// Ends every call.
    func abortAll(reason: NetworkError) {
        for call in calls.values { call.abort(reason) }
    }

    /// Ends every call and takes no more.
    func shutDown() {
        isShutDown = true
        abortAll(reason: .clientShutDown)
    }

    /// Runs a call to its end.
    ///
    /// It is in the table before anything starts, and ends with exactly one `finished`.
    func run(id: RequestID, request: Request, observer: (@Sendable (CallEvent) -> Void)?) async -> Exchange {
        let call = Call(id: id, request: request, observer: observer)
        calls[id] = call
        // The cancel handler may have run before the call was in the table.
        if Task.isCancelled { call.abort(.cancelledByCaller) }
        if isShutDown { call.abort(.clientShutDown) }
        var exchange = Exchange(id: id, request: request, startedAt: Date())
        let channel = channel(for: request)
        do {
            try RequestCheck.check(request)
            try await admit(call, to: channel)
            exchange.timing.queued = MonotonicClock.seconds(from: call.startedAt)
            try await follow(call, &exchange)
        } catch {
            exchange.error = error
        }
        if call.isAdmitted { channel.release() }
        calls[id] = nil
        call.tell(.finished(exchange))
        return exchange
    }

    // MARK: Admission

    private func channel(for request: Request) -> Channel {
        let key = ChannelKey(request)
        if let channel = channels[key] { return channel }
        let channel = Channel(limit: configuration.channelLimits[request.service ?? request.url.origin] ?? Channel.defaultLimit)
        channels[key] = channel
        return channel
    }

    private func admit(_ call: Call, to channel: Channel) async throws(NetworkError) {
        if let reason = call.abortReason { throw reason }
        if !channel.tryAdmit() {
            call.decided(
                .admission,
                "waits: \(channel.inFlight) of \(channel.limit) requests of the channel are in flight, \(channel.waitingCount) wait"
            )
            let priority = call.request.options.priority
            let _: Bool = try await call.wait(until: call.deadline, timeout: .total(call.request.options.timeouts.total)) { end in
                channel.wait(call.id, priority: priority) {
                    call.isAdmitted = true
                    end(.success(true))
                }
                return { channel.leave(call.id) }
            }
        }
        call.isAdmitted = true
    }

    // MARK: Hops

    /// Sends, and follows redirects until an answer stays.
    private func follow(_ call: Call, _ exchange: inout Exchange) async throws(NetworkError) {
        var hop = call.request
        var visited: Set<String> = []
        while true {
            let outcome = try await HopSender(call: call, resolver: resolver, spoolFolder: configuration.spoolFolder).send(
                hop, &exchange)
            if let error = outcome.error { throw error }
            guard hop.options.maximumRedirects > 0, let response = outcome.response,
                let redirect = try Redirect(of: hop, after: response)
            else { return }
            call.decided(.redirect, redirect.explanation)
            let limit = call.request.options.maximumRedirects
            guard visited.count < limit else {
                throw NetworkError(
                    .tooManyRedirects, "the server redirected \(limit + 1) times", hint: "raise the limit with --max-redirects")
            }
            guard visited.insert("\(redirect.request.method) \(redirect.request.url)").inserted else {
                throw NetworkError(.tooManyRedirects, "the redirects go in a circle, through \(redirect.request.url) again")
            }
            hop = redirect.request
        }
    }
}

extension NetworkError {
    static let cancelledByCaller = NetworkError(.cancelled, "the request was cancelled")
    static let clientShutDown = NetworkError(.shutDown, "the client was shut down")

    static func total(_ limit: Duration?) -> NetworkError {
        NetworkError(
            .timedOut, "no complete answer within \(limit?.spoken ?? "the time limit")",
            hint: "raise it with --timeout or timeout: in the endpoint")
    }
}
