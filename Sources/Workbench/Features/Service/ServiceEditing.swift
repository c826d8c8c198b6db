internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Editing the rows of a service in place.
extension ServiceFeature {
    /// The rows of the shown tab.
    static func rows(_ state: AppState) -> [RequestRow] {
        state.editedService.map { ServiceRows(state, $0).rows(of: state.servicePane.tab) } ?? []
    }

    static func selectedIndex(_ state: AppState) -> Int { state.servicePane.row }

    static func select(_ row: Int, _ state: inout AppState) { state.servicePane.row = row.clamped(to: 0...max(0, rows(state).count - 1)) }

    /// Selects a setting on the shown tab, where it is there.
    static func select(settingAt path: [String], _ state: inout AppState) {
        let index = rows(state).firstIndex { row in
            switch row.kind {
            case .setting(.service(let key)), .choice(.service(let key)): key.path == path
            default: false
            }
        }
        if let index { state.servicePane.row = index }
    }

    /// Changes the shown service; the change is written after the action.
    static func change(_ state: inout AppState, _ work: (inout Service) -> Void) {
        if let folder = state.openService?.folder { change(folder, &state, work) }
    }

    static func change(_ folder: String, _ state: inout AppState, _ work: (inout Service) -> Void) {
        guard let base = state.workspace.service(folder) else { return }
        let before = state.serviceChanges.changes[folder]?.service ?? base
        var service = before
        work(&service)
        guard service != before else { return }
        state.serviceChanges.changes[folder, default: .init(base: base, service: base)].service = service
    }

    // MARK: Starting

    /// Edits the selected row, or opens the choices of its value.
    static func editRow(_ state: inout AppState) {
        guard let row = selectedRow(state) else { return addRow(&state) }
        switch row.kind {
        case .setting(.service(let key)) where key.hasLines:
            leave(&state)
            state.servicePane.editing = .text(key, TextArea(text(of: key, state)))
        case .pair: startEditing(row: state.servicePane.row, state.servicePane.tab == .headers && row.name.isEmpty ? .name : .value, &state)
        case .setting: startEditing(row: state.servicePane.row, .value, &state)
        case .choice(let setting): choose(setting, &state)
        default: break
        }
    }

    static func startEditing(row: Int, _ column: RequestRow.Column, _ state: inout AppState) {
        leave(&state)
        let rows = rows(state)
        guard rows.indices.contains(row), columns(of: rows[row], state).contains(column) else { return }
        state.servicePane.row = row
        let field = TextField(text(of: rows[row], column, state), keepsLineBreaks: rows[row].keepsLineBreaks(column, on: nil))
        state.servicePane.editing = .row(.init(row: row, column: column, field: field))
    }

    /// The fields that can be edited; a server has no description.
    private static func columns(of row: RequestRow, _ state: AppState) -> [RequestRow.Column] {
        state.servicePane.tab == .servers ? row.columns.filter { $0 != .summary } : row.columns
    }

    /// The text of a field as it is edited: not masked, and with its templates.
    static func text(of row: RequestRow, _ column: RequestRow.Column, _ state: AppState) -> String {
        guard let service = state.editedService else { return "" }
        switch row.kind {
        case .pair(let index) where state.servicePane.tab == .servers:
            let list = service.serverList(in: environments(state))
            guard list.indices.contains(index) else { return "" }
            return column == .name ? list[index].name : list[index].value
        case .setting(.service(let key)): return text(of: key, state)
        case .setting(.auth(let field)): return service.auth[field]
        default: return row.text(of: column)
        }
    }

    /// The text of a setting: as it was typed, else that of the service, else that of the environment or the workspace.
    static func text(of key: ServiceKey, _ state: AppState) -> String {
        guard let service = state.editedService, let sections = state.sections else { return "" }
        if let typed = state.serviceChanges.unreadable[service.folder]?[key] { return typed }
        if let own = text(of: key, in: service, state) { return own }
        guard key.path.count > 1 else { return "" }
        let effective = state.workspace.effectiveSettings(of: service, in: state.environment)
        return sections.texts(of: effective, folder: state.workspace.folder, base: Timeouts())[key] ?? ""
    }

    /// The text of a setting in a service itself; nil where it does not have the setting.
    private static func text(of key: ServiceKey, in service: Service, _ state: AppState) -> String? {
        state.sections?.texts(of: service, folder: state.workspace.folder, base: state.workspace.timeouts)[key]
    }

    private static func environments(_ state: AppState) -> [String] { state.workspace.environments.map(\.name) }

