internal import SortieTerminal

extension Context {
    static let log = Context("Log")
}

extension BottomTab {
    static let log = BottomTab("Log")
}

extension SearchPlace {
    static let log = SearchPlace("log")
}

extension Command {
    static let chooseLogService = Command.named("chooseLogService")
    static let changeLogLevel = Command.named("changeLogLevel")
    static let saveLog = Command.named("saveLog")
}

extension LogFeature {
    var bindings: [Binding] {
        [
            Binding(
                .log, [.enter, .space], .open, "Unfold", "Fold or unfold a call, a block of its debug log, or a line that is too long", hint: 3,
                unless: Self.noFoldReason),
            Binding(.log, [.character("v")], .changeLogLevel, "Level", "Show everything, no debug, warnings and errors, or errors", hint: 4),
            Binding(.log, [.character("f")], .chooseLogService, "Service", "Show the entries of one service", hint: 5),
            Binding(.log, [.character("s")], .saveLog, "Save", "Save the log to a file, with its secrets masked", hint: 6) {
                $0.log.items.isEmpty ? "The log is empty" : nil
            },
            Binding(.panes, [.character("L")], .show(.log), "Log", "Show the Log"),
        ]
    }
}

extension LogFeature {
    private static func noFoldReason(_ state: AppState) -> String? {
        let pane = LogPane(state)
        guard let place = pane.place else { return "The log is empty" }
        return pane.isFoldable(place.item) ? nil : "This line has nothing to unfold"
    }
}
