/// The values of the variables of a GraphQL request, which are compared with the types that its operation gives them (§6.1.2).
package enum GraphQLVariableValues {
    /// The mistakes in the text of a JSON object, in their order.
    ///
    /// None where the document does not say which operation is executed, or its syntax is not valid.
    ///
    /// - Parameters:
    ///   - text: The values; templates stand for any value.
    ///   - query: The document.
    ///   - operation: The name of the operation; nil where the document has only one.
    package static func problems(in text: String, query: String, operation: String?, _ schema: GraphQLSchema) -> [GraphQLProblem] {
        let document = GraphQLParser.document(GraphQLToken.tokens(of: Array(query)))
        let operations = document.operations.filter { operation == nil || $0.name?.text == operation }
        guard document.problem == nil, operations.count == 1, let operation = operations.first else { return [] }
        let known = operation.variables.compactMap { variable in
            variable.type.map {
                GraphQLSchema.Input(
                    name: variable.name.text, type: GraphQLSchema.TypeReference(description: $0.text), hasDefault: variable.defaultValue != nil)
            }
        }
        // A variable whose type is a template is not compared.
        guard known.count == operation.variables.count else { return [] }
        var values = GraphQLDocument.Arguments()
        if !text.allSatisfy(\.isWhitespace) {
            guard let value = GraphQLParser.json(text), case .object(let fields) = value.content else { return [] }
            values = fields
        }
        var validation = GraphQLValidation(schema, document)
        validation.isJSON = true
        let owner = operation.name.map { "the operation \($0.text)" } ?? "the operation"
        validation.inputs(values, known) { "\(owner) has no variable $\($0)" }
        if let missing = values.missing(of: known), !document.hasTemplates {
            validation.fail("the variable $\(missing.name) needs a value: \(missing.type)", at: 0)
        }
        return validation.sorted
    }
}