    // MARK: Ending

    /// Ends editing where the text is valid; else its problem is shown, and editing continues.
    static func accept(_ state: inout AppState) -> Bool {
        if let problem = commit(&state) {
            state.toast = Toast(problem, .warning)
            return false
        }
        state.servicePane.editing = nil
        removeEmptyRow(&state)
        return true
    }

    /// Ends editing; a setting keeps a text that is not valid, which is then not written.
    static func leave(_ state: inout AppState) {
        guard let editing = state.servicePane.editing else { return }
        let isSecret = state.typedText?.isSecret == true
        guard let problem = commit(&state), let folder = state.editedService?.folder else {
            state.servicePane.editing = nil
            return removeEmptyRow(&state)
        }
        let typed: (ServiceKey, String)? =
            switch editing {
            case .text(let key, let area): (key, area.text)
            case .row(let edit):
                if case .setting(.service(let key))? = row(edit.row, state)?.kind { (key, edit.field.text) } else { nil }
            }
        state.servicePane.editing = nil
        if let (key, text) = typed {
            state.serviceChanges.unreadable[folder, default: [:]][key] = text
            state.toast = Toast("Not saved: \(problem)", .warning)
        } else {
            if case .row(let edit) = editing { state.keepOldValue(problem, typed: isSecret ? "" : edit.field.text) }
            removeEmptyRow(&state)
        }
    }

    /// Applies what was typed; returns why it is not valid.
    ///
    /// - Parameter isUnfinished: Whether a text that is not valid is applied, too, as far as the service can have it.
    @discardableResult
    static func commit(_ state: inout AppState, isUnfinished: Bool = false) -> String? {
        guard let editing = state.servicePane.editing, let service = state.editedService else { return nil }
        switch editing {
        case .text(let key, let area): return set(key, to: area.text, &state)
        case .row(let edit):
            let typed = edit.field.text
            guard let row = row(edit.row, state), typed != text(of: row, edit.column, state) else { return nil }
            if !isUnfinished, let unclosed = Template(typed).unclosedText { return TemplateError(unclosed: unclosed).message }
            switch row.kind {
            case .setting(.service(let key)): return set(key, to: typed, &state)
            case .setting(.auth(let field)): change(&state) { $0.auth[field] = typed }
            case .pair(let index):
                if state.servicePane.tab == .servers, edit.column == .name, typed.trimmingBlanks.isEmpty { return "enter the name of an environment" }
                var new = service
                new.set(index, edit.column, to: typed, on: state.servicePane.tab, environments(state))
                if !isUnfinished, let key = state.servicePane.tab.listKey, let problem = problem(ofKey: key, in: new, state) { return problem }
                change(&state) { $0 = new }
                followServer(new, edit.column, typed, &state)
            default: break
            }
            return nil
        }
    }

    /// Why the value of a key is not valid; nil for a problem that the service has already.
    private static func problem(ofKey key: String, in service: Service, _ state: AppState) -> String? {
        func problem(_ service: Service) -> String? {
            state.sections?.problem(ofKey: key, in: service.withoutEmptyRows, of: state.workspace)?.message
        }
        guard let found = problem(service) else { return nil }
        return state.shownService.flatMap(problem) == found ? nil : found
    }

    /// Selects the row of a server whose environment was changed.
    private static func followServer(_ service: Service, _ column: RequestRow.Column, _ name: String, _ state: inout AppState) {
        guard state.servicePane.tab == .servers, column == .name else { return }
        let list = service.serverList(in: environments(state))
        // The row that an environment without servers has is removed.
        if let index = list.lastIndex(where: { $0.name == name.trimmingBlanks && !$0.value.isEmpty }) { state.servicePane.row = index }
    }

    /// Sets a setting; returns why the text is not valid.
    private static func set(_ key: ServiceKey, to text: String, _ state: inout AppState) -> String? {
        guard let service = state.editedService, let sections = state.sections else { return nil }
        do throws(Diagnostic) {
            let new = try sections.setting(key, of: service, to: text, in: state.workspace)
            state.serviceChanges.unreadable[service.folder]?[key] = nil
            if Self.text(of: key, in: new, state) != Self.text(of: key, in: service, state) { change(&state) { $0 = new } }
            return nil
        } catch {
            return error.location == .nowhere ? error.message : error.place
        }
    }

