/// Operations on JSON texts that are small enough to process at once.
package enum JSONText {
    /// The JSON formatted with two spaces per level and unchanged tokens; nil when it is invalid.
    package static func pretty(_ bytes: BodyBytes) -> String? { written(bytes, isCompact: false) }

    /// The JSON on one line without blanks between unchanged tokens; nil when it is invalid.
    package static func compact(_ text: String) -> String? { written(BodyBytes(Array(text.utf8)), isCompact: true) }

    private static func written(_ bytes: BodyBytes, isCompact: Bool) -> String? {
        bytes.withUnsafeBytes { buffer in
            var writer = JSONTextWriter(bytes: buffer, isCompact: isCompact)
            var tokenizer = JSONTokenizer(rowLimit: .max)
            do throws(JSONFault) {
                try tokenizer.advance(over: buffer, limit: buffer.count, isEnd: true, into: &writer)
            } catch {
                return nil
            }
            return writer.text
        }
    }

    /// The JSON formatted; nil when it is invalid.
    package static func pretty(_ text: String) -> String? { pretty(BodyBytes(Array(text.utf8))) }

    /// The syntax error in the bytes (RFC 8259); nil when they are valid.
    package static func problem(in bytes: BodyBytes) -> BodyProblem? {
        bytes.withUnsafeBytes { buffer in
            var tokenizer = JSONTokenizer(rowLimit: .max)
            var sink = JSONNullSink()
            do throws(JSONFault) {
                try tokenizer.advance(over: buffer, limit: buffer.count, isEnd: true, into: &sink)
            } catch {
                return BodyProblem(error, buffer, tokenizer)
            }
            return nil
        }
    }

    /// The syntax error in a text; nil when it is valid.
    package static func problem(in text: String) -> BodyProblem? { problem(in: BodyBytes(Array(text.utf8))) }

    /// The bytes of the value that begins at an offset; nil where it does not end within `limit` bytes.
    package static func range(ofValueAt start: Int, in bytes: UnsafeRawBufferPointer, limit: Int) -> Range<Int>? {
        let end = min(bytes.count, start + limit)
        guard start >= 0, start < end else { return nil }
        let text = JSONSourceText(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        defer { withExtendedLifetime(text) {} }
        do throws(JSONEvaluationError) { return try JSONSource(text, at: start).range } catch { return nil }
    }

    /// `text` as the content of a JSON string; only characters that must be escaped are (RFC 8259 §7).
    ///
    /// - Parameters:
    ///   - quote: The quote around the string; JSON paths have `'` (RFC 9535 §2.3.1.1).
    ///   - escapesControls: Whether C1 controls, DEL and bidi controls are escaped, too, which are legal in JSON, but which a terminal obeys.
    package static func escaped(_ text: String, in quote: Unicode.Scalar = "\"", escapesControls: Bool = false) -> String {
        func mayBeEscaped(_ byte: UInt8) -> Bool {
            byte < 0x20 || UInt32(byte) == quote.value || byte == UInt8(ascii: "\\") || escapesControls && mayBeginControl(byte)
        }
        guard text.utf8.contains(where: mayBeEscaped) else { return text }
        return QuotedText.escaped(text, quote: quote) { scalar in
            scalar.value < 0x20 || escapesControls && isControl(scalar) ? "\\u" + HexDigits.text(of: scalar.value, digits: 4) : nil
        }
    }

    /// A document of JSON in whose strings C1 controls, DEL and bidi controls are escaped, which `JSONEncoder` does not do.
    package static func escapingControls(in document: [UInt8]) -> [UInt8] {
        guard document.contains(where: mayBeginControl) else { return document }
        // Outside of strings, JSON has none of them.
        return String(decoding: document, as: UTF8.self).unicodeScalars.reduce(into: []) { result, scalar in
            if isControl(scalar) {
                result += "\\u\(HexDigits.text(of: scalar.value, digits: 4))".utf8
            } else {
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    /// Whether a byte may be the first one of a control beyond C0: U+007F to U+009F, U+061C, U+2000 to U+2FFF.
    private static func mayBeginControl(_ byte: UInt8) -> Bool { byte == 0x7f || byte == 0xc2 || byte == 0xd8 || byte == 0xe2 }

    /// Whether a scalar is DEL, a C1 control, a line separator or a bidi control.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}": true
        default: false
        }
    }

    /// The maximum number of indented levels; deeper rows have the same indentation, so that they do not consist of spaces only.
    package static let indentedLevels = 100

    /// The indentation of a row.
    package static func indentation(_ depth: Int) -> String {
        String(repeating: " ", count: 2 * min(depth, indentedLevels))
    }
}

/// Writes formatted or compact JSON as one text.
private struct JSONTextWriter: JSONRowSink {
    let bytes: UnsafeRawBufferPointer
    let isCompact: Bool
    var text = ""

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard !isCompact else { return .goOn }
        if !text.isEmpty { text += "\n" }
        text += JSONText.indentation(depth)
        return .goOn
    }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        text += String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        if !isCompact, kind == .punctuation, bytes[range.lowerBound] == UInt8(ascii: ":") { text += " " }
    }
}
