internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// Listing, stopping or forgetting detached downloads.
package struct DetachedDownloadsJob: WorkJob {
    package let request: DetachedDownloadRequest

    func finish(_ listing: DetachedDownloadListing, _ state: inout AppState) -> [Effect] {
        let isFirst = !state.states[TransfersState.self].hasListedDetached
        state.states[TransfersState.self].hasListedDetached = true
        let before = state.states[TransfersState.self].detached
        state.states[TransfersState.self].detached = listing.downloads
        if let problem = listing.problem { state.notify(problem, .error) }
        let running = listing.downloads.count { $0.download.process != nil }
        if isFirst, running > 0 {
            state.notify("\(ItemCount.text(running, "download")) left running; \(state.key(.show(.transfers))) lists them")
        }
        for row in listing.downloads where row.download.process == nil {
            guard before.contains(where: { $0.download.id == row.download.id && $0.download.process != nil }) else { continue }
            state.notify(state.redaction.masked("\(row.name): \(row.download.text)"), row.download.isDone ? .info : .warning)
        }
        return []
    }
}

/// The downloads that run in separate processes, as rows of the transfers tab.
extension TransfersFeature {
    /// The interval between readings of their progress, in seconds.
    private static let interval = 1.0

    static func ask(_ request: DetachedDownloadRequest, _ state: inout AppState) -> [Effect] {
        state.states[TransfersState.self].detachedAskedAt = state.now
        return state.start(DetachedDownloadsJob(request: request))
    }

    /// Reads the progress again after the interval.
    static func refreshDetached(_ state: inout AppState) -> [Effect] {
        guard state.watchesDetachedDownloads, state.pendingJobs(DetachedDownloadsJob.self).isEmpty,
            state.now - state.states[TransfersState.self].detachedAskedAt >= interval
        else { return [] }
        return ask(.list, &state)
    }

    /// Stops a running download after a question, and removes an ended one from the list.
    static func stopDetached(_ row: DetachedDownloadProgress, _ state: inout AppState) -> [Effect] {
        let id = row.download.id
        guard row.download.process != nil else { return ask(.forget(id), &state) }
        state.confirm("Stop the download?", row.name, keep: "Leave it running", "Stop it", detail: "the received bytes are kept") {
            ask(.stop(id), &$0)
        }
        return []
    }

    /// Shows the file, and how the download can be resumed.
    static func showDetached(_ row: DetachedDownloadProgress, _ state: inout AppState) {
        var items: [ListPopup.Item] = [
            .init(label: "Copy the path of the file", detail: row.download.file) { $0.copy(row.download.file, "the path") }
        ]
        if let remedy = row.remedy {
            items.append(.init(label: "Copy the command that resumes it", detail: remedy) { $0.copy(remedy, "the command") })
        }
        let message = "\(row.download.target): \(row.download.text), process \(row.download.process.map { "\($0)" } ?? "ended")."
        state.show(
            ListPopup(
                title: "Detached download \(row.download.id)", message: state.redaction.masked(message), items: items, isMenu: true
            ))
    }
}

extension AppState {
    /// Lists the detached downloads when the program begins.
    package mutating func listDetached() -> [Effect] { TransfersFeature.ask(.list, &self) }

    /// Whether the progress of detached downloads is displayed, so that it has to be read again.
    var watchesDetachedDownloads: Bool {
        bottomTab == .transfers && states[TransfersState.self].detached.contains { $0.download.process != nil }
    }

    /// The rows of the transfers tab: those of this program, then the detached downloads.
    var transferRows: [TransferRow] { calls.transferRows + states[TransfersState.self].detached.map { .detached($0) } }
}

extension DetachedDownloadProgress {
    /// The name of the file.
    var name: String { FilePath.name(of: download.file) }
}

extension TransferLine {
    /// The line of a detached download.
    init(_ row: DetachedDownloadProgress, _ app: AppState) {
        let download = row.download
        let mark =
            download.process != nil
            ? Span("&", .muted) : download.isDone ? Span("✓", .success) : download.isInterrupted ? Span("?", .warning) : Span("✗", .error)
        self.init(mark: mark, arrow: "↓", name: row.name)
        isMoving = download.process != nil
        if let total = row.total, total > 0 {
            bar = ProgressBar(Double(row.bytes) / Double(total))
            self[.percent] = NumberText.percent(Double(row.bytes) / Double(total))
            self[.bytes] = row.bytes == total ? ByteText.amount(total) : ByteText.share(row.bytes, of: total)
        } else if row.bytes > 0 {
            self[.bytes] = ByteText.amount(row.bytes)
        }
        if let rate = row.rate, rate >= 1 { self[.average] = "⌀ " + ByteText.rate(rate) }
        let text = app.redaction.masked(download.text)
        state = Span("detached: \(text)", download.process != nil ? .muted : download.isDone ? .success : .warning)
    }
}

/// A request to the downloads that run in separate processes.
package enum DetachedDownloadRequest: Hashable, Sendable {
    /// List them.
    case list
    /// End the process of one, which keeps its part.
    case stop(Int)
    /// Remove one that has ended from the list; its files stay.
    case forget(Int)
}

/// The result of a ``DetachedDownloadRequest``.
package struct DetachedDownloadListing: Hashable, Sendable {
    /// The downloads by number.
    package var downloads: [DetachedDownloadProgress]
    /// Why the request was not performed.
    package var problem: String?

    /// Creates a result.
    package init(_ downloads: [DetachedDownloadProgress], problem: String? = nil) {
        (self.downloads, self.problem) = (downloads, problem)
    }
}
