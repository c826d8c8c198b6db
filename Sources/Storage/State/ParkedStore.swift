internal import Foundation
public import WorkspaceModel

/// The requests of a workspace that wait for the network, kept so that neither the end of the program nor a crash loses one, or sends one twice (S3.16).
///
/// They are in `$XDG_STATE_HOME/sortie/parked/WORKSPACE`, a file for each running program; what a program left that lives no more is taken over by the
/// next one.
public final class ParkedStore: Sendable {
    private let state: ProgramState<ParkedRequest>

    /// Takes a place in the store of the workspace in `folder`.
    ///
    /// - Throws: when the state folder cannot be written to.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        state = try ProgramState(
            folder: StateFolder.path(in: "\(stateFolder)/sortie/parked", of: folder), content: "the requests that wait for the network")
    }

    /// Keeps these requests, and only these; on disk when this returns.
    public func keep(_ requests: [ParkedRequest]) throws(WorkspaceError) {
        try state.keep(requests)
    }

    /// Takes over what programs left that live no more, oldest first.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported.
    public func adopt() -> (requests: [ParkedRequest], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            for var request in more where !found.contains(where: { $0.id == request.id }) {
                // What a damaged file says must not be too long to wait for.
                (request.since, request.expires) = (Self.plausible(request.since), Self.plausible(request.expires))
                found.append(request)
            }
            found.sort { $0.since < $1.since }
        }
        return (found, problems)
    }

    /// A moment of the years 1970 to 9999.
    private static func plausible(_ date: Date) -> Date {
        Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, 0), 253_402_300_799))
    }
}
