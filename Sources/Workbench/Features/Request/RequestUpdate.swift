internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The rows of the request pane, and the commands that change them.
extension RequestFeature {
    /// The rows of the shown tab.
    static func rows(_ state: AppState) -> [RequestRow] {
        guard let endpoint = state.openEndpoint else { return [] }
        let preview = RequestPreview(state, endpoint)
        var rows = RequestRows(
            endpoint: endpoint, workspace: state.workspace, preview: preview, files: state.requests.files.facts,
            engineHeaders: state.engineHeaders, sections: state.sections, showsSecrets: state.revealsSecrets, key: { state.key($0) }
        ).rows(of: state.requestState.tab)
        let redaction = state.redaction
        for index in rows.indices where rows[index].section != nil && !state.showsSecrets {
            rows[index].value = masked(rows[index].value, redaction)
        }
        for index in rows.indices where rows[index].mayHaveTemplates {
            let row = rows[index]
            // A template names a secret without revealing its value.
            rows[index].isSecret = !state.revealsSecrets && !row.value.contains("{{") && (row.isSecret || redaction.isSecretPath(row.name))
            // For a moment, the values are shown in place of the templates; the next key ends that before it can edit a row.
            if state.reveal?.values.isEmpty == false, let text = preview.resolved(row.value) { rows[index].value = text }
        }
        return rows
    }

    /// The number of rows below the tabs that the request pane needs: those of the shown tab, and a short description.
    static func rowsWanted(_ state: AppState) -> Int {
        // Without an endpoint there is a hint; a text that is edited takes the whole room.
        guard let endpoint = state.openEndpoint, state.requestState.editing?.area == nil else { return .max / 2 }
        let rows = rows(state).count
        let width = max(10, state.size.width - Layout.minimum.width)
        let description = endpoint.summary.map { min(3, WrappedText.lines($0, width: width).count) } ?? 0
        return max(1, rows) + description
    }

    /// A line of a section without secret values: those of keys with secret names, and those that were used.
    private static func masked(_ line: String, _ redaction: Redaction) -> String {
        guard let colon = line.firstIndex(of: ":") else { return redaction.masked(line) }
        let name = String(line[..<colon]).trimmingBlanks
        let value = String(line[line.index(after: colon)...]).trimmingBlanks
        let isSecret = !value.isEmpty && !value.contains("{{") && !value.hasPrefix("$") && redaction.isSecret(name)
        return isSecret ? line[...colon] + " " + HeaderField.mask : redaction.masked(line)
    }

    /// The index of the selected row; −1 on the request line.
    static func selectedIndex(_ state: AppState) -> Int { state.requestState.row }

    /// Selects a row; the last one when there are fewer.
    static func select(_ row: Int, _ state: inout AppState) {
        state.requestState.row = min(row, max(0, rows(state).count - 1))
    }

    /// Switches a row on or off, or selects the next choice.
    static func toggleRow(_ state: inout AppState) {
        guard let row = selectedRow(state) else { return }
        let tab = state.requestState.tab
        if let index = row.listIndex {
            state.change { $0.edit(tab, .toggle(index)) }
        } else if let option = row.option {
            state.change { [workspace = state.workspace] in
                let defaults = OptionDefaults(of: $0, in: workspace)
                if let value = option.next(of: $0, defaults: defaults) { _ = option.set(value, of: &$0, defaults: defaults) }
            }
        } else if row.isLeftOut != nil {
            leaveOut(row, &state)
        } else if case .choice(let setting) = row.kind {
            choose(setting, &state)
        }
    }

    /// Leaves out an inherited header, or sends it again.
    private static func leaveOut(_ row: RequestRow, _ state: inout AppState) {
        state.change { endpoint in
            var names = (endpoint.removedHeaders ?? []).filter { $0.lowercased() != row.name.lowercased() }
            if row.isLeftOut == false { names.append(row.name) }
            endpoint.removedHeaders = names.isEmpty ? nil : names
        }
        if let index = rows(state).firstIndex(where: { $0.name == row.name && $0.isLeftOut != nil }) { state.requestState.row = index }
    }

