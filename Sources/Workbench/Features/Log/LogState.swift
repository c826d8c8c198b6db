internal import Model
internal import Terminal

/// A position in the log: an item and a row of it, 0 for its head.
struct LogPlace: Hashable, Sendable {
    var item: Int
    var row = 0
}

/// A filter of the log.
struct LogFilter: Hashable, Sendable {
    /// The folder of a service, empty for items without a service; nil for all.
    var service: String?
    /// The lowest level that is shown.
    var level = LogEntry.Level.debug

    var isOn: Bool { service != nil || level != .debug }

    /// - Parameter services: The folders of all services.
    func shows(_ item: Log.Item, services: Set<String>) -> Bool {
        guard item.level >= level else { return false }
        guard let service else { return true }
        return service.isEmpty ? !services.contains(item.service) : item.service == service
    }

    /// The filter as text for the title and for prompts, such as `Shop` and `warnings, errors`.
    func words(_ name: (String) -> String) -> [String] {
        var words: [String] = []
        if let service { words.append(service.isEmpty ? "Sortie" : name(service)) }
        switch level {
        case .debug: break
        case .info: words.append("no debug")
        case .warning: words.append("warnings, errors")
        case .error: words.append("errors")
        }
        return words
    }
}

/// The state of the log tab.
struct LogView: Hashable, Sendable {
    /// An unfolded item.
    struct Unfolded: Hashable, Sendable {
        /// The parts whose blocks are unfolded.
        var blocks: Set<Int> = []
        /// The rows below the head, which are computed on changes instead of on drawing.
        var rows: [LogRow] = []
    }

    /// The selected row; nil follows the newest item.
    var place: LogPlace?
    var filter = LogFilter()
    /// The unfolded items by number.
    var unfolded: [Int: Unfolded] = [:]
}

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
            rows = LogRows.pieces(call.target, width: max(20, width - 4)).map { LogRow(spans: [Span("    "), Span($0, .strong)], part: -1) } + rows
        }
        if call.left > 0 {
            rows.append(LogRow(spans: [Span("    \(call.left) further decisions were not kept", .muted)], part: call.parts.count - 1))
        }
        if rows.isEmpty { rows.append(LogRow(spans: [Span("    nothing was decided yet", .muted)], part: -1)) }
        return rows
    }

    /// The complete text of an entry, wrapped.
    static func rows(of entry: LogEntry, width: Int, redaction: Redaction) -> [LogRow] {
        let indent = String(repeating: " ", count: 12)
        let text = [entry.source, redaction.masked(entry.text)].filter { !$0.isEmpty }.joined(separator: "  ")
        return WrappedText.lines(text, width: max(20, width - indent.count)).map {
            LogRow(spans: [Span(indent), Span($0, AppState.style(of: entry.level))], part: -1)
        }
    }

    private func rows(_ index: Int, _ part: LoggedCall.Part) -> [LogRow] {
        switch part {
        case .decision(let decision):
            return wrapped([time(decision.time), Span(ColumnText.padded(decision.subject.rawValue, to: 11), .info)], decision.text, .text, index)
        case .failure(let error):
            let error = redaction.masked(error)
            let sentence = [error.message, error.hint, error.underlying].compactMap { $0 }.joined(separator: " · ")
            return wrapped([Span(ColumnText.padded("", to: 14)), Span(error.code.rawValue + "  ", .error)], sentence, .text, index)
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
            if let error = outcome.error { title.append(Span(error.code.rawValue + "  ", .error)) }
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
            for piece in LogRows.pieces(AppState.expandingTabs(String(line), column: &column), width: max(10, width - 4)) {
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

    /// Splits a line into pieces that fit.
    static func pieces(_ line: String, width: Int) -> [String] {
        guard CellWidth.width(of: line) > width else { return [line] }
        var pieces: [String] = []
        var rest = line[...]
        while !rest.isEmpty {
            let fitting = CellWidth.prefix(of: rest, fitting: width)
            // A wide character does not fit into a single cell; it is drawn truncated.
            let piece = fitting.isEmpty ? rest.prefix(1) : rest.prefix(fitting.count)
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
