internal import Model

/// A list over the panes: choices, commands, keys or problems.
struct ListPopup: Hashable, Sendable {
    /// One row.
    struct Item: Hashable, Sendable {
        /// At the left: a key or a mark.
        var key = ""
        var label: String
        var detail = ""
        /// What choosing it does; nil for a heading.
        var choice: Choice?
        /// Whether it is what holds now.
        var isCurrent = false
    }

    /// What choosing a row does.
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

    /// The ways out of the program when something is going on.
    enum QuitChoice: Hashable, Sendable {
        case stay, saveAndQuit, quit, discardAndQuit
        /// Stay, and show this endpoint.
        case show(String)
    }

    /// What is done with an endpoint that was changed here and by another program in the same places.
    enum ConflictChoice: Hashable, Sendable {
        case compare, overwrite, reload
    }

    var title: String
    /// A sentence above the rows.
    var message = ""
    var items: [Item]
    /// The text that rows must match; nil when there is nothing to type.
    var filter: TextField?
    var selected = 0
    var top = 0
    /// The question that comes back when the list is closed.
    var prompt: Prompt?
    /// Whether the detail of the selected row is shown below the rows in full.
    var showsDetail = false
    /// What stands when there is no row.
    var emptyText = "Nothing matches."

    /// The rows that match the filter, best first where there is one.
    var shown: [Item] {
        guard let filter, !filter.isEmpty else { return items }
        let scored = items.enumerated().compactMap { index, item -> (score: Int, index: Int, item: Item)? in
            guard item.choice != nil, let score = FuzzyMatch.score(of: filter.text, in: item.label) else { return nil }
            return (score, index, item)
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.map(\.item)
    }

    /// Moves the selection over the rows that can be chosen.
    mutating func move(_ movement: Movement, page: Int) {
        let rows = shown
        guard !rows.isEmpty else { return }
        let target = movement.target(from: selected, count: rows.count, page: page)
        let isDownward = target > selected || movement == .first
        let ahead = isDownward ? Array(target..<rows.count) : Array((0...target).reversed())
        let behind = isDownward ? Array((0..<target).reversed()) : Array(target..<rows.count)
        // A list without anything to choose, such as help, still scrolls.
        selected = (ahead + behind).first { rows[$0].choice != nil } ?? target
    }

    /// The row that Enter chooses.
    var chosen: Item? {
        let rows = shown
        return rows.indices.contains(selected) ? rows[selected] : nil
    }

    /// Puts the selection on what holds now, or on the first row that can be chosen.
    mutating func selectCurrent() {
        selected = items.firstIndex { $0.isCurrent } ?? items.firstIndex { $0.choice != nil } ?? 0
    }
}

/// A question that is answered with a text.
struct Prompt: Hashable, Sendable {
    /// What the answer is for.
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
        /// To which file or folder an endpoint is to be downloaded.
        case download(String)
        /// The passphrase of a client key.
        case clientKey(String)
    }

    var title: String
    var purpose: Purpose
    var field: TextField
    var placeholder = ""
    /// Why the answer could not be used.
    var problem: String?
    /// Sentences above the field.
    var message = ""
    /// Whether what is typed is a secret, which is drawn as dots whatever is shown elsewhere.
    var isSecret = false
}

/// What lies over the panes.
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
