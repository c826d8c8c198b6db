internal import SortieBase

/// A comparison of two UTF-8 texts by lines.
struct TextComparison {
    private(set) var lines = ComparisonLines()
    private(set) var notes: [String] = []

    /// The maximum size, in bytes, of the part between the common start and the common end that is compared by lines.
    static let sizeLimit = 16 << 20
    /// The maximum number of lines of both parts together.
    static let lineLimit = 400_000

    /// Compares two texts whose bytes differ.
    init(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
        let shared = left.sharedPrefix(with: right)
        let start = left.lastIndex(of: 0x0A, before: shared).map { $0 + 1 } ?? 0
        let tail = left.wholeLines(inLast: left.sharedSuffix(with: right, after: start))
        let middles = (start..<left.count - tail, start..<right.count - tail)
        let before = left.count(of: 0x0A, in: 0..<start)
        guard max(middles.0.count, middles.1.count) <= Self.sizeLimit,
            left.count(of: 0x0A, in: middles.0) + right.count(of: 0x0A, in: middles.1) <= Self.lineLimit
        else {
            tellPlace(left, right, line: before, start: start, shared: shared)
            return
        }
        head(left, before, end: start)
        let numbers = middle(left, right, middles, before)
        foot(left, from: left.count - tail, numbers)
        lines.end()
    }

    /// Adds the first differing line, where the texts differ too much to be compared by lines.
    private mutating func tellPlace(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, line: Int, start: Int, shared: Int
    ) {
        notes.append("The first difference is in line \(line + 1) (byte \(shared)); there are too many differences to compare line by line.")
        let texts = [left, right].map { bytes in
            let end = bytes.firstIndex(of: 0x0A, in: start..<min(bytes.count, shared + LongLine.limit)) ?? min(bytes.count, shared + LongLine.limit)
            let first = max(start, shared - LongLine.limit)
            return (first > start ? "…" : "") + String(decoding: bytes[min(first, end)..<end], as: UTF8.self)
        }
        lines.differ(.init(.removed, LongLine.cut(texts[0], differingFrom: texts[1]), leftNumber: line + 1))
        lines.differ(.init(.added, LongLine.cut(texts[1], differingFrom: texts[0]), rightNumber: line + 1))
    }

    // MARK: Parts

    /// Adds the common lines at the start, of which the last ones may precede a difference.
    private mutating func head(_ bytes: UnsafeRawBufferPointer, _ count: Int, end: Int) {
        var first = end
        var shown = 0
        while first > 0, shown <= BodyComparison.context {
            first = bytes.lastIndex(of: 0x0A, before: first - 1).map { $0 + 1 } ?? 0
            shown += 1
        }
        lines.skip(count - shown)
        for (index, range) in bytes.lines(in: first..<end).enumerated() {
            let number = count - shown + index + 1
            lines.same(.init(.same, bytes.line(range), leftNumber: number, rightNumber: number))
        }
    }

    /// Compares the lines between; returns the number of lines of each side up to their end.
    private mutating func middle(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ middles: (Range<Int>, Range<Int>), _ before: Int
    ) -> (left: Int, right: Int) {
        let (leftLines, rightLines) = (left.lines(in: middles.0), right.lines(in: middles.1))
        let matches = SequenceAlignment.matches(leftLines.map { left.identity(ofLine: $0) }, rightLines.map { right.identity(ofLine: $0) })
        var (nextLeft, nextRight) = (0, 0)
        var otherEnds = 0
        for match in matches + [.init(left: leftLines.count, right: rightLines.count)] {
            differ(
                leftLines[nextLeft..<match.left].map { left.text(ofLine: $0) }, rightLines[nextRight..<match.right].map { right.text(ofLine: $0) },
                before + nextLeft, before + nextRight)
            (nextLeft, nextRight) = (match.left + 1, match.right + 1)
            guard match.left < leftLines.count else { break }
            if left.ending(ofLine: leftLines[match.left]) != right.ending(ofLine: rightLines[match.right]) { otherEnds += 1 }
            lines.same(
                .init(
                    .same, right.line(rightLines[match.right]), leftNumber: before + match.left + 1, rightNumber: before + match.right + 1))
        }
        if otherEnds > 0 {
            let what = otherEnds == 1 ? "1 line ends" : "\(otherEnds) lines end"
            notes.append("\(what) differently, with a CR, a LF, both or neither, and \(otherEnds == 1 ? "is" : "are") equal apart from that.")
        }
        return (before + leftLines.count, before + rightLines.count)
    }

