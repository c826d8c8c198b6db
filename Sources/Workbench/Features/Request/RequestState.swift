internal import SortieHTTP
internal import WorkspaceModel

/// The state of the request pane for an endpoint.
struct RequestState: Hashable, Sendable {
    /// The field that is being edited in place.
    enum Editing: Hashable, Sendable {
        case url(TextField)
        case row(RowEdit)
        case body(BodyText, TextArea)
        case section(EndpointSection, TextArea)

        /// The text of several lines that is being edited.
        var area: TextArea? {
            get {
                switch self {
                case .body(_, let area), .section(_, let area): area
                case .url, .row: nil
                }
            }
            set {
                guard let newValue else { return }
                switch self {
                case .body(let part, _): self = .body(part, newValue)
                case .section(let section, _): self = .section(section, newValue)
                case .url, .row: break
                }
            }
        }
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
    var editing: Editing?
    /// The path when editing of the URL began, to find the parameter whose name was changed.
    var pathBefore: String?
    /// Whether the text that is typed in the URL replaces the whole request, which was not saved.
    var replacesRequest = false
    /// The previous bodies and credentials of other kinds, so that switching back loses nothing.
    var otherBodies: [BodyChoice: BodyTemplate] = [:]
    var otherAuths: [AuthChoice: Auth] = [:]

    var row: Int {
        get { selected[tab] ?? 0 }
        set { selected[tab] = newValue }
    }
}

extension RequestState {
    /// Creates the state for an endpoint that is opened: the first tab is the body if it has one and no parameters.
    init(of endpoint: Endpoint) {
        self.init()
        tab = endpoint.query.isEmpty && endpoint.body != .none ? .body : .params
    }
}

/// The states of the request pane.
struct RequestsState: FeatureState {
    /// The states by endpoint.
    private var byEndpoint: [EndpointID: RequestState] = [:]
    /// Facts about the files that requests name.
    var files = FileFacts()
    /// The mistake of the text of several lines being typed.
    var check = TextCheck()
    /// The undo steps of the text being typed.
    var typing = TypingSteps()

    /// Gives the state of an endpoint its new name.
    mutating func move(_ old: EndpointID, to new: EndpointID) {
        if let state = byEndpoint.removeValue(forKey: old) { byEndpoint[new] = state }
    }

    subscript(endpoint: EndpointID) -> RequestState? {
        get { byEndpoint[endpoint] }
        _modify { yield &byEndpoint[endpoint] }
    }
}

extension AppState {
    /// The states of the request pane.
    var requests: RequestsState {
        get { states[RequestsState.self] }
        _modify { yield &states[RequestsState.self] }
    }

    /// The state of the request pane for the open endpoint.
    var requestState: RequestState {
        get { openTarget.flatMap { requests[$0] } ?? RequestState() }
        set { if let openTarget { requests[openTarget] = newValue } }
    }
}

/// A cache of facts about the files that requests name.
struct FileFacts: Hashable, Sendable {
    /// The facts by absolute path.
    var facts: [String: FileFact] = [:]
    /// The paths that were inspected or are being inspected.
    private var asked: Set<String> = []
    /// The endpoint and the tab whose files were inspected.
    private var place: Place?

    struct Place: Hashable, Sendable {
        var target: EndpointID?
        var tab: RequestTab
    }

    /// Returns the paths that have to be inspected.
    ///
    /// A change of the endpoint or tab inspects all paths again.
    mutating func missing(of paths: [String], at place: Place) -> [String] {
        if self.place != place { forget() }
        self.place = place
        let new = Set(paths).subtracting(asked).sorted()
        asked.formUnion(new)
        return new
    }

    /// Inspects all paths again; until then the previous facts are shown.
    mutating func forget() {
        asked = []
        // Facts about files that are not shown any more only take memory.
        if facts.count > 1000 { facts = [:] }
    }
}

/// The tabs of the request pane.
enum RequestTab: String, PaneTab {
    case params = "Params"
    case headers = "Headers"
    case body = "Body"
    case auth = "Auth"
    case rules = "Rules"
    case options = "Options"

    var title: String { rawValue }
}

/// Divides typed text into undo steps: words, deletions, pastes.
struct TypingSteps: Hashable, Sendable {
    /// The current step.
    private(set) var current = Draft.Typing(field: "", part: 0)
    private var last: TextChange.Kind?

    /// Begins a step of a field.
    mutating func begin(_ field: String) {
        current = Draft.Typing(field: field, part: current.part + 1)
        last = nil
    }

    /// The step that a change belongs to.
    mutating func step(of change: TextChange, in field: String) -> Draft.Typing {
        let kind = change.kind
        let continues = last == nil || kind.continues(last)
        if field != current.field || !continues { begin(field) }
        last = kind
        return current
    }
}
