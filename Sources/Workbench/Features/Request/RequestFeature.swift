internal import SortieTerminal
internal import WorkspaceModel

/// The request pane: the request line, the tabs, and the rows of the shown tab, which are edited in place.
struct RequestFeature: PaneFeature {
    let context = Context.request
    var guideTopic: String { "requests" }
    let stacks: [[Context]] = [[.request, .panes], Context.typingSearch, [.row, .field], [.area, .field]]
    let searchPlace: SearchPlace? = .request

    func contexts(_ state: AppState) -> [Context] {
        if state.searchEntry != nil { return Context.typingSearch }
        switch state.editing {
        case .url, .row: return [.row, .field]
        case .body: return [.area, .field]
        case nil: return [.request, .panes]
        }
    }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .deleteRow where state.selectedRequestRow?.option != nil: "Reset"
        case .toggle where state.selectedRequestRow?.listIndex == nil: "Change"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .addRow: state.addRow()
        case .deleteRow: state.deleteRow()
        case .editRow: return state.editRow()
        case .editText: state.editText()
        case .duplicateRow: state.duplicateRow()
        case .moveRowUp: state.moveRow(by: -1)
        case .moveRowDown: state.moveRow(by: 1)
        case .undo: state.undo()
        case .redo: state.redo()
        case .editURL: state.editURL()
        case .chooseMethod: state.chooseMethod()
        case .formatBody: state.formatBody()
        case .pickFile: return state.pickFile()
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): if state.requestState.editing == nil { move(movement, &state) }
        case .toggle: state.toggleRow()
        case .accept where state.searchEntry == nil: if state.commitSetting() { state.leaveEditing() }
        case .leave where state.searchEntry == nil: state.leaveEditing()
        case .nextField: state.moveField(by: 1)
        case .previousField: state.moveField(by: -1)
        case .lineUp: state.moveLine(by: -1)
        case .lineDown: state.moveLine(by: 1)
        case .pageUp: state.moveLine(by: -max(1, state.layout.request.height - 4))
        case .pageDown: state.moveLine(by: max(1, state.layout.request.height - 4))
        case .copy: return copy(&state)
        default: return nil
        }
        return []
    }

    private func move(_ movement: Movement, _ state: inout AppState) {
        // Row −1 is the request line.
        state.requestState.row =
            movement.target(from: state.requestState.row + 1, count: state.requestRows.count + 1, page: state.requestListRect.height) - 1
    }

    func turnTab(by distance: Int, _ state: inout AppState) {
        state.leaveEditing()
        state.requestState.tab = state.requestState.tab.moved(by: distance)
    }

    private func copy(_ state: inout AppState) -> [Effect]? {
        guard let endpoint = state.openEndpoint else { return nil }
        guard let row = state.selectedRequestRow else { return state.copy(RequestPreview(state, endpoint).text, "the URL") }
        if case .line = row.kind { return state.copy(endpoint.body.editableText ?? "", "the body") }
        return state.copy(row.value, row.name.isEmpty ? "the value" : row.name)
    }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.searchEntry == nil else { return state.typeSearch(change) }
        state.changeEditedText(change)
        return []
    }

    func paste(_ text: String, _ state: inout AppState) -> Bool {
        guard state.cannotAddReason == nil else { return false }
        let rows = PastedRows.rows(in: text, areHeaders: state.requestState.tab == .headers)
        guard !rows.isEmpty else { return false }
        state.addRows(rows)
        return true
    }

    func stopEditing(_ state: inout AppState) { state.leaveEditing() }

    func runningCall(_ state: AppState) -> Call? { state.openTarget.flatMap { state.calls.sending(.endpoint($0)) } }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        let rows = state.requestRows
        let found = search.next(in: rows.count, from: max(0, state.requestState.row), forward: forward, includingStart: includingHere) {
            rows[$0].name + " " + rows[$0].value + " " + rows[$0].summary
        }
        if let found { state.requestState.row = found }
        state.reportSearch(found != nil, search.searchTerm)
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawRequest(on: &canvas, in: rect) }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) { state.clickRequest(at: point, layout) }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        state.requestListRect.contains(point) || point.row == layout.request.row + 1 ? state.editRow() : []
    }
}
