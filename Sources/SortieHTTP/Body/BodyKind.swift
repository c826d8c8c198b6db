internal import SortieBase

/// The kind of a body, which selects how it is displayed.
package enum BodyKind: String, Hashable, Sendable, CaseIterable {
    case json, xml, html, text, binary, empty

    /// The number of bytes at the start that are inspected when the content type does not determine the kind.
    package static let sniffedBytes = 4096

    /// The kind of a body, from its content type and its first 4 KiB.
    ///
    /// Bytes that cannot be text (NUL, many control characters or invalid UTF-8) make a body binary, regardless of a text content type.
    package static func detect(contentType: String?, bytes: BodyBytes) -> BodyKind {
        detect(ContentType(contentType), bytes, isFinal: true).kind
    }

    /// The kind and the encoding; while the body arrives, the content type determines the kind of a body without bytes.
    package static func detect(_ type: ContentType, _ bytes: BodyBytes, isFinal: Bool) -> (kind: BodyKind, encoding: TextEncoding) {
        let start = bytes.prefix(sniffedBytes)
        if start.isEmpty { return (isFinal ? .empty : type.kind ?? .empty, type.encoding ?? .utf8) }
        if type.kind == .binary { return (.binary, .utf8) }
        if isUTF32(start) { return (.binary, .utf8) }
        let encoding = TextEncoding.declared(by: type, start) ?? .utf8
        if !encoding.isUTF16, isBinary(start, isWhole: isFinal && bytes.count <= sniffedBytes, encoding),
            type.kind != .json || start.contains(0)
        {
            return (type.kind == .json && looksLikeJSON(start) ? .json : .binary, encoding)
        }
        return (type.kind ?? sniff(start, encoding), encoding)
    }

    private static func sniff(_ start: [UInt8], _ encoding: TextEncoding) -> BodyKind {
        guard !encoding.isUTF16 else { return .text }
        let marked = FileText.withoutMark(start)
        let text = marked.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if looksLikeJSON(start) { return .json }
        let head = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
        if head.hasPrefix("<?xml") { return .xml }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return .html }
        return .text
    }

    private static func looksLikeJSON(_ start: [UInt8]) -> Bool {
        let marked = FileText.withoutMark(start)
        let first = marked.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func isUTF32(_ start: [UInt8]) -> Bool {
        guard start.count >= 4 else { return false }
        return start.starts(with: [0, 0, 0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE, 0, 0])
    }

    /// Whether a byte is NUL, or more than one byte in ten cannot be text.
    private static func isBinary(_ start: [UInt8], isWhole: Bool, _ encoding: TextEncoding) -> Bool {
        if start.contains(0) { return true }
        var strange = 0
        for byte in start where (byte < 0x20 && !(0x08...0x0D).contains(byte) && byte != 0x1B) || byte == 0x7F { strange += 1 }
        if encoding != .windows1252 {
            // The end of the window may cut the last character.
            let whole = Array(isWhole ? start[...] : start.dropLast(3))
            strange += whole.withUnsafeBytes { encoding.decode($0) }.unicodeScalars.count { $0 == "\u{FFFD}" }
        }
        return strange * 10 > start.count
    }
}
