internal import CCurl
internal import Glibc
internal import Model

/// What libcurl's callbacks of one transfer write to and read from.
///
/// They only record; ``Transfer`` looks at it once a pass.
///
/// Used on the engine's thread only; the transfer keeps it alive for as long as libcurl knows its address.
final class TransferSink {
    /// What arrived of the header.
    var header = HeaderBytes()
    /// Where the body goes, decoded.
    var body: any BodySink
    /// What decodes the body; nil where it is not encoded, or not decoded.
    private var encoded: EncodedBody?
    /// Whether libcurl must not be paused, so that all that it brings is taken.
    private var takesAll = false
    /// Whether `body` knows the header.
    private var hasBegunBody = false
    /// Where the request's body comes from.
    let supply: BodySupply
    /// The files among its parts; libcurl knows their addresses.
    private(set) var parts: [BodyPart] = []
    /// Why a callback stopped the transfer.
    var failure: NetworkError?
    /// When the last byte went or came, monotonic nanoseconds.
    var lastActivity = PassClock.now
    /// Bytes of the response's body that came over the wire, before decoding.
    var received: Int64 = 0
    /// The header lines that went out; only kept while observed.
    var sentHeaders = Headers()
    /// Whether libcurl was told to wait because the disk is slow.
    var isPaused = false { didSet { if oldValue, !isPaused { clockStarts() } } }
    /// Whether libcurl was told to wait for what is to be sent.
    var isSendingPaused = false { didSet { if oldValue, !isSendingPaused { clockStarts() } } }
    /// Whether the call is suspended: nothing is taken and nothing is given.
    var isHeld = false { didSet { if oldValue, !isHeld { clockStarts() } } }
    /// Whether something happened since the transfer last looked.
    var isDirty = false
    /// Whether libcurl may begin the body again although no answer came: it does so by itself when a pooled connection dies.
    let mayRepeat: Bool
    /// Whether redirects are followed, so that their bodies are dropped.
    private let followsRedirects: Bool
    /// Whether the response is one that is followed; known once its header is complete.
    private(set) var isRedirect = false
    /// When the transfer ends although the body of the redirect has not, monotonic nanoseconds; nil without one.
    private(set) var redirectDeadline: UInt64?
    /// Bytes of the redirect's body that were dropped.
    private var droppedBytes = 0
    /// Whether the transfer was ended deliberately after the header: nothing that follows belongs to the response.
    private(set) var endsAfterHeader = false
    /// Whom a TLS connection of it trusts.
    private let spec: TransferSpec
    /// What the handshake of its new TLS connection showed.
    private(set) var handshake: Handshake?
    /// When libcurl gave it a connection, monotonic nanoseconds; nil while it waits for one of a limited number.
    private(set) var begunAt: UInt64?
    /// Called when libcurl gives it a connection.
    var onBegin: (() -> Void)?
    /// Called when a paused transfer may go on, on no particular thread.
    let resume: @Sendable () -> Void
    /// Called when nothing can be sent for now.
    private let waitToSend: (BodySupply.Pause) -> Void
    /// Called when something is left to decode and nothing else will bring it forward.
    private let decodeLater: () -> Void
    /// Called when a limit of time that stood still runs again, so that the transfer is looked at in time.
    private let clockStarts: () -> Void
    /// The socket that carries it; nil before there is one.
    var socket: TransferSocket?
    /// When the peer's acknowledgements were last asked for, monotonic nanoseconds.
    private(set) var acknowledgementsAskedAt: UInt64 = 0

    init(
        spec: TransferSpec, body: any BodySink, supply: BodySupply, resume: @escaping @Sendable () -> Void,
        waitToSend: @escaping (BodySupply.Pause) -> Void, decodeLater: @escaping () -> Void = {}, clockStarts: @escaping () -> Void = {}
    ) {
        self.spec = spec
        self.body = body
        self.supply = supply
        self.resume = resume
        self.waitToSend = waitToSend
        self.decodeLater = decodeLater
        self.clockStarts = clockStarts
        mayRepeat = spec.mayBeRepeated
        followsRedirects = spec.options.maximumRedirects > 0
        parts = supply.parts.map { BodyPart(sink: self, source: $0) }
    }

    /// What of it stands still, as libcurl's word for it.
    var pauses: Int32 {
        ((isPaused || isDecoding) && !takesAll ? CURLPAUSE_RECV : CURLPAUSE_CONT) | (isSendingPaused ? CURLPAUSE_SEND : CURLPAUSE_CONT)
    }

