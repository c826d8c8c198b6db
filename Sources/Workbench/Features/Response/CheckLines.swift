internal import SortieHTTP
internal import SortieTerminal

/// The Checks tab: each comparison of the exchange with the endpoint's file, with its outcome, the expected and the actual value.
struct CheckLines {
    var exchange: Exchange
    var redaction: Redaction
    /// The available width in cells.
    var width: Int

    var lines: [ResponseLine] {
        guard let checks = exchange.expectationResult?.checks, !checks.isEmpty else { return [] }
        let subjectWidth = min(max(8, width / 3), checks.reduce(0) { max($0, CellWidth.width(of: $1.subject)) })
        var lines = [ResponseLine(summary(checks))]
        // What failed comes first, because the pane may have room for a few lines only.
        let failedKeys = Set(checks.filter { $0.failure != nil }.map(\.key))
        let keys = ExchangeCheck.Key.allCases
        for key in keys.filter(failedKeys.contains) + keys.filter({ !failedKeys.contains($0) }) {
            let all = checks.filter { $0.key == key }
            let own = all.filter { $0.failure != nil } + all.filter { $0.failure == nil }
            guard !own.isEmpty else { continue }
            lines.append(ResponseLine(heading: key.rawValue + ":"))
            lines += own.flatMap { self.lines($0.masked(by: redaction), subjectWidth) }
        }
        return lines
    }

    private func summary(_ checks: [ExchangeCheck]) -> [Span] {
        let passed = checks.count { $0.outcome == .passed }
        let skipped = checks.count { $0.outcome == .skipped }
        let failed = checks.count - passed - skipped
        var spans = [
            Span("\(passed) passed", passed > 0 ? .success : .muted), Span(", ", .muted), Span("\(failed) failed", failed > 0 ? .error : .muted),
        ]
        if skipped > 0 { spans += [Span(", ", .muted), Span("\(skipped) not compared", .warning)] }
        return spans
    }

    /// A check: its mark and subject, and the values beside them, on further lines where they are longer.
    private func lines(_ check: ExchangeCheck, _ subjectWidth: Int) -> [ResponseLine] {
        let mark: Span =
            switch check.outcome {
            case .passed: Span("  ✓ ", .success)
            case .failed, .unresolved: Span("  ✗ ", .error)
            case .skipped: Span("  – ", .warning)
            }
        // Paths differ at their ends.
        let short =
            check.subject.contains("$")
            ? CellWidth.truncatedAtStart(check.subject, to: subjectWidth) : CellWidth.truncated(check.subject, to: subjectWidth)
        let subject = ColumnText.padded(short, to: subjectWidth) + "  "
        let text = text(of: check)
        let style: Style = check.outcome == .passed ? .text : check.outcome == .skipped ? .warning : .error
        let used = 4 + subjectWidth + 2
        let room = max(10, width - used)
        // A value that is as expected needs no further lines.
        let pieces = check.outcome == .passed ? [CellWidth.truncated(text, to: room)] : WrappedText.lines(text, width: room)
        return pieces.enumerated().map { index, piece in
            let head = index == 0 ? [mark, Span(subject, .headerName)] : [Span(String(repeating: " ", count: used))]
            return ResponseLine(head + [Span(piece, style)], copy: "\(check.subject): \(text)", name: "the check")
        }
    }

    private func text(of check: ExchangeCheck) -> String {
        guard let expected = check.expected else { return check.actual }
        switch check.outcome {
        case .passed where expected == check.actual: return check.actual
        case .skipped: return "expected \(expected), not compared: \(check.actual)"
        default: return "expected \(expected), got \(check.actual)"
        }
    }
}
