/// The bytes of an HTTP/1.1 response, as a test specifies them.
///
/// Nothing is added except the specified framing: `Content-Length`, chunks, or none.
public struct HTTPAnswer: Sendable {
    /// The framing of the body.
    public enum Framing: Sendable {
        /// `Content-Length` with the body's true length.
        case length
        /// `Content-Length` with this number, whatever the body's length.
        case claimedLength(Int)
        /// `Transfer-Encoding: chunked`, with chunks of at most `size` bytes and the trailers.
        case chunked(size: Int, trailers: [(String, String)])
        /// None: the end of the connection ends the body.
        case untilClose
    }

    /// The status code.
    public var status: Int
    /// The reason phrase.
    public var reason: String
    /// The header fields in the order of sending, before the framing field.
    public var headers: [(String, String)]
    /// The body before framing.
    public var body: [UInt8]
    /// The framing of the body.
    public var framing: Framing

    /// Creates a response from its parts.
    public init(
        status: Int = 200, reason: String = "OK", headers: [(String, String)] = [], body: [UInt8] = [], framing: Framing = .length
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.framing = framing
    }

    /// A response with status 200 and a text.
    public static func ok(_ body: String = "", headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8))
    }

    /// A response with status 200 and bytes.
    public static func ok(bytes: [UInt8], headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: bytes)
    }

    /// A response with status 200 and `Content-Type: application/json`.
    public static func json(_ body: String, headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: [("Content-Type", "application/json")] + headers, body: Array(body.utf8))
    }

    /// A response with any status code and the reason phrase "Status".
    public static func status(_ status: Int, _ body: String = "", headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(status: status, reason: "Status", headers: headers, body: Array(body.utf8))
    }

    /// A redirect to `location`.
    public static func redirect(_ status: Int = 302, to location: String) -> HTTPAnswer {
        HTTPAnswer(status: status, reason: "Elsewhere", headers: [("Location", location)])
    }

    /// A response with status 200 in chunks of at most `size` bytes.
    public static func chunked(
        _ body: String, size: Int = 8, headers: [(String, String)] = [], trailers: [(String, String)] = []
    ) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8), framing: .chunked(size: size, trailers: trailers))
    }

    /// A response with status 200 whose `Content-Length` is `length`, whatever the body's length.
    public static func claiming(length: Int, _ body: String, headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(headers: headers, body: Array(body.utf8), framing: .claimedLength(length))
    }

    /// The response with an additional header field.
    public func with(_ name: String, _ value: String) -> HTTPAnswer {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// The status line, the header fields and the empty line; the response to a HEAD request.
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

    /// The body with its framing.
    public var framedBody: [UInt8] {
        guard case .chunked(let size, let trailers) = framing else { return body }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: max(1, size)) {
            let chunk = body[start..<min(start + max(1, size), body.count)]
            bytes += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [13, 10]
        }
        return bytes + Array(("0\r\n" + trailers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8)
    }

    /// The complete response.
    public var bytes: [UInt8] { headBytes + framedBody }

    /// The response to `request`: only the head for HEAD, otherwise the complete response.
    public func bytes(for request: ReceivedRequest) -> [UInt8] { request.method == "HEAD" ? headBytes : bytes }
}
