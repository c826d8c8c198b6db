internal import FoundationEssentials
public import SortieNetworking

/// A canned response of a ``StubTransport``, or a failure.
public struct StubResponse: Sendable {
    /// The end of an attempt with an error.
    public struct Failure: Sendable {
        /// The error of the attempt.
        public var error: NetworkError
        /// The number of body bytes that are sent before; nil for an error before the head of the response.
        public var afterBytes: Int?

        /// Creates a failure.
        ///
        /// - Parameters:
        ///   - error: The error of the attempt.
        ///   - afterBytes: The number of body bytes that are sent before; nil for an error before the head of the response.
        public init(_ error: NetworkError, afterBytes: Int? = nil) {
            (self.error, self.afterBytes) = (error, afterBytes)
        }
    }

    /// The status.
    public var status: Int
    /// The reason phrase.
    public var reason = ""
    /// The fields; `Content-Length` is added where it is missing.
    public var headers: Headers
    /// The body, without any content coding.
    public var body: [UInt8]
    /// The fields after the body.
    public var trailers: Headers = []
    /// The time before the head.
    public var delay: Duration = .zero
    /// The size of the chunks in which the body is sent, in bytes.
    public var chunkSize = 16 << 10
    /// The time before each chunk of the body.
    public var chunkDelay: Duration = .zero
    /// The error that ends the attempt; nil for a complete response.
    public var failure: Failure?
    /// Whether the response never begins, so that the call ends when it is cancelled or a time limit expires, in real time.
    public var isWithheld = false

    /// Creates a complete response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The fields.
    ///   - body: The body.
    public init(status: Int = 200, headers: Headers = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    // MARK: Frequent responses

    /// A response with JSON.
    ///
    /// - Parameters:
    ///   - text: The JSON text; it is not checked.
    ///   - status: The status.
    public static func json(_ text: String, status: Int = 200) -> StubResponse {
        StubResponse(status: status, headers: [HeaderField("Content-Type", "application/json")], body: Array(text.utf8))
    }

    /// A response with a value in JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status.
    /// - Throws: The error of the encoder.
    public static func json(encoding value: some Encodable, status: Int = 200) throws -> StubResponse {
        StubResponse(status: status, headers: [HeaderField("Content-Type", "application/json")], body: Array(try JSONEncoder().encode(value)))
    }

    /// A response with plain text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - status: The status.
    public static func text(_ text: String, status: Int = 200) -> StubResponse {
        StubResponse(status: status, headers: [HeaderField("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    /// A response without a body.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The fields.
    public static func status(_ status: Int, headers: Headers = []) -> StubResponse {
        StubResponse(status: status, headers: headers)
    }

    /// A redirect.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`.
    ///   - status: The status.
    public static func redirect(to location: String, status: Int = 302) -> StubResponse {
        StubResponse(status: status, headers: [HeaderField("Location", location)])
    }

    /// An attempt that fails without a response.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: The message; nil for one that names the code.
    public static func failure(_ code: NetworkError.Code, _ message: String? = nil) -> StubResponse {
        StubResponse().failing(code, message)
    }

    /// A response that never begins; the call ends when it is cancelled or a time limit expires.
    public static var withheld: StubResponse {
        var response = StubResponse()
        response.isWithheld = true
        return response
    }

    // MARK: Variations

    /// The response, whose head and chunks are delayed.
    ///
    /// - Parameters:
    ///   - delay: The time before the head.
    ///   - chunkDelay: The time before each chunk of the body.
    public func delayed(by delay: Duration, chunks chunkDelay: Duration = .zero) -> StubResponse {
        var response = self
        (response.delay, response.chunkDelay) = (delay, chunkDelay)
        return response
    }

    /// The response, which fails before its head or within its body.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: The message; nil for one that names the code.
    ///   - afterBytes: The number of body bytes that are sent before; nil for an error before the head.
    public func failing(_ code: NetworkError.Code, _ message: String? = nil, afterBytes: Int? = nil) -> StubResponse {
        var response = self
        response.failure = Failure(NetworkError(code, message ?? "the stub transport failed the attempt: \(code.rawValue)"), afterBytes: afterBytes)
        return response
    }
}

/// A file of a stub transport that is served in ranges, for downloads that continue (RFC 9110 §14).
///
/// ```swift
/// let file = StubFile(bytes, entityTag: "\"v1\"")
/// stub.on(
///     .get, "/big.iso", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 1000) },  // the first connection breaks
///     { file.response(to: $0) })  // the next one continues
/// ```
public struct StubFile: Sendable {
    /// The content.
    public var bytes: [UInt8]
    /// The value of `ETag`, with its quotation marks; nil for none.
    public var entityTag: String?
    /// The value of `Content-Type`.
    public var contentType = "application/octet-stream"
    /// Whether ranges are served; otherwise every response is the whole file.
    public var servesRanges = true

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - entityTag: The value of `ETag`, with its quotation marks; nil for none.
    public init(_ bytes: [UInt8], entityTag: String? = "\"stub\"") {
        (self.bytes, self.entityTag) = (bytes, entityTag)
    }

    /// The response to a request: 206 for a range, 416 for a range beyond the end, 200 for the whole file, and where `If-Range` has another tag.
    ///
    /// - Parameter request: The request, with a `Range` of one part, such as `bytes=100-` or `bytes=100-199`.
    public func response(to request: RecordedRequest) -> StubResponse {
        var headers: Headers = [HeaderField("Content-Type", contentType)]
        if let entityTag { headers.append("ETag", entityTag) }
        headers.append("Accept-Ranges", servesRanges ? "bytes" : "none")
        let isCurrent = request["If-Range"].map { $0 == entityTag } ?? true
        guard servesRanges, isCurrent, let range = request["Range"].flatMap(parse) else {
            return StubResponse(headers: headers, body: bytes)
        }
        guard range.lowerBound < bytes.count else {
            headers.append("Content-Range", "bytes */\(bytes.count)")
            return StubResponse(status: 416, headers: headers)
        }
        let part = range.clamped(to: 0..<bytes.count)
        headers.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)")
        return StubResponse(status: 206, headers: headers, body: Array(bytes[part]))
    }

    /// The range of a field; nil for one that is not understood, which a server ignores.
    private func parse(_ field: String) -> Range<Int>? {
        guard field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return Int(ends[1]).map { max(0, bytes.count - max(0, $0))..<bytes.count } }
        guard let first = Int(ends[0]) else { return nil }
        guard !ends[1].isEmpty else { return first..<max(first, bytes.count) }
        guard let last = Int(ends[1]), last >= first, last < .max else { return nil }
        return first..<last + 1
    }
}
