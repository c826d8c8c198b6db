internal import SortieBase
internal import WorkspaceModel

/// A mistake in a text that is being typed, with its position.
struct TextProblem: Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    var line: Int
    /// The character in the line, from 1.
    var column: Int
    /// The mistake and its remedy.
    var message: String
    /// The number of mistakes of the text, of which this is the first; 1 where only the first is known.
    var count = 1

    var description: String { "\(line):\(column): \(message)" + (count > 1 ? " (1/\(count))" : "") }

    /// The first mistake of a GraphQL request against the schema of its server, with the number of all.
    ///
    /// - Parameter schema: Nil where it is not known; then only the syntax is checked.
    static func first(in part: BodyText, of request: GraphQLTemplate, _ schema: GraphQLSchema?) -> TextProblem? {
        let text = part == .variables ? request.variables : request.query
        guard text.utf8.count <= BodyTemplate.checkLimit else { return nil }
        let problems = request.problems(in: part, schema)
        guard let first = problems.first else { return nil }
        var problem = TextProblem(
            at: text.index(text.startIndex, offsetBy: first.offset, limitedBy: text.endIndex) ?? text.endIndex, of: text, first.message)
        problem.count = problems.count
        return problem
    }

    /// The first `{{template}}` that is not closed or has no value.
    static func first(in text: String, _ preview: RequestPreview) -> TextProblem? {
        // The message of each template, which may occur often.
        var messages: [Substring: String?] = [:]
        var rest = text[...]
        while let open = Template.opening(in: rest) {
            let message: String?
            if let close = rest[open.upperBound...].firstRange(of: "}}") {
                let template = rest[open.lowerBound..<close.upperBound]
                message = messages[template] ?? preview.problem(of: String(template))
                messages[template] = message
                rest = rest[close.upperBound...]
            } else {
                message = TemplateError(unclosed: String(rest[open.lowerBound...].prefix { !$0.isLineBreak })).message
                rest = ""
            }
            guard let message else { continue }
            return TextProblem(at: open.lowerBound, of: text, message)
        }
        return nil
    }
}

extension TextProblem {
    /// Creates a mistake at a place of a text.
    fileprivate init(at place: String.Index, of text: String, _ message: String) {
        let before = text[..<place]
        let lineStart = before.lastIndex(where: \.isLineBreak).map { before.index(after: $0) } ?? before.startIndex
        (line, column, self.message) = (before.count(where: \.isLineBreak) + 1, before[lineStart...].count + 1, message)
    }
}

extension GraphQLTemplate {
    /// What does not fit the schema of the server; without one, the mistake of the syntax.
    fileprivate func problems(in part: BodyText, _ schema: GraphQLSchema?) -> [GraphQLProblem] {
        guard let schema else { return part == .content ? GraphQLValidation.syntaxProblem(in: query).map { [$0] } ?? [] : [] }
        return switch part {
        case .content: GraphQLValidation.problems(in: query, schema)
        case .variables:
            GraphQLVariableValues.problems(in: variables, query: query, operation: operation?.isEmpty == false ? operation : nil, schema)
        case .file: []
        }
    }
}