    /// Adds lines that only one side has; the parameters are not shortened, because the shown part depends on the difference.
    private mutating func differ(_ left: [String], _ right: [String], _ leftNumber: Int, _ rightNumber: Int) {
        for (index, text) in left.enumerated() {
            let other = index < right.count ? right[index] : nil
            lines.differ(.init(.removed, LongLine.cut(text, differingFrom: other), leftNumber: leftNumber + index + 1))
        }
        for (index, text) in right.enumerated() {
            let other = index < left.count ? left[index] : nil
            lines.differ(.init(.added, LongLine.cut(text, differingFrom: other), rightNumber: rightNumber + index + 1))
        }
    }

    /// Adds the common lines at the end, of which the first ones may follow a difference.
    private mutating func foot(_ bytes: UnsafeRawBufferPointer, from start: Int, _ numbers: (left: Int, right: Int)) {
        var end = start
        var shown = 0
        while end < bytes.count, shown <= BodyComparison.context {
            end = bytes.firstIndex(of: 0x0A, in: end..<bytes.count).map { $0 + 1 } ?? bytes.count
            shown += 1
        }
        for (index, range) in bytes.lines(in: start..<end).enumerated() {
            lines.same(.init(.same, bytes.line(range), leftNumber: numbers.left + index + 1, rightNumber: numbers.right + index + 1))
        }
        let rest = bytes.count(of: 0x0A, in: end..<bytes.count)
        lines.skip(rest + (end < bytes.count && bytes[bytes.count - 1] != 0x0A ? 1 : 0))
    }
}

extension UnsafeRawBufferPointer {
    /// The ranges of the lines, each with its line ending.
    fileprivate func lines(in range: Range<Int>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let end = firstIndex(of: 0x0A, in: start..<range.upperBound).map { $0 + 1 } ?? range.upperBound
            lines.append(start..<end)
            start = end
        }
        return lines
    }

    /// A line without its ending, which is LF, CR LF, or a CR at the end of the text.
    private func content(ofLine line: Range<Int>) -> UnsafeRawBufferPointer {
        var end = line.upperBound
        if end > line.lowerBound, self[end - 1] == 0x0A { end -= 1 }
        if end > line.lowerBound, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[line.lowerBound..<end])
    }

    /// The bytes of a line's ending.
    fileprivate func ending(ofLine line: Range<Int>) -> [UInt8] {
        self[line.upperBound - (line.count - content(ofLine: line).count)..<line.upperBound].map(\.self)
    }

    fileprivate func identity(ofLine line: Range<Int>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: content(ofLine: line))
        return hasher.finalize()
    }

    /// A line as text, without its ending.
    fileprivate func text(ofLine line: Range<Int>) -> String { String(decoding: content(ofLine: line), as: UTF8.self) }

    /// An unchanged line for display.
    fileprivate func line(_ range: Range<Int>) -> String { LongLine.cut(text(ofLine: range)) }

    /// The number of bytes of the complete lines within the last `length` bytes.
    fileprivate func wholeLines(inLast length: Int) -> Int {
        guard length < count else { return length }
        return firstIndex(of: 0x0A, in: count - length..<count).map { count - $0 - 1 } ?? 0
    }
}

