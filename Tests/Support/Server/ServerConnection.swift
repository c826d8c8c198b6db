import Glibc

/// An accepted connection, which runs its script on its own thread.
final class ServerConnection {
    /// Ends the script: the client closed the connection, the server was stopped, or a step requires it.
    enum Ended: Error { case now, gracefully }

    let descriptor: Int32
    let number: Int
    let core: ServerCore
    /// The numeric address of the client.
    let peer: String
    /// Received bytes that are not consumed yet.
    var pending: ArraySlice<UInt8> = []
    var last: ReceivedRequest?
    /// The index of `last` in the server's list, once it is there.
    var lastIndex: Int?

    init(_ descriptor: Int32, _ number: Int, _ core: ServerCore) {
        self.descriptor = descriptor
        self.number = number
        self.core = core
        peer = LoopbackSocket.peer(of: descriptor)
    }

    func run(_ script: Script) {
        do {
            try perform(script.steps)
            closeGracefully()
        } catch Ended.gracefully {
            closeGracefully()
        } catch {
            // The caller closes the descriptor.
        }
    }

    private func perform(_ steps: [Step]) throws {
        for step in steps {
            if core.state.current.isStopped { throw Ended.now }
            try perform(step)
        }
    }

    private func perform(_ step: Step) throws {
        switch step {
        case .readRequest:
            defer { publish() }
            try readHead()
            try readBody()
        case .readHead:
            defer { publish() }
            try readHead()
        case .sendContinueIfExpected:
            if last?["Expect"]?.lowercased() == "100-continue" { try send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]) }
        case .readBody:
            defer { publish() }
            try readBody()
        case .readHTTP2Request:
            defer { publish() }
            try readHTTP2Request()
        case .readBytes(let count):
            defer { publish() }
            try readBytes(count)
        case .sendBytes(let bytes): try send(bytes[...])
        case .sendSlowly(let bytes, let chunk, let pause): try sendSlowly(bytes, chunk, pause)
        case .sendForever(let bytes): while true { try send(bytes[...]) }
        case .respond(let chunk, let answer):
            if let last {
                let bytes = answer(last)
                try sendSlowly(bytes, chunk ?? bytes.count, .zero)
            }
        case .wait(let gate): try pass(gate)
        case .pause(let duration): try pause(duration)
        case .relay(let port, let limit): try relay(to: port, limit: limit)
        case .closeGracefully: throw Ended.gracefully
        case .closeIf(let condition): if let last, condition(last) { throw Ended.gracefully }
        case .reset: try reset()
        case .shutdownWrite: shutdown(descriptor, Int32(SHUT_WR))
        case .holdOpen:
            core.state.block { $0.isStopped }
            throw Ended.now
        case .expectClose: while true { _ = try receive() }
        case .repeat(let steps, let times):
            guard let times else { while true { try perform(steps) } }
            for _ in 0..<times { try perform(steps) }
        }
    }

    // MARK: - Sending

    private func send(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            // Without MSG_NOSIGNAL a closed connection would end the test process.
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent < 0 {
                if errno == EINTR { continue }
                throw Ended.now
            }
            rest = rest.dropFirst(sent)
        }
    }

    private func sendSlowly(_ bytes: [UInt8], _ chunk: Int, _ duration: Duration) throws {
        for start in stride(from: 0, to: bytes.count, by: max(1, chunk)) {
            if start > 0, duration > .zero { try pause(duration) }
            try send(bytes[start..<min(start + max(1, chunk), bytes.count)])
        }
    }

    // MARK: - Waiting

    private func pause(_ duration: Duration) throws {
        if core.state.block(within: duration, until: { $0.isStopped }) { throw Ended.now }
    }

    private func pass(_ gate: Gate) throws {
        core.state.change { $0.gates.append(gate) }
        // `stop` nudges the gates registered above, so that the condition is evaluated again.
        gate.pass { core.state.current.isStopped }
        if core.state.current.isStopped { throw Ended.now }
    }

    // MARK: - Closing

    /// Closing with unread bytes would send RST, after which the client's system drops what the client has not read yet.
    ///
    /// A client that is still sending a body may pause for longer than a second on a busy machine.
    private func closeGracefully() {
        shutdown(descriptor, Int32(SHUT_WR))
        var limit = timeval(tv_sec: last?.isComplete == false ? 60 : 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var drained = 0
        while drained < 64 << 20, let bytes = try? receive() { drained += bytes.count }
    }

    private func reset() throws -> Never {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        throw Ended.now
    }
}
