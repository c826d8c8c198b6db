internal import CCurl
internal import CLinux
internal import CTLS
internal import Glibc
internal import SortieHTTP

/// The transfers that libcurl performs: starts, monitors, stops and ends them.
@Engine
final class TransferQueue {
    static let shared = TransferQueue()

    // No access to these properties overlaps another one, so none needs a check, of which a request had dozens.
    @exclusivity(unchecked) private var transfers: [Int: Transfer] = [:]
    @exclusivity(unchecked) private var idleHandles: [EasyHandle] = []
    @exclusivity(unchecked) private var nextLook = UInt64.max
    @exclusivity(unchecked) private var isShutDown = false
    @exclusivity(unchecked) private var observedCount = 0
    /// Whether libcurl has to select connections for transfers that were added since the last pass.
    @exclusivity(unchecked) private var hasStarted = false
    /// The number of transfers that send a body.
    @exclusivity(unchecked) private var sendingCount = 0
    /// The transfers whose connection serves no other one (``ConnectionPool/isOneStream``).
    @exclusivity(unchecked) private var oneStreams: Set<Int> = []
    /// The transfers that were paused before libcurl has waited for their sockets, so that a connection that seems to be idle may be that of one of them.
    @exclusivity(unchecked) private var pausedEarly: Set<Int> = []
    /// The pipes that transfers wait for, keyed by descriptor.
    @exclusivity(unchecked) private var inputs: [Int32: Int] = [:]
    /// The WebSocket connections, keyed by descriptor, from their handshake on.
    @exclusivity(unchecked) private var webSockets: [Int32: WebSocketConnection] = [:]
    /// The sockets whose segments are delayed, keyed by their transfers.
    @exclusivity(unchecked) private var corked: [Int: TransferSocket] = [:]
    private let sockets = SocketTable()
    private let fields = FieldListCache()
    /// The multi handles, keyed by pool number; 0 for unlimited connections.
    ///
    /// The first one is created, and libcurl loaded, by the first transfer.
    @exclusivity(unchecked) private var multis: [Int32: MultiHandle] = [:]

    /// The largest number of idle easy handles that are kept for reuse, or renewed for it.
    private static let keptHandles = 128
    /// Whether this libcurl clears the header fields of a response before the next one (curl 8.1.0, pull request
    /// 11103).
    ///
    /// Earlier versions keep a pointer to the last field, which is freed when the handle is reused. A response whose
    /// first field begins with whitespace is then written to freed memory, so a server could corrupt this process.
    private static let mayReuseHandles = ccurl_version().pointee.version_num >= 0x080100

    /// Whether this libcurl calculates SHA-512/256 for Digest; before 8.7, it calculates SHA-256 in its place.
    static let hashesSHA512 = ccurl_version().pointee.version_num >= 0x080700

    private init() {}

    /// Loads libcurl and OpenSSL, which takes about 10 ms once.
    func prepare() throws(NetworkError) {
        guard let problem = ccurl_load() ?? ctls_load() else { return }
        throw NetworkError(.internalFailure, String(cString: problem), hint: "install the packages libcurl4 and libssl3")
    }

    /// NTLM is an option of libcurl's build.
    private func checkSupport(of request: TransferRequest) throws(NetworkError) {
        guard case .ntlm(let credential) = request.options.credential, !credential.permitsOthers,
            ccurl_version().pointee.features & CURL_VERSION_NTLM == 0
        else { return }
        throw NetworkError(
            .invalidOption, "the installed libcurl \(String(cString: ccurl_version().pointee.version)) was built without NTLM",
            hint: "use a libcurl with NTLM (curl -V lists it), or another kind of auth")
    }

    /// Loads libcurl and OpenSSL and initialises them, before there is a request.
    func prepareAhead() {
        guard !isShutDown else { return }
        do throws(NetworkError) {
            try prepare()
            _ = try multi(of: nil)
        } catch {
            // The first request reports the problem.
        }
    }

