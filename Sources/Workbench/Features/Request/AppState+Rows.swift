internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// Editing the rows of the request pane in place.
extension AppState {
    /// Changes the open endpoint as one undo step.
    mutating func change(_ work: (inout Endpoint) -> Void) {
        guard let openTarget, let original = workspace.endpoint(openTarget) ?? drafts[openTarget]?.original else { return }
        drafts[openTarget, default: Draft(original)].change(work)
    }

    /// Changes the open endpoint within the undo step of the current typing.
    mutating func change(_ typing: Draft.Typing, _ work: (inout Endpoint) -> Void) {
        guard let openTarget, let original = workspace.endpoint(openTarget) ?? drafts[openTarget]?.original else { return }
        drafts[openTarget, default: Draft(original)].change(typing: typing, work)
    }

    /// Switches a row on or off, or selects the next choice.
    mutating func toggleRow() {
        guard let row = selectedRequestRow else { return }
        let tab = requestState.tab
        if let index = row.listIndex {
            change { $0.togglePair(tab, at: index) }
        } else if let option = row.option {
            change { [workspace] in
                let defaults = OptionDefaults(of: $0, in: workspace)
                if let value = option.next(of: $0, defaults: defaults) { _ = option.set(value, of: &$0, defaults: defaults) }
            }
        } else if case .choice(let setting) = row.kind {
            choose(setting)
        }
    }

    mutating func addRow() {
        let tab = requestState.tab
        let after = selectedRequestRow?.listIndex ?? Int.max - 1
        var place = 0
        leaveEditing()
        // Typing the name belongs to the same undo step as adding the row.
        typing.begin("new row")
        change(typing.current) { place = $0.addPair(tab, after: after) }
        guard let row = requestRows.firstIndex(where: { $0.listIndex == place }) else { return }
        let step = typing.current
        startEditing(row: row, .name)
        beginTyping()
        let next = typing.current
        if let openTarget { drafts[openTarget]?.continueTyping(step, as: next) }
    }

    /// Adds pasted rows as one undo step.
    mutating func addRows(_ rows: [Parameter]) {
        let tab = requestState.tab
        let after = selectedRequestRow?.listIndex ?? Int.max - 1
        var place = 0
        change { place = $0.addPairs(rows, to: tab, after: after) }
        if let row = requestRows.firstIndex(where: { $0.listIndex == place + rows.count - 1 }) { requestState.row = row }
        toast = Toast("\(NumberText.count(rows.count, "row")) pasted; \(key(.undo)) takes them back")
    }

    mutating func duplicateRow() {
        guard let index = selectedRequestRow?.listIndex else { return }
        let tab = requestState.tab
        change { $0.duplicatePair(tab, at: index) }
        requestState.row += 1
    }

    mutating func moveRow(by distance: Int) {
        guard let index = selectedRequestRow?.listIndex else { return }
        let tab = requestState.tab
        var hasMoved = false
        change { hasMoved = $0.movePair(tab, at: index, by: distance) }
        if hasMoved { requestState.row += distance }
    }

    /// Deletes a row, or resets an option to its inherited value.
    mutating func deleteRow() {
        guard let row = selectedRequestRow else { return }
        let tab = requestState.tab
        if let index = row.listIndex {
            change { $0.deletePair(tab, at: index) }
            requestState.row = min(requestState.row, max(0, requestRows.count - 1))
            toast = Toast("Deleted; \(key(.undo)) undoes it")
        } else if let option = row.option {
            change { [workspace] in option.reset(in: &$0, defaults: OptionDefaults(of: $0, in: workspace)) }
        }
    }

    /// Formats a JSON body; a text that is not JSON stays unchanged.
    mutating func formatBody() {
        guard case .json(let text) = openEndpoint?.body else { return }
        guard let pretty = JSONTemplate.pretty(text) else {
            toast = Toast(openEndpoint?.body.jsonProblem ?? "The body is not JSON", .warning)
            return
        }
        if case .body(let area) = editing {
            requestState.editing = .body(TextArea(pretty, row: area.row))
        }
        change { $0.body = .json(pretty) }
    }

    /// Edits the selected row, or opens the choices of its value.
    mutating func editRow() -> [Effect] {
        if case .setting(.bodyFile) = selectedRequestRow?.kind { return pickFile() }
        editText()
        return []
    }

    /// Edits the text of a row in place.
    mutating func editText() {
        guard let row = selectedRequestRow else {
            // In an empty list this adds the first row; row −1 is the request line.
            return requestState.row < 0 || cannotAddReason != nil ? editURL() : addRow()
        }
        switch row.kind {
        case .pair, .part:
            leaveEditing()
            startEditing(row: requestState.row, row.name.isEmpty ? .name : .value)
        case .setting:
            leaveEditing()
            startEditing(row: requestState.row, .value)
        case .choice(let setting): choose(setting)
        case .toggle: toggleRow()
        case .line(let line):
            guard let text = openEndpoint?.body.editableText else { return }
            leaveEditing()
            requestState.editing = .body(TextArea(text, row: line))
            beginTyping()
        case .inherited, .result, .note: break
        }
    }

    mutating func editURL() {
        guard let endpoint = openEndpoint else { return }
        focus(.request)
        leaveEditing()
        requestState.row = -1
        requestState.editing = .url(TextField(endpoint.path))
        beginTyping()
    }

    mutating func undo() {
        guard let openTarget, drafts[openTarget]?.undo() == true else { return }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
    }

    mutating func redo() {
        guard let openTarget, drafts[openTarget]?.redo() == true else { return }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
    }

    mutating func startEditing(row: Int, _ column: RequestRow.Column) {
        let rows = requestRows
        guard rows.indices.contains(row), rows[row].columns.contains(column) else { return }
        requestState.row = row
        requestState.editing = .row(.init(row: row, column: column, field: TextField(rows[row].text(of: column))))
        beginTyping()
    }

    /// Ends editing of a field and keeps the text.
    ///
    /// A new row that is still empty is removed.
    mutating func leaveEditing() {
        guard let openTarget, let editing = requests[openTarget]?.editing else { return }
        if !commitSetting() {
            toast = Toast("The old value is kept: “\(fieldText(editing))” is not \(settingForm(editing) ?? "a value")", .warning)
        }
        requests[openTarget]?.editing = nil
        removeEmptyRow(editing)
        drafts[openTarget]?.endTyping()
        takeUpFile(of: openTarget)
    }

    private mutating func removeEmptyRow(_ editing: RequestState.Editing) {
        guard case .row(let edit) = editing else { return }
        let rows = requestRows
        guard rows.indices.contains(edit.row), let index = rows[edit.row].listIndex else { return }
        guard RequestRow.Column.allCases.allSatisfy({ rows[edit.row].text(of: $0).isEmpty }) else { return }
        let tab = requestState.tab
        change(typing.current) { $0.deletePair(tab, at: index) }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
    }
}
