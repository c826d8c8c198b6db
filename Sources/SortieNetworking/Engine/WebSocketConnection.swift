internal import CCurl
internal import FoundationEssentials
internal import SortieHTTP

/// One WebSocket connection: the handshake on a connection that libcurl established (`CURLOPT_CONNECT_ONLY`), then its frames.
///
/// The engine's loop waits for its socket as for those of libcurl, so a connection needs no thread. The easy handle stays in its multi handle until the
/// connection is closed, because libcurl finds the connection there.
@Engine
final class WebSocketConnection {
    private enum Phase {
        case handshake, open
        /// A Close frame was sent; the server's one is awaited.
        case closing
        /// Both sides sent a Close frame, or the server violated the protocol: the rest of the output is sent, and received bytes are discarded.
        case closed
        /// All output was sent; the server is to close the socket (RFC 6455 §7.1.1).
        case ending
        case ended
    }

    let transfer: Transfer
    nonisolated let socket: Int32
    private let channel: WebSocketChannel
    private let handshake = WebSocketHandshake()
    private var phase = Phase.handshake
    private var reader: WebSocketReader
    /// The parameters of permessage-deflate; nil where messages are not compressed.
    private var compression: WebSocketCompression?
    /// Made for the first message, because it needs 256 KiB.
    private var deflater: WebSocketDeflater?
    /// Received bytes of an incomplete header line.
    private var line: [UInt8] = []
    private var output: [UInt8] = []
    private var sentCount = 0
    /// The senders that wait until the output is sent.
    private var senders: [CheckedContinuation<NetworkError?, Never>] = []
    private var isPaused = false
    /// Whether the server sends nothing more.
    private var isInputEnded = false
    /// The payload of the last ping that is not responded to yet because much output waits.
    private var latestPing: [UInt8]?
    /// Whether another turn of receiving is enqueued.
    private var isContinuing = false
    /// The work of the reader (``WebSocketReader/work``) when a Close frame was sent.
    private var workBeforeClose = 0
    /// Why the connection ends when the output is sent; nil for a normal end.
    private var failure: NetworkError?
    private let alarm = TimerQueue.ID()
    private var generator = SystemRandomNumberGenerator()

    /// The size of waiting output, in bytes, from which on only the last ping is responded to (RFC 6455 §5.5.3), so that a server that sends pings and
    /// reads nothing cannot fill the memory.
    private static let pongBacklog = 1 << 16
    /// The number of times that bytes are received before other work of the engine's thread has its turn, also where a server never stops to send.
    private static let receiptsInTurn = 16
    /// The work of the reader in one turn: compressed messages may be a thousand times larger than what is received.
    private static let workInTurn = 1 << 20

    /// Returns nil when the connection is closed already.
    init?(_ transfer: Transfer, _ channel: WebSocketChannel) {
        var socket: curl_socket_t = -1
        guard ccurl_get_socket(transfer.handle.raw, &socket) == CURLE_OK, socket >= 0 else { return nil }
        (self.transfer, self.socket, self.channel) = (transfer, socket, channel)
        reader = WebSocketReader(limit: channel.limit)
    }

    /// Whether the handshake succeeded.
    var isOpen: Bool { phase != .handshake && phase != .ended }

    /// Whether the handshake offers permessage-deflate.
    private var offersCompression: Bool {
        transfer.spec.options.decompresses && !transfer.spec.options.removedFields.contains("sec-websocket-extensions")
    }

    private var place: String { transfer.spec.url.authority }

    /// Sends the request of the handshake.
    func begin() {
        let transferRequest = transfer.spec
        let fields = handshake.fields(PlannedHeader(transferRequest.request).fields, offersCompression: offersCompression)
        transfer.sink.sentHeaders = fields
        let lines = ["GET \(transferRequest.url.requestTarget) HTTP/1.1"] + fields.fields.map { "\($0.name): \($0.value)" }
        output += lines.joined(separator: "\r\n").utf8
        output += "\r\n\r\n".utf8
        flush()
        ready()
    }

