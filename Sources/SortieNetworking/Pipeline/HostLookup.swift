internal import SortieHTTP

/// Finds the addresses of hosts for one call.
struct HostLookup {
    let call: Call
    let resolver: Resolver

    /// The addresses to try, and whether they have expired; none where a proxy resolves the host, a Unix socket is used, or a transport performs the attempt.
    func candidates(for request: Request) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        let (addresses, isStale) = try await addresses(for: request)
        return (try reachable(addresses, from: request.options.interface), isStale)
    }

    private func addresses(for request: Request) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        guard call.usesEngine else { return ([], false) }
        if let proxy = request.options.proxy, proxy.isFor(request.url), proxy.resolvesNames { return ([], false) }
        guard request.options.unixSocket == nil else { return ([], false) }
        if !request.options.addresses.isEmpty {
            call.decided(.address, "\(request.options.addresses.map(\.description).joined(separator: ", ")), from the request")
            return (request.options.addresses, false)
        }
        try checkName(request.url.hostForLookup, of: request)
        let further = request.options.resolution.further
        do throws(NetworkError) {
            let found = try await find(request.url.hostForLookup, for: request)
            return (found.addresses.joined(with: further), found.isStale)
        } catch {
            guard !further.isEmpty, call.abortReason == nil else { throw error }
            call.decided(.address, "\(further.map(\.description).joined(separator: ", ")), from the service, because \(error.message)")
            return (further, false)
        }
    }

    /// Refuses to send a name to a resolver that must not receive a secret in it.
    func checkName(_ name: String, of request: Request) throws(NetworkError) {
        guard let server = request.options.resolution.server,
            let secret = request.refusedSecret(inName: name, toldTo: server.hostForLookup)
        else { return }
        throw .refused(secret, host: server.host)
    }

    /// The addresses of a host as they are known, or looked up now.
    func find(_ host: String, for request: Request) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        guard let known = resolver.known(host, server: request.options.resolution.server) else {
            return (try await lookUp(host, for: request), false)
        }
        let answer = try known.get()
        call.decided(.address, "\(answer.addresses.map(\.description).joined(separator: ", ")): \(answer.source)")
        return (answer.addresses, answer.isStale)
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
        let deadline = min(began &+ limit.nanoseconds, call.deadline ?? .max)
        let silence = NetworkError(
            .timedOut, "no response to the lookup of \(host) within \(limit.spoken)",
            remedy: .resolverOrAddress(host: host), timeLimit: .lookup)
        let found: Resolver.Answer = try await call.wait(until: deadline, timeout: silence) { answer in
            resolver.lookUp(host, server: request.options.resolution.server, isRenewal: isRenewal, answer: answer)
        }
        let milliseconds = Int(MonotonicClock.seconds(from: began) * 1000)
        call.decided(.address, "\(found.addresses.map(\.description).joined(separator: ", ")): \(found.source) in \(milliseconds) ms")
        if let notice = resolver.takeNotice() { call.decided(.address, notice) }
        return found.addresses
    }

    /// The addresses that can be reached from a local address: those of the same family.
    private func reachable(_ addresses: [IPAddress], from interface: String?) throws(NetworkError) -> [IPAddress] {
        guard let interface, let local = IPAddress(interface), !addresses.isEmpty else { return addresses }
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
