internal import BodyViews
internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The first mistake of the text of several lines that is being typed.
///
/// It is found once after each action, so that drawing reads only the visible lines.
struct TextCheck: Sendable {
    private(set) var problem: TextProblem?
    private(set) var json = JSONCheck()

    init() {}

    /// Checks a section.
    mutating func update(_ area: TextArea, _ section: EndpointSection, _ sections: (any SectionFormat)?) {
        problem = sections?.problem(of: area.text, as: section).map {
            TextProblem(line: $0.location.line, column: $0.location.column, message: $0.message)
        }
    }

    /// Checks a text of a body: its templates, its syntax, and what does not fit the schema of a GraphQL server where that is known.
    mutating func update(_ area: TextArea, _ part: BodyText, of endpoint: Endpoint, _ preview: RequestPreview, _ schema: GraphQLSchema?) {
        problem = nil
        let isSmall = area.lines.bytes <= BodyTemplate.checkLimit
        let text = isSmall ? area.text : ""
        if part != .file, isSmall { problem = TextProblem.first(in: text, preview) }
        guard problem == nil else { return }
        switch endpoint.language(of: part) {
        case .json:
            if part == .variables {
                problem = BodyTemplate.variablesProblem(of: text).map { TextProblem(line: $0.line, column: $0.column, message: $0.message) }
            } else {
                problem = json.problem(in: area.lines, hasTemplates: part != .file).map { found in
                    let line = area.lines.indices.contains(found.line - 1) ? area.lines[found.line - 1] : []
                    return TextProblem(line: found.line, column: line.column(ofScalar: found.column - 1) + 1, message: found.message)
                }
            }
        case .xml where isSmall && !text.allSatisfy(\.isWhitespace):
            problem = MarkupText.problem(in: text).map { TextProblem(line: $0.line, column: $0.column, message: $0.message) }
        case .plain, .xml, .html, .graphQL, .form, .yaml: break
        }
        if problem == nil, case .graphQL(let request) = endpoint.body { problem = TextProblem.first(in: part, of: request, schema) }
    }
}

extension [Character] {
    /// The number of characters before a scalar of the line.
    fileprivate func column(ofScalar wanted: Int) -> Int {
        var scalars = 0
        for (column, character) in enumerated() {
            scalars += character.unicodeScalars.count
            if scalars > wanted { return column }
        }
        return count
    }
}

extension RequestFeature {
    /// Checks the text of several lines that is being edited, and scrolls it so that its cursor is visible beside the mistake.
    static func checkText(_ state: inout AppState) {
        guard let editing = state.requestState.editing, let endpoint = state.openEndpoint else {
            state.requests.check = TextCheck()
            return
        }
        var check = state.requests.check
        switch editing {
        case .body(let part, let area):
            check.update(area, part, of: endpoint, RequestPreview(state, endpoint), state.graphQLSchema(of: endpoint))
        case .section(let section, let area): check.update(area, section, state.sections)
        case .url, .row: check = TextCheck()
        }
        state.requests.check = check
        guard var area = editing.area else { return }
        area.scroll(height: RequestView(state).areaRect.height)
        if area != editing.area { state.requestState.editing?.area = area }
    }
}
