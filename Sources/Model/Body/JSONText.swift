/// JSON texts small enough to handle in one piece.
public enum JSONText {
    /// The same JSON laid out with two spaces a level, every token as it was; nil when it is not JSON.
    public static func pretty(_ bytes: BodyBytes) -> String? {
        bytes.withUnsafeBytes { buffer in
            var writer = JSONTextWriter(bytes: buffer)
            var tokenizer = JSONTokenizer(rowLimit: .max)
            do throws(JSONFault) {
                try tokenizer.advance(over: buffer, limit: buffer.count, isEnd: true, into: &writer)
            } catch {
                return nil
            }
            return writer.text
        }
    }

    /// The same JSON laid out; nil when it is not JSON.
    public static func pretty(_ text: String) -> String? { pretty(BodyBytes(Array(text.utf8))) }

    /// Why bytes are not JSON (RFC 8259), and where; nil when they are.
    public static func problem(in bytes: BodyBytes) -> BodyProblem? {
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

    /// Why a text is not JSON, and where; nil when it is.
    public static func problem(in text: String) -> BodyProblem? { problem(in: BodyBytes(Array(text.utf8))) }

    /// `text` as it stands between the quotes of a string; only what must be escaped is (RFC 8259 §7).
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The blanks before a row.
    static func indentation(_ depth: Int) -> String {
        String(repeating: " ", count: 2 * min(depth, JSONLayout.indentedLevels))
    }
}

/// Writes pretty JSON as one text.
private struct JSONTextWriter: JSONRowSink {
    let bytes: UnsafeRawBufferPointer
    var text = ""

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowAnswer {
        if !text.isEmpty { text += "\n" }
        text += JSONText.indentation(depth)
        return .goOn
    }

    mutating func save(_ tokenizer: JSONTokenizer) {}

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        text += String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        if kind == .punctuation, bytes[range.lowerBound] == UInt8(ascii: ":") { text += " " }
    }
}
