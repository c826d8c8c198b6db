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
extension AppState {
    var noHistoryRowReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedHistoryRow == nil && !awaitsHistory ? "There is no row" : nil
    }

    /// The reason why no ended exchange is selected.
    var noPastReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedItem == nil ? selectedRunning == nil ? "There is no row" : "It is still under way; \(key(.stopRow)) stops it" : nil
    }

    /// The same for commands that also apply to marked rows.
    var noChosenReason: String? { isHistoryFocused && !history.marked.isEmpty ? nil : noPastReason }

    var noRunningRowReason: String? {
        guard isHistoryFocused else { return "Choose a row in History first" }
        return selectedRunning == nil ? "It has ended; only a running call, transfer or run can be stopped" : nil
    }
}

extension HistoryFeature {
    var bindings: [Binding] {
        [
            Binding(
                .history, [.character("x")], .stopRow, "Stop", "Stop the call, transfer or run", hint: 2,
                unless: \.noRunningRowReason),
            Binding(
                .history, [.enter], .open, "Show", "Show the exchange in Response; go to a running call, transfer or run", hint: 3,
                unless: \.noHistoryRowReason),
            Binding(
                .history, [.character("c")], .compareRows, "Compare", "Compare the two marked exchanges, or the marked one with the selected one",
                hint: 5,
                unless: \.noChosenReason),
            Binding(
                .history, [.character("e")], .openAsDraft, "Draft", "Open the endpoint in Request as it was sent", hint: 6, unless: \.noPastReason),
            Binding(.history, [.space], .markRow, "Mark", "Mark or unmark the row", hint: 8, unless: \.noPastReason),
            Binding(
                .history, [.character("p")], .pinRows, "Pin", "Pin the exchange, so that it is kept, or unpin it", hint: 9, unless: \.noChosenReason),
            Binding(.history, [.character("t")], .tagRows, "Tags", "Edit the tags of the exchange", hint: 10, unless: \.noChosenReason),
            Binding(.history, [.character("w")], .noteRow, "Note", "Edit the note of the exchange", hint: 11, unless: \.noPastReason),
            Binding(
                .history, [.character("s")], .saveAsEndpoint, "Save as", "Save the exchange as a new endpoint of a service", hint: 12,
                unless: \.noPastReason),
            Binding(
                .history, [.character("f")], .filterToEndpoint, "Only these", "Show the exchanges of this endpoint, or all again", hint: 13,
                unless: \.noPastReason),
            Binding(
                .history, [.character("d"), .delete], .deleteRows, "Delete", "Delete the exchange from the history; asks first", hint: 14,
                unless: \.noChosenReason),
            Binding(.panes, [.character("H")], .show(.history), "History", "Show the History"),
        ]
    }
}
