internal import SortieHTTP
internal import Synchronization

/// The connections of one download: each fetches an unclaimed segment, or half of the rest of another connection's segment (`ResumeRules.md`
/// 5.7).
///
/// ``DownloadJob`` runs the first connection; this type starts and ends the further ones.
/// All of them require the same strong entity tag. The first response that disagrees ends all of them, and the first connection continues alone.
final class SegmentedDownload: Sendable {
    private struct State {
        var members: [Int: Task<Void, Never>] = [:]
        var attempts: [Attempt] = []
        var hasCollapsed = false
    }

    private let setup: SegmentSetup
    private let most: Int
    /// Called when the first connection may have nothing left to fetch.
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a set of at most `most` connections, which start when the length of the file is known.
    init(_ setup: SegmentSetup, most: Int, onChange: @escaping @Sendable () -> Void) {
        (self.setup, self.most, self.onChange) = (setup, most, onChange)
    }

    /// The first connection.
    var first: SegmentWorker { SegmentWorker(workers: self, setup: setup, number: 1) }
    /// Whether any further connection is active.
    var isAtWork: Bool { state.withLock { !$0.members.isEmpty } }
    /// Whether several connections may fetch the file; false after a response disagreed.
    var mayShare: Bool { most > 0 && !state.withLock { $0.hasCollapsed } }

    /// Starts the connections that are not active, where several connections may fetch the file.
    func begin() {
        let manifest = setup.writer.manifest
        guard mayShare, manifest.validator.isStrong, manifest.isResumable, !manifest.ignoresRanges, let total = manifest.total,
            total >= Download.leastForSegments, total - setup.writer.received >= 2 * SegmentMap.leastShare
        else { return }
        state.withLock { [self] state in
            if state.members.isEmpty { setup.reporter.decided(.connection, "up to \(most + 1) connections fetch the file") }
            for number in 2..<most + 2 where state.members[number] == nil {
                state.members[number] = Task {
                    await SegmentWorker(workers: self, setup: setup, number: number).run()
                    leave(number)
                }
            }
        }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.members[number] = nil }
        onChange()
    }

    /// Cancels all connections without waiting for their end.
    func cancel() {
        for member in state.withLock({ Array($0.members.values) }) { member.cancel() }
    }

    /// Ends all connections; their bytes have been submitted to the writer when this returns.
    func stop() async {
        for member in state.withLock({ Array($0.members.values) }) {
            member.cancel()
            await member.value
        }
    }

    /// Returns and clears the attempts recorded since the last call.
    func takeAttempts() -> [Attempt] {
        state.withLock { Swift.exchange(&$0.attempts, with: []) }
    }

    // MARK: Called by the connections

    /// Records attempts.
    func note(_ attempts: [Attempt]) {
        state.withLock { $0.attempts += attempts }
    }

    /// Reports that a connection has nothing to fetch at the moment, which may mean that the file is complete.
    func rest() {
        if setup.writer.isComplete { onChange() }
    }

    /// Ends all further connections after contradictory responses; only the bytes before the first gap are kept.
    func collapse(_ reason: String) {
        let isFirst = !state.withLock { Swift.exchange(&$0.hasCollapsed, with: true) }
        guard isFirst, most > 0 else { return }
        setup.writer.collapse()
        setup.reporter.decided(.connection, "one connection continues alone: \(reason)")
        cancel()
        onChange()
    }
}

/// The values that all connections of a download share.
struct SegmentSetup: Sendable {
    /// The identity of the download, which the requests of its first connection have.
    let id: RequestID
    let place: DownloadPlace
    let core: ClientCore
    let writer: DownloadWriter
    let reporter: DownloadReporter
    let limiters: [RateLimiter]
    let download: Download
    /// Creates identities for the requests of further connections.
    let nextID: @Sendable () -> RequestID
}
