internal import HistoryModel
internal import SortieTerminal

internal import struct FoundationEssentials.Date

/// The state of the history tab: a window of the store's list, the selection, and pending requests.
struct HistoryState: FeatureState {
    /// The selected row.
    enum Selection: Hashable, Sendable {
        /// The first row; the selection stays there when new rows arrive.
        case newest
        /// A running row, with its index for the time after its end.
        case running(RunningRow.ID, at: Int)
        /// An ended exchange, by its number.
        case ended(Int64)
    }

    /// A command on a row that has not arrived yet.
    enum DeferredCommand: Hashable, Sendable {
        case show, replay
    }

    /// The limit up to which rows are counted.
    static let countLimit = 10_000
    /// The age in seconds after which a filter is evaluated again.
    static let filterAge = 20.0

    /// Whether exchanges are recorded, which the user can switch off.
    var isOn = true
    /// The reason why the history is not recorded or cannot be read.
    var problem: String?
    var window = HistoryWindow()
    /// The time at which the window was read; nil before the first page.
    var moment: HistoryMoment?
    var selection = Selection.newest
    /// The marked rows, in the order of marking.
    var marked: [HistoryItem] = []

    /// The filter as typed.
    var filterText = ""
    /// The text field of the filter while it is edited.
    var entry: TextField?
    private(set) var filter = HistoryFilter()
    /// Whether the exchanges of all workspaces are displayed.
    private(set) var showsAllWorkspaces = false
    /// The diagnostic of an invalid filter.
    private(set) var filterProblem: String?

    /// The time relative to which the spans of the filter were evaluated.
    private var filterReadAt: Date?
    /// Counts the filters.
    ///
    /// A filter whose time spans were evaluated again keeps its number.
    private(set) var filterNumber = 0

    /// The stretch to be requested next.
    var due: HistoryWindow.Stretch? = .newest
    /// The pending request for a page; results of earlier ones are dropped.
    var asked: (id: JobID, stretch: HistoryWindow.Stretch, filterNumber: Int)?
    /// The number of matches, counted to one more than the limit; nil before it is known.
    var count: Int?
    var isCountDue = true
    var countAsked: (id: JobID, filterNumber: Int)?
    /// Whether the last request failed; none is sent before something changes.
    var isStuck = false

    /// The command on the first row before any arrived; another key discards it.
    var deferred: DeferredCommand?

    /// The exchanges whose replay summary was shown to the user.
    var explained: Set<Int64> = []

    init() {}

    /// Sets another filter.
    mutating func setFilter(_ text: String) {
        filterText = text
        if readFilter() { filterChanged() }
    }

    /// Shows the exchanges of all workspaces, or of the one that is open.
    mutating func toggleWorkspaces() {
        showsAllWorkspaces.toggle()
        filterChanged()
    }

    private mutating func filterChanged() {
        isStuck = false
        filterNumber += 1
        due = .newest
        selection = .newest
        count = nil
        isCountDue = true
    }

    /// The filter with the workspace in this folder, unless all are displayed or the filter names one.
    ///
    /// URLs of the command line belong to no workspace, and are displayed in every one.
    func filter(in folder: String) -> HistoryFilter {
        let isNamed = filter.terms.contains { if case .workspace = $0.test { true } else { false } }
        guard !showsAllWorkspaces, !isNamed else { return filter }
        return HistoryFilter(filter.terms + [.init(.workspace(folder)), .init(.workspace("none"))])
    }

    /// Updates the time; a span such as `since:1h` is evaluated again.
    mutating func note(_ moment: HistoryMoment) {
        let isFirst = self.moment == nil
        self.moment = moment
        guard !filterText.isEmpty, filterReadAt.map({ moment.now.timeIntervalSince($0) >= Self.filterAge }) ?? true, readFilter() else { return }
        // Before the first page the time was unknown, so spans were evaluated from 1970.
        if isFirst { filterNumber += 1 }
        if due == nil { due = .again }
        isCountDue = true
    }

