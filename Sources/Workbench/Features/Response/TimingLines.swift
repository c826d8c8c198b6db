internal import SortieHTTP
internal import SortieTerminal

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
            let decoded = Int64(response.body.count)
            let wire = response.wireBytes
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
