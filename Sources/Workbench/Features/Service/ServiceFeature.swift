internal import BodyViews
internal import SortieGuide
internal import SortieTerminal
internal import WorkspaceModel

extension Context {
    /// A service in the request pane.
    static let service = Context("Service")
}

extension Command {
    static let showService = Command.named("showService")
    static let saveService = Command.named("saveService", isInPalette: false)
}

extension SearchPlace {
    static let service = SearchPlace("service")
}

/// A service in the request pane: its servers, headers, credentials, trust and settings as rows, which are edited in place.
///
/// A change is written when its field is left, because a service has no unsaved state that could be sent.
struct ServiceFeature: PaneFeature, RowPane {
    let context = Context.service
    let searchPlace: SearchPlace? = .service

    func guideAddress(_ state: AppState) -> String {
        let pane = state.servicePane
        let setting: String? =
            switch Self.selectedRow(state)?.kind {
            case .setting(.service(let key)), .choice(.service(let key)): key.root
            default: nil
            }
        if pane.tab == .auth, let service = state.shownService { return AuthChoice(service.auth).guideAddress }
        let ofTab = pane.tab == .auth ? "auth" : pane.tab == .trust ? "trust" : pane.tab.listKey
        return GuidePlace.address(ofWorkspaceKey: setting ?? ofTab ?? "") ?? "workspaces#service-yaml"
    }

    func contexts(_ state: AppState) -> [Context] {
        if state.searchEntry != nil { return Context.typingSearch }
        guard state.focus == .request else { return [.service, .panes] }
        switch state.servicePane.editing {
        case .row: return [.row, .field]
        case .text: return [.area, .field]
        case nil: return [.service, .panes]
        }
    }

