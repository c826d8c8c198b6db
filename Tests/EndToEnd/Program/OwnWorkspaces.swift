import Synchronization

/// The workspaces that a test writes: they are its own, so that it permits what they ask for.
final class OwnWorkspaces: Sendable {
    private struct State {
        var folders: Set<String> = []
        var isChanged = false
    }

    private let state = Mutex(State())

    /// A file was written.
    func note(_ name: String) {
        state.withLock { state in
            if name == "workspace.yaml" || name.hasSuffix("/workspace.yaml") {
                state.folders.insert(String(name.dropLast("workspace.yaml".count)))
            }
            if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { state.isChanged = true }
        }
    }

    /// The folders of the workspaces, where a file of one was written since the last time.
    func takeChanged() -> [String] {
        state.withLock { state in
            guard state.isChanged else { return [] }
            state.isChanged = false
            return state.folders.sorted()
        }
    }
}
