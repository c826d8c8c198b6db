internal import Model

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
