internal import SortieGuide
internal import SortieTerminal

/// The article of the guide about the popup that is shown, else about the focused pane; and its parts that the palette finds.
struct GuideFeature: Feature {
    var bindings: [Binding] {
        [Binding(.always, [.function(1)], .guide, "Guide", "Show the article of the guide about this popup or pane, or close it")]
            + GuidePart.all.map(\.binding)
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        if let part = GuidePart.of(command) {
            guard let popup = part.popup(state) else { return [] }
            state.focusedPane.stopEditing(&state)
            state.popups.push(popup)
            return []
        }
        guard command == .guide else { return nil }
        if state.popup is GuidePopup {
            state.popups.pop()
        } else if let article = Guide.article(state.popup?.guideTopic ?? state.focusedPane.guideTopic) {
            if state.popups.isEmpty { state.focusedPane.stopEditing(&state) }
            state.popups.push(GuidePopup(article: article))
        }
        return []
    }
}

extension Command {
    /// Show the article of the guide about the popup that is shown, else about the focused pane.
    static let guide = Command.named("guide")
}
