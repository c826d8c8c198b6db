internal import SortieBase

/// The information of a `Content-Type` field about a body (RFC 9110 §8.3).
package struct ContentType: Hashable, Sendable {
    /// The media type in lowercase, such as "application/json"; empty without a field.
    package var mediaType = ""

    /// The charset parameter in lowercase.
    package var charset: String?

    package init(_ header: String?) {
        guard let header else { return }
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        mediaType = Self.trim(parts.first ?? "").lowercased()
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            guard Self.trim(part[..<equals]).lowercased() == "charset" else { continue }
            charset = Self.trim(part[part.index(after: equals)...], also: "\"'").lowercased()
        }
    }

    /// Whether the type declares a sequence of JSON values, one per line.
    package var isJSONLines: Bool {
        let subtype = mediaType.split(separator: "/").last.map(String.init) ?? ""
        return ["x-ndjson", "ndjson", "jsonl", "x-jsonl", "json-lines", "x-jsonlines", "jsonlines", "json-l"].contains(subtype)
            || subtype.hasSuffix("+ndjson") || subtype.hasSuffix("+jsonl")
    }

    /// The declared kind; nil where the type determines none.
    package var kind: BodyKind? {
        let subtype = mediaType.split(separator: "/").last.map(String.init) ?? ""
        if subtype == "json" || subtype.hasSuffix("+json") || isJSONLines { return .json }
        if mediaType == "text/html" || subtype == "xhtml+xml" { return .html }
        if subtype == "xml" || subtype.hasSuffix("+xml") { return .xml }
        if mediaType.hasPrefix("text/") { return .text }
        if ["image/", "audio/", "video/", "font/"].contains(where: mediaType.hasPrefix) { return .binary }
        return nil
    }

    /// The encoding of the charset parameter; nil without one, and for an unknown one.
    package var encoding: TextEncoding? {
        charset.flatMap { TextEncoding(label: $0) }
    }

    /// A notice for the user about how the body is displayed; nil without one.
    package func notice(kind found: BodyKind, encoding shown: TextEncoding) -> String? {
        if found == .json, shown.isUTF16 {
            return "this JSON is in \(shown.name), but RFC 8259 requires UTF-8"
        }
        if found == .binary, let kind, kind != .binary {
            return "declared as \(mediaType), but the bytes are not text: shown as hex"
        }
        if let charset, encoding == nil, [.text, .xml, .html].contains(found) {
            return "the charset \(charset) is not supported: shown as \(shown.name)"
        }
        return nil
    }

    private static func trim(_ text: Substring, also more: String = "") -> String {
        let unwanted = Set(" \t" + more)
        let start = text.firstIndex { !unwanted.contains($0) } ?? text.endIndex
        let rest = text[start...]
        let end = rest.lastIndex { !unwanted.contains($0) }.map(rest.index(after:)) ?? rest.startIndex
        return String(rest[..<end])
    }
}
