public import Model

/// The requests of a workspace that wait for the network, kept so that neither the end of the program nor a crash loses one, or sends one twice (S3.16).
///
/// They are in `$XDG_STATE_HOME/sortie/parked/WORKSPACE`, a file for each running program; what a program left that lives no more is taken over by the
/// next one.
public final class ParkedStore: Sendable {
    private let state: ProgramState<StoredParkedRequest>

    /// Takes a place in the store of the workspace in `folder`.
    ///
    /// - Throws: when the state folder cannot be written to.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        state = try ProgramState(folder: StateFolder.path(in: "\(stateFolder)/sortie/parked", of: folder))
    }

    /// Keeps these requests, and only these; on disk when this returns.
    public func keep(_ requests: [ParkedRequest]) throws(WorkspaceError) {
        try state.keep(requests)
    }

    /// Takes over what programs left that live no more, oldest first.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported. A request of which a part cannot be read is
    /// reported, and it is not sent unless the user decides so.
    public func adopt() -> (requests: [ParkedRequest], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            for request in more where !found.contains(where: { $0.id == request.id }) { found.append(request) }
            found.sort { $0.since < $1.since }
        }
        return (found, problems)
    }
}
