internal import SortieBase
internal import SortieGuide
internal import SortieTerminal
internal import WorkspaceModel

/// The request pane: the request line, the tabs, and the rows of the shown tab, which are edited in place.
struct RequestFeature: PaneFeature, RowPane {
    let context = Context.request
    let stacks: [[Context]] = [[.request, .panes], Context.typingSearch, [.row, .field], [.area, .field]]
    let searchPlace: SearchPlace? = .request

    func guideAddress(_ state: AppState) -> String {
        let request = state.requestState
        if request.row < 0 { return "requests#method-and-url" }
        if case .body = request.editing { return "bodies#the-body-editor" }
        let row = Self.selectedRow(state)
        let endpoint = state.openEndpoint
        if request.tab == .body, endpoint?.grpc != nil { return "grpc" }
        if request.tab == .auth, let endpoint { return AuthChoice(endpoint.auth).guideAddress }
        if request.tab == .body, let part = Self.guideAddress(ofBody: endpoint?.body ?? .none, row) { return part }
        let key: String =
            switch request.tab {
            case .params: "query"
            case .headers: "headers"
            case .auth: "auth"
            case .body: BodyChoice(endpoint?.body ?? .none) == .graphQL ? "graphql" : "body"
            case .rules: row?.section?.rawValue ?? ""
            case .options: row?.option?.key ?? ""
            }
        return GuidePlace.address(ofWorkspaceKey: key) ?? (request.tab == .rules ? "requests#rules-in-the-workbench" : "sending#options")
    }

    /// The part of the guide about a row of the body; nil where the article about its kind is the part.
    private static func guideAddress(ofBody body: BodyTemplate, _ row: RequestRow?) -> String? {
        switch BodyChoice(body) {
        case .multipart, .file: return "bodies#parts-and-files"
        case .json, .xml, .text, .plist: if case .line? = row?.kind { return "bodies#the-body-editor" } else { return nil }
        case .none, .graphQL, .form: return nil
        }
    }

    func contexts(_ state: AppState) -> [Context] {
        if state.searchEntry != nil { return Context.typingSearch }
        switch Self.editing(state) {
        case .url, .row: return [.row, .field]
        case .body, .section: return [.area, .field]
        case nil: return [.request, .panes]
        }
    }

    func label(of command: Command, _ state: AppState) -> String? {
        if command == .accept { return Self.isNewURL(state) ? "Send" : nil }
        // The rows are read for the commands that depend on them only.
        guard [.toggle, .deleteRow, .addRow].contains(command) else { return nil }
        let row = Self.selectedRow(state)
        return switch command {
        case .toggle where row?.isLeftOut != nil, .deleteRow where row?.isLeftOut != nil: row?.isLeftOut == true ? "Send" : "Leave out"
        case .addRow where row?.option != nil || row?.section != nil: "Set"
        case .deleteRow where row?.option != nil: "Reset"
        case .toggle where row?.listIndex == nil: "Change"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .addRow: Self.addRow(&state)
        case .deleteRow: Self.deleteRow(&state)
        case .editRow: return Self.editRow(&state)
        case .editText: Self.editText(&state)
        case .duplicateRow: Self.duplicateRow(&state)
        case .moveRowUp: Self.moveRow(by: -1, &state)
        case .moveRowDown: Self.moveRow(by: 1, &state)
        case .undo: Self.undo(&state)
        case .redo: Self.redo(&state)
        case .editURL: Self.editURL(&state)
        case .chooseMethod: Self.chooseMethod(&state)
        case .formatBody: return Self.rewriteText(&state, inLines: true)
        case .minifyBody: return Self.rewriteText(&state, inLines: false)
        case .moveBodyToFile: Self.moveBodyToFile(&state)
        case .pickFile: return Self.pickFile(&state)
        case .editProperty: Self.showProperties(&state)
        // An invalid value that is being typed is not saved.
        case .save: return Self.commitSetting(&state) ? nil : []
        default: return RequestPlace.of(command).map { Self.edit($0.property, &state) }
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        // While a text is edited, only the wheel moves.
        case .move(let movement) where state.requestState.editing?.area != nil: Self.scrollText(by: movement == .up ? -1 : 1, &state)
        case .move(let movement): if state.requestState.editing == nil { move(movement, &state) }
        case .searchText: state.startSearch()
        case .nextInText: return state.find(forward: true, includingHere: false)
        case .previousInText: return state.find(forward: false, includingHere: false)
        case .replaceText: Self.replaceText(&state)
        case .toggle: Self.toggleRow(&state)
        case .accept where state.searchEntry == nil:
            guard Self.commitSetting(&state) else { break }
            if let effects = Self.readTypedCommand(&state) { return effects }
            let isNew = Self.isNewURL(state)
            Self.leaveEditing(&state)
            if isNew, state.cannotSendReason == nil { return state.perform(.send) }
        case .leave where state.searchEntry == nil: Self.leaveEditing(&state)
        case .nextField: Self.moveField(by: 1, &state)
        case .previousField: Self.moveField(by: -1, &state)
        case .lineUp: Self.moveLine(by: -1, &state)
        case .lineDown: Self.moveLine(by: 1, &state)
        case .pageUp: Self.moveLine(by: -max(1, state.layout.request.height - 4), &state)
        case .pageDown: Self.moveLine(by: max(1, state.layout.request.height - 4), &state)
        case .copy: return copy(&state)
        default: return nil
        }
        return []
    }

    private func move(_ movement: Movement, _ state: inout AppState) {
        // Row −1 is the request line.
        state.requestState.row =
            movement.target(from: state.requestState.row + 1, count: Self.rows(state).count + 1, page: RequestView.listRect(state.layout).height) - 1
    }

