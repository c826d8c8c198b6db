internal import SortieBase

/// The notation of a body, which determines how its secrets are found.
package enum MaskingRule: Hashable {
    case json(isLines: Bool), form, text, markup(isHTML: Bool), events, graphQL, multipart(boundary: String?), encoded(TextEncoding), bytes

    /// Determines the notation of a body from its `Content-Type` and its first bytes.
    ///
    /// - Parameter isDecoded: whether the body is text in UTF-8, regardless of the charset of the type.
    package init(contentType: String?, body: BodyBytes, isDecoded: Bool = false) {
        var type = ContentType(contentType)
        if isDecoded { type.charset = "utf-8" }
        if type.mediaType == "application/x-www-form-urlencoded" {
            // `curl -d` declares every body as a form.
            self = Self.beginsAsJSON(body) ? .json(isLines: false) : Self.beginsAsMarkup(body) ? .markup(isHTML: false) : .form
            return
        }
        if type.mediaType.hasPrefix("multipart/") {
            self = .multipart(boundary: Self.boundary(of: contentType ?? ""))
            return
        }
        var (kind, encoding) = BodyKind.detect(type, body, isFinal: true)
        if isDecoded, kind == .binary { kind = .text }
        if kind != .binary, !isDecoded, encoding.needsWholeText {
            self = .encoded(encoding)
        } else if type.mediaType.hasSuffix("json-seq") {
            // A record separator precedes each text (RFC 7464 §2.2), which JSON tokenizers do not accept.
            self = .json(isLines: true)
        } else if kind == .binary {
            self = .bytes
        } else if type.mediaType == "text/event-stream" {
            self = .events
        } else if type.mediaType == "application/graphql" {
            self = .graphQL
        } else if kind == .json || kind != .empty && Self.beginsAsJSON(body) {
            self = .json(isLines: type.isJSONLines)
        } else if kind == .html || kind == .xml || kind == .text && Self.beginsAsMarkup(body) {
            self = .markup(isHTML: kind == .html)
        } else {
            self = kind == .empty ? .bytes : .text
        }
    }

    /// Many servers declare JSON as text or as a script.
    private static func beginsAsJSON(_ body: BodyBytes) -> Bool {
        let first = first(of: body)
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func beginsAsMarkup(_ body: BodyBytes) -> Bool { first(of: body) == UInt8(ascii: "<") }

    private static func first(of body: BodyBytes) -> UInt8? {
        body.prefix(64).first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    }

    /// The parameter `boundary` (RFC 2046 §5.1.1).
    private static func boundary(of contentType: String) -> String? {
        FieldParameters(of: contentType)["boundary"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