    /// Starts one attempt.
    ///
    /// `finish` is called exactly once, after this method returns.
    ///
    /// - Throws: An error when the attempt cannot start. `finish` is not called then.
    func start(
        _ request: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?,
        finish: @escaping (consuming TransferOutcome) -> Void
    ) throws(NetworkError) -> Transfer {
        guard !isShutDown else { throw NetworkError(.shutDown, "the networking engine was shut down") }
        guard Engine.shared.loop.descriptor >= 0 else { throw .noDescriptors }
        try prepare()
        try checkSupport(of: request)
        let multi = try multi(of: request.pool)
        let supply = try request.hasBody ? BodySupply(request) : BodySupply.none
        guard let handle = idleHandles.popLast() ?? EasyHandle() else {
            throw NetworkError(.internalFailure, "no memory for the request")
        }
        let key = Int(bitPattern: handle.raw)
        let sink = TransferSink(
            spec: request, body: body, supply: supply, key: key, resume: { Engine.post { TransferQueue.shared.resumeReceiving(key) } })
        let transfer = Transfer(spec: request, handle: handle, sink: sink, observer: observer, finish: finish)
        handle.configure(request, sink: sink, sockets: sockets, fields: fields)
        guard multi.add(handle) == CURLM_OK else {
            recycle(handle)
            throw NetworkError(.internalFailure, "libcurl does not accept the request")
        }
        transfers[key] = transfer
        hasStarted = true
        if request.pool?.isOneStream == true { oneStreams.insert(key) }
        if observer != nil { observedCount += 1 }
        if request.hasBody { sendingCount += 1 }
        nextLook = min(nextLook, transfer.nextLook)
        return transfer
    }

    /// Stops a transfer.
    ///
    /// Its `finish` is called before this method returns, unless it was called already.
    func abort(_ transfer: Transfer, reason: NetworkError) {
        guard transfers[Int(bitPattern: transfer.handle.raw)] === transfer else { return }
        transfer.abort(reason)
        end(transfer, result: CURLE_ABORTED_BY_CALLBACK)
    }

    /// Suspends or resumes a transfer.
    ///
    /// libcurl cannot pause a transfer that is still connecting. For such a transfer the callbacks accept no data,
    /// and its result is kept until it resumes.
    func hold(_ transfer: Transfer, _ isHeld: Bool) {
        guard transfers[Int(bitPattern: transfer.handle.raw)] === transfer, transfer.sink.isHeld != isHeld else { return }
        let now = MonotonicClock.now
        if isHeld {
            transfer.hold(at: now)
            curl_easy_pause(transfer.handle.raw, CURLPAUSE_ALL)
            return
        }
        transfer.release(at: now)
        goOn(transfer)
    }

    /// Continues a transfer that is no longer held: decodes pending input, then ends the transfer where libcurl has
    /// ended it, or lets libcurl read more.
    private func goOn(_ transfer: Transfer) {
        let sink = transfer.sink
        guard !sink.isHeld else { return }
        sink.decodeHeld()
        if let failure = sink.failure { return abort(transfer, reason: failure) }
        guard !sink.isDecoding else { return }
        if let result = transfer.heldResult { return end(transfer, result: result) }
        curl_easy_pause(transfer.handle.raw, sink.pauses)
    }

    /// Decodes one step of the pending input of a transfer.
    private func decode(_ key: Int) {
        guard let transfer = transfers[key], transfer.sink.isDecoding, !transfer.sink.isPaused else { return }
        goOn(transfer)
    }

    /// Aborts all transfers and rejects new ones.
    func shutDown() {
        isShutDown = true
        for connection in Array(webSockets.values) { connection.end(NetworkError(.shutDown, "the networking engine was shut down")) }
        for transfer in transfers.values {
            abort(transfer, reason: NetworkError(.shutDown, "the networking engine was shut down"))
        }
        idleHandles.removeAll()
        for multi in multis.values { multi.close() }
        multis.removeAll()
    }

    // MARK: Pools

    private func multi(of pool: ConnectionPool?) throws(NetworkError) -> MultiHandle {
        let number = pool?.number ?? 0
        if let known = multis[number] { return known }
        guard let new = MultiHandle(sockets: sockets, pool: pool, isCarriedBy: Self.carry) else { throw .noDescriptors }
        multis[number] = new
        return new
    }

    /// Closes the connections of a pool that is no longer used.
    func closePool(_ number: Int32) {
        multis.removeValue(forKey: number)?.close()
    }

    /// Does what a callback of a transfer asks for.
    func act(on signal: TransferSink.Signal, of key: Int) {
        switch signal {
        case .begins:
            transfers[key]?.begin()
            expectLook(at: key)
        case .waitsToSend(let pause): waitToSend(key, pause)
        case .pausesEarly: pausedEarly.insert(key)
        case .hasInput: Engine.post { TransferQueue.shared.decode(key) }
        case .clockStarts: expectLook(at: key)
        case .waitsForContinue: waitForContinue(key)
        case .opens(let stream):
            // libcurl may open a stream on a connection after its GOAWAY, which it then does not send.
            transfers[key]?.sink.noteRefusal(by: sockets)
            combineSegments(key, of: stream)
        case .refusesStreams(let last):
            sockets.note(lastStream: last)
            for transfer in transfers.values { transfer.sink.noteRefusal(by: sockets) }
        }
    }

