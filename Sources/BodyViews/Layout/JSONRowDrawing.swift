internal import SortieBase

/// Builds the formatted rows of a range.
struct JSONRowDrawing: JSONRowSink {
    private(set) var rows: [BodyRow] = []

    private let bytes: UnsafeRawBufferPointer
    private let range: Range<Int>
    private let marks: [BodyMark]
    private var next: Int
    private var lines: Int
    private var builder: BodyRowBuilder?
    private var source = 0..<0
    private var number: Int?

    init(_ bytes: UnsafeRawBufferPointer, range: Range<Int>, from start: JSONRowIndex.Checkpoint?, marks: [BodyMark]) {
        self.bytes = bytes
        self.range = range
        self.marks = marks
        next = start?.row ?? 0
        lines = start?.lines ?? 0
    }

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        finish()
        guard next < range.upperBound else { return .stop }
        if !continues { lines += 1 }
        if next >= range.lowerBound {
            var builder = BodyRowBuilder(bytes, encoding: .utf8, marks: marks)
            if !continues { builder.add(JSONText.indentation(depth), .text) }
            self.builder = builder
            source = offset..<offset
            number = continues ? nil : lines
        }
        next += 1
        return .goOn
    }

    mutating func save(_ tokenizer: JSONTokenizer) {}

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        guard builder != nil else { return }
        builder?.add(range, kind)
        source = source.lowerBound..<range.upperBound
        if kind == .punctuation, bytes[range.lowerBound] == UInt8(ascii: ":") { builder?.addBlank(.punctuation, behind: range.upperBound) }
    }

    /// Appends the current row to the others.
    mutating func finish() {
        guard let builder else { return }
        rows.append(BodyRow(spans: builder.spans, sourceRange: source, number: number))
        self.builder = nil
    }
}

/// Finds the row that contains a byte.
struct JSONRowLocator: JSONRowSink {
    let offset: Int
    var next: Int
    private(set) var found: Int?

    init(offset: Int, next: Int) {
        self.offset = offset
        self.next = next
    }

    mutating func beginRow(at start: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard start <= offset else { return .stop }
        found = next
        next += 1
        return .goOn
    }

    mutating func save(_ tokenizer: JSONTokenizer) {}
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {}
}