    func label(of command: Command, _ state: AppState) -> String? {
        let row = Self.selectedRow(state)
        return switch command {
        case .toggle where row?.isLeftOut != nil, .deleteRow where row?.isLeftOut != nil: row?.isLeftOut == true ? "Send" : "Leave out"
        case .toggle where row?.listIndex == nil: "Change"
        case .deleteRow where row?.listIndex == nil: "Reset"
        case .addRow where state.servicePane.tab.listKey == nil: "Set"
        case .back: "Close"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .showService: if let service = ServersFeature.service(state) { state.open(service: service.folder) }
        case .saveService: Self.saveAll(&state)
        case .save where state.shownService != nil: if state.servicePane.editing == nil || Self.accept(&state) { Self.saveAll(&state) }
        default:
            guard let place = ServicePlace.of(command) else { return nil }
            if let service = ServersFeature.service(state) { place.open(service.folder, &state) }
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): if state.servicePane.editing == nil { move(movement, &state) }
        case .editRow, .editText: Self.editRow(&state)
        case .toggle: Self.toggleRow(&state)
        case .addRow: Self.addRow(&state)
        case .deleteRow: Self.deleteRow(&state)
        case .duplicateRow: Self.editList(&state) { .duplicate($0) }
        case .moveRowUp: Self.editList(&state) { .move($0, by: -1) }
        case .moveRowDown: Self.editList(&state) { .move($0, by: 1) }
        case .accept where state.searchEntry == nil: _ = Self.accept(&state)
        case .leave where state.searchEntry == nil: Self.leave(&state)
        case .nextField: Self.moveField(by: 1, &state)
        case .previousField: Self.moveField(by: -1, &state)
        case .lineUp: Self.moveLine(by: -1, &state)
        case .lineDown: Self.moveLine(by: 1, &state)
        case .pageUp: Self.moveLine(by: -max(1, state.layout.request.height - 4), &state)
        case .pageDown: Self.moveLine(by: max(1, state.layout.request.height - 4), &state)
        case .undo: return undo(&state)
        case .copy:
            guard let row = Self.selectedRow(state) else { return nil }
            return state.copy(Self.text(of: row, .value, state), row.name)
        default: return nil
        }
        return []
    }

    private func move(_ movement: Movement, _ state: inout AppState) {
        let count = Self.rows(state).count
        guard count > 0 else { return }
        state.servicePane.row = movement.target(from: state.servicePane.row, count: count, page: RequestView.listRect(state.layout).height)
    }

    func turnTab(by distance: Int, _ state: inout AppState) {
        Self.leave(&state)
        state.servicePane.tab = state.servicePane.tab.moved(by: distance)
    }

    /// Discards what was not written, else reverts the last change of the files.
    private func undo(_ state: inout AppState) -> [Effect] {
        guard let folder = state.shownService?.folder, !Self.isWriting(folder, state), state.serviceChanges.hasUnsaved(of: folder) else {
            return state.performFromList(.undoItems)
        }
        (state.serviceChanges.changes[folder], state.serviceChanges.unreadable[folder]) = (nil, nil)
        state.toast = Toast("The change that was not saved is discarded")
        return []
    }

    /// Saves what was refused before; a text that cannot be read is selected, with the reason.
    private static func saveAll(_ state: inout AppState) {
        saveAgain(&state)
        guard let (key, problem) = acceptUnreadable(&state) else { return }
        state.servicePane.tab = ServiceTab(of: key)
        select(settingAt: key.path, &state)
        let keys = (edit: state.key(.editRow, in: .service), discard: state.key(.undo, in: .service))
        state.toast = Toast("Not saved: \(problem); \(keys.edit) edits it, \(keys.discard) discards it", .warning)
    }

    func typedText(_ state: AppState) -> TypedText? {
        if let entry = state.searchEntry { return TypedText(entry.field) }
        switch state.servicePane.editing {
        case .row(let edit):
            guard let row = Self.row(edit.row, state) else { return TypedText(edit.field) }
            let place = row.completionPlace(of: edit.column, on: state.servicePane.tab == .headers ? .headers : nil)
            return TypedText(edit.field, isSecret: row.isSecret && edit.column == .value, place: place)
        case .text(_, let area): return TypedText(area, suffix: ".yaml", place: .templates)
        case nil: return nil
        }
    }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.searchEntry == nil else { return state.typeSearch(change) }
        switch state.servicePane.editing {
        case .row(var edit):
            edit.field.apply(change)
            state.servicePane.editing = .row(edit)
        case .text(let key, var area):
            area.apply(change, .yaml)
            area.scroll(height: ServiceView(state).areaRect.height)
            state.servicePane.editing = .text(key, area)
        case nil: break
        }
        return []
    }

    func exportSubject(_ state: AppState) -> ExportSubject? {
        guard let service = state.shownService else { return nil }
        let endpoints = service.endpoints.map { state.endpoint($0.id) ?? $0 }
        return endpoints.isEmpty ? nil : .endpoints(service.folder, endpoints)
    }

    func stopEditing(_ state: inout AppState) { Self.leave(&state) }

    func canGoBack(_ state: AppState) -> Bool { true }

    /// Shows the endpoint again that the pane had before.
    func back(_ state: inout AppState) -> [Effect]? {
        let before = state.openService?.before
        state.openService = nil
        if let before, state.endpoint(before) != nil { state.openTarget = before }
        state.focus(.services)
        return []
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        Self.selectNext(search, forward: forward, includingHere: includingHere, &state)
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { ServiceView(state).draw(on: &canvas, in: rect) }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        switch ServiceView(state, layout).target(at: point) {
        case .tab(let tab):
            Self.leave(&state)
            state.servicePane.tab = tab
        case .row(let index, let isBox, let column):
            if case .row(let edit) = state.servicePane.editing, edit.row == index {
                // The other field of the row is edited next; the row of a server follows its environment.
                if !isBox, edit.column != column, Self.accept(&state) { Self.startEditing(row: state.servicePane.row, column, &state) }
                return
            }
            Self.leave(&state)
            Self.select(index, &state)
            if isBox { Self.toggleRow(&state) }
        case .empty: Self.leave(&state)
        case nil: break
        }
    }

    func select(at point: Point, _ layout: Layout, _ state: inout AppState) {
        let target = ServiceView(state, layout).target(at: point)
        Self.leave(&state)
        if case .row(let index, _, _) = target { Self.select(index, &state) }
    }

    func selectsChoice(_ state: AppState) -> Bool {
        if case .choice = Self.selectedRow(state)?.kind { true } else { false }
    }

    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point] { ServiceView(state, layout).jumpPoints }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        switch ServiceView(state, layout).target(at: point) {
        case .row(let index, false, .name) where Self.row(index, state)?.listIndex != nil:
            Self.startEditing(row: index, .name, &state)
        case .row: if let reason = Self.noRow(state) { state.toast = Toast(reason, .warning) } else { Self.editRow(&state) }
        case .empty: if Self.cannotAdd(state) == nil { Self.addRow(&state) }
        case .tab, nil: break
        }
        return []
    }
}

