internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// Stores the requests of the workbench that wait for the network, so that the next session sends them (S3.16).
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
    }

    private let store: ParkedStore
    private let state = Mutex(State())

    init(workspace folder: String, in program: ProgramContext) throws(WorkspaceError) {
        store = try ParkedStore(workspace: folder, stateFolder: program.folders.state)
    }

    /// Opens the keeper of a workspace; nil, with a notice, when the state folder cannot be written.
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

    /// Changes the state and writes it to the disk before it returns.
    private func change(_ body: @Sendable (inout State) -> Void) async throws {
        try await BlockingExecutor.shared.run { [self] in
            try state.withLock { state in
                body(&state)
                try store.keep((Array(state.waiting.values) + state.doubtful).sorted { $0.since < $1.since })
            }
        }
    }
}
