/// The bytes of an HTTP/1.1 response, put together by a test.
///
/// Nothing is added behind the test's back but the framing asked for: `Content-Length`, chunks, or none.
public struct HTTPAnswer: Sendable {
    /// How the end of the body is marked.
    public enum Framing: Sendable {
        /// `Content-Length` with the body's true length.
        case length
        /// `Content-Length` with this number, true or not.
        case claimedLength(Int)
        /// `Transfer-Encoding: chunked`, chunks of at most `size` bytes, then the trailers.
        case chunked(size: Int, trailers: [(String, String)])
        /// No marking: the body ends with the connection.
        case untilClose
    }

    /// The number on the status line.
    public var status: Int
    /// The words on the status line.
    public var reason: String
    /// Header lines in the order sent, before the framing header.
    public var headers: [(String, String)]
    /// The body before framing.
    public var body: [UInt8]
    /// How the end of the body is marked.
    public var framing: Framing

    /// A response with exactly these parts.
    public init(
        status: Int = 200, reason: String = "OK", headers: [(String, String)] = [], body: [UInt8] = [], framing: Framing = .length
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.framing = framing
    }

    /// A 200 with a text.
    public static func ok(_ body: String = "", headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8))
    }

    /// A 200 with bytes.
    public static func ok(bytes: [UInt8], headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: bytes)
    }

    /// A 200 with `Content-Type: application/json`.
    public static func json(_ body: String, headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: [("Content-Type", "application/json")] + headers, body: Array(body.utf8))
    }

    /// Any status, with the reason "Status".
    public static func status(_ status: Int, _ body: String = "", headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(status: status, reason: "Status", headers: headers, body: Array(body.utf8))
    }

    /// A redirect to `location`.
    public static func redirect(_ status: Int = 302, to location: String) -> HTTPAnswer {
        HTTPAnswer(status: status, reason: "Elsewhere", headers: [("Location", location)])
    }

    /// A 200 in chunks of at most `size` bytes.
    public static func chunked(
        _ body: String, size: Int = 8, headers: [(String, String)] = [], trailers: [(String, String)] = []
    ) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8), framing: .chunked(size: size, trailers: trailers))
    }

    /// A 200 whose `Content-Length` claims `length` bytes, whatever the body has.
    public static func claiming(length: Int, _ body: String, headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8), framing: .claimedLength(length))
    }

    /// The same response with one more header.
    public func with(_ name: String, _ value: String) -> HTTPAnswer {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// The status line, the header lines and the empty line; alone it is the answer to a HEAD request.
    public var headBytes: [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(reason)"] + headers.map { "\($0.0): \($0.1)" }
        switch framing {
        case .length: lines.append("Content-Length: \(body.count)")
        case .claimedLength(let length): lines.append("Content-Length: \(length)")
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .untilClose: break
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The body as it goes over the wire.
    public var framedBody: [UInt8] {
        guard case .chunked(let size, let trailers) = framing else { return body }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: max(1, size)) {
            let chunk = body[start..<min(start + max(1, size), body.count)]
            bytes += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [13, 10]
        }
        return bytes + Array(("0\r\n" + trailers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8)
    }

    /// The whole response.
    public var bytes: [UInt8] { headBytes + framedBody }

    /// What answers `request`: the head alone for HEAD, the whole response otherwise.
    public func bytes(for request: ReceivedRequest) -> [UInt8] { request.method == "HEAD" ? headBytes : bytes }
}