    /// Whether it waits for a pipe, which is no fault of the server's.
    var awaitsInput: Bool {
        if isSendingPaused, case .input? = supply.pause { true } else { false }
    }

    /// The most bytes of a redirect's body that are read, and the longest time for which they are awaited, so that the connection can be used again.
    ///
    /// A larger or slower body costs more than a new connection.
    static let largestRedirectBody = 64 << 10
    private static let redirectPatience: UInt64 = 500_000_000

    /// Looks at a complete header; false when nothing after it is wanted, so that libcurl ends the transfer.
    private func endHeader() -> Bool {
        if header.status == 101 {
            endsAfterHeader = true
            return false
        }
        guard followsRedirects, Redirect.statuses.contains(header.status) else { return true }
        let headers = header.block.headers
        isRedirect = Redirect.location(status: header.status, headers: headers) != nil
        guard isRedirect else { return true }
        // The header of a response to HEAD gives the length of a body that does not follow.
        if spec.method != .head, let length = headers["Content-Length"].flatMap({ Int64($0) }), length > Self.largestRedirectBody {
            return endRedirect()
        }
        let deadline = PassClock.now &+ Self.redirectPatience
        redirectDeadline = deadline
        Engine.assumeIsolated { TransferQueue.shared.look(by: deadline) }
        return true
    }

    /// Drops a piece of a redirect's body; false when that is enough.
    private func dropRedirectBody(_ count: Int) -> Bool {
        droppedBytes += count
        return droppedBytes <= Self.largestRedirectBody || endRedirect()
    }

    /// Notes that the redirect is followed without the rest of its body.
    func endRedirect() -> Bool {
        endsAfterHeader = true
        return false
    }

