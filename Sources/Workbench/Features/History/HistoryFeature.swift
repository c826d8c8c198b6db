internal import HistoryModel
internal import SortieTerminal

/// The history tab: what is under way, then ended exchanges, the newest first.
struct HistoryFeature: TabFeature {
    let tab = BottomTab.history
    let context = Context.history
    var guideTopic: String { "history" }

    func contexts(_ state: AppState) -> [Context] { state.history.entry == nil ? [.history, .panes] : Context.typingSearch }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .back where hasSearchOrFilter(state): "Clear filter"
        case .accept where state.history.entry != nil: "Keep filter"
        case .search: "Filter"
        case .send where Replay.isMeant(state): "Replay"
        case .pinRows where state.chosenItems.allSatisfy(\.isPinned): "Unpin"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .stopRow: return state.stopRow()
        case .markRow: state.markRow()
        case .compareRows: return state.compareRows()
        case .pinRows: return state.pinRows()
        case .tagRows: state.askForTags()
        case .noteRow: state.askForNote()
        case .deleteRows: state.askToDelete()
        case .filterToEndpoint: state.filterToEndpoint()
        case .openAsDraft: return state.selectedItem.map { [state.load($0.number, for: .draft)] } ?? []
        case .saveAsEndpoint: return state.selectedItem.map { [state.load($0.number, for: .save)] } ?? []
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): state.moveInHistory(movement)
        case .open: return state.openHistoryRow()
        case .search: state.startHistoryFilter()
        case .accept where state.history.entry != nil: state.history.entry = nil
        case .leave where state.history.entry != nil: state.leaveHistoryFilter()
        case .copy: return state.selectedItem.flatMap { state.copy($0.url, "the URL") }
        default: return nil
        }
        return []
    }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard var entry = state.history.entry else { return [] }
        entry.apply(change)
        state.history.entry = entry
        state.history.setFilter(entry.text)
        return []
    }

    func stopTyping(_ state: inout AppState) { state.history.entry = nil }

    func hasSearchOrFilter(_ state: AppState) -> Bool { !state.history.filterText.isEmpty }

    func clearSearchOrFilter(_ state: inout AppState) -> Bool {
        guard hasSearchOrFilter(state) else { return false }
        state.history.setFilter("")
        return true
    }

    func canGoBack(_ state: AppState) -> Bool { !state.history.marked.isEmpty }

    func back(_ state: inout AppState) -> [Effect]? {
        guard canGoBack(state) else { return nil }
        state.history.marked = []
        return []
    }

    // MARK: Screen

    func trailingTitle(_ state: AppState) -> [Span] { state.historyTitle }

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawHistory(on: &canvas, in: rect) }

    func click(row: Int, height: Int, _ state: inout AppState) { state.clickHistory(row: row) }
}
