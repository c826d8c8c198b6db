internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// Runs one libcurl transfer and records it as an attempt of the exchange: the last step of the path.
struct AttemptSender: RequestStep {
    private let context: CallContext

    init(_ context: CallContext) {
        self.context = context
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        var outcome = try await attempt(routed, &exchange)
        if outcome.error == nil, exchange.response?.status == 417, let plain = withoutExpectation(routed) {
            context.call.decided(.retry, "sent again without Expect: 100-continue, which the server refused (417)")
            outcome = try await attempt(plain, &exchange)
        }
        var resends = 0
        while let error = outcome.error, outcome.isRepeatable, resends < Self.mostResends, maySendBodyAgain {
            resends += 1
            context.call.decided(.retry, "sent again, because \(error.message)")
            outcome = try await attempt(routed, &exchange)
        }
        guard let error = outcome.error else { return }
        guard outcome.isResponseLost, mayOmitMessage else { throw error }
        try await requestStatus(routed, &exchange, after: error)
    }

    /// The number of times that a request is sent again which a server of HTTP/2 did not process or whose connection it ended (RFC 9113 §6.8), as many as
    /// libcurl sends one that may be repeated.
    private static let mostResends = 5

    /// Whether the body, and the response that was delivered, permit another attempt.
    private var maySendBodyAgain: Bool { !context.call.files.isSpent && context.call.pipe?.isCommitted != true }

    /// The request without `Expect`, which the caller did not set and the server refused with 417 (RFC 9110 §15.5.18).
    ///
    /// Nil where it had none, and where the body, or the response that was delivered, does not permit another attempt.
    private func withoutExpectation(_ routed: RoutedRequest) -> RoutedRequest? {
        guard !routed.request.headers.contains("Expect"), transferRequest(of: routed, routed.request).asksBeforeBody, maySendBodyAgain else {
            return nil
        }
        var plain = routed
        plain.request.options.removedFields.insert("expect")
        return plain
    }

    /// Sends a gRPC call again without a message, to receive the status that libcurl has discarded.
    ///
    /// Such a request is complete with its header, so the server does not reset the stream after its response. A server that refuses the header,
    /// because of its method or its metadata, does so again; another one finds no message, and its status says nothing about the call.
    private func requestStatus(_ routed: RoutedRequest, _ exchange: inout Exchange, after error: NetworkError) async throws(NetworkError) {
        context.call.decided(.retry, "sent again without a message, to receive the status: \(error.message)")
        var empty = routed
        empty.request.body = .bytes([], contentType: nil)
        guard try await attempt(empty, &exchange).error == nil, exchange.response?.grpcStatus?.refusesHeader == true else {
            exchange.response = nil
            throw error
        }
    }

    /// Whether a gRPC call without a message has no effect, as a method that takes one message is not called then.
    private var mayOmitMessage: Bool { context.messages?.method.isClientStreaming != true }