    /// Adds a header field with the name and the value of an inherited one, which takes its place, and edits the value.
    static func replaceInherited(_ row: RequestRow, _ state: inout AppState) {
        guard state.requestState.tab == .headers, case .inherited(let source) = row.kind else { return }
        leaveEditing(&state)
        var place: Int?
        // The value of a secret is not repeated in the file.
        let own = Parameter(row.name, row.isSecret ? "" : row.value)
        state.change { place = $0.edit(.headers, .insert([own], after: Int.max - 1)) }
        guard let place, let index = rows(state).firstIndex(where: { $0.listIndex == place }) else { return }
        startEditing(row: index, .value, &state)
        state.toast = Toast("\(row.name) of the endpoint takes the place of that from \(source)")
    }

    /// Inserts rows below the selected one, and returns the index of the first in its list.
    private static func insert(_ rows: [Parameter], typing: Draft.Typing? = nil, _ state: inout AppState) -> Int {
        let tab = state.requestState.tab
        let after = selectedRow(state)?.listIndex ?? Int.max - 1
        var place: Int?
        state.change(typing: typing) { place = $0.edit(tab, .insert(rows, after: after)) }
        return place ?? 0
    }

    /// Adds a row; on a tab without lists, edits the value of the selected one.
    static func addRow(_ state: inout AppState) {
        leaveEditing(&state)
        guard state.openEndpoint?.takesPairs(state.requestState.tab) == true else { return editText(&state) }
        // Typing the name belongs to the same undo step as adding the row.
        state.requests.typing.begin("new row")
        let step = state.requests.typing.current
        let place = insert([Parameter("", "")], typing: step, &state)
        guard let row = rows(state).firstIndex(where: { $0.listIndex == place }) else { return }
        startEditing(row: row, .name, &state)
        let next = state.requests.typing.current
        if let target = state.openTarget { state.drafts[target]?.continueTyping(step, as: next) }
    }

    /// Adds pasted rows as one undo step.
    static func addRows(_ new: [Parameter], _ state: inout AppState) {
        let place = insert(new, &state)
        if let row = rows(state).firstIndex(where: { $0.listIndex == place + new.count - 1 }) { state.requestState.row = row }
        state.toast = Toast("\(ItemCount.text(new.count, "row")) pasted; \(state.key(.undo)) takes them back")
    }

    static func duplicateRow(_ state: inout AppState) {
        guard let index = selectedRow(state)?.listIndex else { return }
        state.change { [tab = state.requestState.tab] in $0.edit(tab, .duplicate(index)) }
        state.requestState.row += 1
    }

    static func moveRow(by distance: Int, _ state: inout AppState) {
        guard let index = selectedRow(state)?.listIndex else { return }
        var place: Int?
        state.change { [tab = state.requestState.tab] in place = $0.edit(tab, .move(index, by: distance)) }
        if place != nil { state.requestState.row += distance }
    }

    /// Deletes a row, or resets an option to its inherited value.
    static func deleteRow(_ state: inout AppState) {
        guard let row = selectedRow(state) else { return }
        if let index = row.listIndex {
            state.change { [tab = state.requestState.tab] in $0.edit(tab, .delete(index)) }
            select(state.requestState.row, &state)
            state.toast = Toast("Deleted; \(state.key(.undo)) undoes it")
        } else if case .pathParameter(let index) = row.kind {
            state.change { $0.setPathParameter(index, to: "") }
            state.toast = Toast("The value is deleted; \(state.key(.undo)) undoes it")
        } else if let section = row.section {
            state.change { [sections = state.sections] in sections?.set(section, of: &$0, to: "") }
            select(state.requestState.row, &state)
            state.toast = Toast("Deleted \(section.rawValue); \(state.key(.undo)) undoes it")
        } else if row.isLeftOut != nil {
            leaveOut(row, &state)
        } else if let option = row.option {
            state.change { [workspace = state.workspace] in option.reset(in: &$0, defaults: OptionDefaults(of: $0, in: workspace)) }
        }
    }

    static func undo(_ state: inout AppState) {
        guard let target = state.openTarget, state.drafts[target]?.undo() == true else { return }
        select(state.requestState.row, &state)
    }

    static func redo(_ state: inout AppState) {
        guard let target = state.openTarget, state.drafts[target]?.redo() == true else { return }
        select(state.requestState.row, &state)
    }
}
