internal import Model
internal import Terminal

internal import struct FoundationEssentials.Date

/// What the History pane remembers: a stretch of the store's list, which row is selected, and what is being asked.
struct HistoryState: Sendable {
    /// The selected row.
    enum Selection: Hashable, Sendable {
        /// The first one, whichever that is: new rows move it.
        case newest
        /// One that runs; where it was, for when it has ended.
        case running(RunningRow.ID, at: Int)
        /// One that ended, by its number.
        case ended(Int64)
    }

    /// What can be wanted of a row that has not come yet.
    enum Wish: Hashable, Sendable {
        case show, replay
    }

    /// Up to how many rows are counted.
    static let countLimit = 10_000
    /// After how many seconds a filter is read once more.
    static let filterAge = 20.0

    /// Whether anything is kept; the person can switch it off.
    var isOn: Bool
    /// Why it is not kept, or cannot be read.
    var problem: String?
    var window = HistoryWindow()
    /// When the window was read; nil before the first answer.
    var moment: HistoryMoment?
    var selection = Selection.newest
    /// Rows that are marked, in the order in which they were.
    var marked: [HistoryItem] = []

    /// The text of the filter.
    var filterText = ""
    /// The field in which it is typed, while it is.
    var entry: TextField?
    private(set) var filter = HistoryFilter()
    /// What in the text is no filter.
    private(set) var filterProblem: String?

    /// The moment from which its spans of time are told.
    private var filterReadAt: Date?
    /// Counts the filters; one whose spans of time moved on with the clock is still the same.
    private(set) var filterNumber = 0

    /// The stretch that is due.
    var due: HistoryWindow.Stretch? = .newest
    /// The page that was asked for; only the latest counts.
    var asked: (id: JobID, stretch: HistoryWindow.Stretch, filterNumber: Int)?
    /// How many rows the filter takes, up to one more than are counted; nil before it is known.
    var count: Int?
    var isCountDue = true
    var countAsked: (id: JobID, filterNumber: Int)?
    /// Whether the last question failed; nothing is asked again before something happens.
    var isStuck = false

    /// What was asked of the first row before any came; another key forgets it.
    var wish: Wish?

    /// Exchanges of which a person was shown what sending them again means.
    var explained: Set<Int64> = []
    var batch: ReplayBatch?

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Takes another filter.
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

    /// Takes what the clock shows; a span such as `since:1h` moves on with it.
    mutating func note(_ moment: HistoryMoment) {
        let isFirst = self.moment == nil
        self.moment = moment
        guard !filterText.isEmpty, filterReadAt.map({ moment.now.timeIntervalSince($0) >= Self.filterAge }) ?? true, readFilter() else { return }
        // Before the first answer nothing was known of the clock, and spans were told from nowhere.
        if isFirst { filterNumber += 1 }
        if due == nil { due = .again }
        isCountDue = true
    }

    /// Reads the text as a filter of this moment; whether it is another one than before.
    private mutating func readFilter() -> Bool {
        let moment = moment ?? HistoryMoment(now: Date(timeIntervalSince1970: 0))
        filterReadAt = moment.now
        let typed = HistoryFilter.typed(filterText, now: moment.now, utcOffset: moment.utcOffset)
        filterProblem = typed.problem?.message
        guard typed.filter != filter else { return false }
        filter = typed.filter
        return true
    }

    /// Something in the store changed.
    mutating func changed() {
        if due == nil { due = .again }
        isStuck = false
        isCountDue = true
    }

    /// The number that the selection stands on; nil for the first row and for one that runs.
    var selectedNumber: Int64? {
        if case .ended(let number) = selection { number } else { nil }
    }
}
