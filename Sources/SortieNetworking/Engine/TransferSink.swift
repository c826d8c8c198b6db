internal import CCurl
internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// The state that libcurl's callbacks of one transfer read and write.
///
/// The callbacks only record; ``Transfer`` examines the state once per pass.
///
/// Used on the engine's thread only. No access overlaps another one, so the properties that each line of a header changes need no check. The transfer
/// retains the sink for as long as libcurl holds its address.
final class TransferSink {
    /// What the engine has to act on.
    enum Signal {
        /// libcurl assigned one of a limited number of connections.
        case begins
        /// No body data can be sent for now.
        case waitsToSend(BodySupply.Pause)
        /// libcurl was told to receive nothing before it has waited for the socket, which then seems to be that of an idle connection.
        case pausesEarly
        /// Undecoded input is left and no other event triggers its decoding.
        case hasInput
        /// A paused timeout runs again, so that the transfer is examined in time.
        case clockStarts
        /// A request whose body waits for 100 Continue is about to be sent.
        case waitsForContinue
        /// A gRPC request is about to be sent on the connection with this local port.
        case sendsGRPC(localPort: UInt16)
        /// The request has a stream.
        case opensStream
        /// The server processes no later stream of the connection.
        case refusesStreams(after: HTTP2Stream)
    }

    /// The header received so far.
    @exclusivity(unchecked) var header = HeaderBytes()
    /// The destination of the decoded body.
    var body: any BodySink
    /// The decoder of the body; nil for a body without codings and for one that is not decoded.
    private var encoded: EncodedBody?
    /// Whether libcurl must not be paused, so that all data it delivers is accepted.
    private var takesAll = false
    /// Whether `body` has received the header.
    private var hasBegunBody = false
    /// The source of the request body.
    let supply: BodySupply
    /// The files among the parts of the body, whose addresses libcurl holds.
    private(set) var parts: [BodyPart] = []
    /// Why a callback stopped the transfer.
    var failure: NetworkError?
    /// When a byte was last sent or received (monotonic nanoseconds).
    @exclusivity(unchecked) var lastActivity = LoopClock.now
    /// Bytes of the response body on the wire, before decoding.
    var received: Int64 = 0
    /// The header lines that were sent; recorded only for an observed transfer.
    var sentHeaders = Headers()
    /// Whether receiving is paused because the disk is slower than the server.
    var isPaused = false { didSet { if oldValue, !isPaused { report(.clockStarts) } } }
    /// Whether sending is paused because no body data is available.
    var isSendingPaused = false { didSet { if oldValue, !isSendingPaused { report(.clockStarts) } } }
    /// Whether libcurl has waited for the socket of the transfer.
    var hasWaited = false
    /// Whether the request is suspended: no data is received or sent.
    var isHeld = false { didSet { if oldValue, !isHeld { report(.clockStarts) } } }
    /// Whether anything happened since the transfer last examined the sink.
    @exclusivity(unchecked) var isDirty = false
    /// Whether libcurl may restart the body before a response was received.
    ///
    /// It does so when a pooled connection fails.
    let mayRepeat: Bool
    /// The connection of the request, where it may use HTTP/2.
    private var connection: HTTP2Stream.Connection?
    /// The stream of the request over HTTP/2; nil before it has one.
    private var stream: HTTP2Stream?
    /// Whether the server said that it has not processed the request and will not, so that it may be sent again (RFC 9113 §6.8).
    private(set) var isUnprocessed = false
    /// Whether redirects are followed, so that their bodies are discarded.
    private let followsRedirects: Bool
    /// Whether the response is a redirect that is followed; set once its header is complete.
    private(set) var isRedirect = false
    /// When the transfer ends even if the body of the redirect is incomplete (monotonic nanoseconds); nil for other
    /// responses.
    private(set) var redirectDeadline: UInt64?
    /// The number of discarded bytes of the redirect's body.
    private var droppedBytes = 0
    /// Whether the transfer was ended deliberately after the header.
    ///
    /// Later data does not belong to the response.
    private(set) var endsAfterHeader = false
    /// The attempt, which also holds the TLS trust policy.
    private let request: TransferRequest
    /// The result of the handshake of a new TLS connection.
    private(set) var handshake: Handshake?
    /// Whether a proxy was asked for a tunnel (`CONNECT`), and has not opened it.
    private(set) var awaitsTunnel = false
    /// Whether a handshake is that of the server, and not that of an https proxy.
    private(set) var hasAskedForTunnel = false
    /// When libcurl assigned a connection (monotonic nanoseconds); nil while the transfer waits for a limited
    /// connection.
    private(set) var begunAt: UInt64?
    /// Called on any thread when a paused transfer may resume.
    let resume: @Sendable () -> Void
    /// The transfer in ``TransferQueue``.
    private let key: Int
    /// Called in place of the queue, on the engine's thread, also inside libcurl.
    private let receiver: ((Signal) -> Void)?
    /// The socket of the transfer; nil before one is known.
    var socket: TransferSocket?
    /// When the kernel was last queried for acknowledged bytes (monotonic nanoseconds).
    private(set) var acknowledgementsAskedAt: UInt64 = 0

