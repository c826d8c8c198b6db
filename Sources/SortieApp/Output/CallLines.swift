internal import SortieHTTP
internal import SortieTerminal

/// Formats the lines that `-v` prints about a call: one block for each attempt with `>` and `<`, as curl does, and the decisions between them.
struct CallLines {
    let redaction: Redaction

    /// The lines of an event; empty for events that are not displayed.
    func lines(of event: CallEvent) -> [String] {
        switch event {
        case .decided(let decision): [redaction.masked("* \(decision.subject.rawValue): \(decision.text)")]
        case .reported(let report): lines(of: report)
        case .finished(let exchange):
            // A response of the cache belongs to no attempt.
            exchange.attempts.isEmpty
                ? CallLines(redaction: redaction.learning(from: exchange)).lines(of: exchange.response) : lines(of: exchange.timing)
        case .progressed, .changed, .responded, .grew, .parked: []
        }
    }

    /// The phases of the last attempt, by the names that the tab Timing has; none for an attempt that was not started.
    private func lines(of timing: Timing) -> [String] {
        let phases = timing.phases.map { "\($0.name.lowercased()) \(TimeSpan($0.duration).text)" }
        return phases.isEmpty ? [] : ["* time: " + (phases + ["total \(TimeSpan(timing.total).text)"]).joined(separator: ", ")]
    }

    private func lines(of report: CallReport) -> [String] {
        if let record = report.record { return CallLines(redaction: record.learned(redaction)).lines(of: record) }
        guard case .authExpired(let text) = report.signal else { return [] }
        return [redaction.masked("* auth: the login has expired: \(text)")]
    }

    /// The request of an attempt before it is sent, or its response after its end.
    private func lines(of record: DebugLogRecord) -> [String] {
        guard let outcome = record.outcome else { return lines(of: record.block, record.headers) }
        return (outcome.repeatedHeaders.map { lines(of: record.block, $0) } ?? []) + lines(of: outcome.response)
    }

    private func lines(of block: DebugLogBlock, _ headers: Headers) -> [String] {
        let line = redaction.masked("> \(block.method) \(redaction.maskedURL(block.fullRequest))")
        return [line] + lines(of: headers, ">")
    }

    private func lines(of response: Response?) -> [String] {
        guard let response else { return [] }
        let line = redaction.masked("< HTTP/\(response.httpVersion) \(response.status) \(response.reason)")
        return [line] + lines(of: response.headers, "<") + lines(of: response.trailers, "<")
    }

    private func lines(of headers: Headers, _ mark: String) -> [String] {
        redaction.masked(headers).fields.map { redaction.masked("\(mark) \($0.name): \($0.value)") }
    }
}

/// Writes blocks of the debug log to stderr.
enum DebugBlock {
    /// Writes a block and removes a displayed progress line.
    ///
    /// Its lines are indented, so that a line of a body cannot look like one of the program's own lines.
    static func write(_ text: String, to errors: StandardError) {
        if errors.takesControlSequences { errors.raw("\r\u{1b}[K") }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast() { errors.line("  \(line)") }
    }
}

/// Lines for stdout in which external text cannot control a terminal, change its writing direction, or look like another line.
///
/// This also applies in a pipe, because its content is displayed sooner or later. Bodies are not lines and are written exactly.
enum VisibleLine {
    static func of(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in VisibleText.of(text).unicodeScalars { line.append(scalar == "\n" ? "␊" : scalar) }
        return String(line)
    }
}
