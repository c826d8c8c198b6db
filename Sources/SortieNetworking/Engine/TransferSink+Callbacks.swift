internal import CCurl
internal import Glibc
internal import SortieBase

/// The callbacks of libcurl.
extension TransferSink {
    private static func sink(_ context: UnsafeMutableRawPointer?) -> TransferSink? {
        context.map { Unmanaged<TransferSink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Records that libcurl opens a connection for the transfer or assigns an open one.
    private func begin() {
        guard begunAt == nil else { return }
        let now = MonotonicClock.now
        begunAt = now
        lastActivity = now
        if request.pool != nil { report(.begins) }
    }

    static let onPrerequest: curl_prereq_callback = { context, address, localAddress, port, localPort in
        guard let sink = sink(context) else { return CURL_PREREQFUNC_OK }
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
        return CURL_PREREQFUNC_OK
    }

    /// libcurl 7.88 opens sockets that a spawned editor or pager would inherit; these sockets are close-on-exec.
    static let onOpenSocket: curl_opensocket_callback = { context, _, address in
        guard let sink = sink(context), let address else { return -1 }
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
        guard let sink = sink(context), let bytes else { return 0 }
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
        guard let sink = sink(context), let bytes else { return 0 }
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
        guard let sink = sink(context), let bytes, let source = sink.supply.whole else { return Int(CURL_READFUNC_ABORT) }
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
        guard let sink = sink(context), let source = sink.supply.whole, origin == SEEK_SET else {
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
        guard let sink = sink(context), let openSSL else { return CURLE_ABORTED_BY_CALLBACK }
        let handshake = Handshake(policy: sink.request.options.trust, now: Double(SystemClock.seconds))
        sink.handshake = handshake
        sink.awaitsTunnel = false
        return handshake.watch(OpaquePointer(openSSL)) ? CURLE_OK : CURLE_OUT_OF_MEMORY
    }

    static let onDebug: curl_debug_callback = { _, kind, bytes, count, context in
        guard let sink = sink(context), let bytes else { return 0 }
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
            let opened = HTTP2Stream(connection: connection, number: number)
            (stream, isUnprocessed) = (opened, false)
            report(.opens(opened))
        // The transfer is the one that reads the connection, for all of its streams.
        case .processes(let number): report(.refusesStreams(after: HTTP2Stream(connection: connection, number: number)))
        }
    }

    static let onProgress: curl_xferinfo_callback = { context, _, _, total, sent in
        guard let sink = sink(context) else { return 0 }
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
