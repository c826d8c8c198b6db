internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// The result of a bench as lines of text.
struct BenchText {
    let result: BenchResult
    /// The request line and, for an endpoint, its name and environment.
    let subject: String
    let redaction: Redaction

    private static let barWidth = 40
    /// The width of the names of lines.
    private static let nameWidth = 12

    /// The lines, without control characters.
    var lines: [String] {
        var lines = [subject, total, model]
        if result.notStarted > 0 {
            lines.append(
                "not started in time, and not in the latencies: \(result.notStarted) of the intended calls; the rate is too high for the server, or "
                    + "for -c \(result.plan.concurrency)")
        }
        lines += latencies + distribution
        let tally = result.tally
        lines += ["", named("statuses", statuses)]
        for (index, reason) in result.reasons.enumerated() {
            lines.append(named(index == 0 ? "failures" : "", "\(reason.name) × \(reason.failures.count): \(reason.failures.first.message)"))
        }
        let rate = result.duration > 0 ? Double(tally.bytesReceived) / result.duration : 0
        lines.append(
            named(
                "bodies",
                "\(ByteCount(tally.bytesReceived).text) received (\(ByteCount(Int64(rate)).text)/s), \(ByteCount(tally.bytesSent).text) sent"))
        lines.append(
            named(
                "connections",
                "\(tally.connectionsOpened) opened, \(tally.connectionsReused) reused; there is no warm-up: opening them is in the latencies"))
        if tally.attempts > tally.calls { lines.append(named("attempts", "\(tally.attempts), with retries and redirects")) }
        return lines.map { VisibleLine.of(redaction.masked($0)) }
    }

    /// The statuses and their counts.
    ///
    /// The calls of gRPC have their own statuses, beside which the usual status of HTTP says nothing.
    private var statuses: String {
        let isGRPC = !result.grpcStatuses.isEmpty
        let grpc = result.grpcStatuses.map { "\($0.status.name) × \($0.count)" }
        let withGRPC = result.grpcStatuses.reduce(0) { $0 + $1.count }
        let http = result.statuses.compactMap { status, count -> String? in
            guard isGRPC else { return "\(status) × \(count)" }
            // A proxy may respond with 200 and without a status of gRPC.
            let rest = status == 200 ? count - withGRPC : count
            return rest > 0 ? "HTTP \(status) × \(rest)" : nil
        }
        return grpc.isEmpty && http.isEmpty ? "none" : (grpc + http).joined(separator: ", ")
    }

    private var total: String {
        let (tally, plan) = (result.tally, result.plan)
        let calls = "\(tally.calls) \(tally.calls == 1 ? "call" : "calls") in \(Self.time(result.duration)), up to \(plan.concurrency) at a time"
        let cancelled = tally.cancelled > 0 ? ", \(tally.cancelled) interrupted" : ""
        return "\(calls): \(Self.number(result.callsPerSecond)) calls/s, \(tally.failed) failed\(cancelled)"
    }

    private var model: String {
        guard let rate = result.plan.rate else {
            return
                "closed loop: a call starts when another one has ended, so that a stall delays calls that are then not measured; --rate corrects this"
        }
        return "\(Self.number(rate)) intended calls/s: latencies are counted from the intended starts, corrected for coordinated omission"
    }

    private var latencies: [String] {
        guard let latency = LatencySummary(result.tally.latencies) else { return [] }
        let uncorrected = LatencySummary(result.tally.serviceTimes)
        let column = max(10, latency.values.map { Self.time($0.seconds).count }.max() ?? 0)
        var lines = ["", "latency" + (uncorrected == nil ? "" : " (beside it the time since the call really started)")]
        for (index, value) in latency.values.enumerated() {
            let time = Self.time(value.seconds)
            var line = "  " + value.name.padded(to: 6) + String(repeating: " ", count: column - time.count) + time
            if let other = uncorrected?.values[index] {
                let time = Self.time(other.seconds)
                line += String(repeating: " ", count: max(1, column + 2 - time.count)) + time
            }
            lines.append(line)
        }
        return lines
    }

    private var distribution: [String] {
        let bars = LatencyBars(result.tally.latencies).bars
        guard let most = bars.map(\.count).max(), most > 0 else { return [] }
        let ranges = bars.map { "\(Self.time(Double($0.from) / 1e9)) – \(Self.time(Double($0.to) / 1e9))" }
        let width = ranges.map(\.count).max() ?? 0
        let rows = zip(bars, ranges).map { bar, range in
            let share = Double(bar.count) / Double(most)
            // An interval with few calls is still visible.
            let cells = bar.count == 0 ? 0 : max(1, Int((share * Double(Self.barWidth)).rounded()))
            let drawn = String(repeating: "█", count: cells)
            return "  " + String(repeating: " ", count: width - range.count) + range + "  " + drawn.padded(to: Self.barWidth) + "  \(bar.count)"
        }
        return ["", "distribution"] + rows
    }

    private func named(_ name: String, _ text: String) -> String { name.padded(to: Self.nameWidth) + text }

    /// A time with three digits and its unit.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.0009995: "\(digits(seconds * 1e6)) µs"
        case ..<0.9995: "\(digits(seconds * 1e3)) ms"
        default: "\(digits(seconds)) s"
        }
    }

    /// A number with at least three digits, and without a fraction of zero.
    static func number(_ value: Double) -> String {
        let text = digits(value)
        return text.contains(".") && text.hasSuffix("0") ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
    }

    private static func digits(_ value: Double) -> String {
        let places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return FixedPoint.text(value, digits: places)
    }
}

/// Reports a bench on stderr while it runs, on a terminal.
struct BenchProgressLine {
    private static let interval = Duration.milliseconds(200)

    /// Displays the progress until the task is cancelled.
    static func show(_ run: BenchRun, output: OutputOptions, errors: StandardError) async {
        guard errors.takesControlSequences, !output.json else { return }
        let line = TransferLine(output: output, errors: errors)
        while !Task.isCancelled {
            // A cancelled sleep ends the display.
            do { try await Task.sleep(for: interval) } catch { break }
            line.show(text(run.progress, run.plan))
        }
        line.clear()
    }

    /// The bar and the counts: `███████▋────  1234 calls, 0 failed, 617 calls/s`.
    static func text(_ progress: BenchRun.Progress, _ plan: BenchPlan) -> String {
        let seconds = progress.elapsed / .seconds(1)
        let shares = [plan.requests.map { Double(progress.calls) / Double($0) }, plan.duration.map { progress.elapsed / $0 }]
        let share = shares.compactMap(\.self).max() ?? 0
        let rate = seconds > 0 ? Double(progress.calls) / seconds : 0
        let bar = ProgressBar(share).text(width: 20)
        return "\(bar)  \(progress.calls) calls, \(progress.failed) failed, \(BenchText.number(rate)) calls/s"
    }
}
