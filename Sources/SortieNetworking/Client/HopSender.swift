internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// Sends one hop of a call: finds the address, tries the next one when a connection fails, and notes every attempt.
struct HopSender {
    let call: Call
    let resolver: Resolver
    let monitor: Monitor
    let spoolFolder: String
    /// Plugins that are given the blocks of the debug log.
    var logs: [DebugLogPlugin] = []
    /// How the network is made worse on purpose; nil where it never is.
    var conditions: ConditionsTable?
    /// Who is told of everything that passed.
    var recorder: TrafficObserver<RecordedHop>?
    /// The connections to use, where their number is limited.
    var pool: ConnectionPool?
    /// The address of the proxy of the request, where that has a name.
    var proxyAddress: IPAddress?

    /// Sends `request`; the outcome that says most is the hop's, its response and moments are put into `exchange`.
    func send(_ request: Request, _ exchange: inout Exchange) async throws(NetworkError) -> TransferOutcome {
        guard request.options.proxy != nil else { return try await reach(request, &exchange) }
        var (request, sender) = (request, self)
        sender.proxyAddress = try await proxyAddress(for: &request)
        return try await sender.reach(request, &exchange)
    }

    private func reach(_ request: Request, _ exchange: inout Exchange) async throws(NetworkError) -> TransferOutcome {
        let asked = MonotonicClock.now
        let found = try await candidates(for: request)
        let lookup = MonotonicClock.seconds(from: asked)
        let bad = conditions?.conditions(for: request)
        let request = bad?.slowing(request) ?? request
        // A request from a certain interface is told apart by its address (see `EasyHandle`).
        let isNumeric =
            found.addresses.count == 1 && request.options.interface == nil && found.addresses[0].description == request.url.hostForLookup
        guard !isNumeric, !found.addresses.isEmpty else {
            let choice = found.addresses.isEmpty ? nil : AddressChoice.only
            return try await attempt(spec(request, address: nil), choice, bad, lookup: lookup, &exchange)
        }
        var order = resolver.scores.order(found.addresses, of: request.url, mayProbe: request.method.isIdempotent)
        if let index = order.firstIndex(where: { $0.address == request.options.firstAddress }) { order.insert(order.remove(at: index), at: 0) }
        if order.count > 1 { call.decided(.address, "\(order[0].address): \(order[0].choice.text)") }
        var telling: TransferOutcome?
        var mayRenew = found.isStale
        var index = 0
        var connectTime = request.options.timeouts.connect.nanoseconds
        while true {
            let candidate = order[index]
            let spec = spec(request, candidate, connectTime: connectTime, left: order.count - index)
            let began = MonotonicClock.now
            let outcome = try await attempt(spec, candidate.choice, bad, lookup: index == 0 ? lookup : 0, &exchange)
            index += 1
            note(outcome, of: candidate.address, among: order, request)
            guard let error = outcome.error, outcome.isWorthAnotherAddress(request), call.abortReason == nil else { return outcome }
            if error.timeLimit == .connect {
                let left = connectTime - min(connectTime, MonotonicClock.now - began)
                connectTime = left < Self.leastConnectTime ? 0 : left
            }
            if index == order.count, mayRenew {
                mayRenew = false
                order += try await renewed(request, without: order)
                connectTime = request.options.timeouts.connect.nanoseconds
            }
            // That a further address refuses says less than what one did that was reached.
            if telling?.error.map({ !$0.blamesAddress }) != true || !error.blamesAddress { telling = outcome }
            guard index < order.count, connectTime > 0 else { return telling ?? outcome }
            call.decided(.address, "\(candidate.address) failed (\(error.code.rawValue)), trying \(order[index].address)")
        }
    }

    /// Addresses that a new answer has, where those of an old one led nowhere.
    private func renewed(_ request: Request, without known: [HostScores.Candidate]) async throws(NetworkError) -> [HostScores.Candidate] {
        let found: [IPAddress]
        do throws(NetworkError) { found = try await lookUp(request.url.hostForLookup, request.options, isRenewal: true) } catch {
            if let reason = call.abortReason { throw reason }
            call.decided(.address, "no newer addresses: \(error.message)")
            return []
        }
        let new = found.filter { address in !known.contains { $0.address == address } }
        return new.map { .init(address: $0, choice: AddressChoice(.next, count: known.count + new.count, standing: AddressScore().standing)) }
    }