extension ServiceFeature {
    var bindings: [Binding] {
        [
            Binding(.service, [.enter], .editRow, "Edit", "Edit what is selected", hint: 3, unless: Self.noRow),
            Binding(.service, [.character("e")], .editText, "Type", "Edit what is selected by typing", unless: Self.noRow),
            Binding(
                .service, [.space], .toggle, "On/off", "Switch the header field on or off; choose the next value", hint: 4, unless: Self.noToggle),
            Binding(
                .service, [.character("a")], .addRow, "Add", "Add a server of the environment, or a header field; set a setting", hint: 5,
                unless: Self.cannotAdd),
            Binding(
                .service, [.character("d"), .delete], .deleteRow, "Delete", "Delete the row, or reset a setting; it can be undone", hint: 6,
                unless: Self.noRow),
            Binding(.service, [.character("D")], .duplicateRow, "Duplicate", "Insert a copy below the row", unless: Self.noListRow),
            Binding(.service, [.character("K"), Key(.up, .alt)], .moveRowUp, "Row up", "Move the row up", unless: Self.noListRow),
            Binding(.service, [.character("J"), Key(.down, .alt)], .moveRowDown, "Row down", "Move the row down", unless: Self.noListRow),
            Binding(
                .service, [.character("u")], .undo, "Undo", "Undo the last change of the workspace's files", hint: 8, unless: Self.nothingToUndo),
            Binding(.service, [.character("v")], .chooseServer, "Server", "Switch the service to another server", unless: ServersFeature.reason),
            Binding(
                .service, [.character("w")], .saveService, "Save again", "Save a change again that could not be saved",
                unless: { $0.noServiceChangeReason }),
            Binding(
                .services, [.character("i")], .showService, "Service", "Open the service in Request, and edit what its endpoints share",
                hint: 5, unless: ServersFeature.noService
            ).alsoKnownAs("Service settings", "Details"),
            Binding(
                .monitor, [.character("i")], .showService, "Service", "Open the service in Request, and edit what its endpoints share",
                hint: 2, unless: ServersFeature.noService),
        ] + ServicePlace.all.map(\.binding)
    }

    private static func cannotAdd(_ state: AppState) -> String? {
        guard state.servicePane.tab == .servers, state.workspace.environments.isEmpty, selectedRow(state)?.listIndex == nil else { return nil }
        return "Servers belong to environments, and the workspace has none; \(state.key(.chooseEnvironment)) creates one"
    }

    private static func noRow(_ state: AppState) -> String? {
        guard let row = selectedRow(state) else { return state.servicePane.tab.listKey == nil ? "There is nothing to edit here" : nil }
        if case .note = row.kind { return cannotAdd(state) }
        guard case .inherited(let place) = row.kind else { return nil }
        if row.isLeftOut != nil {
            return row.isLeftOut == true
                ? "The service leaves this field out; \(state.key(.toggle, in: .service)) sends it again"
                : "Sortie adds this; a field of that name with \(state.key(.addRow, in: .service)) takes its place"
        }
        return "This comes from the \(place); \(state.key(.editOutside)) opens the files"
    }

    private static func noToggle(_ state: AppState) -> String? {
        guard let row = selectedRow(state) else { return "No row is selected" }
        switch row.kind {
        case .choice: return nil
        case .pair where state.servicePane.tab == .headers: return nil
        case .inherited where row.isLeftOut != nil: return nil
        default: return "This row cannot be switched; \(state.key(.editRow, in: .service)) edits it"
        }
    }

    private static func noListRow(_ state: AppState) -> String? {
        selectedRow(state)?.listIndex == nil ? "No row of a list is selected" : nil
    }

    private static func nothingToUndo(_ state: AppState) -> String? {
        state.shownService.map { state.serviceChanges.hasUnsaved(of: $0.folder) } == true ? nil : ItemsFeature.nothingToUndo(state)
    }
}
