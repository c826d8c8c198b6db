internal import SortieHTTP

/// Sends a request to the best address of its host, and to the next address when a connection fails.
struct AddressFailover<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        // The name is resolved at the other end.
        guard routed.tunnel == nil else { return try await next.send(routed, &exchange) }
        let (call, request) = (context.call, routed.request)
        let found: HostLookup.Found
        var routed = routed
        if let known = try context.hosts.known(for: request) {
            found = known
        } else {
            let start = MonotonicClock.now
            found = try await context.hosts.find(for: request)
            routed.lookup = MonotonicClock.seconds(from: start)
        }
        // A request from a certain interface is identified by its address (see `EasyHandle`).
        let isNumeric = found.isNumeric && request.options.interface == nil
        guard !isNumeric, !found.addresses.isEmpty else {
            if isNumeric { routed.addressChoice = .only }
            return try await next.send(routed, &exchange)
        }
        var order = context.core.resolver.scores.order(found.addresses, of: request.url, mayProbe: request.method.isIdempotent)
        if let index = order.firstIndex(where: { $0.address == request.options.firstAddress }) { order.insert(order.remove(at: index), at: 0) }
        if order.count > 1 { call.decided(.address, "\(order[0].address): \(order[0].choice.text)") }
        var failure: NetworkError?
        var mayRenew = found.isStale
        var index = 0
        var connectTime = request.options.timeouts.connect.nanoseconds
        while true {
            let candidate = order[index]
            let began = MonotonicClock.now
            let earlier = exchange.attempts.count
            routed.limitTime(of: candidate, connectTime: connectTime, left: order.count - index)
            var current: NetworkError?
            do throws(NetworkError) { try await next.send(routed, &exchange) } catch { current = error }
            routed.lookup = 0
            index += 1
            guard exchange.attempts.count > earlier, let attempt = exchange.attempts.last else {
                // The call ended before the attempt began.
                if let current { throw current }
                return
            }
            note(attempt, of: candidate.address, among: order, request)
            guard let error = current else { return }
            guard attempt.isWorthAnotherAddress(request), call.abortReason == nil else { throw error }
            if error.timeLimit == .connect {
                // The time before the connection was begun, such as that in a queue, is no time for connecting.
                let used = min(MonotonicClock.now - began, UInt64(max(0, attempt.timing.total) * 1e9))
                let left = connectTime - min(connectTime, used)
                connectTime = left < RoutedRequest.leastConnectTime ? 0 : left
            }
            if index == order.count, mayRenew {
                mayRenew = false
                order += try await context.hosts.renewed(request, without: order)
                connectTime = request.options.timeouts.connect.nanoseconds
            }
            // An address that was reached gives a better reason than one that could not be reached.
            if failure.map({ !$0.blamesAddress }) != true || !error.blamesAddress { failure = error }
            guard index < order.count, connectTime > 0 else { throw failure ?? error }
            call.decided(.address, "\(candidate.address) failed (\(error.code.rawValue)), trying \(order[index].address)")
        }
    }

    /// Counts the result for the address, where there is a choice.
    private func note(_ attempt: Attempt, of address: IPAddress, among order: [HostScores.Candidate], _ request: Request) {
        guard order.count > 1, let result = attempt.addressResult else { return }
        // Without a route to any of the addresses a failure says nothing about one of them.
        if result == .failure, !order.contains(where: { Reachability.hasRoute(to: $0.address) }) { return }
        guard let change = context.core.resolver.scores.note(address, result, of: request.url) else { return }
        context.call.decided(.address, change.text)
        context.core.monitor.note(.address, "\(request.url.hostForLookup): \(change.text)")
    }
}

extension RoutedRequest {
    /// The shortest time for a connection attempt: the delay of RFC 8305 §8 between two attempts.
    private static let leastShare: UInt64 = 250_000_000
    private static let probeTime: UInt64 = 1_000_000_000
    /// With less time than this left for connecting no further address is tried.
    fileprivate static let leastConnectTime: UInt64 = 50_000_000

