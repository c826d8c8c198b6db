import Glibc

extension ServerConnection {
    /// Returns available bytes from the client; ends the script at the end of the stream.
    func receive() throws -> ArraySlice<UInt8> {
        if !pending.isEmpty {
            defer { pending = [] }
            return pending
        }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return buffer[..<count] }
            if count < 0 && errno == EINTR { continue }
            throw Ended.now
        }
    }

    func readHead() throws {
        var head: [UInt8] = []
        do {
            while true {
                let line = try readLine()
                if head.isEmpty && line.allSatisfy({ $0 == 13 || $0 == 10 }) { continue }
                head += line
                if line == [13, 10] || line == [10] { break }
            }
        } catch let broken as BrokenLine {
            head += broken.bytes
            last = head.isEmpty ? nil : ReceivedRequest(head: head, connection: number, peer: peer)
            lastIndex = nil
            throw Ended.now
        }
        var request = ReceivedRequest(head: head, connection: number, peer: peer)
        request.isComplete = Self.framing(of: request) == .none
        last = request
        lastIndex = nil
    }

    func readBody() throws {
        guard let request = last, !request.isComplete else { return }
        switch Self.framing(of: request) {
        case .none: break
        case .length(let length): try readBytes(max(0, length - request.body.count))
        case .chunked: try readChunks()
        }
        last?.isComplete = true
    }

    /// Reads an HTTP/2 connection up to a HEADERS frame (RFC 9113 §3.4, §6.2); the frames are the body of the request `PRI * HTTP/2.0`.
    func readHTTP2Request() throws {
        try readHead()
        try readBytes(Array("SM\r\n\r\n".utf8).count)
        var type: UInt8 = 0
        while type != 1 {
            try readBytes(9)
            let head = last?.body.suffix(9) ?? []
            type = head[head.startIndex + 3]
            try readBytes(head.prefix(3).reduce(0) { $0 << 8 | Int($1) })
        }
    }

    func readBytes(_ count: Int) throws {
        var missing = count
        while missing > 0 {
            let bytes = try receive()
            let wanted = bytes.prefix(missing)
            pending = bytes.dropFirst(wanted.count)
            missing -= wanted.count
            last?.body += wanted
        }
    }

    private func readChunks() throws {
        do {
            while true {
                let size = String(decoding: try readLine().prefix { $0 != 13 && $0 != 10 && $0 != 59 }, as: UTF8.self)
                guard let count = Int(size, radix: 16) else { throw Ended.now }
                if count == 0 { break }
                try readBytes(count)
                _ = try readLine()
            }
            while true {
                let line = try readLine()
                if line == [13, 10] || line == [10] { break }
                last?.trailers += ReceivedRequest.fields(ReceivedRequest.lines(line))
            }
        } catch is BrokenLine {
            throw Ended.now
        }
    }

    // MARK: - Lines and framing

    private enum Framing: Equatable { case none, length(Int), chunked }

    private struct BrokenLine: Error { let bytes: [UInt8] }

    private static func framing(of request: ReceivedRequest) -> Framing {
        if let coding = request["Transfer-Encoding"], coding.lowercased().hasSuffix("chunked") { return .chunked }
        if let length = request["Content-Length"].flatMap({ Int($0) }), length > 0 { return .length(length) }
        return .none
    }

    /// Returns a line with its line ending.
    private func readLine() throws -> [UInt8] {
        var line: [UInt8] = []
        while true {
            guard let bytes = try? receive() else { throw BrokenLine(bytes: line) }
            if let end = bytes.firstIndex(of: 10) {
                pending = bytes[(end + 1)...]
                return line + bytes[...end]
            }
            line += bytes
        }
    }

    /// Adds the last request to the server's list, or updates it there.
    ///
    /// An incomplete request is added too.
    func publish() {
        guard let request = last else { return }
        lastIndex = core.state.change { [lastIndex] state in
            if let lastIndex {
                state.requests[lastIndex] = request
                return lastIndex
            }
            state.requests.append(request)
            return state.requests.count - 1
        }
    }
}
