internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The state of a transfer as text.
extension Transfer {
    /// The state, without the numbers that have columns.
    func stateText(_ app: AppState) -> Span {
        let goOn = app.key(.restartTransfer)
        switch phase {
        case .unfinished:
            return Span("unfinished: \(goOn) \(isUpload ? "sends it again" : "resumes"), \(app.key(.cancelTransfer)) removes it", .warning)
        case .queued: return Span(app.calls.turn(of: id).map { "queued \(Transfer.ordinal($0))" } ?? "queued", .muted)
        case .paused: return Span(!isUpload && hasBegun && state != .paused ? "pausing" : "paused", .warning)
        case .cancelling: return Span("cancelling", .muted)
        case .running: return isUpload ? uploading : downloading
        case .ended(let end): return text(of: end, goOn)
        }
    }

    private var downloading: Span {
        switch state {
        case .waiting(_, let reason): return Span("waiting: retry in \(secondsToRetry) s (\(reason))", .warning)
        case .receiving:
            if let restart { return Span("restarted: \(restart.text)", .warning) }
            let resumed = resumedAt > 0 ? "resumed at \(ByteText.amount(resumedAt))" : ""
            return Span([resumed, order.endpoint.download?.optionText ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), .muted)
        case .restarting: return Span(state.text, .warning)
        default: return Span(state == .idle ? "starting" : state.text, .muted)
        }
    }

    private var uploading: Span {
        if let queuedBecause { return Span("queued: \(queuedBecause)", .muted) }
        if retry != nil { return Span("waiting: retry in \(secondsToRetry) s", .warning) }
        if let total = progress.total, total > 0, progress.received >= total { return Span("waiting for the response", .muted) }
        return Span(order.endpoint.uploadRate.map { "at most \(ByteText.rate(Double($0)))" } ?? "", .muted)
    }

    private var secondsToRetry: Int { Int(max(0, (retry?.at ?? 0) - elapsed).rounded(.up)) }

    private func text(of end: End, _ goOn: String) -> Span {
        switch end {
        case .done where isUpload: return Span("done \(response.map { StatusText.line($0) } ?? "")".trimmingEnd, .success)
        case .done:
            var words = "done"
            if result?.digest != nil { words += " sha256 ok" }
            if result?.isLengthUnverified == true { words += ", of unknown length" }
            if let restart { words += ", restarted: \(restart.text)" }
            return Span(words, .success)
        case .cancelled(let keepsPart):
            let goesOn = keepsPart && progress.received > 0 && result?.canResume != false && !isUpload
            return Span(goesOn ? "cancelled; \(goOn) resumes" : "cancelled", .muted)
        case .superseded: return Span("superseded by a newer one", .muted)
        case .failed(let sentence, let isResumable): return Span(isResumable ? "\(sentence); \(goOn) resumes" : sentence, .error)
        }
    }

    /// The mark before the arrow.
    var mark: Span {
        switch phase {
        case .unfinished: Span("?", .warning)
        case .queued: Span("·", .muted)
        case .paused: Span("⏸", .warning)
        case .running, .cancelling: Span(" ")
        case .ended(.done): Span("✓", .success)
        case .ended(.failed): Span("✗", .error)
        case .ended: Span("–", .muted)
        }
    }

    /// The received part of the whole; nil when the total is unknown.
    var bar: ProgressBar? {
        guard let total = progress.total, total > 0 else { return nil }
        guard !progress.segments.isEmpty else { return ProgressBar(Double(progress.received) / Double(total)) }
        return ProgressBar(
            progress.segments.map { .init(from: Double($0.start) / Double(total), to: Double($0.position) / Double(total)) })
    }

    static func ordinal(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (1, let rest) where rest != 11: "\(number)st"
        case (2, let rest) where rest != 12: "\(number)nd"
        case (3, let rest) where rest != 13: "\(number)rd"
        default: "\(number)th"
        }
    }
}
