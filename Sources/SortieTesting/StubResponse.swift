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
            self.error = error
            self.afterBytes = afterBytes
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
        self.status = status
        self.headers = headers
        self.body = body
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
