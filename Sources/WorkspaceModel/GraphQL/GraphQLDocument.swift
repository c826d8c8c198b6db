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
