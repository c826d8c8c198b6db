internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The reasons why commands of the request pane are unavailable; nil for an available command.
extension AppState {
    var noRowReason: String? {
        if let reason = noEndpointReason { return reason }
        guard let row = selectedRequestRow else {
            return requestState.row < 0 ? nil : cannotAddReason.map { _ in "There is nothing to edit here" }
        }
        if case .inherited(RequestRows.engine) = row.kind { return "Sortie adds this; a header of that name with \(key(.addRow)) takes its place" }
        if case .inherited(let place) = row.kind { return "This row comes from \(place); edit it there" }
        if case .result = row.kind { return "This is the result; change the rows above" }
        if case .note = row.kind { return "Too long to edit in place; \(key(.editOutside)) opens it in $EDITOR" }
        return nil
    }

    var noPairReason: String? {
        selectedRequestRow?.listIndex == nil ? "No row with a check box is selected" : nil
    }

    var noToggleReason: String? {
        guard let row = selectedRequestRow else { return "No row is selected" }
        switch row.kind {
        case .pair, .part, .choice, .toggle: return nil
        default: return "This row cannot be switched; \(key(.editRow)) edits it"
        }
    }

    var cannotDeleteReason: String? {
        guard let row = selectedRequestRow, row.option != nil else { return noPairReason }
        return row.isTakenOver ? "The endpoint has no value of its own here" : nil
    }

    var noFileReason: String? {
        if let reason = noEndpointReason { return reason }
        guard requestState.tab == .body else { return "Only a body has files" }
        return filePurpose == nil ? "Choose the kind File, or a part of a multipart body, first" : nil
    }

    var cannotFormatReason: String? {
        guard requestState.tab == .body, case .json = openEndpoint?.body else { return "Only a JSON body can be formatted" }
        return nil
    }

    var cannotAddReason: String? {
        guard let endpoint = openEndpoint else { return noEndpointReason }
        let tab = requestState.tab
        if endpoint.takesPairs(tab) { return nil }
        return tab == .body
            ? "Only a form or a multipart body has rows; choose the kind first" : "\(tab.title) has no rows to add"
    }
}