    /// Records the socket of a transfer that sends a body, which libcurl names only when it waits for it, and idle connections.
    private static func carry(_ easy: UnsafeMutableRawPointer, _ socket: Int32, _ isLeft: Bool) {
        Engine.assumeIsolated { TransferQueue.shared.note(socket, of: easy, isLeft) }
    }

    private func note(_ socket: Int32, of easy: UnsafeMutableRawPointer, _ isLeft: Bool) {
        guard let sink = transfers[Int(bitPattern: easy)]?.sink else { return }
        if isLeft {
            // libcurl also leaves the socket of a transfer that is paused.
            if sink.isReadToEnd { sockets.becomesIdle(socket) }
            return
        }
        sink.hasWaited = true
        if !pausedEarly.isEmpty { pausedEarly.remove(Int(bitPattern: easy)) }
        if sendingCount > 0, sink.socket == nil { sink.socket = TransferSocket(socket) }
    }

    // MARK: Pauses

    /// Updates the time of the next examination, because a timeout of the transfer starts or restarts.
    private func expectLook(at key: Int) {
        if let transfer = transfers[key] { nextLook = min(nextLook, transfer.nextLook) }
    }

    /// Stops reading the connections of streams whose consumers accept no bytes, and resumes the others.
    private func haltConnections() {
        for key in oneStreams {
            guard let sink = transfers[key]?.sink, let pool = transfers[key]?.spec.pool, let multi = multis[pool.number] else { continue }
            let mustWait = sink.isHeld || sink.isPaused || sink.isDecoding
            guard multi.isHalted != mustWait else { continue }
            multi.isHalted = mustWait
            sockets.halt(pool: pool.number, mustWait)
        }
    }

    private func resumeReceiving(_ key: Int) {
        guard let transfer = transfers[key], transfer.sink.isPaused else { return }
        transfer.sink.lastActivity = LoopClock.now
        transfer.sink.isPaused = false
        if let failure = transfer.sink.body.failure { return abort(transfer, reason: failure) }
        goOn(transfer)
    }

    /// Resumes sending when the rate limit or the pipe permits it.
    private func waitToSend(_ key: Int, _ pause: BodySupply.Pause) {
        switch pause {
        case .rate(let time):
            // Posted, so that the loop reads libcurl's new deadline before it waits again.
            TimerQueue.shared.set(TimerQueue.ID(), at: time) { Engine.post { TransferQueue.shared.resumeSending(key) } }
        case .producer(let stream):
            stream.whenReady { Engine.post { TransferQueue.shared.resumeSending(key) } }
        case .input(let pipe):
            inputs[pipe.descriptor] = key
            // epoll rejects regular files, which are always readable.
            guard clinux_epoll_add(Engine.shared.loop.descriptor, pipe.descriptor, EPOLLIN.rawValue) != 0, errno != EEXIST else { return }
            inputs[pipe.descriptor] = nil
            Engine.post { TransferQueue.shared.resumeSending(key) }
        }
    }

    private func resumeSending(_ key: Int) {
        guard let transfer = transfers[key], transfer.sink.isSendingPaused else { return }
        transfer.sink.lastActivity = MonotonicClock.now
        transfer.sink.isSendingPaused = false
        if !transfer.sink.isHeld { curl_easy_pause(transfer.handle.raw, transfer.sink.pauses) }
    }

    /// Calls libcurl after the wait for 100 Continue, until it sends the body.
    ///
    /// libcurl 7.88.1 loses the timer of this wait when another timer of the transfer is due less than a millisecond before it. The transfer then
    /// stands still until its next timer, that of the connection (`EngineFacts.md` 4.1).
    private func waitForContinue(_ key: Int) {
        let time = MonotonicClock.now &+ UInt64(TransferRequest.patienceForContinue + 10) * 1_000_000
        TimerQueue.shared.set(TimerQueue.ID(), at: time) { Engine.post { TransferQueue.shared.endWaitForContinue(key) } }
    }

    private func endWaitForContinue(_ key: Int) {
        guard let transfer = transfers[key], transfer.spec.mayAwaitContinue, transfer.sink.awaitsContinue else { return }
        waitForContinue(key)
        guard !transfer.sink.isHeld, let socket = transfer.sink.socket else { return }
        multis[transfer.spec.pool?.number ?? 0]?.act(on: socket.descriptor, events: 0)
    }

