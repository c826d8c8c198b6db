internal import SortieBase
internal import SortieHTTP
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

/// The messages of the session, the latest first.
struct MessagesPopup: ReadingPopup {
    var position = ReadingPosition()

    let name = "the messages"

    func plainText(_ state: AppState) -> String {
        state.messages.entries.reversed().map { entry in
            "\(Self.time(entry, state)) \(entry.toast.mark.text) \(Self.text(of: entry, state))"
        }.joined(separator: "\n")
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        let indent = 12
        let lines = state.messages.entries.reversed().flatMap { entry -> [[Span]] in
            let mark = entry.toast.mark
            let head = [Span(ColumnText.right(Self.time(entry, state), to: indent - 3) + " ", .muted), mark, Span(" ")]
            let style: Style = entry.toast.level == .error ? .error : entry.toast.level == .warning ? .warning : .text
            return WrappedText.lines(Self.text(of: entry, state), width: max(8, width - indent)).enumerated().map { index, line in
                (index == 0 ? head : [Span(String(repeating: " ", count: indent))]) + [Span(line, style)]
            }
        }
        return ReadingText(title: "Messages", subtitle: ItemCount.text(state.messages.entries.count, "message"), lines: lines)
    }

    private static func time(_ entry: MessageLog.Entry, _ state: AppState) -> String { entry.time.map(state.startMoment.clock) ?? "now" }

    private static func text(of entry: MessageLog.Entry, _ state: AppState) -> String {
        state.redaction.masked(entry.toast.text) + (entry.count > 1 ? " (\(entry.count) times)" : "")
    }
}