    private static func sink(_ context: UnsafeMutableRawPointer?) -> TransferSink? {
        context.map { Unmanaged<TransferSink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Shows the header to the receiver of the body, once; false when that wants nothing of it.
    func beginBody() -> Bool {
        guard !hasBegunBody else { return true }
        hasBegunBody = true
        let block = header.block
        // With HTTP/2, libcurl 7.88.1 spins and hoards while paused (`engine.md`, headline 5).
        takesAll = header.isHTTP2
        do throws(NetworkError) {
            encoded = try EncodedBody(of: block, spec)
            try body.begin(block)
        } catch { failure = error }
        return failure == nil
    }

    private func touch() {
        lastActivity = PassClock.now
        isDirty = true
    }

    /// Whether bytes are on their way that the peer has not acknowledged.
    var awaitsAcknowledgement: Bool { supply.sent < supply.written }

    /// Asks the kernel what arrived at the peer, which is activity although libcurl has nothing to do.
    func noteAcknowledgements(at now: UInt64) {
        guard awaitsAcknowledgement else { return }
        acknowledgementsAskedAt = now
        guard supply.note(unacknowledged: socket?.unacknowledged ?? 0), !isHeld else { return }
        lastActivity = now
        isDirty = true
    }

    /// Settles how much of the body arrived: all of it where the transfer succeeded, else what the peer acknowledged.
    func endSending(isComplete: Bool) {
        if isComplete { _ = supply.note(unacknowledged: 0) } else { noteAcknowledgements(at: PassClock.now) }
    }

    /// Where the time for its TCP connection is limited, the moment at which that ends; nil once it does not matter.
    var tcpDeadline: UInt64? {
        guard !isConnected, let limit = spec.tcpTimeout, let start = socket?.openedAt else { return nil }
        return start &+ limit
    }

    /// Whether its TCP connection was established when that was looked at.
    private(set) var isConnected = false

    /// Whether no TCP connection is established although the time for that is over.
    func isTooLateToConnect(at now: UInt64) -> Bool {
        guard let tcpDeadline, now >= tcpDeadline else { return false }
        isConnected = socket?.isConnected == true
        return !isConnected
    }

    // MARK: Callbacks

    /// Notes that libcurl opens a connection for a transfer of a pool, or gives it one that is open.
    private func begin() {
        guard begunAt == nil else { return }
        begunAt = MonotonicClock.now
        lastActivity = PassClock.now
        onBegin?()
    }

    static let onPrerequest: curl_prereq_callback = { context, _, _, _, _ in
        TransferSink.sink(context)?.begin()
        return CURL_PREREQFUNC_OK
    }

    /// libcurl 7.88 opens sockets that a spawned editor or pager would inherit; these are closed on exec.
    static let onOpenSocket: curl_opensocket_callback = { context, _, address in
        guard let sink = TransferSink.sink(context), let address else { return -1 }
        sink.begin()
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(address.pointee.family, kind, address.pointee.protocol)
        sink.socket = TransferSocket(descriptor, openedAt: PassClock.now)
        sink.isConnected = false
        if sink.tcpDeadline != nil { sink.clockStarts() }
        return descriptor
    }

    static let onBody: curl_write_callback = { bytes, size, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
        guard !sink.isHeld else { return Int(CURL_WRITEFUNC_PAUSE) }
        guard !sink.isRedirect else { return sink.dropRedirectBody(buffer.count) ? buffer.count : 0 }
        guard sink.failure == nil else { return 0 }
        sink.touch()
        guard sink.beginBody() else { return 0 }
        return sink.take(buffer)
    }

    /// Takes bytes of the body: how many, or libcurl's word for waiting.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isPaused || isDecoding, !takesAll { return Int(CURL_WRITEFUNC_PAUSE) }
        received += Int64(bytes.count)
        guard let encoded else {
            if isPaused {
                body.waitUntilWritten()
                isPaused = false
            }
            return append(bytes) == .stop ? 0 : bytes.count
        }
        encoded.take(bytes) { append($0) }
        if encoded.isBehind, !isPaused { decodeLater() }
        failure = failure ?? encoded.failure
        return failure == nil ? bytes.count : 0
    }

    /// Gives decoded bytes to the receiver of the body.
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

    /// Whether something that came is not decoded yet.
    var isDecoding: Bool { encoded?.isBehind == true && failure == nil }

    /// Decodes a step of what waits for that.
    func decodeHeld() {
        guard let encoded, isDecoding, !isPaused, !isHeld else { return }
        touch()
        encoded.decodeHeld { append($0) }
        failure = failure ?? encoded.failure
        if isDecoding { if !isPaused { decodeLater() } } else { clockStarts() }
    }

    /// Notes that the body is complete as libcurl counts; the codings in it may not be.
    func endBody() {
        if failure == nil { failure = encoded?.truncation }
    }

    static let onHeader: curl_write_callback = { bytes, size, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        sink.touch()
        let wasComplete = sink.header.isComplete
        guard sink.header.take(line) else {
            sink.failure = NetworkError(.badResponse, "the response's header is larger than \(ByteCount(HeaderBytes.limit).text)")
            return 0
        }
        // After a complete header come trailers, or another response of the same transfer.
        guard sink.header.isComplete, !wasComplete else { return line.count }
        return sink.endHeader() ? line.count : 0
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
                if let pause = supply.pause { waitToSend(pause) }
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

    /// After an answer it is a round of authentication; before one it is a repetition that nobody asked for.
    private func seek(_ source: BodySource, to offset: Int64) -> Int32 {
        guard source.offset == 0 || mayRepeat || header.status != 0, supply.seek(source, to: offset) else { return CURL_SEEKFUNC_FAIL }
        return CURL_SEEKFUNC_OK
    }

    static let onTLS: curl_ssl_ctx_callback = { _, openSSL, context in
        guard let sink = TransferSink.sink(context), let openSSL else { return CURLE_ABORTED_BY_CALLBACK }
        let handshake = Handshake(policy: sink.spec.options.trust, now: Double(SystemClock.seconds))
        sink.handshake = handshake
        return handshake.watch(OpaquePointer(openSSL)) ? CURLE_OK : CURLE_OUT_OF_MEMORY
    }

    static let onDebug: curl_debug_callback = { _, kind, bytes, count, context in
        guard let sink = TransferSink.sink(context), let bytes else { return 0 }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
        if kind == CURLINFO_HEADER_OUT { sink.noteSentHeader(buffer) }
        return 0
    }

    static let onProgress: curl_xferinfo_callback = { context, _, _, total, sent in
        guard let sink = TransferSink.sink(context) else { return 0 }
        if !sink.awaitsAcknowledgement { sink.acknowledgementsAskedAt = PassClock.now }
        if sink.supply.note(written: Int64(sent), of: Int64(total)), !sink.isHeld { sink.touch() }
        return 0
    }

    /// Keeps the header of the last request that went out (a transfer has several with Digest).
    private func noteSentHeader(_ bytes: UnsafeRawBufferPointer) {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        sentHeaders = Headers(
            lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return HeaderField(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
            })
    }
}
