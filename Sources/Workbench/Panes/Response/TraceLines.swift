internal import Model
internal import Terminal

/// The Trace tab: every attempt, then every decision with its moment and its reason.
struct TraceLines {
    var call: Call

    var lines: [ResponseLine] {
        var lines: [ResponseLine] = []
        if let attempts = call.exchange?.attempts, !attempts.isEmpty {
            lines.append(ResponseLine(heading: NumberText.count(attempts.count, "attempt")))
            for (index, attempt) in attempts.enumerated() { lines.append(line(attempt, number: index + 1)) }
            lines.append(ResponseLine([]))
        }
        if !call.decisions.isEmpty {
            lines.append(ResponseLine(heading: "What was decided, and why"))
            lines += call.decisions.map { decision in
                ResponseLine([
                    Span(ColumnText.right(NumberText.seconds(decision.time), to: 9) + "  ", .muted),
                    Span(ColumnText.padded(decision.subject.rawValue, to: 11), .info), Span(decision.text),
                ])
            }
        }
        if let error = call.error {
            lines += [ResponseLine([]), ResponseLine([Span(error.code.rawValue + ": ", .error), Span(error.message)])]
            if let underlying = error.underlying { lines.append(ResponseLine([Span("underneath: ", .muted), Span(underlying)])) }
        }
        return lines
    }

    private func line(_ attempt: Attempt, number: Int) -> ResponseLine {
        var spans = [
            Span("\(number)  ", .muted), Span(attempt.method.rawValue, StatusText.style(of: attempt.method)),
            Span(" \(attempt.url)"),
            Span(" → ", .muted),
        ]
        if let status = attempt.status {
            spans.append(Span(String(status), StatusText.style(ofStatus: status)))
        } else if let error = attempt.error {
            spans.append(Span("\(error.code.rawValue): \(error.message)", .error))
        } else {
            spans.append(Span("no answer", .muted))
        }
        var details: [String] = []
        if let address = attempt.address { details.append(address) }
        details.append(attempt.isConnectionReused ? "connection reused" : "new connection")
        if attempt.delay > 0 { details.append("after a wait of \(NumberText.seconds(attempt.delay))") }
        details.append(NumberText.seconds(attempt.timing.total))
        spans.append(Span("  " + details.joined(separator: " · "), .muted))
        return ResponseLine(spans, copy: attempt.url.description, name: "the URL")
    }
}
