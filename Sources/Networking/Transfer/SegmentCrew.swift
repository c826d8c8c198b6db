internal import Model
internal import Synchronization

/// The further connections of one download: each fetches a stretch that nobody has, or half of what another connection has before it (§5.7).
///
/// All ask for the same strong entity tag. The first answer that disagrees ends all of them, and the first connection goes on alone.
final class SegmentCrew: Sendable {
    private struct State {
        var members: [Int: Task<Void, Never>] = [:]
        var attempts: [Attempt] = []
        var hasCollapsed = false
    }

    private let setup: SegmentSetup
    private let most: Int
    /// Called when the first connection may have nothing to fetch any more.
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    /// A crew of `most` connections, which begin when the file is known.
    init(_ setup: SegmentSetup, most: Int, onChange: @escaping @Sendable () -> Void) {
        self.setup = setup
        self.most = most
        self.onChange = onChange
    }

    /// Whether any connection is at work.
    var isAtWork: Bool { state.withLock { !$0.members.isEmpty } }
    /// Whether connections may share the file: not after one disagreed.
    var mayShare: Bool { most > 0 && !state.withLock { $0.hasCollapsed } }

    /// Lets the connections begin that are not at work, where the file is one that several may fetch.
    func begin() {
        let manifest = setup.writer.manifest
        guard mayShare, manifest.validator.isStrong, manifest.isResumable, !manifest.ignoresRanges, let total = manifest.total,
            total >= Download.leastForSegments, total - setup.writer.received >= 2 * SegmentMap.leastShare
        else { return }
        state.withLock { [self] state in
            if state.members.isEmpty { setup.reporter.decided(.connection, "up to \(most + 1) connections fetch the file") }
            for number in 2..<most + 2 where state.members[number] == nil {
                state.members[number] = Task {
                    await SegmentMember(crew: self, setup: setup, number: number).run()
                    leave(number)
                }
            }
        }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.members[number] = nil }
        onChange()
    }

    /// Ends all connections, without waiting for that.
    func cancel() {
        for member in state.withLock({ Array($0.members.values) }) { member.cancel() }
    }

    /// Ends all connections; what they brought is written when this returns.
    func stop() async {
        for member in state.withLock({ Array($0.members.values) }) {
            member.cancel()
            await member.value
        }
    }

    /// What the connections did since this was asked for last.
    func takeAttempts() -> [Attempt] {
        state.withLock { state in
            defer { state.attempts = [] }
            return state.attempts
        }
    }

    // MARK: From the members

    /// Notes what a connection did.
    func note(_ attempts: [Attempt]) {
        state.withLock { $0.attempts += attempts }
    }

    /// A connection has nothing to do for the moment, perhaps because everything is there.
    func rest() {
        if setup.writer.isComplete { onChange() }
    }

    /// The server disagrees with itself: nothing but the bytes before the first hole counts, and one connection goes on.
    func collapse(_ reason: String) {
        let isNews = state.withLock { state in
            defer { state.hasCollapsed = true }
            return !state.hasCollapsed
        }
        guard isNews, most > 0 else { return }
        setup.writer.collapse()
        setup.reporter.decided(.connection, "one connection goes on alone: \(reason)")
        cancel()
        onChange()
    }
}

/// What all connections of a download share.
struct SegmentSetup: Sendable {
    let core: ClientCore
    let writer: DownloadWriter
    let reporter: DownloadReporter
    let limiters: [RateLimiter]
    let download: Download
    /// Gives each connection's calls an identity of their own.
    let nextID: @Sendable () -> RequestID
}