    /// Parses the filter at the current time.
    ///
    /// Returns whether it differs from the previous one.
    private mutating func readFilter() -> Bool {
        let moment = moment ?? .unknown
        filterReadAt = moment.now
        let typed = HistoryFilter.typed(filterText, now: moment.now, utcOffset: moment.utcOffset)
        filterProblem = typed.problem?.message
        guard typed.filter != filter else { return false }
        filter = typed.filter
        return true
    }

    /// Schedules a refresh after a change of the store.
    mutating func changed() {
        if due == nil { due = .again }
        isStuck = false
        isCountDue = true
    }

    /// The number of the selected exchange; nil for the first row and for a running one.
    var selectedNumber: Int64? {
        if case .ended(let number) = selection { number } else { nil }
    }

    // MARK: Rows

    /// All loaded rows; the running ones belong to them if the newest exchanges are loaded.
    func rows(_ running: [RunningRow]) -> HistoryRows { HistoryRows(running: window.hasNewer ? [] : running, ended: window.items) }

    /// The index of the selected row.
    func index(in rows: HistoryRows) -> Int {
        let index: Int =
            switch selection {
            case .newest: 0
            case .running(let id, let place): rows.running.firstIndex { $0.id == id } ?? place
            case .ended(let number): rows.running.count + (window.index(of: number) ?? 0)
            }
        return index.clamped(to: 0...max(0, rows.count - 1))
    }

    mutating func select(_ index: Int, in rows: HistoryRows) {
        guard 0..<rows.count ~= index else { return }
        switch rows[index] {
        case .running(let row): selection = .running(row.id, at: index)
        case .ended(let item): selection = index == 0 && !window.hasNewer ? .newest : .ended(item.number)
        }
    }

    mutating func move(_ movement: Movement, in rows: HistoryRows, page: Int) {
        isStuck = false
        switch movement {
        case .first where window.hasNewer: (selection, due) = (.newest, .newest)
        case .last where window.hasOlder: due = .oldest
        default: if !rows.isEmpty { select(movement.target(from: index(in: rows), count: rows.count, page: page), in: rows) }
        }
    }

    /// Marks or unmarks a row.
    mutating func mark(_ item: HistoryItem) {
        if let index = marked.firstIndex(where: { $0.number == item.number }) { marked.remove(at: index) } else { marked.append(item) }
    }

    // MARK: Pages

    /// The stretch to be requested now: one page at a time.
    var nextStretch: HistoryWindow.Stretch? {
        guard asked == nil else { return nil }
        if let due { return due }
        guard !isStuck, moment != nil, let number = selectedNumber ?? window.items.first?.number, let index = window.index(of: number) else {
            return nil
        }
        return window.edge(at: index)
    }

    /// Adds a page that was requested by `id`; a page of a superseded request is dropped.
    mutating func take(_ page: HistoryPage, _ moment: HistoryMoment, _ id: JobID) {
        guard let asked, asked.id == id else { return }
        self.asked = nil
        note(moment)
        guard asked.filterNumber == filterNumber else {
            due = .newest
            return
        }
        window.take(page, asked.stretch)
        // The marked rows are updated.
        marked = marked.map { old in page.items.first { $0.number == old.number } ?? old }
        if asked.stretch == .oldest, let last = page.items.last { selection = .ended(last.number) }
        // More rows may arrive at once than the window holds; it then moves to the selection.
        if let number = selectedNumber, let last = window.items.last?.number, number < last, window.hasOlder { due = .around(number) }
    }

    /// Takes the number of matches; that of a previous filter is requested again.
    mutating func take(count: Int, _ id: JobID) {
        guard let asked = countAsked, asked.id == id else { return }
        countAsked = nil
        if asked.filterNumber == filterNumber { self.count = count } else { isCountDue = true }
    }
}

