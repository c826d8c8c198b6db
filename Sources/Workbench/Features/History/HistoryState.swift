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
        guard readFilter() else { return }
        isStuck = false
        filterNumber += 1
        due = .newest
        selection = .newest
        count = nil
        isCountDue = true
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
        let moment = moment ?? HistoryMoment(now: Date(timeIntervalSince1970: 0))
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