    init(
        spec request: TransferRequest, body: any BodySink, supply: BodySupply, key: Int = 0, resume: @escaping @Sendable () -> Void,
        report receiver: ((Signal) -> Void)? = nil
    ) {
        (self.request, self.body, self.supply, self.key, self.resume, self.receiver) = (request, body, supply, key, resume, receiver)
        mayRepeat = request.mayBeRepeated
        followsRedirects = request.options.maximumRedirects > 0
        parts = supply.parts.map { BodyPart(sink: self, source: $0) }
    }

    private func report(_ signal: Signal) {
        if let receiver { return receiver(signal) }
        Engine.assumeIsolated { [key] in TransferQueue.shared.act(on: signal, of: key) }
    }

    /// The paused directions as libcurl's `CURLPAUSE_…` flags.
    var pauses: Int32 {
        ((isPaused || isDecoding) && !takesAll ? CURLPAUSE_RECV : CURLPAUSE_CONT) | (isSendingPaused ? CURLPAUSE_SEND : CURLPAUSE_CONT)
    }

    /// Whether a response of HTTP/1.1 has begun, and libcurl stops reading although nothing is paused: the response has ended.
    var isReadToEnd: Bool { header.isComplete && !header.isHTTP2 && !isHeld && pauses == CURLPAUSE_CONT }

    /// Whether the transfer waits for a pipe or for a body that the program produces.
    ///
    /// The idle timeout does not run then, because the server is not the cause.
    var awaitsInput: Bool {
        guard isSendingPaused else { return false }
        return switch supply.pause {
        case .input, .producer: true
        case .rate, nil: false
        }
    }

    /// The largest redirect body that is read, in bytes, so that the connection can be reused.
    ///
    /// A larger body, or one that takes longer than `redirectPatience`, costs more than a new connection.
    static let largestRedirectBody = 64 << 10
    private static let redirectPatience: UInt64 = 500_000_000

    /// Evaluates a complete header.
    ///
    /// Returns false when no further data is needed, so that libcurl ends the transfer.
    private func endHeader() -> Bool {
        if header.status == 101 {
            endsAfterHeader = true
            return false
        }
        if header.status == 417, request.asksBeforeBody, !request.headers.contains("Expect"),
            supply.written == 0 || supply.written < supply.total ?? 0
        {
            // libcurl would send the request again by itself, with the same Expect. `AttemptSender` sends it without the field.
            endsAfterHeader = true
            return false
        }
        if header.mayHaveInvalidLength, let invalid = header.block.headers.invalidLength {
            failure = invalid
            return false
        }
        guard followsRedirects, RedirectLocation.statuses.contains(header.status) else { return true }
        let headers = header.block.headers
        isRedirect = RedirectLocation.location(status: header.status, headers: headers) != nil
        guard isRedirect else { return true }
        // The response to a HEAD declares the length of a body that does not follow.
        if request.method != .head, let length = headers["Content-Length"].flatMap({ Int64($0) }), length > Self.largestRedirectBody {
            return endRedirect()
        }
        let deadline = LoopClock.now &+ Self.redirectPatience
        redirectDeadline = deadline
        Engine.assumeIsolated { TransferQueue.shared.look(by: deadline) }
        return true
    }

    /// Discards a piece of a redirect's body.
    ///
    /// Returns false when the limit is reached.
    private func dropRedirectBody(_ count: Int) -> Bool {
        droppedBytes += count
        return droppedBytes <= Self.largestRedirectBody || endRedirect()
    }

    /// Records that the redirect is followed without the rest of its body.
    func endRedirect() -> Bool {
        endsAfterHeader = true
        return false
    }

