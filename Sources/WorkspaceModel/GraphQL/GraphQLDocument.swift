internal import SortieBase

/// A GraphQL document (GraphQL specification, October 2021, §2), with the places of its parts.
///
/// It may be incomplete: reading ends at the first mistake of the syntax, or at the name that is being completed. The last part of each list may then
/// lack what follows.
struct GraphQLDocument: Hashable {
    /// A definition.
    enum Definition: Hashable {
        case operation(Operation)
        case fragment(Fragment)
        /// Another word in place of a definition.
        case unknown(GraphQLToken)
    }

    /// A query, a mutation or a subscription.
    struct Operation: Hashable {
        /// The keyword; nil for a query that is only `{ … }`.
        var keyword: GraphQLToken?
        /// The offset of the definition.
        var start: Int
        var name: GraphQLToken?
        var variables: [Variable] = []
        var directives: [Directive] = []
        var selection = Selection()

        /// The kind of the operation, which ``GraphQLSchema/roots`` has.
        var kind: String { keyword?.text ?? "query" }
    }

    /// The definition of a fragment.
    struct Fragment: Hashable {
        var name: GraphQLToken
        /// The type after `on`; nil for a template.
        var type: GraphQLToken?
        var directives: [Directive] = []
        var selection = Selection()
    }

    /// The definition of a variable.
    struct Variable: Hashable {
        var name: GraphQLToken
        var type: TypeNode?
        var defaultValue: Value?
        var directives: [Directive] = []
    }

    /// A type of a variable.
    struct TypeNode: Hashable {
        /// The named type within lists and exclamation marks.
        var name: GraphQLToken
        /// The notation with lists and exclamation marks.
        var text: String
    }

    /// A list of fields in braces.
    struct Selection: Hashable {
        var items: [Item] = []
        /// Whether a template stands for further fields.
        var hasTemplate = false
        /// The offset of the brace; nil where there are no braces.
        var start: Int?
    }

    /// A part of a selection.
    enum Item: Hashable {
        case field(Field)
        case spread(Spread)
        case inline(Inline)
    }

    /// A field.
    struct Field: Hashable {
        var alias: GraphQLToken?
        var name: GraphQLToken
        var arguments = Arguments()
        var directives: [Directive] = []
        var selection = Selection()
        /// Whether a template stands in place of the selection.
        var hasTemplate = false
        /// Whether everything up to the next field was read.
        var isComplete = false

        /// Whether the end of its arguments was read.
        var hasEnded: Bool { isComplete || selection.start != nil || !directives.isEmpty }
        /// The name in the response.
        var responseName: String { alias?.text ?? name.text }
    }

    /// A fragment that is used by its name, `...Name`.
    struct Spread: Hashable {
        var name: GraphQLToken
        var directives: [Directive] = []
    }

    /// `... on Type { … }` or `... { … }`.
    struct Inline: Hashable {
        /// The offset of the dots.
        var start: Int
        /// The type after `on`; nil without one, and for a template.
        var type: GraphQLToken?
        /// Whether a template stands for the type.
        var hasTemplate = false
        var directives: [Directive] = []
        var selection = Selection()
    }

    /// A directive.
    struct Directive: Hashable {
        var name: GraphQLToken
        var arguments = Arguments()
        /// Whether everything of it was read.
        var isComplete = false
    }

    /// A list of arguments in parentheses, or the fields of an input object.
    struct Arguments: Hashable {
        var items: [Argument] = []
        /// Whether a template stands for further arguments.
        var hasTemplate = false
        /// Whether the end was read; also true where there are no parentheses.
        var isComplete = true
    }

    /// A name with a value.
    struct Argument: Hashable {
        var name: GraphQLToken
        var value: Value?
    }

    /// A value.
    struct Value: Hashable {
        enum Content: Hashable {
            case number, string, template
            /// `true`, `false`, `null` or a value of an enumeration.
            case word
            /// `$name`; nil where the name is missing.
            case variable(GraphQLToken?)
            case list([Value])
            case object(Arguments)
        }

        /// The first token, which is the whole value unless it is a variable, a list or an object.
        var token: GraphQLToken
        var content: Content
    }

    var definitions: [Definition] = []
    /// Whether a template stands outside of strings, so that what it inserts may use variables and fragments.
    var hasTemplates = false
    /// The mistake of the syntax at which reading ended; nil for a complete document.
    var problem: GraphQLProblem?

    var operations: [Operation] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    var fragments: [Fragment] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }
}

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

/// A mistake in a GraphQL document or in the values of its variables.
package struct GraphQLProblem: Hashable, Sendable {
    /// The offset of the mistake in characters.
    package var offset: Int
    /// The mistake and its remedy.
    package var message: String
}

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