    /// Selects an address and limits the time for connecting, so that one that does not respond leaves time for the others.
    ///
    /// Only its TCP connection is limited to a share of the time. An address that was reached has all the time that is left, because a slow TLS
    /// handshake is slow at the next address as well.
    ///
    /// - Parameters:
    ///   - connectTime: The time left for connecting, in nanoseconds.
    ///   - left: The number of addresses that share it.
    fileprivate mutating func limitTime(of candidate: HostScores.Candidate, connectTime: UInt64, left: Int) {
        let share = min(connectTime, max(connectTime / UInt64(left), Self.leastShare))
        (address, addressChoice) = (candidate.address, candidate.choice)
        (connectTimeout, tcpTimeout) = (connectTime, nil)
        if candidate.choice.reason == .probe, left > 1 {
            // The addresses after a probed one are known to work.
            connectTimeout = min(share, Self.probeTime)
        } else if request.options.proxy != nil {
            // A proxy is reached at once, whatever is behind it.
            connectTimeout = share
        } else if share < connectTime {
            tcpTimeout = share
        }
    }
}

extension NetworkError {
    /// Whether no connection was established, so that nothing was sent and another address of the host may succeed (`EngineFacts.md` 4.2).
    var blamesAddress: Bool {
        switch code {
        case .connectionRefused, .cannotConnect, .offline: true
        case .timedOut: timeLimit == .connect
        default: false
        }
    }
}

extension Attempt {
    /// The result for the score of the address; nil for results that the address does not cause: trust, cancellation and limits of the caller.
    fileprivate var addressResult: AddressStatistics.Outcome? {
        if status != nil { return .success(latency) }
        guard let error else { return nil }
        if error.blamesAddress { return .failure }
        switch error.code {
        case .tlsFailed, .emptyResponse, .connectionLost, .badResponse: return .failure
        default: return nil
        }
    }

    private var latency: AddressStatistics.Latency? {
        if isConnectionReused { return timing.firstByte > timing.requestStart ? .firstByte(timing.firstByte - timing.requestStart) : nil }
        return timing.connect > timing.nameLookup ? .connect(timing.connect - timing.nameLookup) : nil
    }

    /// Whether another address may succeed, and a second request does no harm.
    fileprivate func isWorthAnotherAddress(_ request: Request) -> Bool {
        guard addressResult == .failure, let error else { return false }
        return error.blamesAddress || error.code == .tlsFailed || request.mayBeRepeated && error.code != .badResponse
    }
}

extension AddressChoice {
    /// The only address, without a score.
    fileprivate static let only = AddressChoice(.only, count: 1, standing: AddressStatistics().standing)
}

/// Finds the addresses of hosts for one call.
struct HostLookup {
    let call: Call
    let resolver: Resolver

    /// The addresses to try, whether they have expired, and whether the host is the only one.
    typealias Found = (addresses: [IPAddress], isStale: Bool, isNumeric: Bool)

    /// The addresses to try, where they are known; nil where the host has to be looked up.
    ///
    /// None where a proxy resolves the host, a Unix socket is used, or a transport performs the attempt.
    func known(for request: Request) throws(NetworkError) -> Found? {
        guard call.usesEngine, request.options.unixSocket == nil else { return ([], false, false) }
        if let proxy = request.options.proxy, proxy.isFor(request.url), proxy.resolvesNames { return ([], false, false) }
        if !request.options.addresses.isEmpty {
            call.decided(.address, "\(request.options.addresses.map(\.description).joined(separator: ", ")), from the request")
            let isNumeric = request.options.addresses.count == 1 && request.options.addresses[0].description == request.url.hostForLookup
            return (try reachable(request.options.addresses, for: request), false, isNumeric)
        }
        let host = request.url.hostForLookup
        try checkName(host, of: request)
        guard case .success(let answer)? = resolver.known(host, server: request.options.resolution.server) else { return nil }
        return try candidates(noted(answer), for: request)
    }

    /// The addresses to try of a host that is looked up now, unless a failure is known.
    func find(for request: Request) async throws(NetworkError) -> Found {
        let found: Found
        do throws(NetworkError) { found = try await find(request.url.hostForLookup, for: request) } catch {
            let further = request.options.resolution.further
            guard !further.isEmpty, call.abortReason == nil else { throw error }
            call.decided(.address, "\(further.map(\.description).joined(separator: ", ")), from the service, because \(error.message)")
            return (try reachable(further, for: request), false, false)
        }
        return try candidates(found, for: request)
    }

