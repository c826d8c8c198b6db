internal import Foundation
internal import Model
internal import Networking
internal import Storage
internal import Synchronization
internal import Workbench

/// Writes down which requests of the workbench wait for the network, so that the next program sends them (S3.16).
///
/// Steps of a run are not here: a run has its own record and goes on where it stopped.
final class ParkedKeeper: ParkingKeeper {
    private struct State {
        /// What a call sends, for as long as it may have to wait.
        var senders: [RequestID: ParkedRequest] = [:]
        /// What waits or is out.
        var waiting: [RequestID: ParkedRequest] = [:]
        /// What was on its way when an earlier program ended, until the person decides.
        var doubtful: [ParkedRequest] = []
    }

    private let store: ParkedStore
    private let state = Mutex(State())

    init(workspace folder: String) throws(WorkspaceError) {
        store = try ParkedStore(workspace: folder)
    }

    /// The keeper of a workspace; nil, and a notice, where the state folder cannot be written to.
    static func open(workspace folder: String, notices: inout [String]) -> ParkedKeeper? {
        do { return try ParkedKeeper(workspace: folder) } catch {
            notices.append("\(error)")
            return nil
        }
    }

    /// What earlier programs left, oldest first; it is this program's now.
    func adopt(notices: inout [String]) -> [ParkedRequest] {
        let (requests, problems) = store.adopt()
        notices += problems.map(\.description)
        state.withLock { $0.doubtful = requests }
        return requests
    }

    /// Notes what a call is about to send, new or left by an earlier program.
    func note(_ id: RequestID, _ request: ParkedRequest) {
        state.withLock { $0.senders[id] = request }
    }

    /// A call ended: it cannot have to wait any more.
    func ended(_ id: RequestID) {
        state.withLock { $0.senders[id] = nil }
    }

    /// The person does not want a request any more that an earlier program left.
    func drop(_ parked: ParkedRequest.ID) throws {
        try change { $0.doubtful.removeAll { $0.id == parked } }
    }

    func keep(_ id: RequestID, _ notice: ParkingNotice) throws {
        try change { state in
            guard var request = state.senders[id] else { return }
            request.since = notice.since
            request.expires = notice.expires
            request.reason = notice.reason
            request.isOut = false
            state.waiting[id] = request
            state.doubtful.removeAll { $0.id == request.id }
        }
    }

    func willSend(_ id: RequestID) throws {
        try change { $0.waiting[id]?.isOut = true }
    }

    func forget(_ id: RequestID) throws {
        try change { $0.waiting[id] = nil }
    }

    /// Changes what is kept and has it on the disk before it returns.
    private func change(_ body: (inout State) -> Void) throws {
        try state.withLock { state in
            body(&state)
            try store.keep((Array(state.waiting.values) + state.doubtful).sorted { $0.since < $1.since })
        }
    }
}
