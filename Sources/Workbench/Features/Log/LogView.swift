internal import SortieHTTP
internal import SortieTerminal

/// The log tab: the newest line at the bottom, with the parts of a call folded below its head line.
extension AppState {
    func drawLog(on canvas: inout Canvas, in rect: Rect) {
        guard !log.items.isEmpty else {
            canvas.writeHint(["The log is empty. Requests, decisions and responses are logged here."], in: rect)
            return
        }
        // The search field takes the last row, and must not hide the match.
        let places = logWindow(height: rect.height - (searchEntry?.place == .log ? 1 : 0))
        if places.isEmpty {
            canvas.writeHint(
                [
                    "Nothing in the log matches: \(logFilterWords.joined(separator: " · ")). \(key(.changeLogLevel)) and \(key(.chooseLogService)) change the filter."
                ], in: rect)
        }
        let search = searchTerms[.log].map { LineSearch(searchTerm: $0) }
        let selected = logTab.place == nil ? nil : logPlace
        for (offset, place) in places.enumerated() {
            let line = Rect(column: rect.column, row: rect.row + offset, width: rect.width, height: 1)
            draw(place, on: &canvas, in: line)
            if let search, search.matches(logText(place)) { canvas.restyle(line) { $0.role = .searchMatch } }
            if place == selected { canvas.select(row: line.row, in: line, isFocused: isActive(.bottom)) }
        }
        drawSearch(.log, on: &canvas, in: rect)
    }

    /// The right part of the title: the filter, whether the log follows new lines, and the number of dropped lines.
    var logTitle: [Span] {
        var pieces = logFilterWords.map { Span($0, .accent) }
        if logTab.place != nil {
            pieces.append(Span("\(keymap.bindings(in: [.panes]).first { $0.command == .move(.last) }?.keys.last?.label ?? "") follows", .muted))
        }
        if log.dropped > 0, pieces.count < 2 { pieces.append(Span("\(log.dropped) dropped", .muted)) }
        return Array(pieces.map { [$0] }.joined(separator: [Span(" · ", .muted)]))
    }

    private func logText(_ place: LogPlace) -> String {
        if let row = selectedLogRow(place) { return row.text }
        let entry = log[place.item].entry
        return redaction.masked("\(entry.source) \(entry.text)")
    }

    private func draw(_ place: LogPlace, on canvas: inout Canvas, in line: Rect) {
        if let row = selectedLogRow(place) {
            canvas.write(row.spans, at: line.origin, width: line.width)
            return
        }
        switch log[place.item] {
        case .entry(let entry):
            let isCut = isFoldable(place.item)
            let isOpen = logTab.unfolded[place.item] != nil
            canvas.write(logLine(entry, mark: isOpen ? "▾" : isCut ? "▸" : " "), at: line.origin, width: line.width)
            if isCut { canvas.write("…", at: Point(column: line.endColumn - 1, row: line.row), style: entry.level.style) }
        case .call(let call): draw(call, isOpen: logTab.unfolded[place.item] != nil, on: &canvas, in: line)
        }
    }

    /// The untruncated line of an entry; `mark` is the fold mark.
    func logLine(_ entry: LogEntry, mark: String) -> [Span] {
        head(entry.level, entry.time) + [
            Span(mark + " ", .muted), Span(entry.source.isEmpty ? "" : entry.source + "  ", .info),
            Span(redaction.masked(entry.text), entry.level.style),
        ]
    }

    private func draw(_ call: LoggedCall, isOpen: Bool, on canvas: inout Canvas, in line: Rect) {
        let short = StatusText.short(call.method)
        let spans =
            head(call.level, call.time) + [
                Span(isOpen ? "▾ " : "▸ ", .muted), Span(ColumnText.padded(short, to: 5), StatusText.style(of: call.method)), Span(call.target),
            ]
        let end = outcome(of: call)
        let width = end.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        canvas.write(spans, at: line.origin, width: max(0, line.width - width - 2))
        canvas.write(end, at: line.origin.moved(columns: max(0, line.width - width)), width: width)
    }

    /// The right part of a call's line: the outcome, the size and the duration.
    private func outcome(of call: LoggedCall) -> [Span] {
        let time = Span(ColumnText.right(NumberText.seconds(call.duration), to: 9), .muted)
        switch call.state {
        case .running: return [Span("in flight", .accent)]
        case .answered(let status, let bytes, let isFromCache):
            let size = ColumnText.right(isFromCache ? "cached" : ByteText.amount(Int64(bytes)), to: 9)
            return [Span(String(status), StatusText.style(ofStatus: status)), Span(size, isFromCache ? .info : .muted), time]
        case .failed(let word): return [Span(word, .error), time]
        case .cancelled: return [Span("cancelled", .warning), time]
        }
    }

    private func head(_ level: LogEntry.Level, _ time: Double?) -> [Span] {
        // The mark repeats the level for terminals and users without colour.
        let mark =
            switch level {
            case .debug: "·"
            case .info: " "
            case .warning: "!"
            case .error: "✗"
            }
        return [Span(ColumnText.right(time.map { NumberText.moment($0) } ?? "", to: 7) + " ", .muted), Span(mark + " ", level.style)]
    }
}
