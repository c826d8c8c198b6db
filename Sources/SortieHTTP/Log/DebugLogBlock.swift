internal import SortieBase

/// The block of the debug log for a request before it is sent, or for its response, byte for byte in the format of the first document.
///
/// Secrets are masked by default: in header fields, parameters, the URL's query, and bodies that are forms or JSON.
public struct DebugLogBlock: Hashable, Sendable {
    /// The content of a body in the log.
    public enum Content: Hashable, Sendable {
        /// No body.
        case none
        /// Text with its media type, nil where that is unknown; `cutFrom` is the complete length in bytes where the text is truncated.
        case text(String, contentType: String?, cutFrom: Int64? = nil)
        /// Bytes that are not text, or that are streamed: only their number, nil when unknown, and their media type.
        case opaque(bytes: Int64?, contentType: String?)
    }

    /// The service's base URL.
    public var service: String
    /// The path of the API.
    public var apiName: String
    /// The method.
    public var method: HTTPMethod
    /// Further lines of the program, such as the number of an order, after the fixed ones.
    public var lines: [ParameterPair] = []
    /// The request's parameters, without the public ones.
    public var parameters: [ParameterValue.Member]
    /// The URL as sent.
    public var fullRequest: String
    /// The request's body.
    public var body: Content

    /// Creates the common part of both blocks of a request.
    package init(
        service: String, apiName: String, method: HTTPMethod, parameters: [ParameterValue.Member], fullRequest: String, body: Content = .none
    ) {
        self.service = service
        self.apiName = apiName
        self.method = method
        self.parameters = parameters
        self.fullRequest = fullRequest
        self.body = body
    }

    /// The block before sending.
    ///
    /// - Parameters:
    ///   - headers: The sent header fields.
    ///   - redaction: The masking rules; ``Redaction/none`` masks nothing.
    public func request(headers: Headers, redaction: Redaction = .standard) -> String {
        """
        \(Self.stars)
        *                    SSRequest Request Start                 *
        \(Self.stars)

        \(fields(headers, redaction))
        \(Self.stars)
        *                    SSRequest Request End                    *
        \(Self.stars)

        """
    }

    /// The block after the end of the attempt.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the response.
    ///   - data: The body of the response.
    ///   - error: Why there is no complete response; nil where there is one.
    ///   - redaction: The masking rules; ``Redaction/none`` masks nothing.
    public func response(headers: Headers, data: Content, error: NetworkError? = nil, redaction: Redaction = .standard) -> String {
        let failure = error.map { "Error:\n\($0.code.rawValue): \(redaction.masked($0.message))\n" } ?? ""
        return """
            \(Self.stars)
            *                  SSRequest Response Start                  *
            \(Self.stars)

            \(fields(headers, redaction))
            Response Data:
            \(text(of: data, redaction))
            \(failure)\(Self.stars)
            *                 SSRequest Response End                     *
            \(Self.stars)

            """
    }

    private static let stars = String(repeating: "*", count: 62)

    private func fields(_ headers: Headers, _ redaction: Redaction) -> String {
        let further = lines.map { redaction.masked($0) }.map { "\($0.name):\t\t\($0.value ?? "")\n" }.joined()
        return """
            Service:\t\t\(service)
            API Name:\t\t\(apiName)
            Method:\t\t\t\(method.rawValue)
            \(further)HeaderField:
            \(NSDictionaryDescription.text(of: redaction.masked(headers)))
            Params:
            \(NSDictionaryDescription.text(of: redaction.masked(parameters)))
            FullRequest:
            \(redaction.maskedURL(fullRequest))

            Body Data:
            \(text(of: body, redaction))
            """
    }

    private func text(of content: Content, _ redaction: Redaction) -> String {
        switch content {
        case .none: return ""
        case .opaque(let count, let type):
            return "\(count.map { "\($0) bytes" } ?? "a stream") of \(type ?? MediaType.octetStream)"
        case .text(let text, let contentType, let whole):
            let text = redaction.maskedBody(text, contentType: contentType)
            return text + (whole.map { "\n… (the beginning of \($0) bytes)" } ?? "")
        }
    }
}

extension DebugLogBlock.Content {
    /// Creates the content of a request's body: text only for media types that are text.
    ///
    /// - Parameter contentType: the `Content-Type` field of the request where it differs from that of the body.
    package init(_ body: RequestBody, contentType: String? = nil) {
        switch body {
        case .none: self = .none
        case .file(_, let own): self = .opaque(bytes: nil, contentType: contentType ?? own)
        case .multipart: self = .opaque(bytes: nil, contentType: "multipart/form-data")
        case .bytes(let bytes, let own):
            let start = bytes.count > DebugLogRecord.textLimit ? Array(bytes.prefix(DebugLogRecord.textLimit)) : bytes
            self.init(start: start, of: Int64(bytes.count), contentType: contentType ?? own)
        }
    }

    /// Creates the content of a response body.
    package init(_ body: BodyBytes, contentType: String?) {
        self.init(start: body.prefix(DebugLogRecord.textLimit), of: Int64(body.count), contentType: contentType)
    }

    /// Creates the content from the first of `count` bytes: text when they are valid UTF-8 without control characters except white space.
    private init(start: [UInt8], of count: Int64, contentType: String?) {
        let isCut = Int64(start.count) < count
        // A character that is cut in two is left out.
        let decoded = DecodedBody(BodyBytes(start), contentType: contentType).flatMap { $0.charset == TextEncoding.utf8.name ? nil : $0.text }
        let text = decoded ?? (0...(isCut ? min(3, start.count) : 0)).lazy.compactMap { String(validating: start.dropLast($0), as: UTF8.self) }.first
        if start.isEmpty {
            self = .none
        } else if let text, !start.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) }) {
            self = .text(text, contentType: contentType, cutFrom: isCut ? count : nil)
        } else {
            self = .opaque(bytes: count, contentType: contentType)
        }
    }
}
