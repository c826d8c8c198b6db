internal import Glibc
internal import Model
internal import Terminal

/// Tells on stderr what happens during a download: decisions with `-v`, and for a person a line with a bar.
final class DownloadProgressLine {
    private let output: OutputOptions
    private let redaction: Redaction
    private var hasLine = false

    init(output: OutputOptions, redaction: Redaction) {
        self.output = output
        self.redaction = redaction
    }

    func report(_ event: DownloadEvent) {
        switch event {
        case .changed(let state):
            tell("* download: \(state.text)")
            if !state.isTerminal, state != .receiving { show(state.text) }
        case .decided(let decision): tell("* \(decision.subject.rawValue): \(decision.text)")
        case .placed(let file): tell("* download: \(file).part")
        case .saved(let bytes): tell("* download: \(ByteCount(bytes).text) are safe")
        case .progressed(let progress): show(Self.text(of: progress, columns: columns))
        case .finished: clear()
        }
    }

    private func tell(_ line: String) {
        guard output.verbose else { return }
        clear()
        StandardError.line(redaction.masked(line))
    }

    private func show(_ text: String) {
        guard StandardError.isTerminal, !output.json else { return }
        hasLine = true
        StandardError.raw("\r\u{1b}[K" + CellWidth.truncated(VisibleText.of(text), to: columns - 1))
    }

    private func clear() {
        if hasLine { StandardError.raw("\r\u{1b}[K") }
        hasLine = false
    }

    private var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    // MARK: The line

    /// `███████▋────  61 %  61 of 100 MB  20 MB/s  ⌀ 18 MB/s  2 s`: what fits, the bar with what is left of the line.
    static func text(of progress: DownloadProgress, columns: Int) -> String {
        var parts: [String] = []
        if let total = progress.total, total > 0 {
            parts.append("\(min(100, progress.received * 100 / total)) %")
            parts.append("\(ByteCount(progress.received).text) of \(ByteCount(total).text)")
        } else {
            parts.append(ByteCount(progress.received).text)
        }
        if progress.rate > 0 { parts.append("\(ByteCount(Int64(progress.rate)).text)/s") }
        if progress.average > 0 { parts.append("⌀ \(ByteCount(Int64(progress.average)).text)/s") }
        if let remaining = progress.remaining { parts.append(time(remaining)) }
        let words = parts.joined(separator: "  ")
        guard let total = progress.total, total > 0 else { return words }
        let width = min(40, columns - 3 - CellWidth.width(of: words))
        guard width >= 4 else { return words }
        return ProgressBar(Double(progress.received) / Double(total)).text(width: width) + "  " + words
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}
