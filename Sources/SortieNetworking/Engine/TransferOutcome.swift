internal import CCurl
internal import SortieHTTP

/// The result of one attempt, copied from the handle before the handle is reused.
struct TransferOutcome: Sendable {
    /// Why the attempt failed.
    var error: NetworkError?
    /// The timings of the attempt.
    private(set) var timing = Timing()
    /// The address of the peer.
    private(set) var address: String?
    /// Whether the attempt reused a connection.
    private(set) var isConnectionReused = false
    /// The certificate chain that the server presented on a new TLS connection.
    private(set) var certificates: [PresentedCertificate] = []
    /// The header fields that were sent, as far as they are known.
    private(set) var sentHeaders = Headers()
    /// The number of body bytes that were sent.
    private(set) var sentBodyBytes: Int64 = 0
    private var header = HeaderBytes()
    private var body: (any BodySink)?
    private var wireBytes: Int64 = 0
    private var port = 0
    /// The local port; nil where no connection was established.
    private(set) var localPort: Int?
    /// Whether `timing.total` was measured.
    private var isTimed = false
    /// Whether the server ended a gRPC call before it had read the body, and libcurl discarded the response (`EngineFacts.md`, “Early responses”).
    private(set) var isResponseLost = false
    /// Whether the request may be sent again at once: the server said that it has not processed it (``TransferSink/isUnprocessed``), or the request may be
    /// repeated, and the server's GOAWAY ended its connection or libcurl discarded its response.
    private(set) var isRepeatable = false
    /// Whether the response is synthetic and no server sent it.
    private(set) var isMade = false

    /// The outcome of an attempt that never reached libcurl.
    init(error: NetworkError) {
        self.error = error
    }

    /// Copies the result from the handle.
    @Engine
    init(of transfer: Transfer, result: CURLcode, at now: UInt64) {
        let handle = transfer.handle
        let sink = transfer.sink
        timing = TransferOutcome.timing(handle)
        // libcurl's total ends at its last activity on the transfer; for an aborted transfer it may end at its start.
        let queued = transfer.queuedTime(at: now)
        timing.queued = Double(queued) / 1e9
        timing.total = MonotonicClock.seconds(from: transfer.startedAt &+ queued, to: now)
        if transfer.spec.webSocket != nil, timing.connect > 0, transfer.spec.url.scheme == .http || timing.tls > 0 {
            // libcurl ends with the connection; the handshake of the WebSocket connection follows.
            timing.requestStart = max(timing.connect, timing.tls)
            if sink.header.isComplete { timing.firstByte = timing.total }
        }
        isTimed = true
        address = handle.string(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
        port = handle.long(CURLINFO_PRIMARY_PORT)
        let ownPort = handle.long(CURLINFO_LOCAL_PORT)
        localPort = ownPort > 0 ? ownPort : nil
        // To libcurl, the end of the connection also ends a header (RFC 9112 §8).
        // An error in the body of a redirect, or after the header of a 101, does not fail the attempt.
        // A server that responds to gRPC before it has read the request resets the stream after the trailer.
        let isWhole =
            result == CURLE_OK && sink.header.isComplete || sink.isRedirect || sink.endsAfterHeader
            || result == CURLE_HTTP2_STREAM && sink.hasGRPCStatus
        isConnectionReused = handle.long(CURLINFO_NUM_CONNECTS) == 0 && isWhole
        certificates = sink.handshake?.chain ?? []
        sentHeaders = sink.sentHeaders.fields.isEmpty ? transfer.spec.headers : sink.sentHeaders
        sentBodyBytes = sink.supply.sent
        wireBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        header = sink.header
        if !sink.isRedirect {
            // A response without a body also begins one; a failed attempt may have none.
            if isWhole { _ = sink.beginBody() }
            sink.body.flush()
            body = sink.body
        }
        if let reason = transfer.abortReason ?? sink.failure {
            error = reason
        } else if header.status == 101, transfer.spec.webSocket == nil, !transfer.spec.headers.contains("Upgrade") {
            error = NetworkError(
                .badResponse,
                "\(transfer.spec.url.authority) switched to \(header.block.headers["Upgrade"] ?? "another protocol") (101), although the request has no Upgrade field",
                hint: "a server must not send this response unless the request has an Upgrade field (RFC 9110 §7.8)")
        } else if result == CURLE_OK, header.status == 0 {
            error = NetworkError(.badResponse, "\(transfer.spec.url.authority) did not send a valid HTTP response")
        } else if header.status == 401,
            let unmet = NetworkError.unmetChallenge(
                transfer.spec.options.credential, header.block.headers, hasBody: transfer.spec.hasBody,
                hasLateAlgorithms: TransferQueue.hashesSHA512)
        {
            error = unmet
        } else if !isWhole {
            error = CurlFailure(result, transfer, connected: timing.connect > 0 || isConnectionReused, at: now).error
            let isLost = transfer.hasLostResponse(result)
            isResponseLost = isLost && transfer.spec.isGRPC
            isRepeatable = sink.isUnprocessed || transfer.endedWithSession(result) || isLost && transfer.spec.mayBeRepeated
        }
    }

    /// A synthetic response that no server sent.
    ///
    /// - Parameters:
    ///   - lines: The status line and the header fields.
    ///   - text: The body.
    ///   - body: The sink that receives the body.
    @Engine
    init(header lines: [String], text: String, into body: any BodySink) {
        isMade = true
        var body = body
        for line in lines + [""] { Array("\(line)\r\n".utf8).withUnsafeBytes { _ = header.take($0) } }
        do throws(NetworkError) {
            try body.begin(header)
            _ = try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(NetworkError) in
                try body.append(UnsafeRawBufferPointer(bytes), whenDrained: {})
            }
            body.flush()
        } catch { self.error = error }
        self.body = body
        wireBytes = Int64(text.utf8.count)
    }