    /// Sends the header of a request over HTTP/2 together with the body, as far as that fits into one segment.
    ///
    /// libcurl 7.88.1 writes them separately. A server that responds to the header alone, for example because it refuses the credential or has no such
    /// method, resets the stream after its response, and libcurl discards a response that it reads together with the reset (`EngineFacts.md`, “Early
    /// responses”).
    private func combineSegments(_ key: Int, of stream: HTTP2Stream) {
        guard let transfer = transfers[key], transfer.spec.combinesSegments, transfer.sink.isGivingBody else { return }
        // libcurl names the socket of a reused connection only after the header was sent.
        let port = UInt16(clamping: stream.connection.localPort)
        guard let socket = transfer.sink.socket ?? sockets.socket(localPort: port).map({ TransferSocket($0) }) else { return }
        socket.cork()
        corked[key] = socket
    }

    /// Sends the delayed segments of transfers that have passed their bodies to libcurl; those of other ones are sent after 200 ms by the kernel.
    private func releaseSegments() {
        guard !corked.isEmpty else { return }
        for (key, socket) in corked where transfers[key]?.sink.isGivingBody != true {
            socket.release()
            corked[key] = nil
        }
    }

    /// Removes a pipe that became ready or that is no longer needed.
    private func forgetInput(_ descriptor: Int32) -> Int? {
        guard let key = inputs.removeValue(forKey: descriptor) else { return nil }
        _ = clinux_epoll_remove(Engine.shared.loop.descriptor, descriptor)
        return key
    }

    private func end(_ transfer: Transfer, result: CURLcode) {
        let handle = transfer.handle
        transfer.sink.endSending(isComplete: result == CURLE_OK)
        if result == CURLE_OK { transfer.sink.endBody() }
        // With TLS 1.3 a server refuses a client certificate after the handshake, and may have closed the connection before the request was sent. libcurl
        // reads its alert when it closes the connection.
        if result == CURLE_SEND_ERROR, transfer.spec.webSocket == nil { multis[transfer.spec.pool?.number ?? 0]?.remove(handle) }
        let outcome = TransferOutcome(of: transfer, result: result, at: MonotonicClock.now)
        if result == CURLE_OK { transfer.reportEnd() }
        if case .input(let pipe)? = transfer.sink.supply.pause { _ = forgetInput(pipe.descriptor) }
        // An upgraded connection keeps its handle.
        let isUpgraded = upgraded(transfer, outcome.error)
        if !isUpgraded { multis[transfer.spec.pool?.number ?? 0]?.remove(handle) }
        transfers[Int(bitPattern: handle.raw)] = nil
        // Most of the time they are empty, and looking for an element computes its hash first.
        if !oneStreams.isEmpty { oneStreams.remove(Int(bitPattern: handle.raw)) }
        if !pausedEarly.isEmpty { pausedEarly.remove(Int(bitPattern: handle.raw)) }
        if transfer.isObserved { observedCount -= 1 }
        if transfer.spec.hasBody { sendingCount -= 1 }
        if !isUpgraded { recycle(handle) }
        transfer.end(consume outcome)
    }

    // MARK: WebSocket

    /// Performs the handshake on the connection that libcurl established.
    private func connected(_ transfer: Transfer, _ channel: WebSocketChannel) {
        let connection = WebSocketConnection(transfer, channel)
        guard let connection else { return abort(transfer, reason: NetworkError(.connectionLost, "the server closed the connection")) }
        webSockets[connection.socket] = connection
        connection.begin()
    }

    /// Ends the transfer of a handshake; a connection without a successful handshake is closed.
    func endHandshake(_ transfer: Transfer, _ error: NetworkError?) {
        if let error { abort(transfer, reason: error) } else { end(transfer, result: CURLE_OK) }
    }

    /// Whether the handshake succeeded; a connection whose handshake failed is forgotten.
    private func upgraded(_ transfer: Transfer, _ error: NetworkError?) -> Bool {
        guard transfer.spec.webSocket != nil, let connection = webSockets.values.first(where: { $0.transfer === transfer }) else { return false }
        if connection.isOpen, error == nil { return true }
        webSockets[connection.socket] = nil
        if connection.isOpen { connection.end(error) }
        return false
    }

    /// Sets the events that a WebSocket connection waits for.
    func wait(_ connection: WebSocketConnection, toReceive: Bool, toSend: Bool) {
        let what = toSend ? (toReceive ? CURL_POLL_INOUT : CURL_POLL_OUT) : toReceive ? CURL_POLL_IN : CURL_POLL_NONE
        sockets.want(Int32(what), of: connection.socket, pool: 0)
        if what == CURL_POLL_NONE { sockets.drop(connection.socket) }
    }

    /// Closes an upgraded connection.
    func close(_ connection: WebSocketConnection) {
        guard webSockets.removeValue(forKey: connection.socket) != nil else { return }
        multis[0]?.remove(connection.transfer.handle)
    }

