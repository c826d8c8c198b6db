/// One block of a call's debug log: the request before an attempt was sent, or the response after its end.
///
/// The record contains secrets. ``text(redaction:)`` determines what is masked, so that the user can display them later.
package struct DebugLogRecord: Hashable, Sendable {
    /// The result of an attempt.
    package struct Outcome: Hashable, Sendable {
        /// The status; nil without a response.
        package var status: Int?
        /// The body in the format of the log.
        package var data: DebugLogBlock.Content
        /// The reason why the attempt failed; nil for a success.
        package var error: NetworkError?
        /// The response without its body; nil without one.
        package let response: Response?
        /// The fields of a second request, with which libcurl responded to a challenge within the attempt; nil without one.
        package let repeatedHeaders: Headers?

        /// Creates a result.
        package init(_ response: Response?, data: DebugLogBlock.Content, error: NetworkError?, repeatedHeaders: Headers?) {
            status = response?.status
            self.response = response?.head
            (self.data, self.error, self.repeatedHeaders) = (data, error, repeatedHeaders)
        }
    }

    /// The maximum number of bytes of a text body in a block; a larger body is truncated and marked.
    package static let textLimit = 64 << 10

    /// The number of the attempt, from 1.
    package var attempt: Int
    /// The common part of both blocks.
    package var block: DebugLogBlock
    /// The header fields of the request or of the response.
    package var headers: Headers
    /// The result of the attempt; nil in the block before sending.
    package var outcome: Outcome?
    /// Seconds since the call began.
    package var time: Double
    /// The secret values of the request, which a server can repeat in its response, and of the fields of the response.
    private var secrets: Set<String>
    /// The names of the API keys of the request.
    private let keyNames: Set<String>

    /// Creates the block of `request` before it is sent.
    ///
    /// - Parameters:
    ///   - original: the request as the caller created it, whose parameters exclude those that plugins add.
    ///   - headers: the header fields that are sent.
    package init(_ request: Request, original: Request, attempt: Int, headers: Headers, time: Double) {
        (self.attempt, self.headers, self.time) = (attempt, headers, time)
        secrets = Redaction.standard.secrets(of: request)
        keyNames = Set(request.secrets.keys.keys)
        let isOriginal = original.url.origin == request.url.origin && original.url.path == request.url.path
        let own = isOriginal ? original : request
        let pairs = (ParameterPair.pairs(of: own.url.query ?? "") + own.formFields).filter { $0.name != SignedParameterOrder.signName }
        block = DebugLogBlock(
            service: request.url.origin, apiName: request.url.path, method: request.method,
            parameters: pairs.map { .init($0.name, $0.value.map { .string($0) } ?? .null) }, fullRequest: request.url.description,
            body: DebugLogBlock.Content(request.body, contentType: request.headers["Content-Type"]))
    }

    /// The block after the end of the attempt to which this block belongs.
    ///
    /// - Parameter sentHeaders: the header fields that were sent last.
    package func ended(_ response: Response?, error: NetworkError?, sentHeaders: Headers = [], time: Double) -> DebugLogRecord {
        var record = self
        record.time = time
        record.headers = response?.headers ?? []
        record.secrets.formUnion(Redaction.standard.secrets(of: record.headers))
        let data = response.map { DebugLogBlock.Content($0.body, contentType: $0.contentType) } ?? .none
        let isRepeated = sentHeaders.contains("Authorization") && !headers.contains("Authorization")
        record.outcome = Outcome(response, data: data, error: error, repeatedHeaders: isRepeated ? sentHeaders : nil)
        return record
    }

    /// Formats the block as text.
    ///
    /// - Parameter redaction: the masking rules; ``Redaction/none`` masks nothing.
    package func text(redaction: Redaction = .standard) -> String {
        let redaction = learned(redaction)
        guard let outcome else { return block.request(headers: headers, redaction: redaction) }
        return block.response(headers: headers, data: outcome.data, error: outcome.error, redaction: redaction)
    }

    /// The masking rules with the secrets of the request.
    package func learned(_ redaction: Redaction) -> Redaction {
        guard !redaction.isOff else { return redaction }
        var redaction = redaction
        redaction.mask(names: keyNames)
        redaction.hide(contentsOf: secrets)
        return redaction
    }
}

extension Request {
    /// The fields of a form in the body, up to the size that is logged.
    fileprivate var formFields: [ParameterPair] {
        guard case .bytes(let bytes, let own) = body, bytes.count <= DebugLogRecord.textLimit,
            (headers["Content-Type"] ?? own).flatMap(MediaType.init)?.essence == "application/x-www-form-urlencoded",
            let text = String(validating: bytes, as: UTF8.self)
        else { return [] }
        return ParameterPair.pairs(of: text, plusIsSpace: true)
    }
}
