internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Context {
    /// Lines about endpoints and exchanges that were compared with descriptions.
    static let contractLines = Context("Contract")
}

extension ReadingText {
    /// Adds lines, of which those that are indented belong to the line before them.
    ///
    /// - Parameter subject: What a line with the indented ones after it is about; nil for nothing.
    mutating func add(
        _ all: [String], width: Int, _ state: AppState, style: (String) -> Style, about subject: (String, [String]) -> ContractSubject?
    ) {
        var index = 0
        while index < all.count {
            let further = all[(index + 1)...].prefix { $0.hasPrefix(" ") }
            let start = lines.count
            for line in all[index..<further.endIndex] { add(line, style(line), width: width, state) }
            if let subject = subject(all[index], Array(further)) { parts.append(Part(lines: start..<lines.count) { subject.open(&$0) }) }
            index = further.endIndex
        }
    }

    /// Adds a line, wrapped between its words where it is too long.
    private mutating func add(_ line: String, _ style: Style, width: Int, _ state: AppState) {
        let (text, indent) = (state.redaction.masked(line), String(line.prefix { $0 == " " }.prefix(8)))
        let (content, room) = (String(text.drop { $0 == " " }), max(10, width - indent.count))
        // The columns of a short line stay.
        let pieces = CellWidth.width(of: content) <= room ? [content] : WrappedText.lines(content, width: room)
        lines += pieces.map { [Span(indent), Span($0, style)] }
    }
}

/// What a line of a report is about.
///
/// It is looked up when it is opened, because a mock lists thousands of requests.
enum ContractSubject: Sendable {
    /// An exchange of the history.
    case exchange(Int64)
    /// The requests of a failure, as curl commands.
    case commands(String)
    /// The endpoint with a target, or of an operation that a description names.
    case endpoint(target: String, method: String, path: String)

    func open(_ state: inout AppState) -> [Effect] {
        switch self {
        case .exchange(let number):
            state.popups.pop()
            return [HistoryFeature.load(number, for: .show, &state)]
        case .commands(let text):
            state.popups.pop()
            return ImportFeature.read(text, &state)
        case .endpoint(let target, let method, let path):
            guard let endpoint = state.workspace.endpoint(target) ?? state.workspace.endpoint(ofOperation: method, path) else {
                state.toast = Toast("No endpoint of the workspace sends \(method) \(path)", .warning)
                return []
            }
            state.popups.pop()
            ServicesFeature.select(.endpoint(endpoint.id), &state)
            state.focus(.request)
            return []
        }
    }
}

extension Workspace {
    /// The endpoint of an operation that a description names; one whose path has the form of the operation is before one with values in it.
    fileprivate func endpoint(ofOperation method: String, _ path: String) -> Endpoint? {
        let wanted = PathTemplate(path)
        let own = endpoints.filter { $0.method.rawValue == method && contract(of: $0) != nil }.map { endpoint in
            (endpoint: endpoint, template: PathTemplate(PathTemplate.path(ofURL: endpoint.pathTemplate { _ in true })))
        }
        func texts(_ template: PathTemplate) -> [String] { template.segments.map { if case .literal(let text) = $0 { text } else { "*" } } }
        return (own.first { $0.template.text == wanted.text } ?? own.first { wanted.matches(texts($0.template)) })?.endpoint
    }
}
