internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// Stores the requests of the workbench that wait for the network, so that the next session sends them.
///
/// Steps of a run are not included: a run has its own record and continues where it stopped.
final class ParkedRequestWriter: ParkedRequestArchive {
    private struct State {
        /// The requests of calls that may be parked.
        var senders: [RequestID: ParkedRequest] = [:]
        /// The requests that wait or are being sent.
        var waiting: [RequestID: ParkedRequest] = [:]
        /// The requests that were being sent when an earlier session ended, until the user decides.
        var doubtful: [ParkedRequest] = []
        /// The number of changes of the stored requests.
        var changes = 0

        /// The requests to store, oldest first.
        var requests: [ParkedRequest] { (Array(waiting.values) + doubtful).sorted { $0.since < $1.since } }
    }

    private let store: ParkedStore
    private let save: @Sendable ([ParkedRequest]) throws -> Void
    private let state = Mutex(State())
    /// The number of changes that are on the disk; held while they are written, unlike `state`, for which calls wait.
    private let written = Mutex(0)

    convenience init(workspace folder: String, in program: ProgramContext) throws(WorkspaceError) {
        let store = try ParkedStore(workspace: folder, stateFolder: program.folders.state)
        self.init(store) { try store.keep($0) }
    }

    /// - Parameter save: Replaces the stored requests; they are on the disk when it returns.
    init(_ store: ParkedStore, save: @escaping @Sendable ([ParkedRequest]) throws -> Void) {
        (self.store, self.save) = (store, save)
    }

    /// Opens the writer of a workspace; nil, with a notice, when the state folder cannot be written.
    static func open(workspace folder: String, notices: inout [String], in program: ProgramContext) -> ParkedRequestWriter? {
        do { return try ParkedRequestWriter(workspace: folder, in: program) } catch {
            notices.append("\(error)")
            return nil
        }
    }

    /// Takes over the requests of earlier sessions, oldest first.
    func adopt(notices: inout [String]) -> [ParkedRequest] {
        let (requests, problems) = store.adopt()
        notices += problems.map(\.description)
        state.withLock { $0.doubtful = requests }
        return requests
    }

    /// Records the request of a call that may be parked.
    func note(_ id: RequestID, _ request: ParkedRequest) {
        state.withLock { $0.senders[id] = request }
    }

    /// Records the end of a call, which cannot be parked any more.
    func ended(_ id: RequestID) {
        state.withLock { $0.senders[id] = nil }
    }

    /// Drops a request of an earlier session.
    func drop(_ parked: ParkedRequest.ID) async throws {
        try await change { $0.doubtful.removeAll { $0.id == parked } }
    }

    func keep(_ id: RequestID, _ notice: ParkingNotice) async throws {
        try await change { state in
            guard var request = state.senders[id] else { return }
            request.since = notice.since
            request.expires = notice.expires
            request.reason = notice.reason
            request.isOut = false
            state.waiting[id] = request
            state.doubtful.removeAll { $0.id == request.id }
        }
    }

    func willSend(_ id: RequestID) async throws {
        try await change { $0.waiting[id]?.isOut = true }
    }

    func forget(_ id: RequestID) async throws {
        try await change { $0.waiting[id] = nil }
    }

    /// Changes the state; the change is on the disk when this returns.
    private func change(_ body: (inout State) -> Void) async throws {
        let number = state.withLock { state in
            body(&state)
            state.changes += 1
            return state.changes
        }
        try await BlockingExecutor.shared.run { [self] in
            try written.withLock { written in
                // Another call has written this change with its own.
                guard written < number else { return }
                let (requests, last) = state.withLock { ($0.requests, $0.changes) }
                try save(requests)
                written = last
            }
        }
    }
}