    /// Tells the scores how an attempt came out, where there is a choice.
    private func note(_ outcome: TransferOutcome, of address: IPAddress, among order: [HostScores.Candidate], _ request: Request) {
        guard order.count > 1, let result = outcome.verdict else { return }
        // A machine without a way to any of them has nothing to say about one (S1.17).
        if result == .failure, !order.contains(where: { Reachability.hasRoute(to: $0.address) }) { return }
        guard let change = resolver.scores.note(address, result, of: request.url) else { return }
        call.decided(.address, change.text)
        monitor.note(.address, "\(request.url.hostForLookup): \(change.text)")
    }

    /// The addresses to try, and whether their time is over; none where a proxy or a Unix socket stands instead.
    func candidates(for request: Request) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        let (addresses, isStale) = try await addresses(for: request)
        return (try reachable(addresses, from: request.options.interface), isStale)
    }

    private func addresses(for request: Request) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        if let proxy = request.options.proxy, proxy.isFor(request.url), proxy.resolvesNames { return ([], false) }
        guard request.options.unixSocket == nil else { return ([], false) }
        if !request.options.addresses.isEmpty {
            call.decided(.address, "\(request.options.addresses.map(\.description).joined(separator: ", ")), as the request says")
            return (request.options.addresses, false)
        }
        try checkName(request.url.hostForLookup, of: request)
        let further = request.options.resolution.further
        do throws(NetworkError) {
            let found = try await find(request.url.hostForLookup, request.options)
            return (found.addresses.joined(with: further), found.isStale)
        } catch {
            guard !further.isEmpty, call.abortReason == nil else { throw error }
            call.decided(.address, "\(further.map(\.description).joined(separator: ", ")), as the service says, because \(error.message)")
            return (further, false)
        }
    }

    /// Refuses to look a name up at a server that may not receive a secret in it.
    func checkName(_ name: String, of request: Request) throws(NetworkError) {
        guard let server = request.options.resolution.server,
            let secret = request.refusedSecret(inName: name, toldTo: server.hostForLookup)
        else { return }
        throw .refused(secret, host: server.host)
    }

    /// The addresses of a host as they are known, or looked up now.
    func find(_ host: String, _ options: RequestOptions) async throws(NetworkError) -> (addresses: [IPAddress], isStale: Bool) {
        guard let known = resolver.known(host, server: options.resolution.server) else { return (try await lookUp(host, options), false) }
        let answer = try known.get()
        call.decided(.address, "\(answer.addresses.map(\.description).joined(separator: ", ")): \(answer.source)")
        return (answer.addresses, answer.isStale)
    }

    /// Asks who is to be asked, for as long as connecting may take.
    private func lookUp(_ host: String, _ options: RequestOptions, isRenewal: Bool = false) async throws(NetworkError) -> [IPAddress] {
        let began = MonotonicClock.now
        let limit = options.timeouts.connect
        let deadline = min(began &+ limit.nanoseconds, call.deadline ?? .max)
        let silence = NetworkError(
            .timedOut, "no answer to the lookup of \(host) within \(limit.spoken)",
            hint: "check the resolver, or give the address with --resolve \(host):ADDRESS", timeLimit: .lookup)
        let found: Resolver.Answer = try await call.wait(until: deadline, timeout: silence) { answer in
            resolver.lookUp(host, server: options.resolution.server, isRenewal: isRenewal, answer: answer)
        }
        let milliseconds = Int(MonotonicClock.seconds(from: began) * 1000)
        call.decided(.address, "\(found.addresses.map(\.description).joined(separator: ", ")): \(found.source) in \(milliseconds) ms")
        if let notice = resolver.takeNotice() { call.decided(.address, notice) }
        return found.addresses
    }

    /// The addresses that can be reached from a local address: those of its kind.
    private func reachable(_ addresses: [IPAddress], from interface: String?) throws(NetworkError) -> [IPAddress] {
        guard let interface, let local = IPAddress(interface), !addresses.isEmpty else { return addresses }
        let reachable = addresses.filter { $0.isV6 == local.isV6 }
        guard reachable.isEmpty else { return reachable }
        throw NetworkError(
            .invalidOption, "nothing can be sent from \(local) to \(addresses.map(\.description).joined(separator: ", "))",
            hint: "give an \(local.isV6 ? "IPv4" : "IPv6") address to send from, or the name of an interface")
    }

    /// An attempt at one of several addresses: a silent one must not use up the time of those after it.
    ///
    /// Only its TCP connection is limited to a share of the time. An address that was reached has all that is left, because a slow TLS handshake is
    /// as slow at the next one.
    ///
    /// - Parameters:
    ///   - connectTime: what is left of the time for connecting, nanoseconds.
    ///   - left: how many addresses share it.
    private func spec(_ request: Request, _ candidate: HostScores.Candidate, connectTime: UInt64, left: Int) -> TransferSpec {
        let share = min(connectTime, max(connectTime / UInt64(left), Self.leastShare))
        // An address that is only probed has others after it that are known to be good. A proxy is reached at once, whatever is behind it.
        if candidate.choice.reason == .probe, left > 1 {
            return spec(request, address: candidate.address, connectTimeout: min(share, Self.probeTime))
        }
        if request.options.proxy != nil { return spec(request, address: candidate.address, connectTimeout: share) }
        return spec(request, address: candidate.address, connectTimeout: connectTime, tcpTimeout: share < connectTime ? share : nil)
    }

    /// The shortest time in which a connection is tried: the delay of RFC 8305 §8 between two attempts.
    private static let leastShare: UInt64 = 250_000_000
    private static let probeTime: UInt64 = 1_000_000_000
    /// With less than this left for connecting no further address is tried.
    private static let leastConnectTime: UInt64 = 50_000_000

    private func spec(_ request: Request, address: IPAddress?, connectTimeout: UInt64? = nil, tcpTimeout: UInt64? = nil) -> TransferSpec {
        TransferSpec(
            request: request, address: address, proxyAddress: proxyAddress,
            connectTimeout: connectTimeout ?? request.options.timeouts.connect.nanoseconds, tcpTimeout: tcpTimeout, deadline: call.deadline,
            totalLimit: call.totalLimit, files: call.files, spoolFolder: spoolFolder, pool: pool,
            isObserved: isWatched || recorder?.isOn == true)
    }

    /// Whether the caller is told of progress; what goes somewhere of its own is watched there, without a callback for every piece of it.
    private var isWatched: Bool { call.isObserved && call.makeSink == nil }

    private func attempt(
        _ spec: TransferSpec, _ choice: AddressChoice?, _ bad: NetworkConditions?, lookup: Double, _ exchange: inout Exchange
    ) async throws(NetworkError) -> TransferOutcome {
        try await call.passSuspension()
        let body = call.makeSink?(spec.url) ?? BodyBuffer(folder: spoolFolder, limit: spec.options.maximumBodyBytes)
        var observer: (@Sendable (Transfer.Event) -> Void)?
        if isWatched { observer = { tell($0) } }
        let record = call.isObserved || !logs.isEmpty ? DebugLogRecord(spec, of: call, attempt: exchange.attempts.count + 1) : nil
        if let record { log(record) }
        let recorder = recorder?.isOn == true ? recorder : nil
        let startedAt = recorder.map { _ in Date() }
        let began = MonotonicClock.now
        var outcome: TransferOutcome
        if let bad {
            let network = ArtificialNetwork(call: call, conditions: bad, fails: conditions?.hits(bad) == true)
            outcome = await network.transfer(spec, body: body, observer: observer)
        } else {
            outcome = await call.transfer(spec, body: body, observer: observer)
        }
        await outcome.settle()
        // What never became a transfer is measured here.
        outcome.endTiming(after: MonotonicClock.seconds(from: began))
        note(outcome, of: spec, choice, &exchange)
        if let recorder, let startedAt {
            var hop = RecordedHop(outcome, of: spec, call: call, in: exchange, startedAt: startedAt)
            // What was known already was not looked up.
            if lookup > 0.0005 { hop.lookup = lookup }
            hop.conditions = bad?.text
            recorder.note(hop)
        }
        if let record { log(record.ended(outcome.response, error: outcome.error, time: MonotonicClock.seconds(from: call.startedAt))) }
        return outcome
    }

    /// Tells whoever watches, and nobody's text is made where nobody does.
    private func log(_ record: DebugLogRecord) {
        call.tell(.logged(record))
        for log in logs { log.log(record) }
    }

    private func tell(_ event: Transfer.Event) {
        switch event {
        case .responded(let response): call.tell(.responded(response))
        case .progressed(let progress): call.tell(.progressed(progress))
        case .grew(let bytes): call.tell(.grew(bytes))
        case .queued(let reason): call.tell(.queued(because: reason))
        }
    }

    private func note(_ outcome: TransferOutcome, of spec: TransferSpec, _ choice: AddressChoice?, _ exchange: inout Exchange) {
        var attempt = Attempt(url: spec.url, method: spec.method)
        attempt.addressChoice = choice
        attempt.address = outcome.address ?? spec.address?.description
        attempt.isConnectionReused = outcome.isConnectionReused
        let response = outcome.response
        attempt.status = response?.status
        attempt.error = outcome.error
        attempt.certificates = outcome.certificates
        attempt.isUnverified = spec.url.scheme == .https && spec.options.trust.isInsecure
        attempt.timing = outcome.timing
        call.exclude(seconds: outcome.timing.queued)
        attempt.timing.queued += call.takeQueued()
        exchange.attempts.append(attempt)
        monitor.note(attempt, of: spec.request.service, sent: outcome.sentBodyBytes, received: response?.wireBytes ?? 0)
        let queued = exchange.timing.queued
        exchange.timing = attempt.timing
        exchange.timing.queued += queued
        exchange.sentHeaders = outcome.sentHeaders
        exchange.sentBodyBytes = outcome.sentBodyBytes
        exchange.response = response
        guard call.isObserved else { return }
        for (index, certificate) in outcome.certificates.enumerated() {
            call.decided(.tls, "\(index == 0 ? "the server's certificate" : "an issuer that it sent"): \(certificate.text)")
        }
        if spec.options.decompresses, let notice = response?.undecodedNotice { call.decided(.body, notice) }
        if let expired = spec.options.trust.pinsExpire, !spec.options.trust.pins.isEmpty, Double(SystemClock.seconds) >= expired {
            call.decided(.tls, "the pins expired on \(CalendarTime(secondsSince1970: expired).date) and are not compared any more")
        }
        guard outcome.error == nil, !outcome.isMade else { return }
        if let response, response.status == 101 {
            call.decided(
                .connection,
                "the server switched to \(response.headers["Upgrade"] ?? "another protocol") (101), which is not supported; the connection was closed"
            )
        }
        let place = response?.remoteAddress ?? spec.url.authority
        call.decided(
            .connection,
            outcome.isConnectionReused ? "the connection to \(place) was used again" : "a new connection to \(place) was opened")
    }
}

