internal import HistoryModel
internal import SortieTerminal
internal import WorkspaceModel

/// The history tab: what is under way, then ended exchanges, the newest first.
struct HistoryFeature: TabFeature {
    let tab = BottomTab.history
    let context = Context.history

    func guideAddress(_ state: AppState) -> String { "history#in-the-workbench" }

    func contexts(_ state: AppState) -> [Context] { state.history.entry == nil ? [.history, .panes] : Context.typingSearch }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .back where hasSearchOrFilter(state): "Clear filter"
        case .accept where state.history.entry != nil: "Keep filter"
        case .search: "Filter"
        case .allWorkspaces where state.history.showsAllWorkspaces: "This workspace"
        case .send where Replay.isMeant(state): "Replay"
        case .pinRows where Self.chosenItems(state).allSatisfy(\.isPinned): "Unpin"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .stopRow: return Self.stopRow(&state)
        case .markRow:
            guard let item = Self.selectedItem(state) else { break }
            state.history.mark(item)
            Self.move(.down, &state)
        case .recordRun: return Self.recordRun(&state)
        case .compareRows: return Self.compareRows(&state)
        case .pinRows: return Self.pinRows(&state)
        case .tagRows: Self.askForTags(&state)
        case .noteRow: Self.askForNote(&state)
        case .deleteRows: return Self.askToDelete(&state)
        case .filterToEndpoint: Self.filterToEndpoint(&state)
        case .allWorkspaces: state.history.toggleWorkspaces()
        case .openAsDraft: return Self.selectedItem(state).map { [Self.load($0.number, for: .draft, &state)] } ?? []
        case .saveAsEndpoint: return Self.selectedItem(state).map { [Self.load($0.number, for: .save, &state)] } ?? []
        default: return nil
        }
        return []
    }

    func requestPlaces(for list: PopupStack.ID, _ state: inout AppState) -> [Effect] {
        guard state.history.isOn else { return [] }
        let query = HistoryQuery(HistoryState().filter(in: state.workspace.folder), limit: HistoryWindow.pageSize)
        return [.history(state.nextJob(HistoryPlacesJob(list: list)), .page(query))]
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): Self.move(movement, &state)
        case .open: return Self.openRow(&state)
        case .search: Self.startFilter(&state)
        case .accept where state.history.entry != nil: state.history.entry = nil
        case .leave where state.history.entry != nil:
            state.history.entry = nil
            state.history.setFilter("")
        case .copy: return Self.selectedItem(state).flatMap { ExportFeature.copy(("the URL", $0.url), &state) }
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { (state.history.entry ?? state.searchEntry?.field).map { TypedText($0) } }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard var entry = state.history.entry else { return [] }
        entry.apply(change)
        state.history.entry = entry
        state.history.setFilter(entry.text)
        return []
    }

    func exportSubject(_ state: AppState) -> ExportSubject? {
        let numbers = Self.chosenItems(state).map(\.number)
        return numbers.isEmpty ? nil : .exchanges(numbers)
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

    func trailingTitle(_ state: AppState) -> [Span] { HistoryView.title(state) }

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { HistoryView(state).draw(on: &canvas) }

    func click(row: Int, height: Int, _ state: inout AppState) {
        let rows = Self.rows(state)
        if let index = HistoryView(state, height: height).index(at: row) { state.history.select(index, in: rows) }
    }
}
