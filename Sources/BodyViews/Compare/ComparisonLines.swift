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