extension AppState {
    /// The state of the history tab.
    var history: HistoryState {
        get { states[HistoryState.self] }
        _modify { yield &states[HistoryState.self] }
    }
}

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
    static let allWorkspaces = Command.named("allWorkspaces")
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
                .history, [.character("r")], .recordRun, "Run", "Make a run of the marked exchanges in the order in which they were sent", hint: 15,
                unless: Self.noChosen
            ).alsoKnownAs("Make a run of these exchanges", "Record a run"),
            Binding(
                .history, [.character("f")], .filterToEndpoint, "Only these", "Show the exchanges of this endpoint, or all again", hint: 13,
                unless: Self.noItem),
            Binding(
                .history, [.character("d"), .delete], .deleteRows, "Delete", "Delete the exchange from the history; asks first", hint: 14,
                unless: Self.noChosen),
            Binding(
                .history, [.character("a")], .allWorkspaces, "All workspaces", "Show the exchanges of all workspaces, or of this one again", hint: 16),
            Binding(.panes, [.character("H")], .show(.history), "History", "Show the History")
                .alsoKnownAs("Search history", "Sent requests", "Past requests"),
        ]
    }
}

/// The loaded part of the history's list, newest first.
struct HistoryWindow: Hashable, Sendable {
    /// The page size, the maximum number of loaded rows, and the distance from an edge at which the next page is requested.
    static let pageSize = 200
    static let limit = 600
    static let margin = 80

    /// A part of the list to request.
    enum Stretch: Hashable, Sendable {
        case newest, oldest, older, newer
        /// The loaded part again, because something in it changed.
        case again
        /// The rows around a number.
        case around(Int64)
    }

    private(set) var items: [HistoryItem] = []
    private(set) var hasNewer = false
    private(set) var hasOlder = false

    /// The index of a row, or of the nearest older one when it is not loaded.
    func index(of number: Int64) -> Int? {
        guard !items.isEmpty else { return nil }
        // Numbers decrease, so a binary search works.
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number > number { low = middle + 1 } else { high = middle }
        }
        return min(low, items.count - 1)
    }

    /// The stretch to request when a row is near an edge of the window.
    func edge(at index: Int) -> Stretch? {
        if hasOlder, items.count - index <= HistoryWindow.margin { return .older }
        if hasNewer, index < HistoryWindow.margin { return .newer }
        return nil
    }

    /// The query for a stretch.
    ///
    /// - Parameter selected: The number of the selected row; nil for the newest.
    func query(_ stretch: Stretch, filter: HistoryFilter, selected: Int64?) -> HistoryQuery {
        let size = HistoryWindow.pageSize
        switch stretch {
        case .newest: return HistoryQuery(filter, at: .newest, limit: size)
        case .oldest: return HistoryQuery(filter, at: .oldest, limit: size)
        case .older: return HistoryQuery(filter, at: items.last.map { .olderThan($0.number) } ?? .newest, limit: size)
        case .newer: return HistoryQuery(filter, at: items.first.map { .newerThan($0.number) } ?? .newest, limit: size)
        case .around(let number): return HistoryQuery(filter, at: .olderThan(number + 1), limit: size)
        case .again:
            guard let selected, let index = index(of: selected) else { return HistoryQuery(filter, at: .newest, limit: size) }
            if index <= size, !hasNewer { return HistoryQuery(filter, at: .newest, limit: min(HistoryWindow.limit, index + 2 * size)) }
            return HistoryQuery(filter, at: .olderThan(items[max(0, index - size)].number + 1), limit: 2 * size)
        }
    }

    /// Adds a page, and removes rows at the opposite edge beyond the limit.
    mutating func take(_ page: HistoryPage, _ stretch: Stretch) {
        switch stretch {
        case .newest, .oldest, .again, .around:
            (items, hasNewer, hasOlder) = (page.items, page.hasNewer, page.hasOlder)
        case .older:
            items += page.items
            hasOlder = page.hasOlder
            guard items.count > HistoryWindow.limit else { return }
            items.removeFirst(items.count - HistoryWindow.limit)
            hasNewer = true
        case .newer:
            items.insert(contentsOf: page.items, at: 0)
            hasNewer = page.hasNewer
            guard items.count > HistoryWindow.limit else { return }
            items.removeLast(items.count - HistoryWindow.limit)
            hasOlder = true
        }
    }
}
