internal import SortieTerminal

/// Jump mode: labels on what can be clicked, which a key sequence clicks.
struct JumpFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.character("'")], .jump, "Jump", "Put letters on panes, tabs, rows and keys; typing them goes there", hint: 50)
                .alsoKnownAs("Go to", "Hint", "Labels", "Click", "Easy motion"),
            Binding(.everywhere, [.control("g")], .jump, "Jump", "Put letters on panes, tabs, rows and keys; typing them goes there"),
            Binding(.jump, [.escape, .control("c")], .close, "Cancel", "Leave without going anywhere", hint: 1),
        ]
    }

    let stacks: [[Context]] = [[.jump, .field]]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .jump else { return nil }
        guard state.popups.isEmpty, !state.layout.isTooSmall else { return [] }
        state.focusedPane.stopEditing(&state)
        state.stopTyping()
        state.toast = nil
        state.popups.push(JumpPopup(targets: JumpTarget.all(state), layout: state.layout))
        return []
    }
}

extension Command {
    static let jump = Command.named("jump")
}

extension Context {
    /// Labels are shown on what can be clicked.
    static let jump = Context("Jumping")
}