    private func recycle(_ handle: EasyHandle) {
        guard idleHandles.count < Self.keptHandles, !isShutDown, Self.mayReuseHandles || handle.renew() else { return }
        idleHandles.append(handle)
    }

    // MARK: The loop's pass

    /// Passes a ready socket to libcurl.
    func ready(_ socket: Int32, events: UInt32) {
        guard !isShutDown else { return }
        if !inputs.isEmpty, let key = forgetInput(socket) { return resumeSending(key) }
        if !webSockets.isEmpty, let connection = webSockets[socket] { return connection.ready() }
        guard sockets.wanted(of: socket) != 0 else { return pausedEarly.isEmpty ? sockets.endIdle(socket) : sockets.drop(socket) }
        multis[sockets.pool(of: socket)]?.act(on: socket, events: events)
    }

    /// Does due work and updates `epoll`.
    ///
    /// Returns the time of the next work (monotonic nanoseconds).
    func prepareToWait() -> UInt64 {
        guard !isShutDown else { return .max }
        haltConnections()
        if hasStarted {
            hasStarted = false
            if pausedEarly.isEmpty { sockets.endReadyIdle() }
        }
        for multi in multis.values { multi.actOnTimer() }
        releaseSegments()
        collectFinished()
        noticeActivity()
        let look = look(now: MonotonicClock.now)
        // The timers may have filled a buffer.
        haltConnections()
        sockets.flush()
        return multis.values.reduce(look) { min($0, $1.deadline ?? .max) }
    }

    /// Ends the transfers that libcurl finished.
    func collectFinished() {
        let shutDown = ReadWatchdog.shared.takeShutDowns()
        for multi in Array(multis.values) { collectFinished(of: multi, afterShutDownOf: shutDown) }
    }

    private func collectFinished(of multi: MultiHandle, afterShutDownOf shutDown: Set<Int32>) {
        while let (easy, result) = multi.nextFinished() {
            guard let transfer = transfers[Int(bitPattern: easy)] else { continue }
            if result == CURLE_OK, let channel = transfer.spec.webSocket {
                connected(transfer, channel)
                continue
            }
            // The socket of a reused connection is not known.
            if !shutDown.isEmpty, result != CURLE_OK, transfer.sink.socket.map({ shutDown.contains($0.descriptor) }) ?? true {
                transfer.sink.failure = transfer.sink.failure ?? .endlessFrames(from: transfer.spec.url.authority)
            }
            if transfer.sink.isHeld || transfer.sink.isDecoding { transfer.heldResult = result } else { end(transfer, result: result) }
        }
    }

    /// Reports progress and aborts transfers whose timeouts have passed.
    ///
    /// Returns the time of the next examination.
    func look(now: UInt64) -> UInt64 {
        guard now >= nextLook else { return nextLook }
        var next = UInt64.max
        for transfer in Array(transfers.values) {
            let sink = transfer.sink
            guard !sink.isHeld else { continue }
            transfer.report(now: now)
            if transfer.awaitsAcknowledgements(at: now) { sink.noteAcknowledgements(at: now) }
            if let end = sink.redirectDeadline, now >= end {
                _ = sink.endRedirect()
                self.end(transfer, result: CURLE_ABORTED_BY_CALLBACK)
            } else if let reason = transfer.expiry(at: now) {
                abort(transfer, reason: reason)
            } else {
                transfer.reportQueue(at: now)
                next = min(next, transfer.nextLook)
            }
        }
        nextLook = next
        return next
    }

    /// Moves the next examination forward to `time` (monotonic nanoseconds).
    func look(by time: UInt64) {
        nextLook = min(nextLook, time)
    }

    /// Moves the next examination forward for observed transfers that received or sent bytes in this pass.
    func noticeActivity() {
        guard observedCount > 0 else { return }
        for transfer in transfers.values where transfer.sink.isDirty { nextLook = min(nextLook, transfer.nextLook) }
    }
}

extension NetworkError {
    /// The error of a process that has no file descriptors for the engine.
    fileprivate static let noDescriptors = NetworkError(
        .internalFailure, "no file descriptors are left for the networking engine", hint: "raise the limit of open files (ulimit -n), or close files")

    /// The error of a connection that ``ReadWatchdog`` shut down.
    fileprivate static func endlessFrames(from authority: String) -> NetworkError {
        NetworkError(
            .connectionLost, "the connection to \(authority) was closed, because the server sent without end what is no part of a response",
            hint: "use HTTP/1.1, or ask who runs the server")
    }
}
