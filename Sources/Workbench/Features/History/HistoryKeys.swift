internal import SortieTerminal

extension Context {
    static let history = Context("History")
}

extension BottomTab {
    static let history = BottomTab("History")
}

extension Command {
    static let stopRow = Command.named("stopRow")
    static let markRow = Command.named("markRow")
    static let compareRows = Command.named("compareRows")
    static let pinRows = Command.named("pinRows")
    static let tagRows = Command.named("tagRows")
    static let noteRow = Command.named("noteRow")
    static let deleteRows = Command.named("deleteRows")
    static let filterToEndpoint = Command.named("filterToEndpoint")
    static let openAsDraft = Command.named("openAsDraft")
    static let saveAsEndpoint = Command.named("saveAsEndpoint")
}

/// The reasons why commands of the history tab are unavailable; nil for an available command.
extension HistoryFeature {
    private static func reason(_ state: AppState, _ reason: (HistoryRow?) -> String?) -> String? {
        state.isFocused(.history) ? reason(selectedRow(state)) : "Choose a row in History first"
    }

    private static func noRow(_ state: AppState) -> String? {
        reason(state) { $0 == nil && !awaitsRows(state) ? "There is no row" : nil }
    }

    /// The reason why no ended exchange is selected.
    private static func noItem(_ state: AppState) -> String? {
        reason(state) { row in
            switch row {
            case .ended: nil
            case .running: "It is still under way; \(state.key(.stopRow)) stops it"
            case nil: "There is no row"
            }
        }
    }

    /// The same for commands that also apply to marked rows.
    private static func noChosen(_ state: AppState) -> String? {
        state.isFocused(.history) && !state.history.marked.isEmpty ? nil : noItem(state)
    }

    private static func noRunning(_ state: AppState) -> String? {
        reason(state) { if case .running = $0 { nil } else { "It has ended; only a running call, transfer or run can be stopped" } }
    }
}

extension HistoryFeature {
    var bindings: [Binding] {
        [
            Binding(
                .history, [.character("x")], .stopRow, "Stop", "Stop the call, transfer or run", hint: 2,
                unless: Self.noRunning),
            Binding(
                .history, [.enter], .open, "Show", "Show the exchange in Response; go to a running call, transfer or run", hint: 3,
                unless: Self.noRow),
            Binding(
                .history, [.character("c")], .compareRows, "Compare", "Compare the two marked exchanges, or the marked one with the selected one",
                hint: 5,
                unless: Self.noChosen),
            Binding(
                .history, [.character("e")], .openAsDraft, "Draft", "Open the endpoint in Request as it was sent", hint: 6, unless: Self.noItem),
            Binding(.history, [.space], .markRow, "Mark", "Mark or unmark the row", hint: 8, unless: Self.noItem),
            Binding(
                .history, [.character("p")], .pinRows, "Pin", "Pin the exchange, so that it is kept, or unpin it", hint: 9, unless: Self.noChosen),
            Binding(.history, [.character("t")], .tagRows, "Tags", "Edit the tags of the exchange", hint: 10, unless: Self.noChosen),
            Binding(.history, [.character("w")], .noteRow, "Note", "Edit the note of the exchange", hint: 11, unless: Self.noItem),
            Binding(
                .history, [.character("s")], .saveAsEndpoint, "Save as", "Save the exchange as a new endpoint of a service", hint: 12,
                unless: Self.noItem),
            Binding(
                .history, [.character("f")], .filterToEndpoint, "Only these", "Show the exchanges of this endpoint, or all again", hint: 13,
                unless: Self.noItem),
            Binding(
                .history, [.character("d"), .delete], .deleteRows, "Delete", "Delete the exchange from the history; asks first", hint: 14,
                unless: Self.noChosen),
            Binding(.panes, [.character("H")], .show(.history), "History", "Show the History"),
        ]
    }
}
