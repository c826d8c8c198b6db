internal import SortieBase
internal import SortieHTTP

/// Builds the formatted rows of a range.
struct JSONRowDrawing: JSONFoldableSink {
    private(set) var rows: [BodyRow] = []
    /// The checkpoint at which the tokenizer continues, because the bytes before it are hidden; nil where it reads on.
    private(set) var jump: JSONRowIndex.Checkpoint?

    /// The number of bytes of a folded message that its row shows.
    private static let previewLimit = 400

    private let bytes: UnsafeRawBufferPointer
    private let folded: FoldedValue
    private let contents: Set<Int>
    private let range: Range<Int>
    private let marks: [BodyMark]
    private let index: JSONRowIndex
    private var next: Int
    private var lines: Int
    private var builder: BodyRowBuilder?
    private var source = 0..<0
    private var number: Int?
    private var fold: Fold?

    /// The folded container of the current row.
    private struct Fold {
        /// The depth of the row.
        var depth: Int
        /// The offset up to which the content is shown; nil where only the number of values is.
        var previewEnd: Int?
        /// The depth of the hidden row.
        var hiddenDepth = 0
        /// The member of a recorded message whose value follows.
        var member = ""
        /// The number of its values.
        var count = 0
        /// The offset of the checkpoint from which rows are skipped, and the last checkpoint in the container; nil where all rows are read.
        var skipped: (from: Int, to: Int)?
    }

    init(
        _ bytes: UnsafeRawBufferPointer, range: Range<Int>, of index: JSONRowIndex, from start: JSONRowIndex.Checkpoint?, folded: FoldedValue,
        contents: Set<Int>, marks: [BodyMark]
    ) {
        (self.bytes, self.contents, self.folded, self.range, self.marks) = (bytes, contents, folded, range, marks)
        self.index = index
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

    mutating func beginHiddenRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        if !continues { lines += 1 }
        guard builder != nil || next < range.upperBound else { return .stop }
        if builder != nil, fold == nil {
            let shows = folded != .count && depth == 1
            if shows, folded == .record { builder = BodyRowBuilder(bytes, encoding: .utf8, marks: marks) }
            fold = Fold(depth: depth - 1, previewEnd: shows ? offset + Self.previewLimit : nil, skipped: skipped(after: offset))
            if !shows { builder?.add(" … ", .notice) }
        }
        if let skipped = fold?.skipped, offset >= index.checkpoints[skipped.from].offset {
            jump(over: skipped)
            return .stop
        }
        if !continues { fold?.hiddenDepth = depth }
        guard let fold, !continues else { return .goOn }
        let closes = bytes[offset] | 0x20 == UInt8(ascii: "}")
        if depth == fold.depth + 1, !closes { self.fold?.count += 1 }
        if depth <= fold.depth, fold.count > 0, fold.previewEnd == nil {
            let word = bytes[offset] == UInt8(ascii: "}") ? "member" : "item"
            builder?.add("\(ItemCount.text(fold.count, word)) ", .notice)
        }
        return .goOn
    }

    /// The checkpoints in a hidden part that need not be read; nil where there are few.
    private func skipped(after offset: Int) -> (from: Int, to: Int)? {
        let checkpoints = index.checkpoints
        guard let to = checkpoints.lastIndex(where: { $0.row <= next }), let before = checkpoints.lastIndex(where: { $0.offset <= offset }),
            to > before + 2
        else { return nil }
        return (before + 1, to)
    }

    /// Counts the values in the skipped part from the summaries of the checkpoints.
    private mutating func jump(over skipped: (from: Int, to: Int)) {
        guard let fold else { return }
        for number in skipped.from + 1...skipped.to where Int(index.checkpoints[number].lowest) == fold.depth + 1 {
            self.fold?.count += Int(index.checkpoints[number].starts)
        }
        self.fold?.skipped = nil
        jump = index.checkpoints[skipped.to]
        lines = index.checkpoints[skipped.to].lines
    }

    /// Forgets the checkpoint at which the tokenizer has continued.
    mutating func jumped() { jump = nil }

    mutating func save(_ tokenizer: JSONTokenizer, hiddenDepth: Int) {}

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        guard builder != nil else { return }
        // A record is shown without its brackets.
        if folded == .record, fold?.depth == 0 { return }
        builder?.add(range, kind)
        if fold == nil { source = source.lowerBound..<range.upperBound }
        if kind == .punctuation, !contents.isEmpty, contents.contains(range.lowerBound) { builder?.add(" in a string", .notice) }
        if kind == .punctuation, bytes[range.lowerBound] == UInt8(ascii: ":") { builder?.addBlank(.punctuation, behind: range.upperBound) }
    }

    mutating func hiddenToken(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        guard let end = fold?.previewEnd, builder != nil else { return }
        if folded == .record, addRecord(kind, range) { return }
        var shown = range.clamped(to: range.lowerBound..<max(range.lowerBound, end))
        while shown.upperBound < range.upperBound, shown.upperBound > shown.lowerBound, bytes[shown.upperBound] & 0xC0 == 0x80 {
            shown = shown.lowerBound..<shown.upperBound - 1
        }
        builder?.add(shown, kind)
        source = source.lowerBound..<max(source.upperBound, shown.upperBound)
        guard shown == range else {
            fold?.previewEnd = nil
            builder?.add(" … ", .notice)
            return
        }
        if kind == .punctuation, [UInt8(ascii: ":"), UInt8(ascii: ",")].contains(bytes[range.lowerBound]) {
            builder?.addBlank(.punctuation, behind: range.upperBound)
        }
    }

    /// Adds a token of a recorded message in place of what the row would show of it; returns false for a token of the content.
    private mutating func addRecord(_ kind: BodySpan.Kind, _ range: Range<Int>) -> Bool {
        guard fold?.hiddenDepth == 1 else { return false }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        if kind == .key {
            let name = text.filter { $0 != "\"" }
            fold?.member = name
            switch name {
            case "sent": builder?.add("↑ ", .attribute)
            case "received": builder?.add("↓ ", .tag)
            case "reconnected": builder?.add("↻ ", .tag)
            case "bytes", "data": break
            default: builder?.add("\(name) ", .notice)
            }
            return true
        }
        switch fold?.member {
        case "sent", "received", "reconnected":
            if kind == .string { builder?.add(text.filter { $0 != "\"" }, .notice) }
            return true
        case "bytes":
            let digits = text.count > 6 ? text : String(repeating: " ", count: 6 - text.count) + text
            if kind == .number { builder?.add(" \(digits) B  ", .notice) }
            return true
        default:
            // After the member, which may end with a bracket.
            guard kind == .punctuation, text == ":" || text == "," else { return false }
            if text == "," { builder?.add(" ", .notice) }
            return true
        }
    }

    /// Appends the current row to the others.
    mutating func finish() {
        fold = nil
        guard let builder else { return }
        rows.append(BodyRow(spans: builder.spans, sourceRange: source, number: number))
        self.builder = nil
    }
}

/// Finds the row that contains a byte.
struct JSONRowLocator: JSONFoldableSink {
    let offset: Int
    var next: Int
    private(set) var found: Int?

    mutating func beginRow(at start: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard start <= offset else { return .stop }
        found = next
        next += 1
        return .goOn
    }

    mutating func beginHiddenRow(at start: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        guard start <= offset else { return .stop }
        if found == nil { found = next - 1 }
        return .goOn
    }

    mutating func save(_ tokenizer: JSONTokenizer, hiddenDepth: Int) {}
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {}
}

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
