internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The workspaces that were open last, and opening another one.
struct RecentFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.everywhere, [], .openWorkspace, "Open workspace", "Open another workspace, such as a recent one")
                .alsoKnownAs("Open folder", "Open project", "Switch workspace", "Switch project")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .openWorkspace else { return nil }
        Self.choose("Open a workspace", &state, then: Self.check)
        return []
    }

    /// Where the guide describes how workspaces begin.
    private static let guide = "workspaces#begin"

    /// Offers the workspaces that were open last, and any other folder.
    ///
    /// - Parameter action: What is done with the folder; with the prompt in which it was typed, nil for a chosen one.
    static func choose(_ title: String, _ state: inout AppState, then action: @escaping @Sendable (String, Prompt?, inout AppState) -> [Effect]) {
        let others = state.states[RecentState.self].places.filter { $0.folder != state.workspace.folder }
        var items = others.map { place in
            ListPopup.Item(label: place.name, detail: place.folder) { action(place.folder, nil, &$0) }
        }
        items.append(
            .init(label: "Another folder…", detail: "a folder with a workspace.yaml") { state in
                var prompt = Prompt("Folder of the workspace", placeholder: "~/projects/shop") { prompt, state in
                    guard !prompt.text.isEmpty else { return [] }
                    state.popups.pop()
                    let path = FilePath.expanding(prompt.text, home: state.folders.home)
                    return action(FilePath.joining(state.folders.current, path), prompt, &state)
                }
                prompt.guideAddress = guide
                state.popups.push(prompt)
                return []
            })
        state.show(ListPopup(title: title, items: items, guideAddress: guide))
    }

    private static func check(_ folder: String, _ prompt: Prompt?, _ state: inout AppState) -> [Effect] {
        state.start(CheckWorkspaceJob(folder: folder, prompt: prompt))
    }
}

extension Command {
    static let openWorkspace = Command.named("openWorkspace")
}

/// The state of opening other workspaces.
struct RecentState: FeatureState {
    /// The workspaces that were open last, the latest first.
    var places: [WorkspacePlace] = []
}

/// Checking whether a folder is a workspace.
package struct CheckWorkspaceJob: WorkJob {
    static let isReplaced = true

    package let folder: String
    /// The prompt in which the folder was typed, shown again when it is none; nil for a chosen one.
    let prompt: Prompt?

    /// Leaves the workspace for another one that can be opened; asks where something is running or not saved.
    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done: return state.leave(for: folder)
        case .failed(let sentence), .exists(let sentence), .protected(let sentence):
            guard let prompt else {
                state.notify(sentence, .error)
                return []
            }
            state.askAgain(prompt, sentence)
            return []
        }
    }
}
