internal import Dispatch
internal import Model
internal import Storage
internal import Synchronization
internal import Workbench

/// Writes unsaved edits to disk behind the person's back, so that not even a crash loses them.
final class DraftKeeper: Sendable {
    private let store: DraftStore
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "sortie.drafts")
    private let state = Mutex(State())

    private struct State {
        var kept: [Endpoint] = []
        var isQueued = false
    }

    init(workspace folder: String, mailbox: Mailbox) {
        self.mailbox = mailbox
        store = DraftStore(workspace: folder)
    }

    /// What an earlier run left unsaved.
    func load(notices: inout [String]) -> [Endpoint] {
        do {
            let endpoints = try store.load()
            state.withLock { $0.kept = endpoints }
            if !endpoints.isEmpty {
                notices.append("Unsaved edits of \(endpoints.count == 1 ? "one endpoint" : "\(endpoints.count) endpoints") are back")
            }
            return endpoints
        } catch {
            notices.append("\(error)")
            return []
        }
    }

    /// Keeps these endpoints; several changes in quick succession are written once.
    func keep(_ endpoints: [Endpoint]) {
        let mustQueue = state.withLock { state in
            guard endpoints != state.kept else { return false }
            state.kept = endpoints
            defer { state.isQueued = true }
            return !state.isQueued
        }
        if mustQueue { queue.async { self.write() } }
    }

    /// Waits until the last change is on disk.
    func finish() {
        queue.sync {}
    }

    private func write() {
        let endpoints = state.withLock { state in
            state.isQueued = false
            return state.kept
        }
        do { try store.save(endpoints) } catch { mailbox.post(.log(LogEntry(.error, "\(error)"))) }
    }
}
