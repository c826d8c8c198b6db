internal import Dispatch
internal import Foundation
internal import Model
internal import Networking
internal import Storage
internal import Synchronization

/// Hands every call that ends to the history, away from the calls.
final class HistoryRecorder: Sendable {
    private let client: Client
    private let queue = DispatchQueue(label: "sortie.history")
    private let open: @Sendable () -> HistoryStore
    private let store = Mutex<HistoryStore?>(nil)

    /// Begins to keep what the calls of a client do.
    ///
    /// - Parameters:
    ///   - workspace: the folder of its workspace; nil for URLs of the command line.
    ///   - redaction: what is masked at the moment of writing, when the secrets of the call are known.
    ///   - open: gives the store when the first call has ended, so that no command waits for it before it sends.
    init(of client: Client, workspace: String?, redaction: LiveRedaction, open: @escaping @Sendable () -> HistoryStore) {
        self.client = client
        self.open = open
        client.keep { [self] call in
            // It goes on waiting, in the file of those that wait, and is told when it has been sent.
            if call.exchange.error?.code == .shutDown, call.exchange.attempts.isEmpty { return }
            queue.async { [self] in
                // Who looks back may do so from another folder.
                var call = call
                call.exchange.request.body = call.exchange.request.body.rooted(in: FileManager.default.currentDirectoryPath)
                opened().record(call, workspace: workspace, redaction: redaction.always)
            }
        }
    }

    private func opened() -> HistoryStore {
        store.withLock { store in
            if let store { return store }
            let opened = open()
            store = opened
            return opened
        }
    }

    /// Waits until everything that ended is on the disk; returns why it could not be kept, nil when it could or when nothing ended.
    @discardableResult
    func finish() -> WorkspaceError? {
        client.keep(with: nil)
        return queue.sync {
            guard let store = store.withLock({ $0 }) else { return nil }
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
        return HistoryRecorder(of: client, workspace: folder, redaction: redaction) { HistoryStore.open() }
    }

    /// Ends the recording of a command and tells on stderr what could not be kept: no reason for it to fail.
    func end() {
        if let problem = finish() { StandardError.line("sortie: warning: \(problem)") }
    }
}
