internal import SortieBase

/// The information of a `Content-Type` field about a body (RFC 9110 §8.3).
package struct ContentType: Hashable, Sendable {
    /// The media type in lowercase, such as "application/json"; empty without a field.
    package var mediaType = ""

    /// The charset parameter in lowercase.
    package var charset: String?

    package init(_ header: String?) {
        guard let header else { return }
        mediaType = header.prefix { $0 != ";" }.trimmingOptionalWhitespace.lowercased()
        charset = FieldParameters(of: header)["charset"].map { String($0.trimming { " \t\"'".contains($0) }).lowercased() }
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
        if charset == nil, found == .text, shown == .windows1252 {
            return "no charset is declared, and the bytes are not UTF-8: shown as \(shown.name)"
        }
        return nil
    }
}

/// The kind of a body, which selects how it is displayed.
package enum BodyKind: String, Hashable, Sendable, CaseIterable {
    case json, xml, html, text, binary, empty

    /// The number of bytes at the start that are inspected when the content type does not determine the kind.
    package static let sniffedBytes = 4096

    /// The kind of a body and its encoding, from its content type and its first 4 KiB.
    ///
    /// Bytes that cannot be text (NUL, many control characters or invalid UTF-8) make a body binary, regardless of a text content type. A text without a
    /// charset, whose bytes are not UTF-8, is in windows-1252. While the body arrives, the content type determines the kind of a body without bytes.
    package static func detect(_ type: ContentType, _ bytes: BodyBytes, isFinal: Bool) -> (kind: BodyKind, encoding: TextEncoding) {
        let start = bytes.prefix(sniffedBytes)
        if start.isEmpty { return (isFinal ? .empty : type.kind ?? .empty, type.encoding ?? .utf8) }
        if type.kind == .binary { return (.binary, .utf8) }
        if isUTF32(start) { return (.binary, .utf8) }
        let isWhole = isFinal && bytes.count <= sniffedBytes
        let declared = TextEncoding.declared(by: type, start, isWhole: isWhole)
        if declared == nil, type.kind == .text, type.charset == nil, isWindows1252(start, isWhole: isWhole) { return (.text, .windows1252) }
        let encoding = declared ?? .utf8
        if !encoding.isUTF16, isBinary(start, isWhole: isWhole, encoding), type.kind != .json || start.contains(0) {
            return (type.kind == .json && looksLikeJSON(start) ? .json : .binary, encoding)
        }
        return (type.kind ?? sniff(start, encoding), encoding)
    }

    private static func sniff(_ start: [UInt8], _ encoding: TextEncoding) -> BodyKind {
        guard !encoding.isUTF16 else { return .text }
        let marked = FileText.withoutMark(start)
        let text = marked.drop(while: \.isASCIIWhitespace)
        if looksLikeJSON(start) { return .json }
        let head = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
        if head.hasPrefix("<?xml") { return .xml }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return .html }
        return .text
    }

    private static func looksLikeJSON(_ start: [UInt8]) -> Bool {
        let marked = FileText.withoutMark(start)
        let first = marked.first { !$0.isASCIIWhitespace }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func isUTF32(_ start: [UInt8]) -> Bool {
        guard start.count >= 4 else { return false }
        return start.starts(with: [0, 0, 0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE, 0, 0])
    }

    /// Whether bytes without a charset are text in windows-1252, the fallback of the web (WHATWG Encoding, HTML §13.2.3.2): there are bytes that are not
    /// UTF-8, no character of UTF-8 outside ASCII, and no control character.
    private static func isWindows1252(_ start: [UInt8], isWhole: Bool) -> Bool {
        // The end of the window may cut the last character.
        let whole = isWhole ? start[...] : start.dropLast(3)
        guard String(validating: whole, as: UTF8.self) == nil, !whole.contains(where: isControl) else { return false }
        return whole.withUnsafeBytes { TextEncoding.utf8.decode($0) }.unicodeScalars.allSatisfy { $0.isASCII || $0 == "\u{FFFD}" }
            && whole.withUnsafeBytes { TextEncoding.windows1252.decode($0) }.unicodeScalars.allSatisfy { !(0x80..<0xA0).contains($0.value) }
    }

    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && !(0x08...0x0D).contains(byte) && byte != 0x1B) || byte == 0x7F }

    /// Whether a byte is NUL, or more than one byte in ten cannot be text.
    private static func isBinary(_ start: [UInt8], isWhole: Bool, _ encoding: TextEncoding) -> Bool {
        if start.contains(0) { return true }
        var strange = start.count(where: isControl)
        if encoding != .windows1252 {
            // The end of the window may cut the last character.
            let whole = Array(isWhole ? start[...] : start.dropLast(3))
            strange += whole.withUnsafeBytes { encoding.decode($0) }.unicodeScalars.count { $0 == "\u{FFFD}" }
        }
        return strange * 10 > start.count
    }
}
