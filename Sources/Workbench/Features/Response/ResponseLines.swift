internal import SortieHTTP
internal import SortieTerminal

/// The response tabs that are lists.
struct ResponseLines {
    private let redaction: Redaction
    private let saveKey: String
    /// The lines of the shown tab; none on Body.
    private(set) var lines: [ResponseLine] = []

    init(_ state: AppState) {
        redaction = state.redaction
        saveKey = state.key(.saveBody)
        guard let call = state.openCall else { return }
        lines = lines(of: call, state.responseState.tab, width: ResponseView.listRect(state.layout).width)
    }

    private func lines(of call: Call, _ tab: ResponseTab, width: Int) -> [ResponseLine] {
        switch tab {
        case .body: return []
        case .headers: return headerLines(call)
        case .cookies: return CookieLines(call: call, width: width, isMasked: redaction.isSecret("Set-Cookie")).lines
        case .timing: return call.exchange.map { TimingLines(exchange: $0, width: width).lines } ?? []
        case .value: return call.exchange.map { ValueLines(exchange: $0, redaction: redaction, saveKey: saveKey).lines } ?? []
        case .checks: return call.exchange.map { CheckLines(exchange: $0, redaction: redaction, width: width).lines } ?? []
        case .trace: return TraceLines(call: call, redaction: redaction, width: width).lines
        }
    }

    private func headerLines(_ call: Call) -> [ResponseLine] {
        var lines: [ResponseLine] = []
        if let response = call.knownResponse {
            lines.append(
                ResponseLine([
                    Span("HTTP/\(response.httpVersion) ", .muted),
                    Span(StatusText.line(response), StatusText.style(of: response)),
                ]))
            lines += fields(redaction.masked(response.headers))
            if !response.trailers.fields.isEmpty {
                lines += [ResponseLine(heading: "Trailers")] + fields(redaction.masked(response.trailers))
            }
            for early in response.informational {
                let status = [String(early.status), redaction.masked(early.reason)].filter { !$0.isEmpty }.joined(separator: " ")
                lines += [ResponseLine(heading: "Before: \(status)")] + fields(redaction.masked(early.headers))
            }
        }
        if let exchange = call.exchange, !exchange.sentHeaders.fields.isEmpty {
            if !lines.isEmpty { lines.append(ResponseLine([])) }
            lines.append(ResponseLine(heading: "Sent: \(exchange.request.method) \(redaction.maskedURL(exchange.request.url.requestTarget))"))
            lines += fields(redaction.masked(exchange.sentHeaders))
        }
        return lines
    }

    private func fields(_ headers: Headers) -> [ResponseLine] {
        headers.fields.map {
            ResponseLine(
                [Span($0.name, .headerName), Span(": ", .muted), Span($0.value, .headerValue)], copy: $0.value, name: $0.name)
        }
    }
}
