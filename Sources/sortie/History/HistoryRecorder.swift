internal import Dispatch
internal import Foundation
internal import Model
internal import Networking
internal import Storage
internal import Synchronization

/// Hands every call that ends to the history, away from the calls.
final class HistoryRecorder: Sendable {
    /// How long a call waits: what it brought, a token or what a step captures, is known as a secret a moment after its end.
    private static let delay = DispatchTimeInterval.milliseconds(100)

    private let client: Client
    private let workspace: String?
    private let redaction: LiveRedaction
    private let queue = DispatchQueue(label: "sortie.history")
    private let opening: HistoryOpening
    private let state = Mutex(State())

    private struct State {
        var waiting: [FinishedCall] = []
        var isScheduled = false
    }

    /// Begins to keep what the calls of a client do.
    ///
    /// - Parameters:
    ///   - workspace: the folder of its workspace; nil for URLs of the command line.
    ///   - redaction: what is masked at the moment of writing, when the secrets of the call are known.
    ///   - opening: the store, which is opened when the first call has ended, so that no command waits for it before it sends.
    init(of client: Client, workspace: String?, redaction: LiveRedaction, into opening: HistoryOpening) {
        self.client = client
        self.workspace = workspace
        self.redaction = redaction
        self.opening = opening
        client.keep { [self] in take($0) }
    }

    private func take(_ call: FinishedCall) {
        // It goes on waiting, in the file of those that wait, and is told when it has been sent.
        let exchange = call.exchange
        if exchange.error?.code == .shutDown, exchange.attempts.isEmpty || exchange.request.options.retry?.parksWhenOffline == true { return }
        let isFirst = state.withLock { state in
            state.waiting.append(call)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.delay) { [self] in handOver() } }
    }

    private func handOver() {
        let calls = state.withLock { state in
            defer { state.waiting = [] }
            state.isScheduled = false
            return state.waiting
        }
        guard !calls.isEmpty else { return }
        let store = opening.store
        let (redaction, folder) = (redaction.always, FileManager.default.currentDirectoryPath)
        for var call in calls {
            // Who looks back may do so from another folder.
            call.exchange.request.body = call.exchange.request.body.rooted(in: folder)
            store.record(call, workspace: workspace, redaction: redaction.learning(from: call.exchange))
        }
    }

    /// Waits until everything that ended is on the disk; returns why it could not be kept, nil when it could or when nothing ended.
    @discardableResult
    func finish() -> WorkspaceError? {
        client.keep(with: nil)
        return queue.sync {
            handOver()
            guard let store = opening.opened else { return nil }
            store.flush()
            store.tidyIfDue()
            return store.problem
        }
    }
}

// MARK: Commands

extension HistoryRecorder {
    /// The recorder of a command; nil where it was told to keep nothing.
    static func begin(_ output: OutputOptions, of client: Client, workspace: Workspace, hiding redaction: LiveRedaction) -> HistoryRecorder? {
        guard !output.noHistory else { return nil }
        let folder = workspace.folder == "." ? nil : workspace.folder
        return HistoryRecorder(of: client, workspace: folder, redaction: redaction, into: HistoryOpening())
    }

    /// Ends the recording of a command and tells on stderr what could not be kept: no reason for it to fail.
    func end() {
        if let problem = finish() { StandardError.line("sortie: warning: \(problem)") }
    }
}
