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
        /// The request has this stream, and its header is about to be sent.
        case opens(HTTP2Stream)
        /// The server processes no later stream of the connection.
        case refusesStreams(after: HTTP2Stream)
    }

    /// The header received so far.
    @exclusivity(unchecked) var header = HeaderBytes()
    /// The destination of the decoded body.
    var body: any BodySink
    /// The decoder of the body; nil for a body without codings and for one that is not decoded.
    private(set) var encoded: EncodedBody?
    /// Whether libcurl must not be paused, so that all data it delivers is accepted.
    private(set) var takesAll = false
    /// Whether `body` has received the header.
    private(set) var hasBegunBody = false
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
    var connection: HTTP2Stream.Connection?
    /// The stream of the request over HTTP/2; nil before it has one.
    var stream: HTTP2Stream?
    /// Whether the server said that it has not processed the request and will not, so that it may be sent again (RFC 9113 §6.8).
    var isUnprocessed = false
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
    let request: TransferRequest
    /// The result of the handshake of a new TLS connection.
    var handshake: Handshake?
    /// Whether a proxy was asked for a tunnel (`CONNECT`), and has not opened it.
    var awaitsTunnel = false
    /// Whether a handshake is that of the server, and not that of an https proxy.
    var hasAskedForTunnel = false
    /// When libcurl assigned a connection (monotonic nanoseconds); nil while the transfer waits for a limited
    /// connection.
    var begunAt: UInt64?
    /// Called on any thread when a paused transfer may resume.
    let resume: @Sendable () -> Void
    /// The transfer in ``TransferQueue``.
    private let key: Int
    /// Called in place of the queue, on the engine's thread, also inside libcurl.
    private let receiver: ((Signal) -> Void)?
    /// The socket of the transfer; nil before one is known.
    var socket: TransferSocket?
    /// When the kernel was last queried for acknowledged bytes (monotonic nanoseconds).
    var acknowledgementsAskedAt: UInt64 = 0

    init(
        spec request: TransferRequest, body: any BodySink, supply: BodySupply, key: Int = 0, resume: @escaping @Sendable () -> Void,
        report receiver: ((Signal) -> Void)? = nil
    ) {
        (self.request, self.body, self.supply, self.key, self.resume, self.receiver) = (request, body, supply, key, resume, receiver)
        mayRepeat = request.mayBeRepeated
        followsRedirects = request.options.maximumRedirects > 0
        parts = supply.parts.map { BodyPart(sink: self, source: $0) }
    }

    func report(_ signal: Signal) {
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
    func endHeader() -> Bool {
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
    func dropRedirectBody(_ count: Int) -> Bool {
        droppedBytes += count
        return droppedBytes <= Self.largestRedirectBody || endRedirect()
    }

    /// Records that the redirect is followed without the rest of its body.
    func endRedirect() -> Bool {
        endsAfterHeader = true
        return false
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

    func touch() {
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
    var isConnected = false

    /// Whether the TCP connection is not established within its time limit.
    func isTooLateToConnect(at now: UInt64) -> Bool {
        guard let tcpDeadline, now >= tcpDeadline else { return false }
        isConnected = socket?.isConnected == true
        return !isConnected
    }
}
