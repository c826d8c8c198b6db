internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// The response pane: the latest response of the open endpoint, or a past exchange.
struct ResponseFeature: PaneFeature {
    let context = Context.response
    let stacks: [[Context]] = [
        [.response, .panes], [.webSocket, .response, .panes], [.bodyTable, .response, .panes], Context.typingSearch,
        [.bodyFilter, .field], [.failed, .response, .panes], [.untrusted, .failed, .response, .panes],
    ]
    let searchPlace: SearchPlace? = .response

    func guideAddress(_ state: AppState) -> String {
        if state.responses.filterField != nil { return "responses#filter-a-body" }
        if state.shownTable != nil { return "responses#tables" }
        if state.openCall?.isOpenWebSocket == true { return "websocket" }
        if state.openCall?.refusedChain.isEmpty == false { return "addresses#certificates" }
        return switch state.responseState.tab {
        case .body, .headers: "responses#in-the-workbench"
        case .cookies: "cookies#jars"
        case .timing, .trace: "responses#timing-and-trace"
        case .value: "responses"
        case .checks: "responses#what-a-response-must-be"
        }
    }

    func contexts(_ state: AppState) -> [Context] {
        if state.searchEntry != nil { return Context.typingSearch }
        if state.responses.filterField != nil { return [.bodyFilter, .field] }
        if state.shownTable != nil { return [.bodyTable, .response, .panes] }
        if state.openCall?.isOpenWebSocket == true { return [.webSocket, .response, .panes] }
        if Repair.remedy(state) != nil { return [.failed, .response, .panes] }
        guard let call = state.openCall, call.error != nil, call.body?.bytes.isEmpty ?? true else { return [.response, .panes] }
        return (call.refusedChain.isEmpty ? [] : [.untrusted]) + [.failed, .response, .panes]
    }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .cancel where state.openCall?.isOpenWebSocket == true: "Disconnect"
        case .back where !hasSearchOrFilter(state) && state.responses.past != nil: "Close past"
        case .back where state.searchTerms[.response] == nil && state.shownTable != nil: "Tree"
        case .toggleTable where state.shownTable != nil: "Tree"
        case .back where state.searchTerms[.response] == nil && hasSearchOrFilter(state): "Whole body"
        case .pauseDisplay: state.responseState.stream.paused == nil ? "Pause" : "Resume"
        case .send where state.responses.past?.replayedItem != nil: "Replay"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .switchMode: return Self.switchMode(&state)
        case .saveBody: Self.askForBodyPath(&state)
        case .pauseDisplay: return Self.pauseDisplay(&state)
        case .pageBody: return Self.pageBody(&state)
        case .openBody: return Self.openBody(&state)
        case .copyPin: return Self.copyPin(&state)
        case .loadMore: return Self.loadMore(&state)
        case .filterBody: Self.startFilter(&state)
        case .toggleFold: return Self.toggleFold(&state)
        case .foldAll: return Self.foldAll(&state)
        case .unfoldAll: return Self.unfoldAll(&state)
        case .copyPath: return Self.copyPath(&state)
        case .copyKey: return Self.copyKey(&state)
        case .toggleTable: return Self.toggleTable(&state)
        case .copyCell: return Self.copyCell(&state)
        case .sortColumn: return Self.sortColumn(&state)
        case .toggleWrapping: Self.toggleWrapping(&state)
        case .goToOffset: Self.askForOffset(&state)
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, &state)
        case .back where state.searchTerms[.response] == nil && state.shownTable != nil: return Self.closeTable(&state)
        case .unfold where Self.moveColumn(by: 1, &state): break
        case .fold where Self.moveColumn(by: -1, &state): break
        case .unfold where state.responseState.tab == .body: return Self.unfold(&state)
        case .fold where state.responseState.tab == .body: return Self.fold(&state)
        case .accept where state.responses.filterField != nil:
            // The problem is shown below the field.
            if let text = state.responseState.filter?.text, !BodyFilter.isValid(text) { break }
            state.responses.filterField = nil
        case .leave where state.responses.filterField != nil:
            state.responses.filterField = nil
            state.shownKey.map { Self.removeFilter($0, &state) }
        case .copy:
            if state.shownTable != nil { return Self.copyCell(&state) }
            if state.responseState.tab == .body { return Self.copyValue(&state) }
            let lines = ResponseLines(state).lines
            guard lines.indices.contains(state.responseState.line) else { return nil }
            return state.copy(lines[state.responseState.line].copyText, lines[state.responseState.line].name)
        default: return nil
        }
        return []
    }

    private func move(_ movement: Movement, _ state: inout AppState) {
        guard state.responseState.tab == .body else {
            state.responseState.line = movement.target(
                from: state.responseState.line, count: ResponseLines(state).lines.count, page: ResponseView.listRect(state.layout).height)
            return
        }
        state.responseState.followedRow = nil
        if Self.moveInTable(movement, &state) || Self.moveInWrapped(movement, &state) { return }
        Self.move(movement, &state)
    }

    func typedText(_ state: AppState) -> TypedText? { (state.responses.filterField ?? state.searchEntry?.field).map { TypedText($0) } }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        state.responses.filterField == nil ? state.typeSearch(change) : Self.typeFilter(change, &state)
    }

    func stopTyping(_ state: inout AppState) { state.responses.filterField = nil }

    func hasSearchOrFilter(_ state: AppState) -> Bool {
        state.searchTerms[.response] != nil || state.shownTable != nil || state.responseState.filter != nil && state.responseState.tab == .body
    }

    func clearSearchOrFilter(_ state: inout AppState) -> Bool {
        if state.searchTerms[.response] != nil {
            state.searchTerms[.response] = nil
            searchChanged(isEmpty: true, &state)
            return true
        }
        guard hasSearchOrFilter(state), let key = state.shownKey else { return false }
        Self.removeFilter(key, &state)
        return true
    }

    func turnTab(by distance: Int, _ state: inout AppState) {
        state.responseState.tab = state.responseState.tab.moved(by: distance)
    }

    func runningCall(_ state: AppState) -> Call? { state.shownKey.flatMap { state.calls.sending($0) } }

    func canGoBack(_ state: AppState) -> Bool { state.responses.past != nil }

    func back(_ state: inout AppState) -> [Effect]? {
        guard state.responses.past != nil else { return nil }
        Self.dismissPast(&state)
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { ResponseView(state).draw(on: &canvas, in: rect) }

    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point] { ResponseView(state).jumpPoints(layout) }

    /// Folds or unfolds the row that the first click selected.
    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        guard state.responseState.tab == .body, Self.noFolding(state) == nil, let body = state.openBody,
            BodyTabView(state).row(at: point, body) == state.responseState.row
        else { return [] }
        return Self.toggleFold(&state)
    }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) { ResponseView(state).select(at: point, layout, &state.responseState) }
}
