import Synchronization

/// The workspaces that a test writes and therefore permits.
final class OwnWorkspaces: Sendable {
    private struct State {
        var folders: Set<String> = []
        var isChanged = false
    }

    private let state = Mutex(State())

    /// Records that a file was written.
    func note(_ name: String) {
        state.withLock { state in
            if name == "workspace.yaml" || name.hasSuffix("/workspace.yaml") {
                state.folders.insert(String(name.dropLast("workspace.yaml".count)))
            }
            // Scripts of hooks as well: the permission is for their content.
            state.isChanged = true
        }
    }

    /// Returns the folders of all workspaces when one of their files was written since the last call; otherwise none.
    func takeChanged() -> [String] {
        state.withLock { state in
            guard state.isChanged else { return [] }
            state.isChanged = false
            return state.folders.sorted()
        }
    }
}