    func turnTab(by distance: Int, _ state: inout AppState) {
        Self.leaveEditing(&state)
        state.requestState.tab = state.requestState.tab.moved(by: distance)
    }

    private func copy(_ state: inout AppState) -> [Effect]? {
        guard let endpoint = state.openEndpoint else { return nil }
        guard let row = Self.selectedRow(state) else { return ExportFeature.copy(("the URL", RequestPreview(state, endpoint).text), &state) }
        if let part = row.bodyText {
            return state.copy(endpoint.bodyText(part, files: state.requests.files.facts) ?? "", part == .variables ? "the variables" : "the body")
        }
        if let section = row.section { return state.copy(state.sections?.text(of: section, in: endpoint) ?? "", section.rawValue) }
        return state.copy(row.value, row.name.isEmpty ? "the value" : row.name)
    }

    func paste(_ text: String, _ state: inout AppState) -> Bool {
        guard state.openEndpoint?.takesPairs(state.requestState.tab) == true else { return false }
        let rows = PastedRows.rows(in: text, of: state.requestState.tab)
        guard !rows.isEmpty else { return false }
        Self.addRows(rows, &state)
        return true
    }

    func stopEditing(_ state: inout AppState) { Self.leaveEditing(&state) }

    func runningCall(_ state: AppState) -> Call? { state.openTarget.flatMap { state.calls.sending(.endpoint($0)) } }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        if let isFound = Self.select(search, forward: forward, includingHere: includingHere, &state) {
            state.reportSearch(isFound, search.searchTerm)
            return []
        }
        Self.selectNext(search, forward: forward, includingHere: includingHere, &state)
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { RequestView(state).draw(on: &canvas, in: rect) }

    func select(at point: Point, _ layout: Layout, _ state: inout AppState) {
        let target = RequestView(state, layout).target(at: point)
        Self.leaveEditing(&state)
        switch target {
        case .row(let index, _, _): Self.select(index, &state)
        case .url: state.requestState.row = -1
        case .tab, .empty, nil: break
        }
    }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        switch RequestView(state, layout).target(at: point) {
        case .tab(let tab):
            Self.leaveEditing(&state)
            state.requestState.tab = tab
        case .row(-1, _, _):
            // The method is a button.
            Self.leaveEditing(&state)
            Self.chooseMethod(&state)
        case .row(let index, let isBox, let column):
            if case .row(let edit) = state.requestState.editing, edit.row == index {
                // The other field of the row is edited next.
                if !isBox, edit.column != column { Self.startEditing(row: index, column, &state) }
                return
            }
            Self.leaveEditing(&state)
            Self.select(index, &state)
            // The checkbox is a button.
            if isBox { Self.toggleRow(&state) }
        case .url(let column, let width):
            var field: TextField
            if case .url(let current) = state.requestState.editing {
                field = current
            } else {
                Self.editURL(&state)
                guard case .url(let current) = state.requestState.editing else { return }
                field = current
            }
            field.apply(.point(TextPoint(point: Point(column: column, row: 0), size: Size(width: width, height: 1), action: .move)))
            state.requestState.editing = .url(field)
        case .empty: Self.leaveEditing(&state)
        case nil: break
        }
    }

    func selectsChoice(_ state: AppState) -> Bool {
        if case .choice = Self.selectedRow(state)?.kind { true } else { false }
    }

    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point] { RequestView(state, layout).jumpPoints }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        switch RequestView(state, layout).target(at: point) {
        case .row(let index, false, .name) where Self.rows(state).indices.contains(index) && Self.rows(state)[index].listIndex != nil:
            Self.startEditing(row: index, .name, &state)
            return []
        case .row:
            guard let reason = Self.noRow(state) else { return Self.editRow(&state) }
            state.toast = Toast(reason, .warning)
        case .empty: if state.openEndpoint?.takesPairs(state.requestState.tab) == true { Self.addRow(&state) }
        case .tab, .url, nil: break
        }
        return []
    }
}

/// Parses pasted text with several rows.
enum PastedRows {
    /// The rows of a text, one per line; for a query string on one line, one per pair.
    ///
    /// A line is `name: value`, `name=value` or name and value separated by a tab. A line without a separator is a name, if another
    /// line has one.
    static func rows(in text: String, of tab: RequestTab) -> [Parameter] {
        let areHeaders = tab == .headers
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
        if lines.count == 1, !areHeaders, let line = lines.first, let pairs = queryPairs(line, isForm: tab == .body) { return pairs }
        let separators: [Character] = areHeaders ? ["\t", ":"] : ["\t", "=", ":"]
        guard lines.contains(where: { $0.contains(where: separators.contains) }) else { return [] }
        return lines.map { row($0, separators: separators) }
    }

    private static func row(_ line: String, separators: [Character]) -> Parameter {
        // The first separator in the line counts, because a value may contain the others.
        guard let place = line.firstIndex(where: separators.contains) else { return Parameter(line, "") }
        return Parameter(String(line[..<place]).trimmingBlanks, String(line[line.index(after: place)...]).trimmingBlanks)
    }

    /// The pairs of a query such as `a=1&b=2`, or of a URL with one; nil for other text.
    private static func queryPairs(_ line: String, isForm: Bool) -> [Parameter]? {
        var text = line[...]
        if let mark = text.firstIndex(of: "?") { text = text[text.index(after: mark)...] }
        if let mark = text.firstIndex(of: "#") { text = text[..<mark] }
        guard text.contains("="), !text.contains(where: \.isWhitespace) else { return nil }
        return text.split(separator: "&").map { pair -> Parameter in
            // A pair that is not UTF-8 is decoded as far as possible.
            if let row = URLText.row(pair, isForm: isForm) { return row }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                PercentEncoding.decode(parts.first ?? "", plusIsSpace: isForm),
                parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: isForm) : "")
        }
    }
}
