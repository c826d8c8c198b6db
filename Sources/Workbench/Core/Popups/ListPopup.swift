internal import SortieTerminal

/// A list in a popup: choices, commands, keys or problems.
struct ListPopup: Popup {
    /// What a row does when it is chosen; the popup is closed before.
    typealias Choice = @Sendable (inout AppState) -> [Effect]

    /// A row of the list.
    struct Item: Sendable {
        /// The key or mark on the left.
        var key = ""
        /// A short name before the label; empty in most lists.
        var name = ""
        var label: String
        var detail = ""
        /// Where the row applies, at the right edge.
        var place = ""
        /// Other words that the filter finds.
        var keywords: [String] = []
        /// Whether the row is the current value.
        var isCurrent = false
        /// Whether choosing the row has no effect now; the detail is the reason.
        var isUnavailable = false
        /// The action of the row; nil for a heading.
        var choice: Choice?

        /// The score of a filter text, higher is better; nil when nothing in the row matches.
        ///
        /// Matches in a name or a keyword rank above matches in the label, of which in a row with a name only the starts of words count; of
        /// equal matches that in the name is the better one; a row that cannot be chosen ranks last.
        fileprivate func score(of text: String) -> Int? {
            func score(_ word: String, bonus: Int) -> Int? {
                FuzzyMatch.score(of: text, in: word).map { $0 + (word.lowercased() == text.lowercased() ? 2000 : bonus) }
            }
            let ofNames = [name.isEmpty ? nil : score(name, bonus: 320)].compactMap(\.self) + keywords.compactMap { score($0, bonus: 300) }
            let isInLabel = name.isEmpty || FuzzyMatch.isMadeOfWordStarts(text, in: label)
            let best = (ofNames + [isInLabel ? FuzzyMatch.score(of: text, in: label) : nil].compactMap(\.self)).max()
            return best.map { $0 - (isUnavailable ? 1000 : 0) }
        }

        /// Creates a row that can be selected, and closes the list when it is chosen.
        static func plain(key: String = "", label: String, detail: String = "", isCurrent: Bool = false) -> Item {
            Item(key: key, label: label, detail: detail, isCurrent: isCurrent) { _ in [] }
        }
    }

    var title: String
    /// A message above the rows.
    var message = ""
    var items: [Item]
    /// The filter of the rows; nil for a list without one.
    var filter: TextField?
    var selected = 0
    /// Whether the full detail of the selected row is shown below the rows.
    var showsDetail = false
    var guideTopic: String?
    /// The text of an empty list.
    var emptyText = "Nothing matches."

    /// The rows that match the filter, the best first; all rows without a filter.
    var shown: [Item] {
        guard let filter, !filter.isEmpty else { return items }
        let scored = items.enumerated().compactMap { index, item -> (score: Int, index: Int, item: Item)? in
            guard item.choice != nil, let score = item.score(of: filter.text) else { return nil }
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

    // MARK: Popup

    var contexts: [Context] { filter == nil ? [.popup, .menu] : [.popup, .field] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, page: rows(in: frame(in: state.popupArea)).height)
        case .choose:
            guard let choice = chosen?.choice else { break }
            state.popups.pop()
            return choice(&state)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { filter.map { TypedText($0) } }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        filter?.apply(change)
        selected = 0
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown: move(mouse.kind == .scrollUp ? .up : .down, page: 1)
        case .press:
            let frame = frame(in: state.popupArea)
            guard frame.contains(mouse.position) else {
                state.popups.removeAll()
                break
            }
            let rows = rows(in: frame)
            let index = mouse.position.row - rows.row + top(height: rows.height)
            guard rows.contains(mouse.position), shown.indices.contains(index), shown[index].choice != nil else { break }
            selected = index
            return perform(.choose, &state) ?? []
        case .release, .drag, .doubleClick: break
        }
        return []
    }
}
