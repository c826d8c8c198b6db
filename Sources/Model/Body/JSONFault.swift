/// Why the tokenizer stopped before the end.
enum JSONFault: Error {
    /// The text is not JSON (RFC 8259).
    case invalid(String, offset: Int)
    /// Whoever takes the rows wants no more.
    case stopped
}

extension JSONFault {
    /// A byte that cannot stand here.
    static func unexpected(_ byte: UInt8, _ expected: String, offset: Int) -> JSONFault {
        let name: String =
            switch byte {
            case 0x21..<0x7F: "'\(UnicodeScalar(byte))'"
            default: "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        return .invalid("not JSON: unexpected \(name), expected \(expected)", offset: offset)
    }
}

/// Takes what the tokenizer finds.
protocol JSONRowSink {
    /// A row begins at `offset`, `depth` levels deep; `continues` when it continues a long token.
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowAnswer

    /// The state from which the tokenizer finds the row just begun again.
    mutating func save(_ tokenizer: JSONTokenizer)

    /// A token, or the part of one that is on this row.
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>)
}

/// What a sink wants after the beginning of a row.
enum JSONRowAnswer {
    case goOn, save, stop
}

/// Takes nothing: for checking.
struct JSONNullSink: JSONRowSink {
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowAnswer { .goOn }
    mutating func save(_ tokenizer: JSONTokenizer) {}
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {}
}
