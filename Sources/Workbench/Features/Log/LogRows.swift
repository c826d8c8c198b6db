internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A row below the head of a call.
struct LogRow: Hashable, Sendable {
    var spans: [Span]
    /// The part of the call.
    var part: Int
    /// Whether the row is the title of a block, which can be folded.
    var isBlockTitle = false

    var text: String { spans.reduce("") { $0 + $1.text } }
}

/// Lays out the rows below the head of a call.
struct LogRows {
    var call: LoggedCall
    var blocks: Set<Int>
    var width: Int
    var redaction: Redaction

    /// The width of a call's head line without its target: time, marks and method on the left, the outcome on the right.
    private static let headWidth = 48

    var rows: [LogRow] {
        var rows = call.parts.indices.flatMap { self.rows($0, call.parts[$0]) }
        if CellWidth.width(of: call.target) > width - LogRows.headWidth {
            // The head line truncates the target.
            rows =
                ColumnText.pieces(call.target, width: max(20, width - 4)).map { LogRow(spans: [Span("    "), Span($0, .strong)], part: -1) } + rows
        }
        if call.left > 0 {
            rows.append(LogRow(spans: [Span("    \(call.left) further decisions were not logged", .muted)], part: call.parts.count - 1))
        }
        if rows.isEmpty { rows.append(LogRow(spans: [Span("    no decisions yet", .muted)], part: -1)) }
        return rows
    }

    /// The complete text of an entry, wrapped.
    static func rows(of entry: LogEntry, width: Int, redaction: Redaction) -> [LogRow] {
        let indent = String(repeating: " ", count: 13)
        let text = [entry.source, redaction.masked(entry.text)].filter { !$0.isEmpty }.joined(separator: "  ")
        return WrappedText.lines(text, width: max(20, width - indent.count)).map {
            LogRow(spans: [Span(indent), Span($0, entry.level.style)], part: -1)
        }
    }

    private func rows(_ index: Int, _ part: LoggedCall.Part) -> [LogRow] {
        switch part {
        case .decision(let decision):
            return wrapped([time(decision.time), Span(ColumnText.padded(decision.subject.rawValue, to: 11), .info)], decision.text, .text, index)
        case .failure(let error):
            let error = redaction.masked(error)
            let sentence = [error.message, error.workbenchHint, error.underlying].compactMap { $0 }.joined(separator: " · ")
            return wrapped([Span(ColumnText.padded("", to: 14)), Span(StatusText.title(ofCode: error.code) + "  ", .error)], sentence, .text, index)
        case .problem(let text): return wrapped([Span(ColumnText.padded("", to: 14))], text, .error, index)
        case .block(let record): return rows(of: record, index)
        }
    }

    private func rows(of record: DebugLogRecord, _ index: Int) -> [LogRow] {
        let isOpen = blocks.contains(index)
        var title = [time(record.time), Span(isOpen ? "▾ " : "▸ ", .muted)]
        if let outcome = record.outcome {
            title.append(Span("response \(record.attempt)  ", .strong))
            if let status = outcome.status { title.append(Span("\(status)  ", StatusText.style(ofStatus: status))) }
            if let error = outcome.error { title.append(Span(StatusText.title(ofCode: error.code) + "  ", .error)) }
            title.append(Span(record.headers["Content-Type"].map { redaction.masked($0) } ?? "", .muted))
        } else {
            title.append(Span("request \(record.attempt)  ", .strong))
            title.append(Span(record.block.method.rawValue + " ", StatusText.style(of: record.block.method)))
            title.append(Span(redaction.maskedURL(record.block.fullRequest)))
        }
        var rows = [LogRow(spans: title, part: index, isBlockTitle: true)]
        guard isOpen else { return rows }
        for line in record.text(redaction: redaction).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast() {
            var column = 0
            for piece in ColumnText.pieces(ColumnText.expandingTabs(String(line), column: &column), width: max(10, width - 4)) {
                rows.append(LogRow(spans: [Span("    "), Span(piece, piece.hasPrefix("*") ? .muted : .text)], part: index))
            }
        }
        return rows
    }

    private func time(_ seconds: Double) -> Span { Span(ColumnText.right(NumberText.seconds(seconds), to: 12) + "  ", .muted) }

    private func wrapped(_ head: [Span], _ text: String, _ style: Style, _ index: Int) -> [LogRow] {
        let used = head.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        let lines = WrappedText.lines(redaction.masked(text), width: max(20, width - used))
        return lines.enumerated().map { number, line in
            LogRow(spans: (number == 0 ? head : [Span(String(repeating: " ", count: used))]) + [Span(line, style)], part: index)
        }
    }
}
