internal import Model
internal import Terminal

/// Editing the rows of the request in place.
extension AppState {
    /// Changes the open endpoint as one step that can be undone.
    mutating func change(_ work: (inout Endpoint) -> Void) {
        guard let openTarget, let original = workspace.endpoint(openTarget) ?? drafts[openTarget]?.original else { return }
        drafts[openTarget, default: Draft(original)].change(work)
    }

    /// Changes the open endpoint within a step; `editing` began with `remember`.
    mutating func continueChange(_ work: (inout Endpoint) -> Void) {
        guard let openTarget, let original = workspace.endpoint(openTarget) ?? drafts[openTarget]?.original else { return }
        drafts[openTarget, default: Draft(original)].continueChange(work)
    }

    /// Space: switches a row on or off, folds in Services, chooses in a list of choices.
    mutating func toggle() {
        guard focus == .request else { return toggleFold() }
        guard case .pair(let index) = selectedRequestRow?.kind else { return }
        let tab = requestState.tab
        change { $0.togglePair(tab, at: index) }
    }

    mutating func addRow() {
        let tab = requestState.tab
        var after = Int.max - 1
        if case .pair(let index) = selectedRequestRow?.kind { after = index }
        var place = 0
        rememberForEditing()
        continueChange { place = $0.addPair(tab, after: after) }
        guard let row = requestRows.firstIndex(where: { $0.kind == .pair(place) }) else { return }
        requestState.row = row
        startEditing(row: row, .name)
    }

    mutating func deleteRow() {
        guard case .pair(let index) = selectedRequestRow?.kind else { return }
        let tab = requestState.tab
        change { $0.deletePair(tab, at: index) }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
        toast = Toast("Deleted; u brings it back")
    }

    /// Enter on a row: edits it, or asks where its value is one of several.
    mutating func editRow() {
        guard let row = selectedRequestRow else {
            // An empty list begins with its first row; the request line is above the tabs.
            return requestState.row < 0 || cannotAddReason != nil ? editURL() : addRow()
        }
        switch row.kind {
        case .pair:
            rememberForEditing()
            startEditing(row: requestState.row, row.name.isEmpty ? .name : .value)
        case .setting:
            rememberForEditing()
            startEditing(row: requestState.row, .value)
        case .choice(let setting): choose(setting)
        case .line(let line):
            guard let text = openEndpoint?.body.editableText else { return }
            rememberForEditing()
            requestState.editing = .body(TextArea(text, row: line))
        case .inherited, .note: break
        }
    }

    mutating func editURL() {
        guard let endpoint = openEndpoint else { return }
        focus(.request)
        rememberForEditing()
        requestState.row = -1
        requestState.editing = .url(TextField(endpoint.path))
    }

    mutating func undo() {
        guard let openTarget, drafts[openTarget]?.undo() == true else { return }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
    }

    mutating func discard() {
        guard let openTarget else { return }
        leaveEditing()
        change { [original = drafts[openTarget]?.original] endpoint in
            if let original { endpoint = original }
        }
        notify("The changes are discarded; u brings them back", source: openTarget)
    }

    /// Begins a step: everything typed until the field is left is taken back together.
    mutating func rememberForEditing() {
        leaveEditing()
        editingStart = openEndpoint
    }

    mutating func startEditing(row: Int, _ column: RequestRow.Column) {
        let rows = requestRows
        guard rows.indices.contains(row), rows[row].columns.contains(column) else { return }
        requestState.row = row
        requestState.editing = .row(.init(row: row, column: column, field: TextField(rows[row].text(of: column))))
    }

    /// Leaves the field; what was typed stays.
    ///
    /// A new row that stayed empty goes.
    mutating func leaveEditing() {
        guard let openTarget, let editing = requests[openTarget]?.editing else { return }
        if !commitSetting() {
            toast = Toast("The old value is kept: “\(fieldText(editing))” is not \(settingForm(editing) ?? "a value")", .warning)
        }
        requests[openTarget]?.editing = nil
        removeEmptyRow(editing)
        if let start = editingStart, start.target == openTarget { drafts[openTarget]?.remember(start) }
        editingStart = nil
    }

    private mutating func removeEmptyRow(_ editing: RequestState.Editing) {
        guard case .row(let edit) = editing else { return }
        let rows = requestRows
        guard rows.indices.contains(edit.row), case .pair(let index) = rows[edit.row].kind else { return }
        guard rows[edit.row].name.isEmpty, rows[edit.row].value.isEmpty, rows[edit.row].summary.isEmpty else { return }
        let tab = requestState.tab
        continueChange { $0.deletePair(tab, at: index) }
        requestState.row = min(requestState.row, max(0, requestRows.count - 1))
    }
}
