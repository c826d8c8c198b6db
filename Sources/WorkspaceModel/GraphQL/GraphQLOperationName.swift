internal import SortieBase

/// The name of the operation of a document that is executed (GraphQL specification, October 2021, §6.1).
package enum GraphQLOperationName {
    /// Why the document has no operation of this name; nil where it has one, and where its syntax is not valid.
    package static func problem(of name: String, in query: String) -> String? {
        let document = GraphQLParser.document(GraphQLToken.tokens(of: Array(query)))
        let names = document.operations.compactMap { $0.name?.text }
        guard document.problem == nil, !names.contains(name) else { return nil }
        let hint = Suggestion.nearest(to: name, in: names).map { "; did you mean “\($0)”?" }
        return "the query has no operation “\(name)”" + (hint ?? (names.isEmpty ? "; remove operation, or name it in the query" : ""))
    }
}
