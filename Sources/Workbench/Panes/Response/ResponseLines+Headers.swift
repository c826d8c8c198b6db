internal import Model
internal import Terminal

/// The Headers and the Cookies tab as lines.
extension AppState {
    /// The lines of the shown tab; none on Body.
    var responseLines: [ResponseLine] {
        guard let call = openCall else { return [] }
        let width = responseListRect.width
        switch responseState.tab {
        case .body: return []
        case .headers: return headerLines(call)
        case .cookies: return call.knownResponse.map { CookieLines(headers: $0.headers, isMasked: redaction.isSecret("Set-Cookie")).lines } ?? []
        case .timing: return call.exchange.map { TimingLines(exchange: $0, width: width).lines } ?? []
        case .trace: return TraceLines(call: call, redaction: redaction, width: width).lines
        }
    }

    private func headerLines(_ call: Call) -> [ResponseLine] {
        var lines: [ResponseLine] = []
        if let response = call.knownResponse {
            lines.append(
                ResponseLine([
                    Span("HTTP/\(response.httpVersion) ", .muted),
                    Span(StatusText.line(response), StatusText.style(ofStatus: response.status)),
                ]))
            lines += fields(redaction.masked(response.headers))
            if !response.trailers.fields.isEmpty {
                lines += [ResponseLine(heading: "Trailers")] + fields(redaction.masked(response.trailers))
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

/// Cookies as a response sets them (RFC 6265 §4.1), to look at; what is kept of them is decided elsewhere.
struct CookieLines {
    var headers: Headers
    /// Whether values are hidden, which are as good as passwords.
    var isMasked = false

    var lines: [ResponseLine] {
        headers.values(of: "Set-Cookie").map { value in
            let parts = value.split(separator: ";", omittingEmptySubsequences: true)
            let pair = parts.first.map { CookieLines.trimmed($0) } ?? ""
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = String(pair[..<equals])
            let content = equals < pair.endIndex ? isMasked ? HeaderField.mask : String(pair[pair.index(after: equals)...]) : ""
            let attributes = parts.dropFirst().map { CookieLines.trimmed($0) }
            var spans = [Span(name, .headerName), Span(" = ", .muted), Span(content, .headerValue)]
            for attribute in attributes { spans += [Span("  "), Span(attribute, .muted)] }
            return ResponseLine(spans, copy: content, name: name)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        return String(text).trimmingEnd
    }
}
