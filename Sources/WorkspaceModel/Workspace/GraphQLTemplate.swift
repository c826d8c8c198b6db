internal import SortieBase

/// A GraphQL request, with unresolved `{{templates}}`.
package struct GraphQLTemplate: Hashable, Sendable {
    /// The document: one or more operations and their fragments.
    package var query: String
    /// The values of the variables, as the text of a JSON object; empty for none.
    package var variables: String
    /// The name of the operation to execute; nil where the document has only one.
    package var operation: String?

    /// Creates a request.
    package init(query: String, variables: String = "", operation: String? = nil) {
        self.query = query
        self.variables = variables
        self.operation = operation
    }

    /// The texts that may have templates.
    package var texts: [String] { [query, variables] + (operation.map { [$0] } ?? []) }

    /// Whether there are values of variables.
    package var hasVariables: Bool { !variables.allSatisfy(\.isWhitespace) }

    /// The JSON that is sent (GraphQL over HTTP §5.1), with the templates in their places.
    package var json: String {
        func string(_ text: String) -> String {
            let pieces = Template(text).segments.map { segment in
                switch segment {
                case .text(let text): JSONText.escaped(text)
                case .variable, .builtin, .unclosed: segment.description
                }
            }
            return "\"\(pieces.joined())\""
        }
        var members = ["  \"query\": \(string(query))"]
        if let operation, !operation.isEmpty { members.append("  \"operationName\": \(string(operation))") }
        if hasVariables {
            members.append("  \"variables\": " + variables.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  "))
        }
        return "{\n" + members.joined(separator: ",\n") + "\n}"
    }
}
