internal import SortieBase
internal import WorkspaceModel

/// Text input in the fields of the request pane.
extension AppState {

    mutating func changeEditedText(_ change: TextChange) {
        guard let editing, let place = editedField else { return }
        let step = typing.step(of: change, in: place)
        switch editing {
        case .url(var field):
            field.apply(change)
            requestState.editing = .url(field)
            self.change(step) { $0.path = field.text }
        case .row(var edit):
            edit.field.apply(change)
            requestState.editing = .row(edit)
            guard requestRows.indices.contains(edit.row) else { return }
            let kind = requestRows[edit.row].kind
            let tab = requestState.tab
            if let index = requestRows[edit.row].listIndex {
                self.change(step) { [workspace, folders] in
                    $0.setPair(tab, at: index, edit.column, to: edit.field.text, folder: workspace.fileFolder(of: $0), home: folders.home)
                }
            }
            if case .setting(let setting) = kind, !setting.needsReading { _ = commitSetting() }
        case .body(var text):
            text.apply(change)
            requestState.editing = .body(text)
            self.change(step) { $0.body = $0.body.replacing(text: text.text) }
        }
    }

    /// Identifies the field that is being edited.
    private var editedField: String? {
        switch editing {
        case .url: "url"
        case .row(let edit): "\(requestState.tab) \(edit.row) \(edit.column)"
        case .body: "body"
        case nil: nil
        }
    }

    /// Begins an undo step for the field that is being edited.
    mutating func beginTyping() {
        if let place = editedField { typing.begin(place) }
    }

    /// Sets the typed value of a setting; false when it is invalid.
    mutating func commitSetting() -> Bool {
        guard let openTarget, case .row(let edit) = requests[openTarget]?.editing else { return true }
        guard requestRows.indices.contains(edit.row), case .setting(let setting) = requestRows[edit.row].kind else { return true }
        var isValue = true
        change(typing.current) { [workspace, folders] in isValue = $0.set(setting, to: edit.field.text, in: workspace, home: folders.home) }
        if !isValue, let form = setting.form {
            toast = Toast("“\(edit.field.text)” is not a value for this: write \(form)", .warning)
        }
        return isValue
    }

    func fieldText(_ editing: RequestState.Editing) -> String {
        switch editing {
        case .url(let field): field.text
        case .row(let edit): edit.field.text
        case .body(let area): area.text
        }
    }

    func settingForm(_ editing: RequestState.Editing) -> String? {
        guard case .row(let edit) = editing, requestRows.indices.contains(edit.row) else { return nil }
        guard case .setting(let setting) = requestRows[edit.row].kind else { return nil }
        return setting.form
    }

    /// Edits the next field of the row, or the next row (key Tab).
    mutating func moveField(by distance: Int) {
        guard case .row(let edit) = editing, commitSetting() else { return }
        let rows = requestRows
        guard rows.indices.contains(edit.row) else { return }
        let columns = rows[edit.row].columns
        let index = (columns.firstIndex(of: edit.column) ?? 0) + distance
        if columns.indices.contains(index) {
            startEditing(row: edit.row, columns[index])
            return
        }
        let next = edit.row + distance
        guard rows.indices.contains(next), let column = distance > 0 ? rows[next].columns.first : rows[next].columns.last else {
            leaveEditing()
            return
        }
        leaveEditing()
        startEditing(row: min(next, requestRows.count - 1), column)
    }

    /// Moves up or down while editing.
    mutating func moveLine(by distance: Int) {
        switch editing {
        case .body(var area):
            area.move(rows: distance)
            requestState.editing = .body(area)
        case .row(let edit):
            guard commitSetting() else { return }
            let next = edit.row + distance
            leaveEditing()
            guard requestRows.indices.contains(next), requestRows[next].columns.contains(edit.column) else { return }
            startEditing(row: next, edit.column)
        case .url:
            leaveEditing()
            if distance > 0 { requestState.row = 0 }
        case nil: break
        }
    }
}

extension RequestRow.Setting {
    /// The format of the value, if not every text is valid.
    var form: String? {
        if case .option(let option) = self, case .text(let form) = option.editor { return form }
        return nil
    }

    /// Whether the text is only applied when editing ends, because a partial number is not valid.
    var needsReading: Bool { form != nil }
}
