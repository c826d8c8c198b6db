internal import FoundationEssentials
internal import Model
internal import Synchronization

/// The table of calls, the channels, and the road of one request, which runs on the caller's own task.
final class ClientCore: Sendable {
    private let configuration: Client.Configuration
    private let resolver: Resolver
    private let state = Mutex(State())

    private struct State {
        var calls: [RequestID: Call] = [:]
        var channels: [ChannelKey: Channel] = [:]
        var isShutDown = false
    }

    init(configuration: Client.Configuration, resolver: Resolver) {
        self.configuration = configuration
        self.resolver = resolver
    }

    // MARK: Table (S0.6–S0.9, S1.10–S1.12)

    /// Puts a call into the table; it is there before anything starts, so that it can be cancelled from its first moment (S0.8).
    func register(_ id: RequestID, _ request: Request, observer: (@Sendable (CallEvent) -> Void)?) -> Call {
        let call = Call(id: id, request: request, observer: observer)
        let isShutDown = state.withLock { state in
            state.calls[id] = call
            return state.isShutDown
        }
        if isShutDown { call.abort(.clientShutDown) }
        return call
    }

    /// Ends a call with `reason`; one that has ended is left alone.
    func abort(_ id: RequestID, reason: NetworkError) {
        state.withLock { $0.calls[id] }?.abort(reason)
    }

    /// Ends every call.
    func abortAll(reason: NetworkError) {
        for call in state.withLock({ Array($0.calls.values) }) { call.abort(reason) }
    }

    /// Ends every call and takes no more.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        abortAll(reason: .clientShutDown)
    }

    /// Runs a call of the table to its end, with exactly one `finished`.
    func run(_ call: Call) async -> Exchange {
        let request = call.request
        var exchange = Exchange(id: call.id, request: request, startedAt: Date())
        do throws(NetworkError) {
            try RequestCheck.check(request)
            let channel = channel(for: request)
            exchange.timing.queued = try await admit(call, to: channel)
            defer { channel.release() }
            try await follow(call, &exchange)
        } catch {
            exchange.error = error
        }
        state.withLock { $0.calls[call.id] = nil }
        call.tell(.finished(exchange))
        return exchange
    }

    // MARK: Admission

    private func channel(for request: Request) -> Channel {
        let key = ChannelKey(request)
        return state.withLock { state in
            if let channel = state.channels[key] { return channel }
            let channel = Channel(limit: configuration.channelLimits[request.service ?? request.url.origin] ?? Channel.defaultLimit)
            state.channels[key] = channel
            return channel
        }
    }

    /// Gets the call a place in its channel; returns for how many seconds it waited.
    private func admit(_ call: Call, to channel: Channel) async throws(NetworkError) -> Double {
        if let reason = call.abortReason { throw reason }
        guard !channel.tryAdmit() else { return 0 }
        let began = MonotonicClock.now
        call.decided(.admission, "waits: \(channel.situation)")
        let request = call.request
        var isQueued = false
        do throws(NetworkError) {
            try await call.wait(until: call.deadline, timeout: .total(request.options.timeouts.total)) { answer in
                isQueued = true
                channel.wait(call.id, priority: request.options.priority) { answer(.success(())) }
            }
        } catch {
            if isQueued { channel.leave(call.id) }
            throw error
        }
        return MonotonicClock.seconds(from: began)
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
            guard hop.options.maximumRedirects > 0, let response = exchange.response,
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