    /// Runs a transfer.
    ///
    /// Its error is that of the outcome; only what prevents the transfer is thrown.
    private func attempt(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) -> TransferOutcome {
        let (call, core) = (context.call, context.core)
        if call.isSuspended { try await call.passSuspension() }
        guard call.pipe?.isCommitted != true else {
            throw NetworkError(.pluginFailed, "the request is not sent again, because its response was already delivered")
        }
        try checkNetwork(of: routed)
        let conditions = core.conditions.conditions(for: routed.request)
        let request = conditions?.slowing(routed.request) ?? routed.request
        var record = context.isLogged ? DebugLogRecord(request, of: call, attempt: exchange.attempts.count + 1) : nil
        if var block = record {
            await context.addLines(to: &block, request)
            record = block
        }
        // Plugins may have waited; the place is taken before the deadline is read, which a suspension in the queue extends.
        if !context.takeFreePlace() { try await context.takePlace() }
        let transferRequest = transferRequest(of: routed, request)
        var body =
            call.makeSink?(transferRequest.url)
            ?? BodyBuffer(folder: transferRequest.spoolFolder, limit: transferRequest.options.maximumBodyBytes, demand: call.demand)
        if let messages = context.messages { body = GRPCBody(body, messages) }
        var observer: (@Sendable (Transfer.Event) -> Void)?
        if isWatched { observer = { report($0) } }
        if let record { context.log(record) }
        let (startedAt, began) = (Date(), MonotonicClock.now)
        var outcome: TransferOutcome
        if let conditions {
            let network = NetworkConditioner(call: call, conditions: conditions, fails: core.conditions.hits(conditions))
            outcome = await network.transfer(transferRequest, body: body, observer: observer)
        } else {
            outcome = await call.transfer(transferRequest, body: body, observer: observer)
        }
        if !outcome.isStored { await outcome.settle() }
        if let pipe = call.pipe, pipe.isCommitted {
            pipe.endAttempt(outcome.error)
            // No step of the path can repeat a request whose response was delivered.
            if let error = outcome.error { call.abort(error) }
        }
        // libcurl has no times for an attempt that it never started.
        outcome.endTiming(after: MonotonicClock.seconds(from: began))
        var response = outcome.response
        response?.url = transferRequest.url
        exchange.attempts.append(noted(outcome, response, of: transferRequest, routed, conditions, startedAt: startedAt))
        exchange.response = response
        if call.isObserved { reportDecisions(outcome, of: transferRequest, response) }
        if call.isObserved, let messages = context.messages, let status = response?.grpcStatus { reportDetails(of: status, messages) }
        if let record {
            let time = MonotonicClock.seconds(from: call.startedAt)
            var ended = record.ended(response, error: outcome.error, sentHeaders: exchange.sentHeaders, time: time)
            await context.addLines(to: &ended, request, response, hasFailed: outcome.error != nil)
            context.log(ended)
        }
        context.cookies.take(from: outcome, sent: routed.cookies, &exchange)
        if core.recorder.isOn, call.isRecorded { core.recorder.note(exchange.recorded(transferRequest.request.secrets)) }
        return outcome
    }

    /// The attempt for the exchange, which the monitor has counted.
    private func noted(
        _ outcome: TransferOutcome, _ response: Response?, of transferRequest: TransferRequest, _ routed: RoutedRequest,
        _ conditions: NetworkConditions?, startedAt: Date
    ) -> Attempt {
        var attempt = Attempt(outcome, of: transferRequest, startedAt: startedAt)
        attempt.addressChoice = routed.addressChoice
        attempt.isBodyElsewhere = context.call.makeSink != nil
        attempt.conditions = conditions?.text
        // A name that is in the cache is not looked up.
        if routed.lookup > 0.0005 { attempt.lookup = routed.lookup }
        attempt.timing.queued += context.call.takeQueued()
        attempt.response = response?.head
        context.core.monitor.note(attempt, of: transferRequest.request.service)
        return attempt
    }

    /// Refuses a request whose route leads over a network that it excludes.
    ///
    /// A tunnel is a separate program, whose networks are not known, and a Unix socket leads to none.
    private func checkNetwork(of routed: RoutedRequest) throws(NetworkError) {
        guard !routed.request.options.excludedNetworks.isEmpty, routed.tunnel == nil, routed.request.options.unixSocket == nil else { return }
        let options = routed.request.options
        var (host, address) = (routed.request.url.hostForLookup, routed.address)
        if let proxy = options.proxy, proxy.isFor(routed.request.url) { (host, address) = (proxy.hostForLookup, routed.proxyAddress) }
        guard let target = address ?? IPAddress(host), let interface = context.core.configuration.interface(target, options.interface),
            let network = interface.excluded(by: options.excludedNetworks)
        else { return }
        throw .excluded(network, interface, to: host)
    }

    private func transferRequest(of routed: RoutedRequest, _ request: Request) -> TransferRequest {
        let (call, core) = (context.call, context.core)
        return TransferRequest(
            request: request, address: routed.address, proxyAddress: routed.proxyAddress, proxyTicket: routed.proxyTicket, tunnel: routed.tunnel,
            connectTimeout: routed.connectTimeout ?? request.options.timeouts.connect.nanoseconds, tcpTimeout: routed.tcpTimeout,
            deadline: call.deadline, totalLimit: call.totalLimit, files: call.files, spoolFolder: core.configuration.spoolFolder,
            // A WebSocket connection stays open for long, so the limit of connections does not apply to it.
            pool: call.webSocket == nil ? ownPool(of: request) ?? routed.queue.pool : nil, webSocket: call.webSocket,
            isObserved: isWatched || core.recorder.isOn && call.isRecorded)
    }

