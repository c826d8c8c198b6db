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

    /// The mistake of the syntax of a document, at which reading ends; nil where there is none.
    package static func syntaxProblem(in text: String) -> GraphQLProblem? { GraphQLParser.document(GraphQLToken.tokens(of: Array(text))).problem }

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

/// Fragments (§5.5).
extension GraphQLValidation {
    /// Compares the type after `on`.
    ///
    /// - Returns: Whether the server has it.
    mutating func condition(_ type: GraphQLToken) -> Bool {
        if schema.types[type.text]?.isComposite == true { return true }
        let known = schema.types.values.filter { $0.isComposite && !$0.name.hasPrefix("__") }.map(\.name).sorted()
        fail("there is no type \(type.text) with fields", unknown: type, known: known)
        return false
    }

    /// Compares the types of a fragment and of the place where it is used: an object can be of both (§5.5.2.3).
    mutating func overlap(_ type: String?, _ other: String, at offset: Int) {
        guard let type, type != other, let left = schema.objects(of: type), let right = schema.objects(of: other), left.isDisjoint(with: right)
        else { return }
        fail("objects of the type \(type) are never of the type \(other)", at: offset)
    }

    /// Compares the fragments of a complete document with their uses.
    mutating func fragments() {
        let names = document.fragments.map(\.name.text)
        var used: [GraphQLToken] = []
        for operation in document.operations { used += operation.selection.fragments }
        for name in names { used += useOfFragments[name]?.fragments ?? [] }
        for token in used where !names.contains(token.text) {
            fail("there is no fragment \(token.text)", unknown: token, known: names.sorted())
        }
        let reached = Set(reachable(from: document.operations.flatMap { $0.selection.fragments.map(\.text) }))
        for fragment in document.fragments where !reached.contains(fragment.name.text) {
            failUnused("the fragment \(fragment.name.text) is not used", fragment.name)
        }
        for fragment in document.fragments {
            let name = fragment.name.text
            guard let spread = useOfFragments[name]?.fragments.first(where: { $0.text == name || reachable(from: [$0.text]).contains(name) }) else {
                continue
            }
            let through = spread.text == name ? "" : " through \(spread.text)"
            fail("the fragment \(name) uses itself\(through)", at: spread.start)
        }
    }

    /// The fragments with these names, and those that they use.
    func reachable(from names: [String]) -> [String] {
        var (found, seen, waiting): ([String], Set<String>, [String]) = ([], [], names)
        while let name = waiting.popLast() {
            guard let use = useOfFragments[name], seen.insert(name).inserted else { continue }
            found.append(name)
            waiting += use.fragments.map(\.text)
        }
        return found
    }
}

extension GraphQLDocument.Selection {
    /// The names of the fragments that it and the selections in it use.
    fileprivate var fragments: [GraphQLToken] {
        items.flatMap { item in
            switch item {
            case .field(let field): field.selection.fragments
            case .spread(let spread): [spread.name]
            case .inline(let inline): inline.selection.fragments
            }
        }
    }
}

/// Values (§5.6).
extension GraphQLValidation {
    /// Compares a list of arguments, or the fields of an input object, with those that can be given.
    mutating func inputs(_ arguments: GraphQLDocument.Arguments, _ known: [GraphQLSchema.Input]?, unknown: (String) -> String) {
        for argument in arguments.items {
            let input = known?.first { $0.name == argument.name.text }
            if let known, input == nil { fail(unknown(argument.name.text), unknown: argument.name, known: known.map(\.name)) }
            guard let value = argument.value else { continue }
            self.value(value, of: input?.type, in: argument.name.text, hasDefault: input?.hasDefault ?? false)
        }
    }

    /// Compares a value with the type of its place; nil where it is not known.
    ///
    /// - Parameters:
    ///   - what: The name of the place.
    ///   - hasDefault: Whether the place has a default.
    mutating func value(
        _ value: GraphQLDocument.Value, of type: GraphQLSchema.TypeReference?, in what: String, hasDefault: Bool = false
    ) {
        let token = value.token
        switch value.content {
        case .template: return
        case .variable(let name):
            if let name { use.variables.append(GraphQLUse.Variable(name: name, type: type, hasDefault: hasDefault)) }
            return
        case .word where token.text == "null":
            if let type, type.isRequired { fail("\(what) is of the type \(type), which null does not fit", at: token.start) }
            return
        case .list(let items):
            let element = type?.element
            if let type, element == nil, let named = schema.named(type.name), !named.isCustomScalar {
                return fail("\(what) is of the type \(type), which is no list", at: token.start)
            }
            for item in items { self.value(item, of: element, in: what) }
            return
        case .number, .string, .word, .object: break
        }
        // A single value stands for a list with it (§3.11).
        if let element = type?.element { return self.value(value, of: element, in: what) }
        let named = type.flatMap { schema.named($0.name) }
        if case .object(let fields) = value.content {
            return object(fields, of: named, type, at: token, in: what)
        }
        guard let type, let named else { return }
        // A text with a template may become any value.
        if isJSON, value.content == .string, token.text.contains("{{") { return }
        if named.kind == .enumeration, value.content == (isJSON ? .string : .word) {
            var word = token
            if isJSON { word.text = String(token.text.dropFirst().dropLast()) }
            if !named.values.contains(word.text) { fail("\(named.name) has no value \(word.text)", unknown: word, known: named.values) }
        } else if !named.accepts(value) {
            let hint = named.kind == .enumeration ? "; its values are \(isJSON ? "texts" : "names without quotes")" : ""
            fail("\(what) is of the type \(type), which \(token.shortText) does not fit\(hint)", at: token.start)
        }
    }

