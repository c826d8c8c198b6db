internal import SortieTerminal
internal import WorkspaceModel

/// The differences of the workspace's files from the last commit: read again whenever the files change.
struct GitFeature: Feature {
    func fact(_ state: AppState) -> String? { state.git.branch.map { "on \($0)" } }

    /// Reads the status when an action may have changed it, or permission was given; no effect before ``AppState/watchGit()``.
    static func refresh(after action: Action, _ effects: [Effect], _ state: inout AppState) -> [Effect] {
        guard state.states[GitState.self].isWatched else { return [] }
        let isPermitted = effects.contains { if case .permit = $0 { true } else { false } }
        switch action {
        case .gitChanged, .workspaceLoaded, .hooksChanged, .workspaceEdited, .settingsLoaded, .edited, .input(.resumed): return read(&state)
        default: return isPermitted ? read(&state) : []
        }
    }

    fileprivate static func read(_ state: inout AppState) -> [Effect] {
        guard state.settings.showsGit else {
            state.stopJobs(GitJob.self)
            state.states[GitState.self].status = GitStatus()
            return []
        }
        return state.start(GitJob())
    }
}

/// The status of the working tree.
struct GitState: FeatureState {
    /// Whether the status is read.
    var isWatched = false
    /// The last status; without changes and branch where there is no repository.
    var status = GitStatus()
}

/// Reading the status of the working tree.
package struct GitJob: WorkJob {
    static let isReplaced = true

    /// The status; without changes and branch where there is no repository, no git, or no permission.
    func finish(_ status: GitStatus, _ state: inout AppState) -> [Effect] {
        state.states[GitState.self].status = status
        return []
    }
}

extension AppState {
    /// The status of the working tree.
    var git: GitStatus { states[GitState.self].status }

    /// Begins to read the differences from the last commit, now and whenever the files change.
    package mutating func watchGit() -> [Effect] {
        states[GitState.self].isWatched = true
        return GitFeature.read(&self)
    }
}