    private static func sink(_ context: UnsafeMutableRawPointer?) -> TransferSink? {
        context.map { Unmanaged<TransferSink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Passes the header to the body's destination, once.
    ///
    /// Returns false when the destination or the decoder rejects it.
    func beginBody() -> Bool {
        guard !hasBegunBody else { return true }
        hasBegunBody = true
        // With HTTP/2, libcurl 7.88.1 spins and buffers without limit while paused, unless it is not called meanwhile (`EngineFacts.md`, headline 5).
        takesAll = header.isHTTP2 && request.pool?.isOneStream != true
        do throws(NetworkError) {
            encoded = try EncodedBody(of: header, request)
            try body.begin(header)
        } catch { failure = error }
        return failure == nil
    }

    /// Whether the response has the status with which a gRPC call ends.
    var hasGRPCStatus: Bool { request.isGRPC && header.block.response.grpcStatus != nil }

    private func touch() {
        // The pass of the loop may have begun before the transfer.
        lastActivity = max(lastActivity, LoopClock.now)
        isDirty = true
    }

    /// Whether nothing of the body was sent and nothing of a response was received.
    var awaitsContinue: Bool { supply.written == 0 && header.status == 0 }

    /// Whether libcurl has not read the whole body yet, although it may.
    var isGivingBody: Bool {
        guard !isSendingPaused, !isHeld, header.status == 0, let whole = supply.whole, let count = whole.count else { return false }
        return whole.offset < count
    }

    /// Whether a part of the body was not sent, so that no server has the whole body; false where the length is unknown.
    var hasUnsentBody: Bool {
        guard let whole = supply.whole, let count = whole.count else { return false }
        return min(whole.offset, supply.written) < count
    }

    /// Whether the peer has not acknowledged all bytes that were sent.
    var awaitsAcknowledgement: Bool { supply.sent < supply.written }

    /// Queries the kernel for the bytes that the peer acknowledged.
    ///
    /// New ones count as activity, although libcurl reports none.
    func noteAcknowledgements(at now: UInt64) {
        guard awaitsAcknowledgement else { return }
        acknowledgementsAskedAt = now
        guard supply.note(unacknowledged: socket?.unacknowledged ?? 0), !isHeld else { return }
        lastActivity = now
        isDirty = true
    }

    /// Determines the final number of sent body bytes: all of them after a success, else those that the peer
    /// acknowledged.
    func endSending(isComplete: Bool) {
        if isComplete { _ = supply.note(unacknowledged: 0) } else { noteAcknowledgements(at: LoopClock.now) }
    }

    /// The end of the time limit for the TCP connection (monotonic nanoseconds); nil without a limit and after the
    /// connection is established.
    var tcpDeadline: UInt64? {
        guard !isConnected, let limit = request.tcpTimeout, let start = socket?.openedAt else { return nil }
        return start &+ limit
    }

    /// Whether the TCP connection was established at the last check.
    private(set) var isConnected = false

    /// Whether the TCP connection is not established within its time limit.
    func isTooLateToConnect(at now: UInt64) -> Bool {
        guard let tcpDeadline, now >= tcpDeadline else { return false }
        isConnected = socket?.isConnected == true
        return !isConnected
    }

    // MARK: Callbacks

    /// Records that libcurl opens a connection for the transfer or assigns an open one.
    private func begin() {
        guard begunAt == nil else { return }
        let now = MonotonicClock.now
        begunAt = now
        lastActivity = now
        if request.pool != nil { report(.begins) }
    }

    static let onPrerequest: curl_prereq_callback = { context, address, localAddress, port, localPort in
        guard let sink = TransferSink.sink(context) else { return CURL_PREREQFUNC_OK }
        // libcurl sends the request of a refused stream again also after a part of the response, and would add the second body to the first one.
        guard !sink.hasBegunBody else {
            sink.failure = .refusedInResponse(from: sink.request.url.authority)
            return CURL_PREREQFUNC_ABORT
        }
        sink.begin()
        sink.awaitsTunnel = false
        if sink.request.readsDebugText, let address, let localAddress {
            // What is known of an earlier stream says nothing about the next one.
            (sink.stream, sink.isUnprocessed) = (nil, false)
            sink.connection = .init(localPort: localPort, addresses: "\(String(cString: localAddress)) \(String(cString: address)) \(port)")
        }
        if sink.request.mayAwaitContinue { sink.report(.waitsForContinue) }
        if sink.request.isGRPC { sink.report(.sendsGRPC(localPort: UInt16(clamping: localPort))) }
        return CURL_PREREQFUNC_OK
    }

    /// libcurl 7.88 opens sockets that a spawned editor or pager would inherit; these sockets are close-on-exec.
    static let onOpenSocket: curl_opensocket_callback = { context, _, address in
        guard let sink = TransferSink.sink(context), let address else { return -1 }
        sink.begin()
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(address.pointee.family, kind, address.pointee.protocol)
        if descriptor >= 0 { ReadWatchdog.shared.opened(descriptor) }
        sink.request.options.serviceType.mark(descriptor, family: address.pointee.family)
        sink.socket = TransferSocket(descriptor, openedAt: LoopClock.now)
        sink.isConnected = false
        if sink.tcpDeadline != nil { sink.report(.clockStarts) }
        return descriptor
    }

    static let onBody: curl_write_callback = { bytes, size, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
        if !buffer.isEmpty { ReadWatchdog.shared.noteResponse() }
        guard !sink.isHeld else { return sink.pauseReceiving() }
        guard !sink.isRedirect else { return sink.dropRedirectBody(buffer.count) ? buffer.count : 0 }
        guard sink.failure == nil else { return 0 }
        sink.touch()
        guard sink.beginBody() else { return 0 }
        return sink.take(buffer)
    }

    private func pauseReceiving() -> Int {
        if !hasWaited { report(.pausesEarly) }
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    /// Accepts bytes of the body.
    ///
    /// Returns their number, or libcurl's code for pausing.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isPaused || isDecoding, !takesAll { return pauseReceiving() }
        received += Int64(bytes.count)
        guard let encoded else {
            if isPaused {
                body.waitUntilWritten()
                isPaused = false
            }
            return append(bytes) == .stop ? 0 : bytes.count
        }
        encoded.take(bytes) { append($0) }
        if encoded.isBehind, !isPaused { report(.hasInput) }
        failure = failure ?? encoded.failure
        return failure == nil ? bytes.count : 0
    }

    /// Passes decoded bytes to the body's destination.
    private func append(_ bytes: UnsafeRawBufferPointer) -> EncodedBody.Demand {
        do throws(NetworkError) {
            guard try body.append(bytes, whenDrained: resume) else { return .more }
            isPaused = true
            return .later
        } catch {
            failure = error
            return .stop
        }
    }

    /// Whether received input is not decoded yet.
    var isDecoding: Bool { encoded?.isBehind == true && failure == nil }

    /// Decodes one step of the pending input.
    func decodeHeld() {
        guard let encoded, isDecoding, !isPaused, !isHeld else { return }
        touch()
        encoded.decodeHeld { append($0) }
        failure = failure ?? encoded.failure
        if isDecoding { if !isPaused { report(.hasInput) } } else { report(.clockStarts) }
    }

    /// Records the end of the body on the wire and fails the transfer where a coding is incomplete.
    func endBody() {
        if failure == nil { failure = encoded?.truncation }
    }

    static let onHeader: curl_write_callback = { bytes, size, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        ReadWatchdog.shared.noteResponse()
        sink.touch()
        let wasComplete = sink.header.isComplete
        guard sink.header.take(line) else {
            sink.failure = NetworkError(.badResponse, "the response's header is larger than \(ByteCount(HeaderBytes.limit).text)")
            return 0
        }
        guard !sink.header.hasLeadingBlank else {
            sink.failure = .leadingBlank(from: sink.request.url.authority)
            return 0
        }
        // A complete header is followed by trailers or by another response of the same transfer.
        guard sink.header.isComplete, !wasComplete else { return line.count }
        guard sink.endHeader() else { return 0 }
        // An error response may be followed by another one of the same transfer, for example after an authentication challenge.
        guard sink.body.beginsWithHeader, !sink.isRedirect, sink.header.status < 400 else { return line.count }
        return sink.beginBody() ? line.count : 0
    }

    static let onRead: curl_read_callback = { bytes, size, count, context in
        guard let sink = TransferSink.sink(context), let bytes, let source = sink.supply.whole else { return Int(CURL_READFUNC_ABORT) }
        return sink.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count), of: source)
    }

