/// One block of a call's debug log as it was made: the request before an attempt was sent, or its response after the end (S0.33).
///
/// It holds the secrets; ``text(redaction:)`` decides what is told of them, so that a person can ask for them later.
public struct DebugLogRecord: Hashable, Sendable {
    /// What came of an attempt.
    public struct Outcome: Hashable, Sendable {
        /// The status; nil when there was no answer.
        public var status: Int?
        /// The body, as the log shows it.
        public var data: DebugLogBlock.Content
        /// Why the attempt failed, if it did.
        public var error: NetworkError?

        /// An outcome.
        public init(status: Int? = nil, data: DebugLogBlock.Content = .none, error: NetworkError? = nil) {
            self.status = status
            self.data = data
            self.error = error
        }
    }

    /// The most bytes of a text body that a block holds; of a larger one the block has the beginning and says so.
    public static let textLimit = 64 << 10

    /// The attempt, from 1.
    public var attempt: Int
    /// What is the same before and after.
    public var block: DebugLogBlock
    /// The header fields of the request, or of the answer.
    public var headers: Headers
    /// What came of it; nil in the block before sending.
    public var outcome: Outcome?
    /// Seconds since the call began.
    public var time: Double

    /// The block of `request` before it is sent.
    ///
    /// - Parameters:
    ///   - original: the request as the caller made it, whose parameters are without those that plugins add.
    ///   - headers: the fields that will go out.
    public init(_ request: Request, original: Request, attempt: Int, headers: Headers, time: Double) {
        self.attempt = attempt
        self.headers = headers
        self.time = time
        let isOriginal = original.url.origin == request.url.origin && original.url.path == request.url.path
        let pairs = ParameterPair.pairs(of: (isOriginal ? original : request).url.query ?? "").filter { $0.name != FullRequestOrder.signName }
        block = DebugLogBlock(
            service: request.url.origin, apiName: request.url.path, method: request.method,
            parameters: pairs.map { .init($0.name, $0.value.map { .string($0) } ?? .null) }, fullRequest: request.url.description,
            body: DebugLogBlock.Content(request.body, contentType: request.headers["Content-Type"]))
    }

    /// The block after the end of the attempt that this block is the beginning of.
    public func ended(_ response: Response?, error: NetworkError?, time: Double) -> DebugLogRecord {
        var record = self
        record.time = time
        record.headers = response?.headers ?? []
        let data = response.map { DebugLogBlock.Content($0.body, contentType: $0.contentType) } ?? .none
        record.outcome = Outcome(status: response?.status, data: data, error: error)
        return record
    }

    /// The block as text.
    ///
    /// - Parameter redaction: what is masked; ``Redaction/none`` shows everything.
    public func text(redaction: Redaction = .standard) -> String {
        guard let outcome else { return block.request(headers: headers, redaction: redaction) }
        return block.response(headers: headers, data: outcome.data, error: outcome.error, redaction: redaction)
    }
}