    private mutating func object(
        _ fields: GraphQLDocument.Arguments, of named: GraphQLSchema.Named?, _ type: GraphQLSchema.TypeReference?, at open: GraphQLToken,
        in what: String
    ) {
        let known = named?.kind == .input ? named?.inputs : nil
        if let named, named.kind != .input, !named.isCustomScalar, let type {
            fail("\(what) is of the type \(type), which an object does not fit", at: open.start)
        }
        inputs(fields, known) { "\(named?.name ?? "the value") has no field \($0)" }
        failRepeated(fields.items.map(\.name)) { "the field \($0) is given twice" }
        guard fields.isComplete, !fields.hasTemplate, let named, let missing = fields.missing(of: known) else { return }
        fail("\(named.name) needs the field \(missing.name): \(missing.type)", at: open.start)
    }
}

extension GraphQLToken {
    /// The start of the text of a value.
    var shortText: String { text.count > 20 ? text.prefix(20) + "…" : text }
}

/// Variables (§5.8).
extension GraphQLValidation {
    /// Compares the definition of a variable.
    mutating func definition(of variable: GraphQLDocument.Variable) {
        directives(variable.directives)
        guard let node = variable.type else { return }
        guard schema.isInput(node.name.text) else {
            let known = schema.types.values.filter(\.isInput).map(\.name).sorted()
            return fail("there is no type \(node.name.text) for variables", unknown: node.name, known: known)
        }
        guard let value = variable.defaultValue else { return }
        let before = use.variables.count
        self.value(value, of: GraphQLSchema.TypeReference(description: node.text), in: "the default of $\(variable.name.text)")
        for used in use.variables.dropFirst(before) { fail("a default has no variables", at: used.name.start) }
        use.variables.removeSubrange(before...)
    }

    /// Compares the variables that an operation defines with those that it and its fragments use.
    mutating func variables(of operation: GraphQLDocument.Operation) {
        let own = use.variables
        var defined: [String: GraphQLDocument.Variable] = [:]
        for variable in operation.variables where defined[variable.name.text] == nil { defined[variable.name.text] = variable }
        for used in own { compare(used, with: defined, of: operation, isOwn: true) }
        let others = reachable(from: use.fragments.map(\.text)).flatMap { useOfFragments[$0]?.variables ?? [] }
        // A fragment that is not read yet may use more.
        for used in others { compare(used, with: defined, of: operation, isOwn: false) }
        guard document.problem == nil, !document.hasTemplates else { return }
        let all = Set((own + others).map(\.name.text))
        for variable in operation.variables where !all.contains(variable.name.text) {
            failUnused("$\(variable.name.text) is defined and not used", variable.name)
        }
    }

    private mutating func compare(
        _ used: GraphQLUse.Variable, with defined: [String: GraphQLDocument.Variable], of operation: GraphQLDocument.Operation, isOwn: Bool
    ) {
        let name = used.name.text
        guard let variable = defined[name] else {
            let owner = isOwn ? "the operation" : operation.name.map { "the operation \($0.text)" } ?? "the operation without a name"
            return fail("$\(name) is no variable of \(owner)", unknown: used.name, known: defined.keys.sorted(), mark: "$")
        }
        guard let node = variable.type, schema.isInput(node.name.text), let place = used.type else { return }
        var hasValue = false
        if let value = variable.defaultValue, !(value.content == .word && value.token.text == "null") { hasValue = true }
        let type = GraphQLSchema.TypeReference(description: node.text)
        guard !type.fits(place, hasDefault: hasValue || used.hasDefault) else { return }
        fail("$\(name) is of the type \(type), and its place needs \(place)", at: used.name.start)
    }
}

extension GraphQLSchema.TypeReference {
    /// Whether a variable of this type can be in a place of another type (§5.8.5).
    ///
    /// - Parameter hasDefault: Whether the variable or the place has a default that is not null.
    fileprivate func fits(_ place: GraphQLSchema.TypeReference, hasDefault: Bool) -> Bool {
        guard place.isRequired, !isRequired else { return fits(place) }
        return hasDefault && fits(place.optional)
    }

    /// Whether each value of this type is one of another type.
    private func fits(_ place: GraphQLSchema.TypeReference) -> Bool {
        if place.isRequired { return isRequired && optional.fits(place.optional) }
        if isRequired { return optional.fits(place) }
        switch (element, place.element) {
        case (let element?, let other?): return element.fits(other)
        case (nil, nil): return name == place.name
        case (nil, _?), (_?, nil): return false
        }
    }
}

/// What a definition of a GraphQL document uses: variables with the types of their places, and fragments.
struct GraphQLUse: Hashable {
    /// A variable in the place of a value.
    struct Variable: Hashable {
        var name: GraphQLToken
        /// The type of the place; nil where it is not known.
        var type: GraphQLSchema.TypeReference?
        /// Whether the place has a default, so that the variable may be null.
        var hasDefault: Bool
    }

    var variables: [Variable] = []
    /// The names of the fragments.
    var fragments: [GraphQLToken] = []
}
