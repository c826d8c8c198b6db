internal import SortieTerminal

/// Unsaved changes of endpoints: saving, discarding, undoing, and merging with changes of other programs.
struct DraftsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.everywhere, [.control("s")], .save, "Save", "Save the endpoint to its file", hint: 2, unless: Self.cannotSave)
                .alsoKnownAs("Write", "w"),
            Binding(
                .request, [], .showChanges, "Differences", "Show what saving would change in the endpoint's file", unless: Self.notEdited),
            Binding(
                .request, [], .discard, "Discard", "Discard the unsaved changes to this endpoint", unless: Self.notEdited),
        ]
    }

    private static func cannotSave(_ state: AppState) -> String? { state.noEndpointReason ?? notEdited(state) }

    private static func notEdited(_ state: AppState) -> String? {
        state.openTarget.flatMap { state.drafts[$0] }?.isEdited == true ? nil : "There are no changes since the last save"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .save: return Self.save(&state)
        case .showChanges: return state.openTarget.map { Self.compareWithFile($0, &state) } ?? []
        case .discard: Self.discard(&state)
        default: return nil
        }
        return []
    }
}

extension Command {
    static let save = Command.named("save")
    static let showChanges = Command.named("showChanges")
    static let discard = Command.named("discard")
}
