internal import SortieBase

/// The block of the debug log for a request before it is sent, or for its response, byte for byte in the format of the first document.
///
/// Secrets are masked by default: in header fields, parameters, the URL's query, and bodies that are forms or JSON.
package struct DebugLogBlock: Hashable, Sendable {
    /// The content of a body in the log.
    package enum Content: Hashable, Sendable {
        /// No body.
        case none
        /// Text with its media type, nil where that is unknown; `cutFrom` is the complete length in bytes where the text is truncated.
        case text(String, contentType: String?, cutFrom: Int64? = nil)
        /// Bytes that are not text, or that are streamed: only their number, nil when unknown, and their media type.
        case opaque(bytes: Int64?, contentType: String?)
    }

    /// The service's base URL.
    package var service: String
    /// The path of the API.
    package var apiName: String
    /// The method.
    package var method: HTTPMethod
    /// Further lines of the program, such as the number of an order, after the fixed ones.
    package var lines: [ParameterPair] = []
    /// The request's parameters, without the public ones.
    package var parameters: [ParameterValue.Member]
    /// The URL as sent.
    package var fullRequest: String
    /// The request's body.
    package var body: Content

    /// Creates the common part of both blocks of a request.
    package init(
        service: String, apiName: String, method: HTTPMethod, parameters: [ParameterValue.Member], fullRequest: String, body: Content = .none
    ) {
        (self.service, self.apiName, self.method, self.parameters, self.fullRequest) = (service, apiName, method, parameters, fullRequest)
        self.body = body
    }

    /// The block before sending.
    ///
    /// - Parameters:
    ///   - headers: The sent header fields.
    ///   - redaction: The masking rules; ``Redaction/none`` masks nothing.
    package func request(headers: Headers, redaction: Redaction = .standard) -> String {
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
    package func response(headers: Headers, data: Content, error: NetworkError? = nil, redaction: Redaction = .standard) -> String {
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
        let body = DecodedBody(BodyBytes(start), contentType: contentType, isCut: isCut)
        let decoded = body.flatMap { $0.charset == TextEncoding.utf8.name ? nil : $0.text }
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

/// Determines which parts of a file's text are masked after a template has read it.
///
/// A key file is masked as a whole and line by line, because a service may return one line of it. A text above ``lineLimit`` is not masked.
package enum HiddenFileText {
    /// The maximum size in bytes of a text that is masked as a whole.
    static let wholeLimit = 4 << 10
    /// The maximum size in bytes of a text whose lines are masked.
    package static let lineLimit = 64 << 10
    /// The minimum number of characters of a masked line, because shorter lines also occur elsewhere.
    static let shortestLine = 8

    /// The masked parts of a text, without surrounding white space.
    package static func parts(of text: String) -> [String] {
        guard text.utf8.count <= lineLimit else { return [] }
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmingBlanks)
        var parts: Set<String> = Set(lines.filter { $0.count >= shortestLine })
        if text.utf8.count <= wholeLimit { parts.insert(text.trimmingBlanks) }
        parts.remove("")
        return parts.sorted()
    }
}

/// Formats values like the descriptions of NSDictionary and NSArray: the old property list format.
///
/// Keys are sorted. A string is unquoted only when it contains nothing but ASCII letters and digits. Characters beyond ASCII are written as
/// `\Uxxxx`.
enum NSDictionaryDescription {
    /// Formats named values without a trailing line break; for a repeated name the last value is used.
    package static func text(of members: [ParameterValue.Member]) -> String { text(of: .object(members), level: 0) }

    /// Formats header fields; values of the same name are joined as by NSHTTPURLResponse.
    package static func text(of headers: Headers) -> String {
        var members: [ParameterValue.Member] = []
        for field in headers.fields where !members.contains(where: { field.isNamed($0.name) }) {
            members.append(.init(field.name, .string(headers.values(of: field.name).joined(separator: ", "))))
        }
        return text(of: members)
    }

    private static func text(of value: ParameterValue, level: Int) -> String {
        let indentation = String(repeating: "    ", count: level)
        switch value {
        case .object(let members):
            let lines = sorted(members).map { member in
                "\(indentation)    \(quoted(member.name)) = \(text(of: member.value, level: level + 1));\n"
            }
            return "\(indentation){\n\(lines.joined())\(indentation)}"
        case .array(let items): return list(items, "(", ")", level)
        case .set(let items): return list(items, "{(", ")}", level)
        case .string(let text): return quoted(text)
        case .integer(let value): return quoted(String(value))
        case .number(let value): return quoted(ParameterValue.text(of: value))
        case .bool(let value): return value ? "1" : "0"
        case .null: return quoted("<null>")
        case .date(let seconds):
            let text = CalendarTime(secondsSince1970: seconds).iso8601
            return quoted(text.replacing("T", with: " ").replacing("Z", with: " +0000"))
        }
    }

    private static func list(_ items: [ParameterValue], _ open: String, _ close: String, _ level: Int) -> String {
        let indentation = String(repeating: "    ", count: level)
        let lines = items.map { "\(indentation)    \(text(of: $0, level: level + 1))" }
        return "\(indentation)\(open)\n" + lines.joined(separator: ",\n") + (lines.isEmpty ? "" : "\n") + "\(indentation)\(close)"
    }

    private static func sorted(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        let last = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return last.values.sorted { ParameterPair.precedes($0.name, $1.name) }
    }

    /// Formats a string, in quotes where it needs them.
    package static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) }) { return text }
        // The mask is not part of a value, so it stays readable.
        if text == HeaderField.mask { return "\"\(text)\"" }
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                result += "\\U" + HexDigits.text(of: unit, digits: 4)
            }
        }
        return result + "\""
    }
}
