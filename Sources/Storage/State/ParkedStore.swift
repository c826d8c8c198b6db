package import WorkspaceModel

/// Stores the requests of a workspace that wait for the network, so that neither the end of the program nor a crash loses one or sends one twice
///.
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
