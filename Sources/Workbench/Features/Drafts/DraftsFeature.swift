internal import SortieTerminal

/// Unsaved changes of endpoints: saving, discarding, undoing, and merging with changes of other programs.
struct DraftsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [.control("s")], .save, "Save", "Save the endpoint to its file", hint: 2, unless: \.cannotSaveReason),
            Binding(
                .request, [], .showChanges, "Differences", "Show what saving would change in the endpoint's file", unless: \.notEditedReason),
            Binding(
                .request, [], .discard, "Discard", "Discard the unsaved changes to this endpoint", unless: \.notEditedReason),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .save: return state.save()
        case .showChanges: return state.openTarget.map { state.compareWithFile($0) } ?? []
        case .discard: state.discard()
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
