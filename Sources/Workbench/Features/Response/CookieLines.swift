internal import SortieHTTP
internal import SortieTerminal

internal import struct FoundationEssentials.Date

/// The Cookies tab: the cookies that the responses of a call set and how they were processed, then the cookies that were sent.
struct CookieLines {
    var call: Call
    var width: Int
    /// Whether values are masked, because they are credentials.
    var isMasked = false

    var lines: [ResponseLine] {
        guard let exchange = call.exchange else { return announced }
        guard exchange.request.options.usesCookies else {
            let note = ResponseLine([Span("The request uses no cookies: none are sent or stored.", .muted)])
            return announced.isEmpty ? [note] : [note, ResponseLine([])] + announced
        }
        let attempts = exchange.attempts
        let sent = attempts.flatMap { attempt in attempt.sentCookies.map { (attempt, $0) } }
        let set = attempts.flatMap { attempt in attempt.setCookies.map { (attempt, $0) } }
        var lines: [ResponseLine] = []
        if !set.isEmpty {
            lines.append(ResponseLine(heading: "Set"))
            for (attempt, decision) in set {
                lines += self.lines(of: decision, since: exchange.startedAt, place: attempts.count > 1 ? attempt.url.requestTarget : nil)
            }
        }
        if !sent.isEmpty {
            if !lines.isEmpty { lines.append(ResponseLine([])) }
            lines.append(ResponseLine(heading: "Sent"))
            for (attempt, cookie) in sent {
                lines.append(line(cookie, note: attempts.count > 1 ? "to \(attempt.url.requestTarget)" : "to \(cookie.domain)\(cookie.path)"))
            }
        }
        // The cookies of a cached response were processed when it was received.
        return lines.isEmpty ? announced : lines
    }

    /// The cookies that the response sets, before they are processed.
    private var announced: [ResponseLine] {
        guard let headers = call.knownResponse?.headers else { return [] }
        return headers.values(of: "Set-Cookie").map { field in
            var jar = Cookies()
            let url = call.exchange?.request.url ?? HTTPURL(scheme: .https, host: "localhost")
            let decision = jar.take(field, from: url, at: Date(timeIntervalSince1970: 0))
            return decision.cookie.map { line($0, note: nil) } ?? ResponseLine([Span(decision.name, .headerName)])
        }
    }

    private func lines(of decision: CookieDecision, since start: Date, place: String?) -> [ResponseLine] {
        let by = place.map { "by \($0)" }
        let first = decision.cookie.map { line($0, note: by) } ?? ResponseLine([Span(decision.name, .headerName)])
        switch decision.outcome {
        case .refused(let reason): return [first] + details("refused: \(reason)", .warning)
        case .deleted: return [first] + details("deleted: it has expired")
        case .expired: return [first] + details("not stored: it has expired")
        case .stored, .replaced:
            guard let cookie = decision.cookie else { return [first] }
            return [first] + details((decision.outcome == .stored ? "stored" : "replaced") + " · " + CookieWords.text(of: cookie, at: start))
        }
    }

    private func line(_ cookie: Cookie, note: String?) -> ResponseLine {
        let value = isMasked && !cookie.value.isEmpty ? HeaderField.mask : cookie.value
        var spans = [Span(cookie.name, .headerName), Span(" = ", .muted), Span(value, .headerValue)]
        if let note { spans.append(Span("  " + note, .muted)) }
        return ResponseLine(spans, copy: value, name: "the value of \(cookie.name)")
    }

    private func details(_ text: String, _ style: Style = .muted) -> [ResponseLine] {
        WrappedText.lines(text, width: max(10, width - 2)).map { ResponseLine([Span("  " + $0, style)]) }
    }
}
