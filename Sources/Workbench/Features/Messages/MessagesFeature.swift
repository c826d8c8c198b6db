internal import SortieTerminal

/// The messages that were shown above the footer in this session.
struct MessagesFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [.function(8)], .messages, "Messages", "List the messages that were shown above the footer, the latest first",
                unless: { $0.messages.entries.isEmpty ? "No message was shown yet" : nil }
            )
            .alsoKnownAs("Notifications", "Notices", "Toasts", "Errors", "Last message")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .messages else { return nil }
        if state.popups.isEmpty {
            state.focusedPane.stopEditing(&state)
            state.stopTyping()
        }
        state.toast = nil
        state.popups.push(MessagesPopup())
        return []
    }
}

extension Command {
    static let messages = Command.named("messages")
}
