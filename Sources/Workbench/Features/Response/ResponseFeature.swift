internal import BodyViews
internal import SortieTerminal

/// The response pane: the latest response of the open endpoint, or a past exchange.
struct ResponseFeature: PaneFeature {
    let context = Context.response
    var guideTopic: String { "responses" }
    let stacks: [[Context]] = [[.response, .panes], Context.typingSearch, [.untrusted, .response, .panes]]
    let searchPlace: SearchPlace? = .response

    func contexts(_ state: AppState) -> [Context] {
        if state.searchEntry != nil { return Context.typingSearch }
        return (state.refusedChain.isEmpty ? [] : [.untrusted]) + [.response, .panes]
    }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .back where !hasSearchOrFilter(state) && state.past != nil && runningCall(state) == nil: "Close past"
        case .send where Replay.isMeant(state): "Replay"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .switchMode: return state.switchMode()
        case .saveBody: state.askForBodyPath()
        case .copyPin: return state.copyPin()
        case .loadMore: return state.loadMore()
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, &state)
        case .unfold where state.responseState.tab == .body: scrollSideways(1, &state)
        case .fold where state.responseState.tab == .body: scrollSideways(-1, &state)
        case .copy:
            if state.responseState.tab == .body { return state.copyBody() }
            let lines = state.responseLines
            guard lines.indices.contains(state.responseState.line) else { return nil }
            return state.copy(lines[state.responseState.line].copyText, lines[state.responseState.line].name)
        default: return nil
        }
        return []
    }

    private func move(_ movement: Movement, _ state: inout AppState) {
        guard state.responseState.tab == .body else {
            state.responseState.line = movement.target(
                from: state.responseState.line, count: state.responseLines.count, page: state.responseListRect.height)
            return
        }
        guard let body = state.openCall?.body else { return }
        let height = state.responseBodyHeight
        let lastTop = max(0, body.rowCount - height)
        state.responseState.top =
            switch movement {
            case .first: 0
            case .last: lastTop
            default: movement.target(from: min(state.responseState.top, lastTop), count: lastTop + 1, page: height)
            }
    }

    func turnTab(by distance: Int, _ state: inout AppState) {
        state.responseState.tab = state.responseState.tab.moved(by: distance)
    }

    private func scrollSideways(_ direction: Int, _ state: inout AppState) {
        state.responseState.left = (state.responseState.left + direction * 8).clamped(to: 0...4096)
    }

    func runningCall(_ state: AppState) -> Call? { state.shownKey.flatMap { state.calls.sending($0) } }

    func canGoBack(_ state: AppState) -> Bool { state.past != nil }

    func back(_ state: inout AppState) -> [Effect]? {
        if let call = runningCall(state) { return state.cancel(call) }
        guard state.past != nil else { return nil }
        state.dismissPast()
        return []
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        state.findInResponse(search, forward: forward, includingHere: includingHere)
    }

    func searchChanged(isEmpty: Bool, _ state: inout AppState) {
        if isEmpty { state.stopSearching() }
        state.responseState.forgetMatch()
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawResponse(on: &canvas, in: rect, state.layout) }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) { state.clickResponse(at: point, layout) }
}
