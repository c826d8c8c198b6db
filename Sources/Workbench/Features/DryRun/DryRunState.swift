internal import Model
internal import Terminal

/// The request that would be sent, in a popup.
struct DryRunPopup: Hashable, Sendable {
    var outcome: DryRunOutcome
    var target: String
    var top = 0

    /// The lines of the dry run.
    private func lines(_ redaction: Redaction) -> [DryRun.Line] {
        switch outcome {
        case .done(let dryRun): dryRun.lines(redaction: redaction)
        case .failed(let problem):
            [
                DryRun.Line(kind: .failure, name: "Nothing would be sent", rest: redaction.masked(problem.message)),
                DryRun.Line(kind: .fact, name: "where", rest: problem.location.description),
            ]
        }
    }

    /// The lines wrapped to a width.
    func lines(width: Int, redaction: Redaction) -> [[Span]] {
        lines(redaction).flatMap { line -> [[Span]] in
            let (head, style): (Span, Style) =
                switch line.kind {
                case .request: (Span(line.name + " ", HTTPMethod(line.name).map { StatusText.style(of: $0) } ?? .strong), .strong)
                case .field: (Span(line.name + ": ", .headerName), .headerValue)
                case .body: (Span(""), .text)
                case .fact: (Span(ColumnText.padded(line.name, to: 11), .info), .text)
                case .failure: (Span(line.name + ": ", .error), .error)
                }
            let used = CellWidth.width(of: head.text)
            let indent = line.kind == .fact ? used : min(used, 4)
            var column = 0
            let text = AppState.expandingTabs(line.rest, column: &column)
            let room = max(10, width - used)
            let isSentence = line.kind == .failure || line.kind == .fact && line.name != DryRun.signedName
            let pieces = isSentence ? WrappedText.lines(text, width: room) : LogRows.pieces(text, width: room)
            var rows = pieces.enumerated().map { index, piece in
                [index == 0 ? head : Span(String(repeating: " ", count: indent)), Span(piece, style)]
            }
            guard let source = line.source, let last = rows.indices.last else { return rows }
            let note = "(\(source))"
            if rows[last].reduce(0, { $0 + CellWidth.width(of: $1.text) }) + 2 + CellWidth.width(of: note) <= width {
                rows[last].append(Span("  " + note, .muted))
            } else {
                let wrapped = WrappedText.lines(note, width: max(10, width - 4))
                rows += wrapped.map { [Span("    "), Span($0, .muted)] }
            }
            return rows
        }
    }

    /// The lines as text.
    func text(redaction: Redaction) -> String { lines(redaction).map(\.text).joined(separator: "\n") }
}

extension AppState {
    /// Starts a dry run of the open endpoint.
    mutating func showDryRun() -> [Effect] {
        leaveEditing()
        guard let openTarget, let endpoint = openEndpoint else { return [] }
        // A command that gives a secret may take a while.
        let id = nextJob(.dryRun(target: openTarget))
        toast = Toast("Finding out what would be sent…", job: id)
        return [.dryRun(id, endpoint, environment: environment)]
    }

    /// The pending dry run of the open endpoint.
    var dryRunJob: JobID? {
        jobs.first { _, job in
            if case .dryRun(let target) = job { target == openTarget } else { false }
        }?.key
    }

    mutating func dryRan(_ id: JobID, _ outcome: DryRunOutcome) {
        guard case .dryRun(let target) = jobs.removeValue(forKey: id) else { return }
        guard target == openTarget, mayOpen("What would be sent") else { return }
        popup = .dryRun(DryRunPopup(outcome: outcome, target: target))
    }

    /// The dry run laid out for the current size.
    func dryRunText(_ popup: DryRunPopup) -> ReadingText {
        ReadingText(title: "What would be sent", subtitle: popup.target, lines: popup.lines(width: readingRect.width - 4, redaction: redaction))
    }
}
