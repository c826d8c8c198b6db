internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

internal import struct FoundationEssentials.Date

/// The response tabs that are lists.
struct ResponseLines {
    private let redaction: Redaction
    private let saveKey: String
    private let recordingKey: String?
    /// The lines of the shown tab; none on Body.
    private(set) var lines: [ResponseLine] = []

    init(_ state: AppState) {
        redaction = state.redaction
        saveKey = state.key(.saveBody)
        let recording = state.keymap.bindings.first { $0.command == .named("recordSnapshot") }
        recordingKey = recording.flatMap { $0.reason(state) == nil ? state.key($0.command) : nil }
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
        case .checks:
            return call.exchange.map { CheckLines(exchange: $0, redaction: redaction, width: width, recordingKey: recordingKey).lines } ?? []
        case .trace: return TraceLines(call: call, redaction: redaction, width: width).lines
        }
    }

    private func headerLines(_ call: Call) -> [ResponseLine] {
        var lines: [ResponseLine] = []
        if let response = call.knownResponse {
            var status = ResponseLine([
                Span("HTTP/\(response.httpVersion) ", .muted),
                Span(StatusText.line(response), StatusText.style(of: response)),
            ])
            status.capturePath = "status"
            lines.append(status)
            lines += fields(redaction.masked(response.headers)).map { line in
                var line = line
                line.capturePath = "header \(line.name)"
                return line
            }
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

/// The Checks tab: each comparison of the exchange with the endpoint's file, with its outcome, the expected and the actual value.
struct CheckLines {
    var exchange: Exchange
    var redaction: Redaction
    /// The available width in cells.
    var width: Int
    /// The key that records the snapshot; nil where the body cannot be recorded.
    var recordingKey: String?

    var lines: [ResponseLine] {
        guard let checks = exchange.expectationResult?.checks, !checks.isEmpty else { return [] }
        let subjectWidth = min(max(8, width / 3), checks.reduce(0) { max($0, CellWidth.width(of: $1.subject)) })
        var lines = [ResponseLine(summary(checks))]
        // What failed comes first, because the pane may have room for a few lines only.
        func rank(_ check: ExchangeCheck) -> Int { check.failure != nil ? 0 : check.outcome == .warned ? 1 : 2 }
        let failedKeys = Set(checks.filter { rank($0) < 2 }.map(\.key.heading))
        let keys = ExchangeCheck.Key.allCases
        for key in keys.filter(failedKeys.contains) + keys.filter({ !failedKeys.contains($0) }) {
            let all = checks.filter { $0.key.heading == key }
            guard !all.isEmpty else { continue }
            lines.append(ResponseLine(heading: key.rawValue + ":"))
            for wanted in 0...2 {
                lines += all.filter { rank($0) == wanted }.flatMap { self.lines($0.masked(by: redaction), subjectWidth) }
            }
        }
        return lines
    }

    private func summary(_ checks: [ExchangeCheck]) -> [Span] {
        let passed = checks.count { $0.outcome == .passed }
        let skipped = checks.count { $0.outcome == .skipped }
        let warned = checks.count { $0.outcome == .warned }
        let failed = checks.count - passed - skipped - warned
        var spans = [
            Span("\(passed) passed", passed > 0 ? .success : .muted), Span(", ", .muted), Span("\(failed) failed", failed > 0 ? .error : .muted),
        ]
        if warned > 0 { spans += [Span(", ", .muted), Span("\(warned) warned", .warning)] }
        if skipped > 0 { spans += [Span(", ", .muted), Span("\(skipped) not compared", .warning)] }
        return spans
    }

    /// A check: its mark and subject, and the values beside them, on further lines where they are longer.
    private func lines(_ check: ExchangeCheck, _ subjectWidth: Int) -> [ResponseLine] {
        let mark: Span =
            switch check.outcome {
            case .passed: Span("  ✓ ", .success)
            case .failed, .unresolved: Span("  ✗ ", .error)
            case .warned: Span("  ! ", .warning)
            case .skipped: Span("  – ", .warning)
            }
        // Paths differ at their ends.
        let short =
            check.subject.contains("$")
            ? CellWidth.truncatedAtStart(check.subject, to: subjectWidth) : CellWidth.truncated(check.subject, to: subjectWidth)
        let subject = ColumnText.padded(short, to: subjectWidth) + "  "
        let text = text(of: check)
        let style: Style = check.outcome == .passed ? .text : [.skipped, .warned].contains(check.outcome) ? .warning : .error
        let used = 4 + subjectWidth + 2
        let room = max(10, width - used)
        // A value that is as expected needs no further lines.
        let pieces = check.outcome == .passed ? [CellWidth.truncated(text, to: room)] : WrappedText.lines(text, width: room)
        return pieces.enumerated().map { index, piece in
            let head = index == 0 ? [mark, Span(subject, .headerName)] : [Span(String(repeating: " ", count: used))]
            return ResponseLine(head + [Span(piece, style)], copy: "\(check.subject): \(text)", name: "the check")
        }
    }

    private func text(of check: ExchangeCheck) -> String {
        guard let expected = check.expected else { return check.actual }
        switch check.outcome {
        case .passed where expected == check.actual: return check.actual
        case .skipped: return "expected \(expected), not compared: \(check.actual)"
        default:
            let remedy = check.remedy.map { $0 == .missingSnapshot ? recordingKey.map { "\($0) records it" } ?? $0.workbenchText : $0.workbenchText }
            return ["expected \(expected), got \(check.actual)", remedy].compactMap(\.self).joined(separator: "; ")
        }
    }
}

extension ExchangeCheck.Key {
    /// The key of the file under which the checks are listed; conditions of acceptance are a part of `expect:`.
    fileprivate var heading: ExchangeCheck.Key { self == .answer ? .expect : self }
}

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

/// The Timing tab: a waterfall of the phases, then the facts about the connection and the sizes.
struct TimingLines {
    var exchange: Exchange
    var width: Int

    var lines: [ResponseLine] {
        let timing = exchange.timing
        let phases = timing.phases
        let start = phases.first?.start ?? 0
        let span = max(timing.total, phases.last.map { $0.start + $0.duration } ?? 0) - start
        var lines = phases.map { line($0.name, $0.start - start, $0.duration, of: span, bar: Self.style(of: $0.step)) }
        lines.append(line("Total", 0, span, of: span, style: .strong))
        lines.append(ResponseLine([]))
        if let response = exchange.response {
            let address = response.remoteAddress ?? "an unknown address"
            let reuse = exchange.attempts.last?.isConnectionReused == true ? ", connection reused" : ", new connection"
            lines.append(
                fact("Server", response.isFromCache ? "from the cache" : address + reuse + ", HTTP/\(response.httpVersion)"))
            let wire = response.wireBytes
            // The body of a WebSocket connection is a record of its messages.
            let decoded = response.isWebSocket ? wire : Int64(response.body.count)
            let size =
                decoded == wire || wire == 0
                ? ByteText.amount(decoded) : "\(ByteText.amount(wire)) on the wire, \(ByteText.amount(decoded)) decoded"
            lines.append(fact("Received", size + rate(wire, timing.total - timing.firstByte)))
        }
        if exchange.sentBodyBytes > 0 { lines.append(fact("Sent", ByteText.amount(exchange.sentBodyBytes))) }
        if exchange.attempts.count > 1 {
            lines.append(fact("Attempts", "\(exchange.attempts.count); see Trace"))
            lines.append(fact("Whole call", NumberText.seconds(exchange.duration)))
        }
        return lines
    }

    private func rate(_ bytes: Int64, _ seconds: Double) -> String {
        bytes > 100_000 && seconds > 0 ? " at " + ByteText.rate(Double(bytes) / seconds) : ""
    }

    private func fact(_ name: String, _ text: String) -> ResponseLine {
        ResponseLine([Span(ColumnText.padded(name, to: 12), .muted), Span(text)], copy: text, name: name)
    }

    private func line(
        _ name: String, _ start: Double, _ duration: Double, of span: Double, style: Style = .text, bar colour: Style = .progressFill
    ) -> ResponseLine {
        let time = NumberText.seconds(duration)
        let room = (width - 12 - 10 - 1).clamped(to: 0...100)
        var offset = span > 0 ? Int(start / span * Double(room)) : 0
        offset = offset.clamped(to: 0...max(0, room - 1))
        let length = span > 0 ? Int((duration / span * Double(room)).rounded()) : 0
        let bar = String(repeating: "█", count: room == 0 ? 0 : max(1, length).clamped(to: 1...max(1, room - offset)))
        return ResponseLine(
            [
                Span(ColumnText.padded(name, to: 12), style), Span(ColumnText.right(time, to: 9) + "  ", style),
                Span(String(repeating: " ", count: offset)), Span(bar, colour),
            ], copy: time, name: name)
    }

    private static func style(of step: Timing.Phase.Step) -> Style {
        switch step {
        case .queued: .muted
        case .nameLookup: .phaseNameLookup
        case .connect: .phaseConnect
        case .tls: .phaseTLS
        case .send, .receive: .phaseReceive
        case .waiting: .phaseWait
        }
    }
}

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
            lines.append(ResponseLine(heading: ItemCount.text(attempts.count, "attempt")))
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

/// The Value tab: what the envelope, the format or the reformer of the endpoint made of the body, as JSON.
struct ValueLines {
    var exchange: Exchange
    var redaction: Redaction
    /// The key that saves the body.
    var saveKey: String

    /// The size of a body from which the value is not laid out, because that happens whenever the tab is drawn.
    private static let largest = 256 << 10

    var lines: [ResponseLine] {
        guard let value = exchange.value else { return [] }
        guard (exchange.response?.body.count ?? 0) <= Self.largest else {
            let limit = ByteText.amount(Int64(Self.largest))
            return [ResponseLine([Span("The value of a body above \(limit) is not shown; \(saveKey) saves the body.", .muted)])]
        }
        let text = redaction.maskedBody(value.text, contentType: "application/json")
        return (JSONText.pretty(text) ?? text).split(separator: "\n").map { ResponseLine([Span(String($0))], copy: String($0)) }
    }
}
