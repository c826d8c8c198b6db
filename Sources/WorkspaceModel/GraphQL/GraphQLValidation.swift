internal import SortieBase

/// Compares a GraphQL document with the types of its server (GraphQL specification, October 2021, §5).
///
/// Templates stand for any value; a selection with a template may have further fields. What a mistake of the syntax leaves unread is not compared. Not
/// compared are the locations of directives, and the merging of fields of different fragments (§5.3.2).
package struct GraphQLValidation {
    /// The most mistakes that are listed.
    static let limit = 100

    let schema: GraphQLSchema
    let document: GraphQLDocument
    private(set) var problems: [GraphQLProblem] = []
    /// What is defined and not used, which is listed last, because it is written before its uses.
    private(set) var unused: [GraphQLProblem] = []
    /// Whether values are JSON, as those of variables.
    var isJSON = false
    /// The variables and fragments that the definition uses that is being compared.
    var use = GraphQLUse()
    /// What each fragment uses, by its name.
    var useOfFragments: [String: GraphQLUse] = [:]
    /// The types of fragments, by their names; the first one of each name.
    let fragmentTypes: [String: String?]

    /// The mistakes in a document in their order; a mistake of the syntax, at which reading ends, is the last one.
    package static func problems(in text: String, _ schema: GraphQLSchema) -> [GraphQLProblem] {
        let document = GraphQLParser.document(GraphQLToken.tokens(of: Array(text)))
        var validation = GraphQLValidation(schema, document)
        validation.definitions()
        return validation.sorted + (document.problem.map { [$0] } ?? [])
    }

    init(_ schema: GraphQLSchema, _ document: GraphQLDocument) {
        (self.schema, self.document) = (schema, document)
        fragmentTypes = Dictionary(document.fragments.map { ($0.name.text, $0.type?.text) }) { first, _ in first }
    }

    // MARK: Mistakes

    /// The mistakes in their order, each once.
    var sorted: [GraphQLProblem] {
        var seen: Set<GraphQLProblem> = []
        return problems.filter { seen.insert($0).inserted }.sorted { $0.offset < $1.offset } + unused.sorted { $0.offset < $1.offset }
    }

    mutating func fail(_ message: String, at offset: Int) {
        guard problems.count < Self.limit else { return }
        problems.append(GraphQLProblem(offset: offset, message: message))
    }

    /// Adds the definition of a name that is not used.
    mutating func failUnused(_ message: String, _ token: GraphQLToken) {
        guard unused.count < Self.limit else { return }
        unused.append(GraphQLProblem(offset: token.start, message: message))
    }

    /// Adds a mistake about an unknown name, with the known one that it may mean.
    mutating func fail(_ message: String, unknown token: GraphQLToken, known: some Sequence<String>, mark: String = "") {
        guard problems.count < Self.limit else { return }
        let hint = Suggestion.nearest(to: token.text, in: known).map { "; did you mean \(mark)\($0)?" } ?? ""
        fail(message + hint, at: token.start)
    }

    /// Adds a mistake for each name that occurred before.
    mutating func failRepeated(_ tokens: [GraphQLToken], _ message: (String) -> String) {
        var seen: Set<String> = []
        for token in tokens where !seen.insert(token.text).inserted { fail(message(token.text), at: token.start) }
    }

    // MARK: Definitions

    private mutating func definitions() {
        for definition in document.definitions {
            guard case .fragment(let fragment) = definition else { continue }
            use = GraphQLUse()
            self.fragment(fragment)
            if useOfFragments[fragment.name.text] == nil { useOfFragments[fragment.name.text] = use }
        }
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): self.operation(operation)
            case .fragment: break
            case .unknown(let word):
                let words = ["query", "mutation", "subscription", "fragment"]
                fail("a definition begins with query, mutation, subscription or fragment", unknown: word, known: words)
            }
        }
        failRepeated(document.operations.compactMap(\.name)) { "there are several operations with the name \($0)" }
        failRepeated(document.fragments.map(\.name)) { "there are several fragments with the name \($0)" }
        if document.operations.count > 1 {
            for operation in document.operations where operation.name == nil && (operation.keyword != nil || operation.selection.start != nil) {
                fail("an operation without a name must be the only one; write \(operation.kind) NAME { … }", at: operation.start)
            }
        }
        // The rest of an incomplete document may use them.
        guard document.problem == nil, !document.hasTemplates else { return }
        fragments()
    }

    private mutating func operation(_ operation: GraphQLDocument.Operation) {
        guard let root = schema.roots[operation.kind] else { return fail("the server has no \(operation.kind)", at: operation.start) }
        use = GraphQLUse()
        for variable in operation.variables { definition(of: variable) }
        failRepeated(operation.variables.map(\.name)) { "$\($0) is defined twice" }
        directives(operation.directives)
        selection(operation.selection, of: root)
        if operation.kind == "subscription" { onlyField(of: operation.selection) }
        variables(of: operation)
    }

    /// The root field of a subscription is the only one (§5.2.3.1); fields of fragments are not counted.
    private mutating func onlyField(of selection: GraphQLDocument.Selection) {
        let fields = selection.items.compactMap { if case .field(let field) = $0 { field } else { nil } }
        let names = Set(fields.map(\.responseName))
        if let second = fields.first(where: { $0.responseName != fields.first?.responseName }), names.count > 1 {
            fail("a subscription has one field", at: (second.alias ?? second.name).start)
        }
    }

    private mutating func fragment(_ fragment: GraphQLDocument.Fragment) {
        directives(fragment.directives)
        let isKnown = fragment.type.map { condition($0) } ?? false
        selection(fragment.selection, of: isKnown ? fragment.type?.text : nil)
    }
}
