internal import SortieTerminal

/// A position in the log: an item and a row of it, 0 for its head.
struct LogPlace: Hashable, Sendable {
    var item: Int
    var row = 0
}

/// A filter of the log.
struct LogFilter: Hashable, Sendable {
    /// The folder of a service, empty for items without a service; nil for all.
    var service: String?
    /// The lowest level that is shown.
    var level = LogEntry.Level.debug

    var isOn: Bool { service != nil || level != .debug }

    /// - Parameter services: The folders of all services.
    func shows(_ item: Log.Item, services: Set<String>) -> Bool {
        guard item.level >= level else { return false }
        guard let service else { return true }
        return service.isEmpty ? !services.contains(item.service) : item.service == service
    }

    /// The filter as text for the title and for prompts, such as `Shop` and `warnings, errors`.
    func words(_ name: (String) -> String) -> [String] {
        var words: [String] = []
        if let service { words.append(service.isEmpty ? "Sortie" : name(service)) }
        switch level {
        case .debug: break
        case .info: words.append("no debug")
        case .warning: words.append("warnings, errors")
        case .error: words.append("errors")
        }
        return words
    }
}

/// The state of the log tab.
struct LogState: FeatureState {
    /// An unfolded item.
    struct Unfolded: Hashable, Sendable {
        /// The parts whose blocks are unfolded.
        var blocks: Set<Int> = []
        /// The rows below the head, which are computed on changes instead of on drawing.
        var rows: [LogRow] = []
    }

    /// The selected row; nil follows the newest item.
    var place: LogPlace?
    var filter = LogFilter()
    /// The unfolded items by number.
    var unfolded: [Int: Unfolded] = [:]
}

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
            Binding(.panes, [.character("L")], .show(.log), "Log", "Show the Log").alsoKnownAs("Console", "Debug"),
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