    /// Sets the settings whose typed texts can be read by now; returns one that still cannot, and why.
    static func acceptUnreadable(_ state: inout AppState) -> (key: ServiceKey, problem: String)? {
        let typed = state.editedService.flatMap { state.serviceChanges.unreadable[$0.folder] } ?? [:]
        for (key, text) in typed.sorted(by: { $0.key.path.lexicographicallyPrecedes($1.key.path) }) {
            if let problem = set(key, to: text, &state) { return (key, problem) }
        }
        return nil
    }

    /// Removes a row that was added and is still empty.
    private static func removeEmptyRow(_ state: inout AppState) {
        change(&state) { $0 = $0.withoutEmptyRows }
        select(state.servicePane.row, &state)
    }

    /// Edits the next field of the row, or the next row.
    static func moveField(by distance: Int, _ state: inout AppState) {
        guard case .row(let edit) = state.servicePane.editing, let row = row(edit.row, state) else { return }
        if let problem = commit(&state) {
            state.toast = Toast(problem, .warning)
            return
        }
        state.servicePane.editing = nil
        let columns = columns(of: row, state)
        let index = (columns.firstIndex(of: edit.column) ?? 0) + distance
        if columns.indices.contains(index) { return startEditing(row: state.servicePane.row, columns[index], &state) }
        let count = rows(state).count
        removeEmptyRow(&state)
        let next = state.servicePane.row + distance
        let others = self.row(next, state).map { self.columns(of: $0, state) } ?? []
        if let column = distance > 0 ? others.first : others.last {
            startEditing(row: next, column, &state)
        } else if distance > 0, state.servicePane.tab == .headers, row.listIndex != nil, rows(state).count == count {
            addRow(&state)
        }
    }

    /// Moves up or down while editing.
    static func moveLine(by distance: Int, _ state: inout AppState) {
        switch state.servicePane.editing {
        case .text(let key, var area):
            area.move(rows: distance)
            area.scroll(height: ServiceView(state).areaRect.height)
            state.servicePane.editing = .text(key, area)
        case .row(let edit):
            guard accept(&state) else { return }
            startEditing(row: state.servicePane.row + distance, edit.column, &state)
        case nil: break
        }
    }

    // MARK: Rows

    /// Adds a row to the list of the tab; on a tab without a list, edits the selected row.
    static func addRow(_ state: inout AppState) {
        leave(&state)
        let tab = state.servicePane.tab
        let row = selectedRow(state)
        guard tab.listKey != nil else {
            if row != nil { editRow(&state) }
            return
        }
        if let row, row.listIndex != nil, text(of: row, .value, state).isEmpty, tab == .servers { return editRow(&state) }
        var after = row?.listIndex ?? Int.max - 1
        let environment = row?.listIndex == nil ? state.environment : row?.name
        let names = environments(state)
        var place: Int?
        let name = tab == .servers ? environment ?? names.first ?? "" : ""
        if tab == .servers, row?.listIndex == nil, let list = state.editedService?.serverList(in: names),
            let last = list.lastIndex(where: { $0.name == name })
        {
            // The list has the servers of an environment together.
            if list[last].value.isEmpty { return startEditing(row: last, .value, &state) }
            after = last
        }
        change(&state) { place = $0.edit(tab, .insert([Parameter(name, "")], after: after), names) }
        guard let place, let index = rows(state).firstIndex(where: { $0.listIndex == place }) else { return }
        state.servicePane.row = index
        state.servicePane.editing = .row(.init(row: index, column: tab == .servers ? .value : .name, field: TextField()))
    }

    /// Changes the list of the tab at the selected row.
    static func editList(_ state: inout AppState, _ edit: (Int) -> RowListEdit) {
        guard let index = selectedRow(state)?.listIndex else { return }
        let (tab, names) = (state.servicePane.tab, environments(state))
        var place: Int?
        change(&state) { place = $0.edit(tab, edit(index), names) }
        if let place { select(place, &state) }
    }

    /// Deletes a row, or removes the setting of the service so that an inherited one applies.
    static func deleteRow(_ state: inout AppState) {
        guard let row = selectedRow(state) else { return }
        switch row.kind {
        case .pair: editList(&state) { .delete($0) }
        case .setting(.service(let key)), .choice(.service(let key)):
            if let folder = state.editedService?.folder { state.serviceChanges.unreadable[folder]?[key] = nil }
            if let problem = set(key, to: "", &state) { state.toast = Toast(problem, .warning) }
        case .choice(.authKind): change(&state) { $0.auth = .none }
        case .setting(.auth(let field)): change(&state) { $0.auth[field] = "" }
        case .inherited where row.isLeftOut != nil: leaveOut(row, &state)
        default: break
        }
    }