    // MARK: The loop's side

    /// Sends and receives what is possible without waiting.
    func ready() {
        flush()
        receive()
        // What was received may need a response.
        flush()
        update()
    }

    /// Reads again after the consumer took messages.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        ready()
    }

    private func update() {
        guard phase != .ended else { return }
        TransferQueue.shared.wait(self, toReceive: !isPaused && !isInputEnded, toSend: sentCount < output.count)
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let limit = reader.work + Self.workInTurn
        parse(untilWork: limit)
        var receipts = 0
        while phase != .ended, !isPaused, !isInputEnded {
            guard receipts < Self.receiptsInTurn, reader.work < limit else { return continueLater() }
            receipts += 1
            var count = 0
            let code = buffer.withUnsafeMutableBytes { curl_easy_recv(transfer.handle.raw, $0.baseAddress, $0.count, &count) }
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK, count > 0 else { return receivedEnd() }
            transfer.sink.lastActivity = LoopClock.now
            switch phase {
            case .handshake: take(header: buffer[..<count])
            case .open, .closing: reader.append(buffer[..<count])
            case .closed, .ending, .ended: continue
            }
            parse(untilWork: limit)
        }
    }

    private func receivedEnd() {
        isInputEnded = true
        switch phase {
        case .closed: break
        case .ending: end(failure)
        case .handshake: end(NetworkError(.connectionLost, "\(place) closed the connection during the WebSocket handshake"))
        case .open, .closing:
            end(failure ?? NetworkError(.connectionLost, "\(place) closed the connection without a Close frame (RFC 6455 §7.1.5, code 1006)"))
        case .ended: break
        }
    }

    /// Receives again after the other work of the engine's thread.
    private func continueLater() {
        guard !isContinuing else { return }
        isContinuing = true
        // The socket need not become ready again: libcurl may hold received bytes.
        Engine.post {
            self.isContinuing = false
            self.ready()
        }
    }

    private var unansweredClose: NetworkError {
        NetworkError(.timedOut, "\(place) did not respond to the Close frame", timeLimit: .idle)
    }

    private func flush() {
        while phase != .ended, sentCount < output.count {
            var count = 0
            let code = output.withUnsafeBytes { bytes in
                curl_easy_send(transfer.handle.raw, bytes.baseAddress.map { $0 + sentCount }, bytes.count - sentCount, &count)
            }
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK else { return end(failure ?? NetworkError(.connectionLost, "\(place) closed the connection")) }
            sentCount += count
        }
        guard phase != .ended else { return }
        output.removeAll(keepingCapacity: output.capacity <= 1 << 20)
        sentCount = 0
        resumeSenders(nil)
        if phase == .closed { return waitForEnd() }
        guard let ping = latestPing.take(), phase == .open else { return }
        write(.pong, ping)
        flush()
    }

    /// Waits for the server to close the socket.
    private func waitForEnd() {
        guard !isInputEnded else { return end(failure) }
        phase = .ending
        limit(to: channel.closingLimits.socket) { $0.end($0.failure) }
    }

    /// Sets the time after which the connection ends.
    private func limit(to duration: Duration, _ action: @escaping @Sendable @Engine (WebSocketConnection) -> Void) {
        TimerQueue.shared.set(alarm, at: MonotonicClock.now &+ duration.nanoseconds) { Engine.assumeIsolated { action(self) } }
    }

    // MARK: The handshake

    /// Adds bytes of the response's header; bytes after it are frames.
    private func take(header bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while phase == .handshake, let end = rest.firstIndex(of: 0x0a) {
            line += rest[...end]
            rest = rest[(end + 1)...]
            let context = Unmanaged.passUnretained(transfer.sink).toOpaque()
            // The callback returns 0 at the end of a 101.
            line.withUnsafeMutableBytes { _ = TransferSink.onHeader($0.baseAddress?.assumingMemoryBound(to: CChar.self), 1, $0.count, context) }
            line = []
            if let failure = transfer.sink.failure { return self.end(failure) }
            if transfer.sink.header.status == 0 { return self.end(NetworkError(.badResponse, "\(place) did not respond with HTTP/1.1")) }
            if transfer.sink.header.isComplete { completeHandshake() }
        }
        if phase == .handshake { line += rest } else { reader.append(rest) }
        if line.count > HeaderBytes.limit { end(NetworkError(.badResponse, "the response's header has no end")) }
    }

    private func completeHandshake() {
        let header = transfer.sink.header
        // Redirects, credentials and retries apply to other responses as for an HTTP request; their bodies are not read.
        guard header.status == 101 else {
            phase = .ended
            return TransferQueue.shared.endHandshake(transfer, nil)
        }
        do throws(WebSocketError) {
            compression = try handshake.check(
                status: header.status, headers: header.block.headers, subprotocols: transfer.spec.headers["Sec-WebSocket-Protocol"],
                offersCompression: offersCompression)
        } catch { return end(NetworkError(.badResponse, webSocket: error, from: place)) }
        if let compression { reader = WebSocketReader(limit: channel.limit, decompressor: WebSocketInflater(compression)) }
        phase = .open
        channel.open(self)
        TransferQueue.shared.endHandshake(transfer, nil)
    }

    // MARK: Frames

    /// Reads the frames that were received.
    ///
    /// - Parameter limit: The work of the reader at which the turn ends.
    private func parse(untilWork limit: Int) {
        do throws(WebSocketError) {
            while phase == .open || phase == .closing, !isPaused {
                // The server has to be read to its Close frame, and may send without end before it.
                if phase == .closing, !channel.hasRoom { reader.discardsMessages = true }
                guard let event = try reader.next(untilWork: limit) else { break }
                take(event)
            }
            guard phase == .closing, reader.work - workBeforeClose >= WebSocketChannel.budget else { return }
            end(failure ?? unansweredClose)
        } catch {
            failure = NetworkError(.badResponse, webSocket: error, from: place)
            if phase == .open { write(.close, [UInt8(error.closeCode >> 8), UInt8(error.closeCode & 0xff)]) }
            endMessages()
        }
    }

    private func take(_ event: WebSocketReader.Event) {
        switch event {
        case .message(let message): report(.received, .message(message))
        case .ping(let payload): respond(toPing: payload)
        case .pong: break
        case .close(let close):
            report(.received, .close(close))
            // The response has the same code (RFC 6455 §5.5.1).
            if phase == .open {
                write(.close, Array(close.payload.prefix(2)))
                report(.sent, .close(close))
            }
            endMessages()
        }
    }

    private func respond(toPing payload: [UInt8]) {
        guard phase == .open else { return }
        if output.count - sentCount < Self.pongBacklog { write(.pong, payload) } else { latestPing = payload }
    }

    /// Sends the rest of the output, and waits until the server closes the socket.
    private func endMessages() {
        phase = .closed
        isPaused = false
        limit(to: channel.closingLimits.closeFrame) { $0.end($0.failure) }
        flush()
    }

    private func report(_ direction: WebSocketEvent.Direction, _ content: WebSocketEvent.Content) {
        if !channel.add(WebSocketEvent(direction: direction, time: Date(), content: content)) { isPaused = phase == .open }
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: [UInt8]) { write(WebSocketFrame(opcode: opcode, payload: payload)) }

    private func write(_ frame: WebSocketFrame) { output += frame.bytes(mask: generator.next()) }

    private func compress(_ frame: inout WebSocketFrame) {
        guard let compression else { return }
        if deflater == nil { deflater = WebSocketDeflater(compression) }
        guard let payload = deflater?.compress(frame.payload) else { return }
        frame.payload = payload
        frame.isCompressed = true
    }

    // MARK: The consumer's side

    /// Sends a message; the result is nil when all of it was passed to the kernel.
    func send(_ message: WebSocketMessage, _ continuation: CheckedContinuation<NetworkError?, Never>) {
        guard phase == .open else {
            return continuation.resume(returning: NetworkError(.connectionLost, "the WebSocket connection to \(place) is closed"))
        }
        var frame = message.frame
        compress(&frame)
        write(frame)
        senders.append(continuation)
        report(.sent, .message(message))
        ready()
    }

    /// Sends a Close frame and waits for that of the server, for at most 5 seconds; has no effect on a connection that is being closed.
    ///
    /// - Parameter reason: The error with which the connection then ends; nil for a normal end, or that of a server that does not respond.
    func close(_ close: WebSocketClose, as reason: NetworkError? = nil) {
        guard phase == .open else { return }
        failure = reason
        write(.close, close.payload)
        report(.sent, .close(close))
        phase = .closing
        workBeforeClose = reader.work
        // Without an end of the pause the server's Close frame would not be read.
        isPaused = false
        limit(to: channel.closingLimits.closeFrame) { $0.end($0.failure ?? $0.unansweredClose) }
        ready()
    }

    /// Ends the connection at once.
    func end(_ error: NetworkError?) {
        guard phase != .ended else { return }
        let wasHandshake = phase == .handshake
        phase = .ended
        TimerQueue.shared.cancel(alarm)
        if wasHandshake {
            TransferQueue.shared.endHandshake(transfer, error)
        } else {
            TransferQueue.shared.close(self)
            channel.finish(error.map { .failure($0) } ?? .success(()))
        }
        resumeSenders(error ?? NetworkError(.connectionLost, "the WebSocket connection to \(place) is closed"))
    }

    private func resumeSenders(_ error: NetworkError?) {
        let waiting = senders
        senders = []
        for sender in waiting { sender.resume(returning: error) }
    }
}

