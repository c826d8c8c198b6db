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

    /// The first mistake of a text of a body: an invalid template, for JSON a syntax error, or what does not fit the schema of a GraphQL server.
    static func first(
        in part: BodyText, of body: BodyTemplate, _ preview: RequestPreview, _ schema: GraphQLSchema? = nil
    ) -> TextProblem? {
        guard let text = body.text(part), text.utf8.count <= BodyTemplate.checkLimit else { return nil }
        if let problem = first(in: text, preview) { return problem }
        let found: BodyProblem? =
            switch body {
            case .json: JSONTemplate.problem(in: text)
            case .graphQL where part == .variables: BodyTemplate.variablesProblem(of: text)
            case .none, .form, .plist, .text, .file, .multipart, .graphQL: nil
            }
        if let problem = found { return TextProblem(line: problem.line, column: problem.column, message: problem.message) }
        guard let schema, case .graphQL(let request) = body else { return nil }
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
        while let open = rest.firstRange(of: "{{") {
            let message: String?
            if let close = rest[open.upperBound...].firstRange(of: "}}") {
                let template = rest[open.lowerBound..<close.upperBound]
                message = messages[template] ?? preview.problem(of: String(template))
                messages[template] = message
                rest = rest[close.upperBound...]
            } else {
                message = TemplateError(unclosed: String(rest[open.lowerBound...].prefix { !$0.isNewline })).message
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
        let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
        (line, column, self.message) = (before.count(where: \.isNewline) + 1, before[lineStart...].count + 1, message)
    }
}

extension GraphQLTemplate {
    /// What does not fit the schema of the server.
    fileprivate func problems(in part: BodyText, _ schema: GraphQLSchema) -> [GraphQLProblem] {
        switch part {
        case .content: GraphQLValidation.problems(in: query, schema)
        case .variables:
            GraphQLVariableValues.problems(in: variables, query: query, operation: operation?.isEmpty == false ? operation : nil, schema)
        case .file: []
        }
    }
}
