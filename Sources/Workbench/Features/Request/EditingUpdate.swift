internal import BodyViews
internal import WorkspaceModel

/// Editing the rows of the request pane in place.
extension RequestFeature {
    /// The field that is being edited.
    static func editing(_ state: AppState) -> RequestState.Editing? { state.focus == .request ? state.requestState.editing : nil }

    // MARK: Starting

    /// Edits the selected row, or opens the choices of its value.
    static func editRow(_ state: inout AppState) -> [Effect] {
        if case .setting(.bodyFile) = selectedRow(state)?.kind { return pickFile(&state) }
        editText(&state)
        return []
    }

    /// Edits the text of a row in place.
    static func editText(_ state: inout AppState) {
        let index = state.requestState.row
        guard let row = selectedRow(state) else {
            // In an empty list this adds the first row; row −1 is the request line.
            return index < 0 || cannotAdd(state) != nil ? editURL(&state) : addRow(&state)
        }
        switch row.kind {
        case .pair, .part:
            leaveEditing(&state)
            startEditing(row: state.requestState.row, row.name.isEmpty ? .name : .value, &state)
        case .setting, .pathParameter:
            leaveEditing(&state)
            startEditing(row: state.requestState.row, .value, &state)
        case .choice(let setting): choose(setting, &state)
        case .toggle: toggleRow(&state)
        case .bodyText(let part): editBody(part, line: 0, &state)
        case .line(let line, let part): editBody(part, line: line, &state)
        case .section(let section): editSection(section, line: 0, &state)
        case .sectionLine(let section, let line): editSection(section, line: line, &state)
        case .inherited: if row.isLeftOut == false { replaceInherited(row, &state) }
        case .result, .note: break
        }
    }

    static func editBody(_ part: BodyText, line: Int, _ state: inout AppState) {
        guard let text = state.openEndpoint?.bodyText(part, files: state.requests.files.facts) else { return }
        leaveEditing(&state)
        var area = TextArea(text, row: line)
        if text == BodyChoice.emptyObject { area.enterEmptyPair() }
        start(.body(part, area), &state)
        // Such a line is read as a whole for each key.
        guard formattedPart(state) == part, area.lines.chunks.contains(where: { $0.characters > LineStyles.longestLine }) else { return }
        state.toast = Toast("A line is too long for colours; \(state.key(.formatBody, in: .area)) divides it into lines")
    }

    static func editSection(_ section: EndpointSection, line: Int, _ state: inout AppState) {
        leaveEditing(&state)
        guard let endpoint = state.openEndpoint, let sections = state.sections else { return }
        start(.section(section, TextArea(sections.text(of: section, in: endpoint), row: line)), &state)
    }

    /// Edits the URL: the path with the rows of the query, the cursor after the path.
    static func editURL(_ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        state.focus(.request)
        leaveEditing(&state)
        state.requestState.row = -1
        state.requestState.pathBefore = endpoint.path
        start(.url(urlField(of: endpoint, state)), &state)
    }

    /// Edits the URL of a request that takes the place of the open one, which was not saved; without typing, that one stays.
    static func editNewURL(_ url: String, _ state: inout AppState) {
        editURL(&state)
        guard case .url = state.requestState.editing else { return }
        state.requestState.editing = .url(TextField(url))
        (state.requestState.pathBefore, state.requestState.replacesRequest) = ("", true)
        guard !url.isEmpty, let open = state.openEndpoint else { return }
        if open != Endpoint(empty: open) { state.toast = Toast("The request before was replaced; \(state.key(.undo)) brings it back") }
        let step = state.requests.typing.current
        state.requestState.replacesRequest = false
        state.change(typing: step) { $0 = Endpoint(empty: $0) }
        setURL(to: url, typing: step, &state)
    }

    static func startEditing(row: Int, _ column: RequestRow.Column, _ state: inout AppState) {
        let rows = rows(state)
        guard rows.indices.contains(row), rows[row].columns.contains(column) else { return }
        state.requestState.row = row
        let field = TextField(rows[row].text(of: column), keepsLineBreaks: rows[row].keepsLineBreaks(column, on: state.requestState.tab))
        start(.row(.init(row: row, column: column, field: field)), &state)
    }

    /// Edits a field, and begins an undo step for it.
    private static func start(_ editing: RequestState.Editing, _ state: inout AppState) {
        state.requestState.editing = editing
        state.requestState.replacesRequest = false
        state.requests.check = TextCheck()
        if let field = state.requestState.editedField { state.requests.typing.begin(field) }
    }