extension NetworkError {
    /// The failure of a peer that violated RFC 6455.
    init(_ code: Code, webSocket error: WebSocketError, from place: String) {
        self.init(code, "\(place) violates the WebSocket protocol: \(error)", underlying: error.rule.rawValue)
    }
}

/// Decompresses the messages of a WebSocket connection with zlib.
///
/// It uses memory from the first compressed message on; where the server compresses each message alone, only during a message. Used on the engine's
/// thread only.
final class WebSocketInflater: WebSocketDecompressor {
    private let parameters: WebSocketCompression
    private var stage: InflatingStage?

    /// What a sender removes from the end of a message (RFC 7692 §7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xff, 0xff]

    init(_ parameters: WebSocketCompression) {
        self.parameters = parameters
    }

    func decompress(_ part: ArraySlice<UInt8>, isLast: Bool, into message: inout [UInt8], limit: Int) throws(WebSocketError) {
        guard let stage = stage ?? InflatingStage(.raw) else { throw WebSocketError(.compressedData, "no memory to decompress it") }
        self.stage = stage
        try inflate(part, with: stage, into: &message, limit)
        guard isLast else { return }
        // A final block needs no tail.
        if !stage.hasEnded { try inflate(Self.tail[...], with: stage, into: &message, limit) }
        guard stage.isBetweenBlocks else { throw WebSocketError(.compressedData, "the message ends within its data") }
        if parameters.serverForgetsMessages { self.stage = nil }
    }

    private func inflate(
        _ input: ArraySlice<UInt8>, with stage: InflatingStage, into message: inout [UInt8], _ limit: Int
    ) throws(WebSocketError) {
        do throws(InflatingStage.Failure) { try stage.decode(input, into: &message, limit: limit) } catch {
            switch error {
            case .limit: throw WebSocketError(.messageLimit, "the decompressed message has more than \(limit) bytes")
            case .data(let reason): throw WebSocketError(.compressedData, reason)
            }
        }
    }
}
