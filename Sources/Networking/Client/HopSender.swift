internal import Model

/// Sends one hop of a call: finds the address, tries the next one when a connection fails, and notes every attempt.
struct HopSender {
    let call: Call
    let resolver: Resolver
    let spoolFolder: String
    /// Plugins that are given the blocks of the debug log.
    var logs: [DebugLogPlugin] = []

    /// Sends `request`; the last attempt's outcome is the hop's, its response and moments are put into `exchange`.
    func send(_ request: Request, _ exchange: inout Exchange) async throws(NetworkError) -> TransferOutcome {
        let candidates = try await candidates(for: request)
        // A request from a certain interface is told apart by its address (see `EasyHandle`).
        let isNumeric = candidates.count == 1 && request.options.interface == nil && candidates[0].description == request.url.hostForLookup
        var index = 0
        while true {
            let address = candidates.indices.contains(index) ? candidates[index] : nil
            let left = max(1, candidates.count - index)
            try await call.passSuspension()
            let spec = spec(request, address: isNumeric ? nil : address, addressesLeft: left)
            let outcome = try await attempt(spec, &exchange)
            index += 1
            guard index < candidates.count, let error = outcome.error, error.blamesAddress, call.abortReason == nil else {
                if outcome.error == nil, index > 1, let address { resolver.prefer(address, for: request.url.hostForLookup) }
                return outcome
            }
            call.decided(.address, "\(candidates[index - 1]) failed (\(error.code.rawValue)), trying \(candidates[index])")
        }
    }

    /// The addresses to try, in order; none where a proxy or a Unix socket stands instead.
    func candidates(for request: Request) async throws(NetworkError) -> [IPAddress] {
        try reachable(try await addresses(for: request), from: request.options.interface)
    }

    private func addresses(for request: Request) async throws(NetworkError) -> [IPAddress] {
        guard request.options.proxy == nil, request.options.unixSocket == nil else { return [] }
        if !request.options.addresses.isEmpty {
            call.decided(.address, "\(request.options.addresses.map(\.description).joined(separator: ", ")), as the request says")
            return request.options.addresses
        }
        let host = request.url.hostForLookup
        if let known = resolver.known(host) {
            call.decided(.address, "\(known.addresses.map(\.description).joined(separator: ", ")): \(known.source)")
            return known.addresses
        }
        let began = MonotonicClock.now
        let limit = request.options.timeouts.connect
        let deadline = min(began &+ limit.nanoseconds, call.deadline ?? .max)
        let silence = NetworkError(.timedOut, "no answer to the lookup of \(host) within \(limit.spoken)")
        let found: [IPAddress] = try await call.wait(until: deadline, timeout: silence) { answer in resolver.lookUp(host, answer: answer) }
        let milliseconds = Int(MonotonicClock.seconds(from: began) * 1000)
        call.decided(.address, "\(found.map(\.description).joined(separator: ", ")): looked up in \(milliseconds) ms")
        return found
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

    private func spec(_ request: Request, address: IPAddress?, addressesLeft: Int) -> TransferSpec {
        let timeouts = request.options.timeouts
        // A silent address must not use up the time of those after it.
        let connect = max(timeouts.connect.nanoseconds / UInt64(addressesLeft), min(1_000_000_000, timeouts.connect.nanoseconds))
        // What goes somewhere of its own is watched there, without a callback for every piece of it.
        let isObserved = call.isObserved && call.makeSink == nil
        return TransferSpec(request: request, address: address, connectTimeout: connect, deadline: call.deadline, isObserved: isObserved)
    }

    private func attempt(_ spec: TransferSpec, _ exchange: inout Exchange) async throws(NetworkError) -> TransferOutcome {
        let body = call.makeSink?(spec.url) ?? BodyBuffer(folder: spoolFolder, limit: spec.options.maximumBodyBytes)
        var observer: (@Sendable (Transfer.Event) -> Void)?
        if spec.isObserved { observer = { tell($0) } }
        let record = call.isObserved || !logs.isEmpty ? DebugLogRecord(spec, of: call, attempt: exchange.attempts.count + 1) : nil
        if let record { log(record) }
        var outcome = await call.transfer(spec, body: body, observer: observer)
        await outcome.settle()
        note(outcome, of: spec, &exchange)
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
        }
    }

    private func note(_ outcome: TransferOutcome, of spec: TransferSpec, _ exchange: inout Exchange) {
        var attempt = Attempt(url: spec.url, method: spec.method)
        attempt.address = outcome.address ?? spec.address?.description
        attempt.isConnectionReused = outcome.isConnectionReused
        let response = outcome.response
        attempt.status = response?.status
        attempt.error = outcome.error
        attempt.certificates = outcome.certificates
        attempt.timing = outcome.timing
        exchange.attempts.append(attempt)
        let queued = exchange.timing.queued
        exchange.timing = outcome.timing
        exchange.timing.queued = queued
        exchange.sentHeaders = outcome.sentHeaders
        exchange.sentBodyBytes = outcome.sentBodyBytes
        exchange.response = response
        guard call.isObserved else { return }
        for (index, certificate) in outcome.certificates.enumerated() {
            call.decided(.tls, "\(index == 0 ? "the server's certificate" : "an issuer that it sent"): \(certificate.text)")
        }
        if let expired = spec.options.trust.pinsExpire, !spec.options.trust.pins.isEmpty, Double(SystemClock.seconds) >= expired {
            call.decided(.tls, "the pins expired on \(CalendarTime(secondsSince1970: expired).date) and are not compared any more")
        }
        guard outcome.error == nil else { return }
        let place = response?.remoteAddress ?? spec.url.authority
        call.decided(
            .connection,
            outcome.isConnectionReused ? "the connection to \(place) was used again" : "a new connection to \(place) was opened")
    }
}

extension NetworkError {
    /// Whether another address of the same host may do better (`engine.md` §4.2).
    var blamesAddress: Bool {
        switch code {
        case .connectionRefused, .cannotConnect: true
        case .timedOut: message.hasPrefix("no connection")
        default: false
        }
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
