internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The Trace tab: the attempts with their results, and the decisions in order with their times and reasons.
struct TraceLines {
    var call: Call
    var redaction: Redaction
    /// The available width in cells.
    var width: Int

    var lines: [ResponseLine] {
        var lines: [ResponseLine] = []
        if let exchange = call.exchange { lines += summary(exchange) }
        if let attempts = call.exchange?.attempts, !attempts.isEmpty {
            lines.append(ResponseLine(heading: NumberText.count(attempts.count, "attempt")))
            for (index, attempt) in attempts.enumerated() { lines += self.lines(attempt, number: index + 1) }
            lines.append(ResponseLine([]))
        }
        if !call.decisions.isEmpty {
            lines.append(ResponseLine(heading: "Decisions"))
            lines += call.decisions.flatMap { self.lines($0) }
        }
        if let error = call.error.map({ redaction.masked($0) }) {
            lines.append(ResponseLine([]))
            lines += wrapped([Span(StatusText.title(ofCode: error.code) + ": ", .error)], error.message, .text, indent: 2)
            if let hint = error.workbenchHint { lines += wrapped([Span("  ")], hint, .muted, indent: 2) }
            if let underlying = error.underlying { lines += wrapped([Span("  underneath: ", .muted)], underlying, .muted, indent: 2) }
        }
        return lines
    }

    /// The notice of a response from the cache, for which there is no attempt.
    private func summary(_ exchange: Exchange) -> [ResponseLine] {
        guard exchange.attempts.isEmpty, exchange.response?.isFromCache == true else { return [] }
        return [ResponseLine([Span("Nothing was sent: ", .info), Span("the response came from the cache.")]), ResponseLine([])]
    }

    private func lines(_ decision: Decision) -> [ResponseLine] {
        let head = [
            Span(ColumnText.right(NumberText.seconds(decision.time), to: 8) + "  ", .muted),
            Span(ColumnText.padded(decision.subject.rawValue, to: 11), .info),
        ]
        return wrapped(head, redaction.masked(decision.text), .text, indent: 21)
    }

    private func lines(_ attempt: Attempt, number: Int) -> [ResponseLine] {
        var head = [Span(ColumnText.right(String(number), to: 2) + "  ", .muted)]
        if let status = attempt.status {
            head.append(Span(String(status), StatusText.style(ofStatus: status)))
        } else if let error = attempt.error {
            head.append(Span(StatusText.title(ofCode: error.code), .error))
        } else {
            head.append(Span("no response", .muted))
        }
        head += [Span("  " + attempt.method.rawValue, StatusText.style(of: attempt.method)), Span(" ")]
        let url = redaction.maskedURL(attempt.url.description)
        var lines = wrapped(head, url, .text, indent: 9, copy: url, name: "the URL")
        lines += wrapped([Span("    ")], details(attempt).joined(separator: " · "), .muted, indent: 4)
        for (index, certificate) in attempt.certificates.enumerated() {
            let text = redaction.masked(certificate.text)
            lines += wrapped(
                [Span(index == 0 ? "    certificate " : "    issuer ", .muted)], text, .text, indent: 6, copy: certificate.pin, name: "the pin")
        }
        if let error = attempt.error { lines += wrapped([Span("    ")], redaction.masked(error.message), .error, indent: 4) }
        return lines
    }

    /// The address, the connection and the durations of an attempt.
    private func details(_ attempt: Attempt) -> [String] {
        var details: [String] = []
        if attempt.delay > 0 { details.append("after a wait of \(NumberText.seconds(attempt.delay))") }
        if let address = attempt.address {
            details.append("to \(address)")
            details.append(attempt.isConnectionReused ? "connection reused" : "new connection")
        }
        let phases = attempt.timing.phases.map { "\($0.name.lowercased()) \(NumberText.seconds($0.duration))" }
        let areShown = phases.count > 1 || attempt.timing.queued > 0
        if areShown { details += phases }
        details.append("\(areShown ? "total " : "")\(NumberText.seconds(attempt.timing.total))")
        return details
    }

    /// Wraps a text after a head.
    ///
    /// All of its lines copy the same text.
    private func wrapped(
        _ head: [Span], _ text: String, _ style: Style, indent: Int, copy: String? = nil, name: String = "the line"
    ) -> [ResponseLine] {
        let used = head.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        let whole = copy ?? (head.map(\.text).joined() + text)
        var rest = WrappedText.lines(text, width: max(20, width - used))[...]
        var lines = [ResponseLine(head + [Span(rest.popFirst() ?? "", style)], copy: whole, name: name)]
        // Further lines start at their own column, so they have another width.
        let following = WrappedText.lines(rest.joined(separator: " "), width: max(20, width - indent))
        if !rest.isEmpty {
            lines += following.map { ResponseLine([Span(String(repeating: " ", count: indent)), Span($0, style)], copy: whole, name: name) }
        }
        return lines
    }
}
