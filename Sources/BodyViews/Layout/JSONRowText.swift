internal import SortieBase
internal import SortieHTTP

/// Builds the text of formatted rows.
struct JSONRowText: JSONRowSink {
    private(set) var displayed: DisplayedText
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer, to end: Int, longest: Int) {
        self.bytes = bytes
        displayed = DisplayedText(end: end, longest: longest)
    }

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard displayed.beginRow(at: offset, continues: continues) else { return .stop }
        if !continues { displayed.addBlanks(2 * min(depth, JSONText.indentedLevels)) }
        return .goOn
    }

    mutating func save(_ tokenizer: JSONTokenizer) {}

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        displayed.add(range, of: bytes)
        if kind == .punctuation, bytes[range.lowerBound] == UInt8(ascii: ":") { displayed.addBlanks(1) }
    }
}

extension JSONLayout: DisplayedTextLayout {
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText {
        let checkpoint = index.checkpoints.last { $0.offset <= start }
        return bytes.withUnsafeBytes { buffer in
            var text = JSONRowText(buffer, to: end, longest: longest)
            if let open = walkAll(buffer, from: checkpoint, into: &text) { text.token(open.kind, open.range) }
            return text.displayed
        }
    }

    /// Tokens are shown unchanged; the whitespace around them is not.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case " ", "\t", "\n", "\r", ":", ",", "{", "}", "[", "]": true
        default: false
        }
    }
}
