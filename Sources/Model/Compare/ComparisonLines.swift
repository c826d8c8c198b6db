/// The lines of a diff while they are made: those without a difference are folded, and of too many only the number is kept.
struct ComparisonLines {
    private(set) var lines: [BodyComparison.Line] = []
    private(set) var removedCount = 0
    private(set) var addedCount = 0
    /// How many lines that differ were left out.
    private(set) var hiddenCount = 0
    /// Lines without a difference that come next, if a difference follows; one more than the context, because a fold of one line saves none.
    private var waiting: [BodyComparison.Line] = []
    /// How many lines before those are folded.
    private var folded = 0
    /// How many lines may stand behind the last difference.
    private var room = 0

    /// For how many further lines there is a place.
    var roomLeft: Int { max(0, BodyComparison.lineLimit - lines.count) }

    /// Whether there is no place for further lines.
    var isFull: Bool { roomLeft == 0 }

    /// A line that does not differ.
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

    /// So many lines that do not differ, of which nobody needs the text: more than ``BodyComparison/context`` lines are between them and differences.
    mutating func skip(_ count: Int) {
        guard count > 0 else { return }
        folded += waiting.count + count
        waiting = []
        room = 0
    }

    /// A line that only one side has.
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

    /// So many lines of one side for which there is no place.
    mutating func hide(_ kind: BodyComparison.Line.Kind, _ count: Int) {
        self.count(kind, count)
        hiddenCount += count
    }

    private mutating func count(_ kind: BodyComparison.Line.Kind, _ count: Int) {
        if kind == .removed { removedCount += count } else { addedCount += count }
    }

    /// Ends the diff; without a difference it has no line.
    mutating func end() {
        guard !lines.isEmpty, !isFull else { return }
        let rest = folded + waiting.count
        if rest > 1 { lines.append(.init(.folded(rest))) } else { lines += waiting }
        waiting = []
        folded = 0
    }
}

extension BodyComparison {
    /// Takes the lines over.
    mutating func take(_ made: ComparisonLines) {
        lines = made.lines
        removedCount = made.removedCount
        addedCount = made.addedCount
        if made.hiddenCount > 0 { notes.append("\(made.hiddenCount) more lines differ and are not shown.") }
    }
}
