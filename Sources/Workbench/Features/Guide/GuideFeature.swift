internal import SortieGuide
internal import SortieTerminal

/// The article of the guide about the focused pane.
struct GuideFeature: Feature {
    var bindings: [Binding] {
        [Binding(.everywhere, [.function(1)], .guide, "Guide", "Show the article of the guide about this pane")]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .guide else { return nil }
        guard let article = Guide.article(state.focusedPane.guideTopic) else { return [] }
        state.focusedPane.stopEditing(&state)
        state.popups.show(GuidePopup(article: article))
        return []
    }
}

extension Command {
    /// Show the article of the guide about the focused pane.
    static let guide = Command.named("guide")
}