extension NetworkError {
    /// Whether no connection stood, so that nothing was sent and another address of the same host may do better (`EngineFacts.md` 4.2).
    var blamesAddress: Bool {
        switch code {
        case .connectionRefused, .cannotConnect, .offline: true
        case .timedOut: timeLimit == .connect
        default: false
        }
    }
}

extension TransferOutcome {
    /// What it says about its address; nil when it says nothing: trust, cancelling and limits of the caller are not the address's fault.
    fileprivate var verdict: AddressScore.Outcome? {
        if isAnswered { return .success(latency) }
        guard let error else { return nil }
        if error.blamesAddress { return .failure }
        switch error.code {
        case .tlsFailed, .emptyResponse, .connectionLost, .badResponse: return .failure
        default: return nil
        }
    }

    private var latency: AddressScore.Latency? {
        if isConnectionReused { return timing.firstByte > timing.requestStart ? .firstByte(timing.firstByte - timing.requestStart) : nil }
        return timing.connect > timing.nameLookup ? .connect(timing.connect - timing.nameLookup) : nil
    }

    /// Whether another address may do better, and nothing happens twice by asking it.
    fileprivate func isWorthAnotherAddress(_ request: Request) -> Bool {
        guard verdict == .failure, let error else { return false }
        return error.blamesAddress || error.code == .tlsFailed || request.mayBeRepeated && error.code != .badResponse
    }
}

extension AddressChoice {
    /// The only address, which nothing has to be known of.
    fileprivate static let only = AddressChoice(.only, count: 1, standing: AddressScore().standing)
}

extension [IPAddress] {
    /// These, then those of `others` that are not among them.
    func joined(with others: [IPAddress]) -> [IPAddress] {
        others.isEmpty ? self : self + others.filter { !contains($0) }
    }
}

extension DebugLogRecord {
    /// The block before an attempt of a call.
    fileprivate init(_ spec: TransferSpec, of call: Call, attempt: Int) {
        self.init(
            spec.request, original: call.request, attempt: attempt, headers: PlannedHeader(spec.request).fields,
            time: MonotonicClock.seconds(from: call.startedAt))
    }
}
