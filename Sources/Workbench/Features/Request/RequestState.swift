internal import SortieHTTP
internal import WorkspaceModel

/// The state of the request pane for an endpoint.
struct RequestState: Hashable, Sendable {
    /// The field that is being edited in place.
    enum Editing: Hashable, Sendable {
        case url(TextField)
        case row(RowEdit)
        case body(TextArea)
    }

    /// A field of a row that is being edited.
    struct RowEdit: Hashable, Sendable {
        var row: Int
        var column: RequestRow.Column
        var field: TextField
    }

    var tab = RequestTab.params
    /// The selected row by tab; −1 is the request line above the tabs.
    var selected: [RequestTab: Int] = [:]
    var tops: [RequestTab: Int] = [:]
    var editing: Editing?
    /// The previous bodies and credentials of other kinds, so that switching back loses nothing.
    var otherBodies: [BodyChoice: BodyTemplate] = [:]
    var otherAuths: [AuthChoice: Auth] = [:]

    var row: Int {
        get { selected[tab] ?? 0 }
        set { selected[tab] = newValue }
    }

    var top: Int {
        get { tops[tab] ?? 0 }
        set { tops[tab] = newValue }
    }
}

/// The states of the request pane.
struct RequestsState: FeatureState {
    /// The states by endpoint.
    var byTarget: [EndpointID: RequestState] = [:]
    /// Facts about the files that requests name.
    var files = FileFacts()
    /// The undo steps of the text being typed.
    var typing = TypingSteps()
}

extension AppState {
    var requests: [EndpointID: RequestState] {
        get { states[RequestsState.self].byTarget }
        set { states[RequestsState.self].byTarget = newValue }
    }

    var files: FileFacts {
        get { states[RequestsState.self].files }
        set { states[RequestsState.self].files = newValue }
    }

    var typing: TypingSteps {
        get { states[RequestsState.self].typing }
        set { states[RequestsState.self].typing = newValue }
    }

    /// The state of the request pane for the open endpoint.
    var requestState: RequestState {
        get { openTarget.flatMap { requests[$0] } ?? RequestState() }
        set { if let openTarget { requests[openTarget] = newValue } }
    }

    /// The rows of the shown tab of the request pane.
    var requestRows: [RequestRow] {
        guard let endpoint = openEndpoint else { return [] }
        var rows = RequestRows(
            endpoint: endpoint, workspace: workspace, preview: RequestPreview(self, endpoint), files: files.facts,
            engineHeaders: engineHeaders, showsSecrets: showsSecrets, key: { key($0) }
        ).rows(of: requestState.tab)
        let redaction = redaction
        for index in rows.indices where rows[index].mayHaveTemplates {
            let row = rows[index]
            // A template names a secret without revealing its value.
            rows[index].isSecret = !showsSecrets && !row.value.contains("{{") && (row.isSecret || redaction.isSecretPath(row.name))
        }
        return rows
    }

    /// The selected row of the request pane; nil on the request line.
    var selectedRequestRow: RequestRow? {
        let rows = requestRows
        return rows.indices.contains(requestState.row) ? rows[requestState.row] : nil
    }

    /// The field that is being edited in the request pane.
    var editing: RequestState.Editing? { focus == .request ? requestState.editing : nil }
}
