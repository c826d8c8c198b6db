/// Why the tokenizer stopped before the end.
package enum JSONFault: Error {
    /// The text is not JSON (RFC 8259).
    case invalid(String, offset: Int)
    /// The sink stopped the tokenizer.
    case stopped
}

extension JSONFault {
    /// The error for a byte that is not allowed at its position.
    static func unexpected(_ byte: UInt8, _ expected: String, offset: Int) -> JSONFault {
        let name: String =
            switch byte {
            case 0x21..<0x7F: "'\(UnicodeScalar(byte))'"
            default: "byte 0x" + HexDigits.text(of: byte, digits: 2)
            }
        return .invalid("not JSON: unexpected \(name), expected \(expected)", offset: offset)
    }
}

/// Receives the rows and tokens that the tokenizer finds.
package protocol JSONRowSink {
    /// A row begins at `offset`, at nesting depth `depth`; `continues` when it continues a long token.
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision

    /// Receives the state from which the tokenizer can find the current row again.
    mutating func save(_ tokenizer: JSONTokenizer)

    /// Receives a token, or the part of one that is on this row.
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>)
}

/// A sink that reads the document to its end, and does not continue in the middle of it later.
extension JSONRowSink {
    @inlinable
    package mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision { .goOn }

    @inlinable
    package mutating func save(_ tokenizer: JSONTokenizer) {}
}

/// The response of a sink to the start of a row.
package enum JSONRowDecision {
    case goOn, save, stop
}

/// A sink that ignores everything, for validation.
package struct JSONNullSink: JSONRowSink {
    package init() {}

    package mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {}
}