    /// The connection of a response that may arrive over HTTP/2 and whose consumer may be slow; nil for other requests.
    private func ownPool(of request: Request) -> ConnectionPool? {
        switch request.options.version {
        case .http1: nil
        case .http2: context.call.streamPool
        case .automatic: request.url.scheme == .https ? context.call.streamPool : nil
        }
    }

    /// Whether progress is reported; a download reports it itself.
    private var isWatched: Bool { context.call.isObserved && !context.call.isDownload }

    /// Reports the details of the status of a gRPC call, as far as its schema has their types.
    private func reportDetails(of status: GRPCStatus, _ messages: GRPCMessages) {
        do throws(ProtobufError) {
            guard let details = try status.details(messages.schema) else { return }
            context.call.decided(.body, "details of the status: \(details.text)")
        } catch {
            context.call.decided(.body, "the details of the status cannot be read: \(error)")
        }
    }

    private func report(_ event: Transfer.Event) {
        let call = context.call
        switch event {
        case .responded(let response): call.report(.responded(response))
        case .progressed(let progress): call.report(.progressed(progress))
        case .grew(let bytes): call.report(.grew(bytes))
        case .changed(let state): call.report(.changed(state))
        }
    }

    /// Reports the certificates, the expiry of pins, and the connection of an attempt.
    private func reportDecisions(_ outcome: TransferOutcome, of transferRequest: TransferRequest, _ response: Response?) {
        let call = context.call
        for (index, certificate) in outcome.certificates.enumerated() {
            call.decided(.tls, "\(index == 0 ? "the server's certificate" : "an issuer certificate that it sent"): \(certificate.text)")
        }
        for early in outcome.informational {
            let fields = Redaction.standard.masked(early.headers).fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
            let line = [String(early.status), early.reason].filter { !$0.isEmpty }.joined(separator: " ")
            call.decided(.connection, "the server sent \(line) before the response\(fields.isEmpty ? "" : ": \(fields)")")
        }
        if transferRequest.options.decompresses, let notice = response?.undecodedNotice { call.decided(.body, notice) }
        if let expired = transferRequest.options.trust.pinsExpire, transferRequest.options.trust.hasPins, Double(SystemClock.seconds) >= expired {
            call.decided(.tls, "the pins expired on \(CalendarTime(secondsSince1970: expired).date) and are no longer compared")
        }
        guard outcome.error == nil, !outcome.isMade else { return }
        if let response, response.status == 101, transferRequest.webSocket == nil {
            call.decided(
                .connection,
                "the server switched to \(response.headers["Upgrade"] ?? "another protocol") (101), which is not supported; the connection was closed"
            )
        }
        if transferRequest.webSocket != nil, let extensions = response?.headers["Sec-WebSocket-Extensions"] {
            call.decided(.connection, "the server agreed to compressed messages: \(extensions)")
        }
        let place = response?.remoteAddress ?? transferRequest.url.authority
        call.decided(
            .connection,
            outcome.isConnectionReused ? "the connection to \(place) was reused" : "a new connection to \(place) was opened")
    }
}

extension Exchange {
    /// The exchange for the observer of attempts, with all secrets that the attempt contains, so that they can be masked.
    fileprivate func recorded(_ secrets: RequestSecrets) -> Exchange {
        var exchange = self
        exchange.request.secrets = secrets
        return exchange
    }
}

extension DebugLogRecord {
    /// The record before an attempt of a call.
    fileprivate init(_ request: Request, of call: Call, attempt: Int) {
        self.init(
            request, original: call.request, attempt: attempt, headers: PlannedHeader(request).fields,
            time: MonotonicClock.seconds(from: call.startedAt))
    }
}

extension Attempt {
    /// The result of a transfer.
    init(_ outcome: TransferOutcome, of transferRequest: TransferRequest, startedAt: Date) {
        self.init(url: transferRequest.url, method: transferRequest.method, startedAt: startedAt)
        sentHeaders = outcome.sentHeaders
        body = transferRequest.body
        sentBodyBytes = outcome.sentBodyBytes
        address = outcome.address ?? transferRequest.address?.description
        localPort = outcome.localPort
        isConnectionReused = outcome.isConnectionReused
        error = outcome.error
        certificates = outcome.certificates
        isUnverified = transferRequest.url.scheme == .https && transferRequest.options.trust.isInsecure
        timing = outcome.timing
    }
}
