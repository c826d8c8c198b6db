internal import Model

/// A list in a popup: choices, commands, keys or problems.
struct ListPopup: Hashable, Sendable {
    /// A row of the list.
    struct Item: Hashable, Sendable {
        /// The key or mark on the left.
        var key = ""
        var label: String
        var detail = ""
        /// The action of the row; nil for a heading.
        var choice: Choice?
        /// Whether the row is the current value.
        var isCurrent = false
    }

    /// The action of a row.
    enum Choice: Hashable, Sendable {
        case environment(String?)
        case method(String)
        case otherMethod
        case bodyKind(BodyChoice)
        case authKind(AuthChoice)
        case option(OptionRow, String)
        case command(Command)
        case problem(Problem)
        case logService(String?)
        case transferLimit(Int)
        case quit(QuitChoice)
        case conflict(String, ConflictChoice)
        case overwrite(Prompt)
        case askAgain(Prompt)
        case deleteExchanges([Int64])
        case replay(ReplaySummary, HistoryItem)
        case replaySeveral([HistoryItem], ReplayPace)
        case permission(AppState.PermissionChoice)
        case nothing
    }

    /// The choices on quitting while something is running or unsaved.
    enum QuitChoice: Hashable, Sendable {
        case stay, saveAndQuit, quit, discardAndQuit
        /// Stay, and show this endpoint.
        case show(String)
    }

    /// The choices for an endpoint that was changed here and by another program in the same keys.
    enum ConflictChoice: Hashable, Sendable {
        case compare, overwrite, reload
    }

    var title: String
    /// A message above the rows.
    var message = ""
    var items: [Item]
    /// The filter of the rows; nil for a list without one.
    var filter: TextField?
    var selected = 0
    var top = 0
    /// The prompt that is shown again when the list closes.
    var prompt: Prompt?
    /// Whether the full detail of the selected row is shown below the rows.
    var showsDetail = false
    /// The text of an empty list.
    var emptyText = "Nothing matches."

    /// The rows that match the filter, the best first; all rows without a filter.
    var shown: [Item] {
        guard let filter, !filter.isEmpty else { return items }
        let scored = items.enumerated().compactMap { index, item -> (score: Int, index: Int, item: Item)? in
            guard item.choice != nil, let score = FuzzyMatch.score(of: filter.text, in: item.label) else { return nil }
            return (score, index, item)
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.map(\.item)
    }

    /// Moves the selection to the nearest row that can be chosen.
    mutating func move(_ movement: Movement, page: Int) {
        let rows = shown
        guard !rows.isEmpty else { return }
        let target = movement.target(from: selected, count: rows.count, page: page)
        let isDownward = target > selected || movement == .first
        let ahead = isDownward ? Array(target..<rows.count) : Array((0...target).reversed())
        let behind = isDownward ? Array((0..<target).reversed()) : Array(target..<rows.count)
        // A list without choices, such as help, still scrolls.
        selected = (ahead + behind).first { rows[$0].choice != nil } ?? target
    }

    /// The row that Enter chooses.
    var chosen: Item? {
        let rows = shown
        return rows.indices.contains(selected) ? rows[selected] : nil
    }

    /// Selects the current value, or the first row that can be chosen.
    mutating func selectCurrent() {
        selected = items.firstIndex { $0.isCurrent } ?? items.firstIndex { $0.choice != nil } ?? 0
    }
}

/// A popup with a text field.
struct Prompt: Hashable, Sendable {
    /// The use of the text.
    enum Purpose: Hashable, Sendable {
        case method
        case saveBody(CallID)
        case saveLog
        case importCookies(CookiesPopup)
        case exportCookies(CookiesPopup)
        /// The tags of these exchanges.
        case tags([Int64])
        /// The note of an exchange.
        case note(Int64)
        /// The destination of a download of this endpoint.
        case download(String)
        /// The passphrase of a client key.
        case clientKey(String)
    }

    var title: String
    var purpose: Purpose
    var field: TextField
    var placeholder = ""
    /// The reason why the text was rejected.
    var problem: String?
    /// The message above the field.
    var message = ""
    /// Whether the text is a secret, which is always masked.
    var isSecret = false
}

/// The open popup.
enum Popup: Hashable, Sendable {
    case list(ListPopup)
    case prompt(Prompt)
    case dryRun(DryRunPopup)
    case transfer(TransferPopup)
    case diff(DiffPopup)
    case files(FilePicker)
    case cookies(CookiesPopup)
    case form(Form)
    case compare(ComparePopup)
}
