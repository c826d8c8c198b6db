internal import SortieBase
package import WorkspaceModel

/// The scratch workspace: where it is, and moving a request of it into the workspace of a project.
struct ScratchFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .moveToProject, "Move to a project…", "Move this request from the scratch workspace into another workspace",
                unless: Self.cannotMove
            ).alsoKnownAs("Keep this request", "Move to a workspace", "Save to a project")
        ]
    }

    func fact(_ state: AppState) -> String? { state.isScratch ? Self.place(state) : nil }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .moveToProject else { return nil }
        state.stopEditing()
        guard let open = state.openEndpoint else { return [] }
        var endpoint = open
        // The file is named after the URL, because requests of the scratch workspace are numbered.
        let named = ImportFeature.endpoint(for: open.path)
        endpoint.target = named.target
        if open.name.hasPrefix("Request") { endpoint.name = named.name }
        let credentials = ClearCredentials(of: endpoint, ignoring: state.workspace.publicValues).credentials.map(\.label)
        guard let first = credentials.first else {
            Self.chooseProject(for: endpoint, from: open.id, &state)
            return []
        }
        let others = credentials.count > 1 ? " and other credentials are" : " is"
        state.confirm(
            "Move a credential?", "\(first)\(others) in clear text, and the files of a project are shared.", keep: "Keep it here",
            "Move it in clear text", detail: "everyone with the file can read it"
        ) { [endpoint] state in
            Self.chooseProject(for: endpoint, from: open.id, &state)
            return []
        }
        return []
    }

    private static func chooseProject(for endpoint: Endpoint, from original: EndpointID, _ state: inout AppState) {
        RecentFeature.choose("Move \(endpoint.name) to", &state) { folder, prompt, state in
            let job = MoveToProjectJob(endpoint: endpoint, folder: folder, original: original, prompt: prompt)
            return state.start(job, showing: "Moving \(endpoint.name)…")
        }
    }

    private static func cannotMove(_ state: AppState) -> String? {
        guard state.isScratch else { return "Only requests of the scratch workspace are moved" }
        if let reason = state.noEndpointReason { return reason }
        return state.openEndpoint?.path.isEmpty == true ? "There is no URL yet; \(state.key(.editURL)) in Request types one" : nil
    }

    /// The folder of the workspace, for a message.
    static func place(_ state: AppState) -> String {
        let (folder, home) = (state.workspace.folder, state.folders.home)
        return "Scratch workspace: \(home.count > 1 && FilePath.isIn(home, folder) ? "~" + folder.dropFirst(home.count) : folder)"
    }
}

extension Command {
    static let moveToProject = Command.named("moveToProject")
}

extension AppState {
    /// Whether the workspace is the scratch workspace.
    var isScratch: Bool { states[QuitState.self].keepsDrafts }
}

/// Writing a request of the scratch workspace, and the files of that workspace which it names, to files of another workspace.
package struct MoveToProjectJob: WorkJob {
    package let endpoint: Endpoint
    package let folder: String
    package let original: EndpointID
    /// The prompt in which the folder was typed, shown again when it cannot be used; nil for a chosen one.
    let prompt: Prompt?

    /// Removes the request here after it was written there; the text of success is its file there.
    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let file):
            state.notify("Moved to \(file) of \(folder); \(state.key(.openWorkspace)) in \(state.key(.palette)) opens it")
            // What was typed in the meantime stays here.
            guard let now = state.endpoint(original), now == Endpoint(endpoint, named: now) else { return [] }
            if state.drafts[original]?.isNew == true {
                DraftsFeature.removeNew(original, &state)
                return []
            }
            guard let saved = state.workspace.endpoint(original) else { return [] }
            state.drafts[original] = nil
            // The request that was never saved is used for the next one.
            guard saved != Endpoint(empty: saved) else { return [] }
            return ItemsFeature.start(.init(edit: .delete(.endpoint(original)), text: "Moved \(endpoint.name) to \(folder)"), &state)
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            guard let prompt else {
                state.notify("Not moved: \(sentence)", .error)
                return []
            }
            state.askAgain(prompt, sentence)
            return []
        }
    }
}