    /// The outcome of an attempt that did not use libcurl.
    ///
    /// - Parameters:
    ///   - body: The sink that received the body; nil for a redirect.
    ///   - isTimed: Whether the total time is known.
    init(
        header: HeaderBytes, body: (any BodySink)?, error: NetworkError?, timing: Timing, isTimed: Bool, sentHeaders: Headers, sentBodyBytes: Int64,
        wireBytes: Int64
    ) {
        isMade = true
        (self.header, self.body, self.error, self.sentHeaders, self.sentBodyBytes) = (header, body, error, sentHeaders, sentBodyBytes)
        (self.wireBytes, self.timing, self.isTimed) = (wireBytes, timing, isTimed)
    }

    /// Delays the first byte by `answer` seconds and the end by the sum of both values.
    mutating func delay(answer: Double = 0, end: Double = 0) {
        timing.firstByte += answer
        timing.total += answer + end
    }

    /// Sets the duration of the attempt in seconds, unless it was measured more precisely.
    mutating func endTiming(after seconds: Double) {
        guard !isTimed else { return }
        isTimed = true
        timing.total = seconds
    }

    /// Whether the body is stored without ``settle()``.
    var isStored: Bool { body?.isStored ?? true }

    /// Waits until the sink has stored the body.
    mutating func settle() async {
        guard let body else { return }
        do { try await body.finish() } catch { self.error = self.error ?? error }
    }

    /// The `Set-Cookie` fields of challenges within the attempt.
    var challengeCookies: Headers { header.challengeCookies }

    /// The informational responses before the response, such as 103 (RFC 8297).
    var informational: [InformationalResponse] { header.informational }

    /// The response as far as it was received; nil when no complete header was received.
    var response: Response? {
        guard header.isComplete else { return nil }
        var place = address
        if let address {
            place = address.utf8.contains(UInt8(ascii: ":")) ? "[" + address + "]:" : address + ":"
            place?.append(String(port))
        }
        var response = header.block.response(
            body: body?.view ?? .empty, truncation: error?.message, wireBytes: wireBytes, remoteAddress: place)
        if !header.informational.isEmpty { response.informational = header.informational }
        return response
    }

    @Engine
    private static func timing(_ handle: EasyHandle) -> Timing {
        func seconds(_ info: CURLINFO) -> Double { Double(handle.offset(info)) / 1e6 }
        var timing = Timing()
        timing.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        timing.connect = seconds(CURLINFO_CONNECT_TIME_T)
        timing.tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        timing.requestStart = seconds(CURLINFO_PRETRANSFER_TIME_T)
        timing.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        timing.total = seconds(CURLINFO_TOTAL_TIME_T)
        return timing
    }
}

/// The target of a redirect response (RFC 9110 §15.4).
enum RedirectLocation {
    /// The statuses of redirects.
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The target that a response redirects to, as written; nil for a final response.
    ///
    /// A redirect status without a `Location` or with an empty one is final, so its body is delivered. Of several fields the first one with a value
    /// counts.
    static func location(status: Int, headers: Headers) -> String? {
        guard statuses.contains(status) else { return nil }
        return headers.values(of: "Location").first { !$0.isEmpty }
    }

    /// The targets that a response names beside the one that is followed.
    static func others(_ headers: Headers) -> [String] {
        let values = headers.values(of: "Location").filter { !$0.isEmpty }
        return values.filter { $0 != values.first }
    }
}
