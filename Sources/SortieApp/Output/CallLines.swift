internal import SortieHTTP

/// Formats the lines that `-v` prints about a call: one block for each attempt with `>` and `<`, as curl does, and the decisions between them.
struct CallLines {
    let redaction: Redaction

    /// The lines of an event; empty for events that are not displayed.
    func lines(of event: CallEvent) -> [String] {
        switch event {
        case .decided(let decision): [redaction.masked("* \(decision.subject.rawValue): \(decision.text)")]
        case .logged(let record): CallLines(redaction: record.learned(redaction)).lines(of: record)
        case .finished(let exchange):
            // A response of the cache belongs to no attempt.
            exchange.attempts.isEmpty ? CallLines(redaction: redaction.learning(from: exchange)).lines(of: exchange.response) : []
        case .signalled(.authExpired(let text)): [redaction.masked("* auth: the login has expired: \(text)")]
        case .progressed, .queued, .responded, .grew, .retrying, .parked, .signalled: []
        }
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
