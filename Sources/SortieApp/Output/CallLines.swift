internal import SortieHTTP

/// Formats the lines that `-v` prints about a call.
struct CallLines {
    let redaction: Redaction
    /// Whether the blocks of the debug log are included; false where the plugin debugLog prints them.
    let showsBlocks: Bool

    /// The lines of an event; empty for events that are not displayed.
    func lines(of event: CallEvent) -> [String] {
        switch event {
        case .decided(let decision): [redaction.masked("* \(decision.subject.rawValue): \(decision.text)")]
        case .logged(let record): showsBlocks ? DebugBlock.lines(redaction.masked(record.text(redaction: redaction))) : []
        case .finished(let exchange):
            CallLines(redaction: redaction.learning(from: exchange), showsBlocks: showsBlocks).masked(exchange)
        case .signalled(.authExpired(let text)): [redaction.masked("* auth: the login has expired: \(text)")]
        case .progressed, .queued, .responded, .grew, .retrying, .parked, .signalled: []
        }
    }

    private func masked(_ exchange: Exchange) -> [String] { lines(of: exchange).map { redaction.masked($0) } }

    private func lines(of exchange: Exchange) -> [String] {
        var lines = ["> \(exchange.request.method) \(exchange.attempts.last?.url ?? exchange.request.url)"]
        lines += redaction.masked(exchange.sentHeaders).fields.map { "> \($0.name): \($0.value)" }
        guard let response = exchange.response else { return lines }
        lines.append("< HTTP/\(response.httpVersion) \(response.status) \(response.reason)")
        return lines + redaction.masked(response.headers).fields.map { "< \($0.name): \($0.value)" }
    }
}
