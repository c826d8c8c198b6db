internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Bodies of other tools in the form that is the most pleasant to read.
enum ImportedBody {
    /// A text of a media type: JSON where it is JSON, else the text.
    static func text(_ text: String, contentType: String?) -> BodyTemplate {
        let isTyped = contentType.flatMap { MediaType($0) }?.essence == "application/json"
        return isTyped && isJSON(text) ? .json(text) : .text(text, contentType: contentType)
    }

    /// Whether a text is JSON once its templates have values.
    static func isJSON(_ text: String) -> Bool {
        let filled = Template(text).segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): text
            // A digit is part of a text in quotes, and a value outside of them.
            case .variable, .builtin: "1"
            }
        }.joined()
        do {
            _ = try JSONValue(parsing: filled)
            return true
        } catch {
            return false
        }
    }

    /// A GraphQL request.
    ///
    /// - Parameters:
    ///   - query: The document.
    ///   - variables: The variables as JSON text; empty for none.
    ///   - operation: The name of the operation; empty for none.
    /// - Returns: The body, and whether the variables were omitted because they are not JSON.
    static func graphQL(query: String, variables: String, operation: String) -> (body: BodyTemplate, omitsVariables: Bool) {
        var request = GraphQLTemplate(query: query, operation: operation.isEmpty ? nil : operation)
        let omitsVariables = !variables.allSatisfy(\.isWhitespace) && !isJSON(variables)
        if !omitsVariables { request.variables = variables }
        return (.graphQL(request), omitsVariables)
    }

    /// Why variables are omitted.
    static let invalidVariables = "the variables of the query are not JSON"
}