    static let onReadPart: curl_read_callback = { bytes, size, count, context in
        guard let context, let bytes else { return Int(CURL_READFUNC_ABORT) }
        let part = Unmanaged<BodyPart>.fromOpaque(context).takeUnretainedValue()
        return part.sink.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count), of: part.source)
    }

    private func give(_ buffer: UnsafeMutableRawBufferPointer, of source: BodySource) -> Int {
        guard !isHeld else { return Int(CURL_READFUNC_PAUSE) }
        do throws(NetworkError) {
            let got = try supply.give(buffer, of: source)
            if got == Int(CURL_READFUNC_PAUSE) {
                isSendingPaused = true
                if let pause = supply.pause { report(.waitsToSend(pause)) }
            } else {
                touch()
            }
            return got
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    static let onSeek: curl_seek_callback = { context, offset, origin in
        guard let sink = TransferSink.sink(context), let source = sink.supply.whole, origin == SEEK_SET else {
            return CURL_SEEKFUNC_FAIL
        }
        return sink.seek(source, to: Int64(offset))
    }

    static let onSeekPart: curl_seek_callback = { context, offset, origin in
        guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        let part = Unmanaged<BodyPart>.fromOpaque(context).takeUnretainedValue()
        return part.sink.seek(part.source, to: Int64(offset))
    }

    /// Records that the server does not process the stream of the request, where it has said so.
    func noteRefusal(by sockets: SocketTable) {
        guard let stream, header.status == 0, sockets.refuses(stream) else { return }
        isUnprocessed = true
    }

    /// A rewind after a response belongs to authentication.
    ///
    /// A rewind before one is libcurl's own retry and is allowed only where the request may be repeated.
    private func seek(_ source: BodySource, to offset: Int64) -> Int32 {
        guard source.offset == 0 || mayRepeat || header.status != 0, supply.seek(source, to: offset) else { return CURL_SEEKFUNC_FAIL }
        return CURL_SEEKFUNC_OK
    }

    static let onTLS: curl_ssl_ctx_callback = { _, openSSL, context in
        guard let sink = TransferSink.sink(context), let openSSL else { return CURLE_ABORTED_BY_CALLBACK }
        let handshake = Handshake(policy: sink.request.options.trust, now: Double(SystemClock.seconds))
        sink.handshake = handshake
        sink.awaitsTunnel = false
        return handshake.watch(OpaquePointer(openSSL)) ? CURLE_OK : CURLE_OUT_OF_MEMORY
    }

    static let onDebug: curl_debug_callback = { _, kind, bytes, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
        switch kind {
        case CURLINFO_HEADER_OUT:
            if sink.request.opensTunnel, buffer.starts(with: "CONNECT ".utf8) { (sink.awaitsTunnel, sink.hasAskedForTunnel) = (true, true) }
            if sink.request.isObserved { sink.noteSentHeader(buffer) }
        case CURLINFO_TEXT: sink.noteText(buffer)
        default: break
        }
        return 0
    }

    /// Records what libcurl says about streams.
    private func noteText(_ line: UnsafeRawBufferPointer) {
        guard let connection, let notice = HTTP2Stream.Notice(line) else { return }
        switch notice {
        case .opens(let number):
            (stream, isUnprocessed) = (HTTP2Stream(connection: connection, number: number), false)
            report(.opensStream)
        // The transfer is the one that reads the connection, for all of its streams.
        case .processes(let number): report(.refusesStreams(after: HTTP2Stream(connection: connection, number: number)))
        }
    }

    static let onProgress: curl_xferinfo_callback = { context, _, _, total, sent in
        guard let sink = TransferSink.sink(context) else { return 0 }
        if !sink.awaitsAcknowledgement { sink.acknowledgementsAskedAt = LoopClock.now }
        if sink.supply.note(written: Int64(sent), of: Int64(total)), !sink.isHeld { sink.touch() }
        return 0
    }

    /// Records the header of the last request that was sent (Digest authentication sends several).
    func noteSentHeader(_ bytes: UnsafeRawBufferPointer) {
        // As the head of a response, after its first line. Dividing a text costs fifteen times as much, a third of an observed request.
        sentHeaders = HeaderBlock(reading: Array(bytes)).headers
    }
}

extension Headers {
    /// The error for a `Content-Length` that is no 64-bit integer, and for several ones that differ, in one field or in several (RFC 9112 §6.3).
    ///
    /// Nil where the length does not count because of a `Transfer-Encoding`.
    fileprivate var invalidLength: NetworkError? {
        guard !contains("Transfer-Encoding") else { return nil }
        let hint = "the server, or a proxy before it, is faulty or attacked; its response is not used"
        var lengths: [String] = []
        for part in values(of: "Content-Length").flatMap({ $0.split(separator: ",") }) {
            let length = String(part.trimming(\.isSpaceOrTab))
            // libcurl uses the first digits of such a text.
            guard length.utf8.allSatisfy(ASCII.isDigit) else {
                return NetworkError(.badResponse, "the response has an invalid length: Content-Length \(length)", hint: hint)
            }
            // libcurl ignores such a number, so any number of bytes would count as the whole body.
            guard length.isEmpty || Int64(length) != nil else {
                return NetworkError(.bodyTooLarge, "the response announces a body of \(length) bytes, which is larger than any", hint: hint)
            }
            if !length.isEmpty, !lengths.contains(length) { lengths.append(length) }
        }
        // libcurl uses the last field and the first number in it; an intermediary may use another one.
        guard lengths.count > 1 else { return nil }
        return NetworkError(.badResponse, "the response has different lengths: Content-Length \(lengths.joined(separator: " and "))", hint: hint)
    }
}
