internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The state of a transfer as text.
extension QueuedCall {
    private var isUpload: Bool { transfer.isUpload }

    /// Whether the transfer begins again rather than being resumed.
    var isSentAgain: Bool { isUpload || state == .done }

    /// The state, without the numbers that have columns.
    func stateText(_ app: AppState) -> Span {
        let resume = app.key(.resumeTransfer)
        switch (state, command) {
        case (.done, _) where isUpload: return Span("done \(call.exchange?.response.map { StatusText.line($0) } ?? "")".trimmingEnd, .success)
        case (.done, _):
            var words = "done"
            if transfer.result?.digest != nil { words += " sha256 ok" }
            if transfer.result?.isLengthUnverified == true { words += ", of unknown length" }
            if let restart = transfer.restart { words += ", restarted: \(restart.text)" }
            return Span(words, .success)
        case (.cancelled(let keepsPart), _):
            let isResumable = keepsPart && transfer.progress.received > 0 && transfer.result?.canResume != false && !isUpload
            return Span(isResumable ? "cancelled; \(resume) resumes" : "cancelled", .muted)
        case (.superseded, _): return Span("superseded by a newer one", .muted)
        case (.failed(let error, let isResumable), _):
            return Span(isResumable ? "\(error.message); \(resume) resumes" : error.message, .error)
        case (_, .pause) where transfer.isUnfinished:
            return Span("unfinished: \(resume) \(isUpload ? "sends it again" : "resumes"), \(app.key(.cancelTransfer)) removes it", .warning)
        case (_, .pause): return Span(!isUpload && state != .idle && state != .paused ? "pausing" : "paused", .warning)
        case (_, .wait): return Span(app.calls.turn(of: id).map { "queued \(Self.ordinal($0))" } ?? "queued", .muted)
        case (_, .cancel), (_, .supersede), (_, .expire): return Span("cancelling", .muted)
        case (_, .run): return isUpload ? uploading : downloading
        }
    }

    private var downloading: Span {
        switch state {
        case .waiting(_, let reason): return Span("waiting: retry in \(secondsToRetry) s (\(StatusText.word(ofCode: reason)))", .warning)
        case .receiving:
            if let restart = transfer.restart { return Span("restarted: \(restart.text)", .warning) }
            let resumed = transfer.resumedAt > 0 ? "resumed at \(ByteText.amount(transfer.resumedAt))" : ""
            return Span([resumed, transfer.order.endpoint.download?.optionText ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), .muted)
        case .restarting: return Span(state.text, .warning)
        default: return Span(state.text, .muted)
        }
    }

    private var uploading: Span {
        let progress = transfer.progress
        switch state {
        case .queued: return Span(state.text, .muted)
        case .waiting: return Span("waiting: retry in \(secondsToRetry) s", .warning)
        default: break
        }
        if let total = progress.total, total > 0, progress.received >= total { return Span("waiting for the response", .muted) }
        return Span(transfer.order.endpoint.uploadRate.map { "at most \(ByteText.rate(Double($0)))" } ?? "", .muted)
    }

    private var secondsToRetry: Int { Int(max(0, (call.retriesAt ?? 0) - call.elapsed).rounded(.up)) }

    /// The mark before the arrow.
    var mark: Span {
        switch (state, command) {
        case (.done, _): Span("✓", .success)
        case (.failed, _): Span("✗", .error)
        case (.cancelled, _), (.superseded, _): Span("–", .muted)
        case (_, .pause): transfer.isUnfinished ? Span("?", .warning) : Span("⏸", .warning)
        case (_, .wait): Span("·", .muted)
        case (_, .run), (_, .cancel), (_, .supersede), (_, .expire): Span(" ")
        }
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

extension Transfer {
    /// The received part of the whole; nil when the total is unknown.
    var bar: ProgressBar? {
        guard let total = progress.total, total > 0 else { return nil }
        guard !progress.segments.isEmpty else { return ProgressBar(Double(progress.received) / Double(total)) }
        return ProgressBar(
            progress.segments.map { .init(from: Double($0.start) / Double(total), to: Double($0.position) / Double(total)) })
    }
}