/// Collects the lines of a diff: folds unchanged lines, and only counts lines beyond the limit.
struct ComparisonLines {
    private(set) var lines: [BodyComparison.Line] = []
    private(set) var removedCount = 0
    private(set) var addedCount = 0
    /// The number of differing lines that were left out.
    private(set) var hiddenCount = 0
    /// Unchanged lines shown only before a difference; one more than the context, because folding a single line saves none.
    private var waiting: [BodyComparison.Line] = []
    /// The number of folded lines before ``waiting``.
    private var folded = 0
    /// The number of unchanged lines that may still follow the last difference.
    private var room = 0

    /// The number of lines that can still be added.
    var roomLeft: Int { max(0, BodyComparison.lineLimit - lines.count) }

    /// Whether the limit is reached.
    var isFull: Bool { roomLeft == 0 }

    /// Adds an unchanged line.
    mutating func same(_ line: BodyComparison.Line) {
        if isFull { return }
        if room > 0 {
            room -= 1
            return lines.append(line)
        }
        waiting.append(line)
        if waiting.count > BodyComparison.context + 1 {
            waiting.removeFirst()
            folded += 1
        }
    }

    /// Adds `count` unchanged lines without their text; at least ``BodyComparison/context`` lines must separate them from any difference.
    mutating func skip(_ count: Int) {
        guard count > 0 else { return }
        folded += waiting.count + count
        waiting = []
        room = 0
    }

    /// Adds a line that only one side has.
    mutating func differ(_ line: BodyComparison.Line) {
        count(line.kind, 1)
        guard !isFull else {
            hiddenCount += 1
            return
        }
        if folded > 0 {
            let shown = waiting.suffix(BodyComparison.context)
            lines.append(.init(.folded(folded + waiting.count - shown.count)))
            waiting = Array(shown)
        }
        lines += waiting
        waiting = []
        folded = 0
        room = BodyComparison.context
        lines.append(line)
    }

    /// Counts lines of one side that exceed the limit.
    mutating func hide(_ kind: BodyComparison.Line.Change, _ count: Int) {
        self.count(kind, count)
        hiddenCount += count
    }

    private mutating func count(_ kind: BodyComparison.Line.Change, _ count: Int) {
        if kind == .removed { removedCount += count } else { addedCount += count }
    }

    /// Ends the diff; a diff without a difference has no lines.
    mutating func end() {
        guard !lines.isEmpty, !isFull else { return }
        let rest = folded + waiting.count
        if rest > 1 { lines.append(.init(.folded(rest))) } else { lines += waiting }
        waiting = []
        folded = 0
    }
}

extension BodyComparison {
    /// Takes over the collected lines.
    mutating func take(_ made: ComparisonLines) {
        lines = made.lines
        removedCount = made.removedCount
        addedCount = made.addedCount
        if made.hiddenCount > 0 { notes.append("\(made.hiddenCount) more lines differ and are not shown.") }
    }
}

/// Shortens lines that are too long to show.
enum LongLine {
    /// The maximum number of bytes shown of a line.
    static let limit = 600
    /// The number of bytes shown before the first difference.
    private static let lead = 80

    /// The line, or the part around its first difference from another line; `…` marks omitted text.
    static func cut(_ text: String, differingFrom other: String? = nil) -> String {
        guard text.utf8.count > limit else { return text }
        var start = text.startIndex
        if let other {
            let shared = zip(text.utf8, other.utf8).prefix { $0 == $1 }.count
            if shared > lead, let place = text.utf8.index(text.startIndex, offsetBy: shared - lead, limitedBy: text.endIndex) {
                start = text.startOfScalar(at: place)
            }
        }
        var end = text.endIndex
        if let place = text.utf8.index(start, offsetBy: limit, limitedBy: text.endIndex) { end = text.startOfScalar(at: place) }
        return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
    }
}

extension String {
    /// The index of the first byte of the scalar that contains `place`.
    fileprivate func startOfScalar(at place: Index) -> Index {
        var place = place
        while place > startIndex, place < endIndex, utf8[place] & 0xC0 == 0x80 { utf8.formIndex(before: &place) }
        return place
    }
}
