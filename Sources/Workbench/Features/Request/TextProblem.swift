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

    var description: String { "\(line):\(column): \(message)" }

    /// The first mistake of a text of a body: an invalid template, for JSON a syntax error, or what the schema of a GraphQL server does not have.
    static func first(
        in part: BodyText, of body: BodyTemplate, _ preview: RequestPreview, _ schema: GraphQLSchema? = nil
    ) -> TextProblem? {
        guard let text = body.text(part), text.utf8.count <= BodyTemplate.inPlaceLimit else { return nil }
        if let problem = first(in: text, preview) { return problem }
        if part == .content, let schema, let problem = GraphQLReader.problem(in: text, schema) {
            let before = text.prefix(problem.offset)
            let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
            return TextProblem(line: before.count(where: \.isNewline) + 1, column: before[lineStart...].count + 1, message: problem.message)
        }
        let found: BodyProblem? =
            switch body {
            case .json: JSONTemplate.problem(in: text)
            case .graphQL where part == .variables: BodyTemplate.variablesProblem(of: text)
            case .none, .form, .plist, .text, .file, .multipart, .graphQL: nil
            }
        guard let problem = found else { return nil }
        return TextProblem(line: problem.line, column: problem.column, message: problem.message)
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
            let before = text[..<open.lowerBound]
            let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
            return TextProblem(line: before.count(where: \.isNewline) + 1, column: before[lineStart...].count + 1, message: message)
        }
        return nil
    }
}
