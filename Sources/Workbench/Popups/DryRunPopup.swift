internal import Model
internal import Terminal

/// What would be sent, over the panes, to scroll through and to copy.
struct DryRunPopup: Hashable, Sendable {
    var outcome: DryRunOutcome
    var target: String
    var top = 0

    /// What is shown, line by line.
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

    /// The lines for a width, each with what stands before it and what it says.
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
            return pieces.enumerated().map { index, piece in
                [index == 0 ? head : Span(String(repeating: " ", count: indent)), Span(piece, style)]
            }
        }
    }

    /// The same as text.
    func text(redaction: Redaction) -> String { lines(redaction).map(\.text).joined(separator: "\n") }
}

extension AppState {
    /// Has it found out what the open endpoint would send.
    mutating func showDryRun() -> [Effect] {
        leaveEditing()
        guard let openTarget, let endpoint = openEndpoint else { return [] }
        // A name may take a while to be looked up.
        toast = Toast("Finding out what would be sent…")
        return [.dryRun(nextJob(.dryRun(target: openTarget)), endpoint, environment: environment)]
    }

    mutating func dryRan(_ id: JobID, _ outcome: DryRunOutcome) {
        guard case .dryRun(let target) = jobs.removeValue(forKey: id) else { return }
        // Who has gone on to something else is not interrupted.
        guard popup == nil, searchEntry == nil, editing == nil, target == openTarget else { return }
        toast = nil
        popup = .dryRun(DryRunPopup(outcome: outcome, target: target))
    }

    private var dryRunRect: Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        return whole.inset(columns: min(4, whole.width / 20), rows: min(2, whole.height / 12))
    }

    private func dryRunLines(_ popup: DryRunPopup) -> [[Span]] { popup.lines(width: dryRunRect.width - 4, redaction: redaction) }

    func drawDryRun(_ popup: DryRunPopup, on canvas: inout Canvas) {
        let rect = dryRunRect
        canvas.fill(rect, style: .overlay)
        let lines = dryRunLines(popup)
        let inner = rect.inset(columns: 2, rows: 1)
        let top = Window.limited(popup.top, count: lines.count, height: inner.height)
        var trailing = [Span("y", .key), Span(" copies  ", .muted), Span("Esc", .key), Span(" closes", .muted)]
        if lines.count > inner.height { trailing.append(Span("  \(min(lines.count, top + inner.height))/\(lines.count)", .muted)) }
        canvas.box(
            rect, title: [Span("What would be sent", .titleFocused), Span("  " + popup.target, .muted)], trailing: trailing, style: .borderFocused)
        for offset in 0..<max(0, inner.height) where top + offset < lines.count {
            canvas.write(lines[top + offset], at: Point(column: inner.column, row: inner.row + offset), width: inner.width)
        }
    }

    mutating func moveInDryRun(_ popup: DryRunPopup, _ movement: Movement) {
        let height = dryRunRect.height - 2
        let lastTop = max(0, dryRunLines(popup).count - height)
        var popup = popup
        popup.top = movement.target(from: min(popup.top, lastTop), count: lastTop + 1, page: height)
        self.popup = .dryRun(popup)
    }
}