    /// Switches a row on or off, or selects the next choice.
    static func toggleRow(_ state: inout AppState) {
        guard let row = selectedRow(state) else { return }
        switch row.kind {
        case .pair where state.servicePane.tab == .headers: editList(&state) { .toggle($0) }
        case .choice(.service(let key)):
            let words = [""] + key.words
            let own = state.editedService.flatMap { text(of: key, in: $0, state) } ?? ""
            let next = words[((words.firstIndex(of: own) ?? 0) + 1) % words.count]
            if let problem = set(key, to: next, &state) { state.toast = Toast(problem, .warning) }
        case .choice(let setting): choose(setting, &state)
        case .inherited where row.isLeftOut != nil: leaveOut(row, &state)
        default: break
        }
    }

    /// Leaves out a field that Sortie adds, or sends it again.
    private static func leaveOut(_ row: RequestRow, _ state: inout AppState) {
        change(&state) { service in
            service.removedHeaders.removeAll { $0.lowercased() == row.name.lowercased() }
            if row.isLeftOut == false { service.removedHeaders.append(row.name) }
        }
        if let index = rows(state).firstIndex(where: { $0.name == row.name && $0.isLeftOut != nil }) { state.servicePane.row = index }
    }

    /// Opens the list of the values of a row.
    private static func choose(_ setting: RequestRow.Setting, _ state: inout AppState) {
        guard let service = state.editedService else { return }
        switch setting {
        case .authKind:
            let choices = AuthChoice.allCases.filter { $0 != .inherit }.map { ($0.rawValue, $0 == .none ? "no auth" : $0.detail) }
            state.choose("Auth", choices, AuthChoice(service.auth).rawValue) { word, state in
                guard let choice = AuthChoice(rawValue: word) else { return [] }
                change(&state) { $0.auth = choice.auth(from: $0.auth, before: nil) }
                // The first text of the credentials is typed next where it is empty.
                let first = rows(state).firstIndex { if case .setting(.auth) = $0.kind { true } else { false } }
                if let first, row(first, state)?.value.isEmpty == true { startEditing(row: first, .value, &state) }
                return []
            }
        case .auth(let field):
            state.choose(field.label, (field.words ?? []).map { ($0, "") }, service.auth[field]) { word, state in
                change(&state) { $0.auth[field] = word }
                return []
            }
        case .service(let key):
            let (own, none) = (text(of: key, in: service, state) ?? "", "not set")
            let choices = key.words.map { ($0, "") } + [(none, key.summary)]
            state.choose(KeyLabel.text(of: key.path.last ?? ""), choices, own.isEmpty ? none : own) { word, state in
                _ = set(key, to: word == none ? "" : word, &state)
                return []
            }
        case .bodyKind, .bodyFile, .bodyType, .operation, .option: break
        }
    }
}

extension Service {
    /// Changes the list of a tab; returns the index of the changed or the first added row, nil when nothing was changed.
    fileprivate mutating func edit(_ tab: ServiceTab, _ edit: RowListEdit, _ environments: [String]) -> Int? {
        guard tab == .servers else { return tab == .headers ? edit.apply(to: &headers) : nil }
        var list = serverList(in: environments)
        if case .move(let index, let distance) = edit, list.indices.contains(index), list.indices.contains(index + distance),
            list[index].name != list[index + distance].name
        {
            // The servers of two environments are two lists.
            return nil
        }
        guard let place = edit.apply(to: &list) else { return nil }
        setServers(list)
        return place
    }

    /// Sets a field of a row of a list; several URLs in the field of a server become as many servers.
    fileprivate mutating func set(_ index: Int, _ column: RequestRow.Column, to text: String, on tab: ServiceTab, _ environments: [String]) {
        if tab == .headers, headers.indices.contains(index) {
            switch column {
            case .name: headers[index].name = text
            case .value: headers[index].value = text
            case .summary: headers[index].summary = text.isEmpty ? nil : text
            case .fileName, .contentType: break
            }
        }
        guard tab == .servers else { return }
        var list = serverList(in: environments)
        guard list.indices.contains(index) else { return }
        if column == .name {
            list[index].name = text.trimmingBlanks
        } else {
            let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
            let urls = words.count > 1 && words.allSatisfy { $0.contains("://") } ? words : [TypedURL.completed(text.trimmingBlanks)]
            list.replaceSubrange(index...index, with: urls.map { Parameter(list[index].name, $0) })
        }
        setServers(list)
    }
}
