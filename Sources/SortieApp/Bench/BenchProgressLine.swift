internal import SortieTerminal

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