    // MARK: Typing

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.searchEntry == nil else { return state.typeSearch(change) }
        guard let editing = Self.editing(state), let field = state.requestState.editedField else { return [] }
        let step = state.requests.typing.step(of: change, in: field)
        var effects: [Effect] = []
        switch editing {
        case .url(var field):
            let before = field.text
            if let url = Self.pastedURL(change, into: field) { field = TextField(url) } else { field.apply(change) }
            state.requestState.editing = .url(field)
            guard field.text != before else { break }
            if state.requestState.replacesRequest {
                state.requestState.replacesRequest = false
                state.change(typing: step) { $0 = Endpoint(empty: $0) }
            }
            Self.setURL(to: field.text, typing: step, by: change, &state)
        case .row(var edit):
            edit.field.apply(change)
            state.requestState.editing = .row(edit)
            let rows = Self.rows(state)
            guard rows.indices.contains(edit.row) else { break }
            if let index = rows[edit.row].listIndex {
                let (tab, workspace, folders) = (state.requestState.tab, state.workspace, state.folders)
                Self.take(change, step, &state) {
                    $0.setPair(tab, at: index, edit.column, to: edit.field.text, folder: workspace.fileFolder(of: $0), home: folders.home)
                }
            }
            if case .pathParameter(let index) = rows[edit.row].kind {
                Self.take(change, step, &state) {
                    if edit.column == .name {
                        $0.renamePathParameter(index, to: edit.field.text)
                    } else {
                        $0.setPathParameter(index, to: edit.field.text)
                    }
                }
            }
            if case .setting(let setting) = rows[edit.row].kind, setting.form == nil { _ = Self.commitSetting(&state) }
        case .body(let part, var text):
            text.apply(change, state.openEndpoint?.language(of: part) ?? .plain)
            state.requestState.editing = .body(part, text)
            let files = state.requests.files.facts
            Self.take(change, step, &state) { $0.setBodyText(part, to: text.text, files: files) }
            if part == .content { effects = GraphQLFeature.readWhileTyping(&state) }
        case .section(let section, var text):
            text.apply(change, .yaml)
            state.requestState.editing = .section(section, text)
            let sections = state.sections
            Self.take(change, step, &state) { sections?.set(section, of: &$0, to: text.text) }
        }
        if case .url = editing { return effects }
        return effects + state.readDescription()
    }

    /// Changes the open endpoint by typing.
    ///
    /// Undo and redo of the field are those of the endpoint where these lead to the same text, so that its steps stay the same.
    static func take(_ change: TextChange?, _ step: Draft.Typing?, _ state: inout AppState, _ work: (inout Endpoint) -> Void) {
        if change == .edit(.undo) || change == .edit(.redo), let target = state.openTarget, var draft = state.drafts[target],
            change == .edit(.undo) ? draft.undo() : draft.redo()
        {
            var same = draft.edited
            work(&same)
            if same == draft.edited {
                state.drafts[target] = draft
                return
            }
        }
        state.change(typing: step, work)
    }

    func typedText(_ state: AppState) -> TypedText? {
        guard state.searchEntry == nil else { return state.searchEntry.map { TypedText($0.field) } }
        switch Self.editing(state) {
        case .url(let field): return TypedText(field, place: .url)
        case .row(let edit):
            let rows = Self.rows(state)
            guard rows.indices.contains(edit.row) else { return TypedText(edit.field) }
            let row = rows[edit.row]
            let isMasked = row.isSecret && edit.column == .value
            let place = row.completionPlace(of: edit.column, on: state.requestState.tab)
            return TypedText(edit.field, isSecret: isMasked, place: place)
        case .body(let part, let area):
            let body = state.openEndpoint?.body ?? .none
            let isJSON = BodyChoice(body) == .json || part == .variables
            let isQuery = body.isGraphQL && part == .content
            let place: CompletionPlace? = part == .file ? nil : isJSON ? .json : isQuery ? .graphQL : .templates
            return TypedText(area, suffix: body.fileSuffix(of: part), place: place)
        case .section(_, let area): return TypedText(area, suffix: ".yaml", place: .templates)
        case nil: return nil
        }
    }

    /// Edits the next field of the row, or the next row (key Tab).
    static func moveField(by distance: Int, _ state: inout AppState) {
        if case .url = editing(state) {
            leaveEditing(&state)
            if distance > 0, rows(state).first?.columns.isEmpty == false { startEditing(row: 0, .name, &state) }
            return
        }
        guard case .row(let edit) = editing(state), commitSetting(&state) else { return }
        let rows = rows(state)
        guard rows.indices.contains(edit.row) else { return }
        let columns = rows[edit.row].columns
        let index = (columns.firstIndex(of: edit.column) ?? 0) + distance
        if columns.indices.contains(index) { return startEditing(row: edit.row, columns[index], &state) }
        let isFilled = rows[edit.row].columns.contains { !rows[edit.row].text(of: $0).isEmpty }
        let next = leave(edit, &state) + distance
        let present = Self.rows(state)
        // There are more where another program inserted rows.
        let others = present.count > rows.count ? present : rows
        guard others.indices.contains(next), let column = distance > 0 ? others[next].columns.first : others[next].columns.last else {
            // After the last row of a list a new one is typed; one that stays empty is removed.
            if distance > 0, isFilled, rows[edit.row].listIndex != nil { addRow(&state) }
            return
        }
        startEditing(row: min(next, present.count - 1), column, &state)
    }

    /// Moves up or down while editing.
    static func moveLine(by distance: Int, _ state: inout AppState) {
        switch editing(state) {
        case .body(_, var area), .section(_, var area):
            area.move(rows: distance)
            state.requestState.editing?.area = area
        case .row(let edit):
            guard commitSetting(&state) else { return }
            let row = leave(edit, &state)
            startEditing(row: row + distance, edit.column, &state)
        case .url:
            leaveEditing(&state)
            if distance > 0 { state.requestState.row = 0 }
        case nil: break
        }
    }

    // MARK: Ending

    /// Sets the typed value of a setting; false when it is invalid.
    static func commitSetting(_ state: inout AppState) -> Bool {
        guard let invalid = invalidSetting(&state) else { return true }
        state.toast = Toast("“\(invalid.text)” is not a value for this: write \(invalid.form)", .warning)
        return false
    }

    /// Sets the typed value of a setting, or returns the text that is not valid, and the format of valid ones.
    private static func invalidSetting(_ state: inout AppState) -> (text: String, form: String)? {
        guard case .row(let edit) = state.requestState.editing else { return nil }
        let rows = rows(state)
        guard rows.indices.contains(edit.row), case .setting(let setting) = rows[edit.row].kind else { return nil }
        var isValue = true
        state.change(typing: state.requests.typing.current) { [workspace = state.workspace, folders = state.folders] in
            isValue = $0.set(setting, to: edit.field.text, in: workspace, home: folders.home)
        }
        return isValue ? nil : (edit.field.text, setting.form ?? "a value")
    }

    /// Ends editing of a field and keeps the text.
    ///
    /// A new row that is still empty is removed.
    static func leaveEditing(_ state: inout AppState) {
        guard let target = state.openTarget, let editing = state.requestState.editing else { return }
        completeURL(&state)
        if case .url = editing, let before = state.requestState.pathBefore, before != state.openEndpoint?.path {
            state.change(typing: state.requests.typing.current) { $0.moveValueOfPathParameter(from: before) }
        }
        if let invalid = invalidSetting(&state) {
            state.keepOldValue("“\(invalid.text)” is not \(invalid.form)", typed: invalid.text)
        }
        state.requestState.editing = nil
        if case .row(let edit) = editing { removeIfEmpty(edit.row, &state) }
        if let line = editing.lineKind, let index = rows(state).firstIndex(where: { $0.kind == line }) { state.requestState.row = index }
        state.drafts[target]?.endTyping()
        let place = state.drafts[target]?.onDisk == nil ? nil : place(state)
        DraftsFeature.takeUpFile(of: target, &state)
        if let place { select(place, &state) } else { select(state.requestState.row, &state) }
    }

    /// Ends editing of a row, and returns its index, which differs where another program inserted or removed rows above it.
    private static func leave(_ edit: RequestState.RowEdit, _ state: inout AppState) -> Int {
        let isMerged = state.openTarget.map { state.drafts[$0]?.onDisk != nil } ?? false
        leaveEditing(&state)
        return isMerged ? state.requestState.row : edit.row
    }

    private static func removeIfEmpty(_ row: Int, _ state: inout AppState) {
        let rows = rows(state)
        guard rows.indices.contains(row), let index = rows[row].listIndex else { return }
        guard RequestRow.Column.allCases.allSatisfy({ rows[row].text(of: $0).isEmpty }) else { return }
        state.change(typing: state.requests.typing.current) { [tab = state.requestState.tab] in $0.edit(tab, .delete(index)) }
        select(state.requestState.row, &state)
    }
}

extension RequestState.Editing {
    /// The row of the line of a body that has the cursor, with which editing continues later; nil for a field, and for a section, whose heading
    /// continues it.
    fileprivate var lineKind: RequestRow.Kind? {
        if case .body(let part, let area) = self { .line(area.content.cursor.row, of: part) } else { nil }
    }
}

extension RequestState {
    /// Identifies the field that is being edited.
    fileprivate var editedField: String? {
        switch editing {
        case .url: "url"
        case .row(let edit): "\(tab) \(edit.row) \(edit.column)"
        case .body(.content, _): "body"
        case .body(.variables, _): "variables"
        case .body(.file, _): "body file"
        case .section(let section, _): "section \(section)"
        case nil: nil
        }
    }
}

extension RequestRow.Setting {
    /// The format of the value, if not every text is valid; it is then only set when editing ends, because a partial number is not valid.
    var form: String? {
        switch self {
        case .option(let option): option.notation.help
        case .service(let key): key.form
        case .bodyKind, .bodyFile, .bodyType, .operation, .authKind, .auth: nil
        }
    }
}