    private func candidates(_ found: Found, for request: Request) throws(NetworkError) -> Found {
        let addresses = try reachable(found.addresses.joined(with: request.options.resolution.further), for: request)
        return (addresses, found.isStale, found.isNumeric && addresses.count == 1)
    }

    /// Refuses to send a name to a resolver that must not receive a secret in it.
    func checkName(_ name: String, of request: Request) throws(NetworkError) {
        guard let server = request.options.resolution.server,
            let secret = request.refusedSecret(inName: name, toldTo: server.hostForLookup)
        else { return }
        throw .refused(secret, host: server.host)
    }

    /// The addresses of a host as they are known, or looked up now.
    func find(_ host: String, for request: Request) async throws(NetworkError) -> Found {
        guard let known = resolver.known(host, server: request.options.resolution.server) else {
            return (try await lookUp(host, for: request), false, false)
        }
        return noted(try known.get())
    }

    private func noted(_ answer: Resolver.Answer) -> Found {
        call.decided(.address, "\(answer.addresses.map(\.description).joined(separator: ", ")): \(answer.source)")
        return (answer.addresses, answer.isStale, answer.isNumeric)
    }

    /// The addresses that a new lookup adds to those of an expired one, all of which failed.
    func renewed(_ request: Request, without known: [HostScores.Candidate]) async throws(NetworkError) -> [HostScores.Candidate] {
        let found: [IPAddress]
        do throws(NetworkError) { found = try await lookUp(request.url.hostForLookup, for: request, isRenewal: true) } catch {
            if let reason = call.abortReason { throw reason }
            call.decided(.address, "no newer addresses: \(error.message)")
            return []
        }
        let new = found.filter { address in !known.contains { $0.address == address } }
        return new.map { .init(address: $0, choice: AddressChoice(.next, count: known.count + new.count, standing: AddressStatistics().standing)) }
    }

    /// Looks a host up, within the time limit for connecting.
    private func lookUp(_ host: String, for request: Request, isRenewal: Bool = false) async throws(NetworkError) -> [IPAddress] {
        let began = MonotonicClock.now
        let limit = request.options.timeouts.connect
        let end = began &+ limit.nanoseconds
        let deadline = call.deadline ?? .max
        let silence =
            deadline < end
            ? NetworkError.total(call.totalLimit, waitingFor: "the lookup of \(host)")
            : NetworkError(
                .timedOut, "no response to the lookup of \(host) within \(limit.spoken)",
                remedy: .resolverOrAddress(host: host), timeLimit: .lookup)
        let found: Resolver.Answer = try await call.wait(until: min(end, deadline), timeout: silence) { completion in
            resolver.lookUp(host, server: request.options.resolution.server, isRenewal: isRenewal, answer: completion)
        }
        let milliseconds = Int(MonotonicClock.seconds(from: began) * 1000)
        call.decided(.address, "\(found.addresses.map(\.description).joined(separator: ", ")): \(found.source) in \(milliseconds) ms")
        if let notice = resolver.takeNotice() { call.decided(.address, notice) }
        return found.addresses
    }

    /// The addresses that can be reached from a local address: those of the same family.
    private func reachable(_ addresses: [IPAddress], for request: Request) throws(NetworkError) -> [IPAddress] {
        guard let interface = request.options.interface, let local = IPAddress(interface), !addresses.isEmpty else { return addresses }
        let reachable = addresses.filter { $0.isV6 == local.isV6 }
        guard reachable.isEmpty else { return reachable }
        throw NetworkError(
            .invalidOption, "\(local) cannot be used to connect to \(addresses.map(\.description).joined(separator: ", "))",
            hint: "give an \(local.isV6 ? "IPv4" : "IPv6") address of this machine, or the name of an interface")
    }
}

extension [IPAddress] {
    /// These, then those of `others` that are not among them.
    func joined(with others: [IPAddress]) -> [IPAddress] {
        others.isEmpty ? self : self + others.filter { !contains($0) }
    }
}
