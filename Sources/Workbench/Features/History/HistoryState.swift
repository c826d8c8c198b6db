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
}

extension AppState {
    /// The state of the history tab.
    var history: HistoryState {
        get { states[HistoryState.self] }
        set { states[HistoryState.self] = newValue }
    }
}
