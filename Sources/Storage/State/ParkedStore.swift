internal import Foundation
package import WorkspaceModel

/// Stores the requests of a workspace that wait for the network, so that neither the end of the program nor a crash loses one or sends one twice.
///
/// Each running program has a file in `$XDG_STATE_HOME/sortie/parked/WORKSPACE`. The next program takes over the files of programs that have
/// ended.
package final class ParkedStore: Sendable {
    private let state: ProgramState<StoredParkedRequest>

    /// Creates a file in the store of the workspace in `folder`.
    ///
    /// - Throws: When the state folder is not writable.
    package init(workspace folder: String, stateFolder: String) throws(WorkspaceError) {
        state = try ProgramState(folder: StateFolder.path(in: "\(stateFolder)/sortie/parked", of: folder))
    }

    /// Replaces the stored requests; they are on disk when this returns.
    package func keep(_ requests: [ParkedRequest]) throws(WorkspaceError) {
        try state.keep(requests)
    }

    /// Takes over the requests of programs that have ended, oldest first.
    ///
    /// They belong to this program when this returns. A file that cannot be read is not changed and is reported. A request of which a part cannot be read is
    /// reported, and it is not sent unless the user decides so.
    package func adopt() -> (requests: [ParkedRequest], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            for request in more where !found.contains(where: { $0.id == request.id }) { found.append(request) }
            found.sort { $0.since < $1.since }
        }
        return (found, problems)
    }
}

/// A request that waits for the network, as it is stored.
struct StoredParkedRequest: StateRecord {
    static let format = StateFormat(key: "requests", content: "the requests that wait for the network", version: 2)

    var id: String
    var endpoint: StoredEndpoint
    var environment: String?
    var since: Date
    var expires: Date
    var reason: String
    var isOut: Bool

    init(_ request: ParkedRequest) {
        id = request.id
        endpoint = StoredEndpoint(request.endpoint)
        environment = request.environment
        since = request.since
        expires = request.expires
        reason = request.reason
        isOut = request.isOut
    }

    func value(_ problems: inout [String]) -> ParkedRequest? {
        let before = problems.count
        guard let endpoint = endpoint.endpoint(&problems) else { return nil }
        // What was read is not the whole request, so it is not sent unless the user decides so.
        let isWhole = problems.count == before
        return ParkedRequest(
            id: id, endpoint: endpoint, environment: environment, since: Self.plausible(since), expires: Self.plausible(expires),
            reason: isWhole ? reason : "a part of it cannot be read", isOut: isOut || !isWhole)
    }

    /// A time in the years 1970 to 9999, so that a wait can be computed.
    private static func plausible(_ date: Date) -> Date {
        Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, 0), 253_402_300_799))
    }
}
