internal import SortieBase

/// Reads a GraphQL document with the types of its server: what is wrong in it, or what can be written at a place.
///
/// The subset of the validation of the specification (§5) that depends on names: fields, arguments, types, variables, enumerations and fragments.
/// Templates stand for any value; a selection of fields with a template is not checked further.
package struct GraphQLReader {
    /// A mistake, with its offset in characters.
    package struct Problem: Hashable, Sendable {
        package var offset: Int
        package var message: String
    }

    /// A name that can be written.
    package struct Suggestion: Hashable, Sendable {
        package var name: String
        /// Its type, or what it stands for.
        package var detail: String
        package var summary: String
    }

    private let schema: GraphQLSchema
    private var tokens: [GraphQLToken]
    private var index = 0
    /// The index of the token that is being completed; nil where the document is checked.
    private var cursor: Int?
    private var found: [Suggestion]?
    private var problem: Problem?
    /// The variables of the operation that is being read, with their types; nil in a fragment.
    private var variables: [String: String]?
    private let fragments: Set<String>

    /// The first mistake in a document; nil where there is none.
    package static func problem(in text: String, _ schema: GraphQLSchema) -> Problem? {
        var reader = GraphQLReader(text, schema, cursor: nil)
        reader.document()
        return reader.problem
    }

    /// The names that can be written at an offset in characters, with the number of characters of the name before and after it.
    ///
    /// - Returns: Nil where no name is expected.
    package static func suggestions(in text: String, at offset: Int, _ schema: GraphQLSchema) -> (before: Int, after: Int, items: [Suggestion])? {
        var reader = GraphQLReader(text, schema, cursor: offset)
        reader.document()
        guard let items = reader.found, let cursor = reader.cursor else { return nil }
        let token = reader.tokens[cursor]
        return (offset - token.start, token.end - offset, items)
    }

    private init(_ text: String, _ schema: GraphQLSchema, cursor offset: Int?) {
        self.schema = schema
        var tokens = GraphQLToken.tokens(of: Array(text))
        fragments = Set(zip(tokens, tokens.dropFirst()).compactMap { $0.text == "fragment" && $1.kind == .name ? $1.text : nil })
        if let offset {
            if let touched = tokens.firstIndex(where: { $0.kind == .name && $0.start < offset && offset <= $0.end }) {
                cursor = touched
            } else {
                // An empty name, unless the place is within a string or a number.
                let place = tokens.firstIndex { $0.end > offset || $0.kind == .end } ?? tokens.count - 1
                if tokens[place].start >= offset || tokens[place].kind == .end {
                    tokens.insert(GraphQLToken(kind: .name, text: "", start: offset, end: offset), at: place)
                    cursor = place
                }
            }
        }
        self.tokens = tokens
    }

    // MARK: Tokens

    private var token: GraphQLToken { tokens[min(index, tokens.count - 1)] }

    /// Whether reading ends: at the first mistake, or behind the place that is completed.
    private var isOver: Bool { problem != nil || found != nil || cursor.map { index > $0 } ?? false }

    private func at(_ text: String) -> Bool { token.kind == .punctuator && token.text == text }

    private mutating func take(_ text: String) -> Bool {
        guard at(text) else { return false }
        index += 1
        return true
    }

    private mutating func takeTemplate() -> Bool {
        guard token.kind == .template else { return false }
        index += 1
        return true
    }

    /// Reads a name; nil after a mistake, and where the name is being completed.
    ///
    /// - Parameter suggestions: The names that can be written here.
    private mutating func name(_ what: String, _ suggestions: () -> [Suggestion]) -> GraphQLToken? {
        if index == cursor {
            found = suggestions()
            return nil
        }
        guard token.kind == .name else {
            fail("\(what) is expected" + (token.kind == .end ? " at the end" : ", not \(token.text)"))
            return nil
        }
        defer { index += 1 }
        return token
    }

    private mutating func fail(_ message: String, at offset: Int? = nil) {
        // A document that is being completed need not be valid.
        guard problem == nil else { return }
        problem = Problem(offset: offset ?? token.start, message: message)
    }

    private mutating func failUnknown(_ message: String, _ token: GraphQLToken, _ names: [String], mark: String = "") {
        // The names of a document that is being completed are not checked, so that reading goes on.
        guard cursor == nil else { return }
        let hint = Suggestion.hint(for: token.text, names, mark: mark)
        fail(message + hint, at: token.start)
    }

    // MARK: Documents

    private mutating func document() {
        while token.kind != .end, !isOver {
            if takeTemplate() { return }
            if at("{") {
                variables = [:]
                selection(of: schema.roots["query"])
                continue
            }
            let keywords = ["query", "mutation", "subscription", "fragment"].map { Suggestion(name: $0, detail: "", summary: "") }
            guard let keyword = name("query, mutation, subscription, fragment or {", { keywords }) else { return }
            switch keyword.text {
            case "query", "mutation", "subscription": operation(keyword)
            case "fragment": fragment()
            default: return failUnknown("a definition begins with query, mutation, subscription or fragment", keyword, keywords.map(\.name))
            }
        }
    }

    private mutating func operation(_ keyword: GraphQLToken) {
        let root = schema.roots[keyword.text]
        if root == nil, cursor == nil { return fail("the server has no \(keyword.text)", at: keyword.start) }
        variables = [:]
        if token.kind == .name, index != cursor { index += 1 }
        if take("(") { variableDefinitions() }
        directives()
        guard !isOver else { return }
        guard at("{") else {
            if takeTemplate() { return }
            return fail("{ with the fields is expected")
        }
        selection(of: root)
    }

    private mutating func variableDefinitions() {
        while !isOver, !take(")") {
            guard take("$") else { return fail("$ with the name of a variable, or ), is expected") }
            guard let variable = name("the name of a variable", { [] }) else { return }
            guard take(":") else { return fail(": with the type of $\(variable.text) is expected") }
            guard let type = typeReference() else { return }
            variables?[variable.text] = type.description
            if take("=") { value(of: type) }
            directives()
        }
    }

    private mutating func typeReference() -> GraphQLSchema.TypeReference? {
        var text = ""
        if take("[") {
            guard let inner = typeReference() else { return nil }
            guard take("]") else {
                fail("] is expected")
                return nil
            }
            text = "[\(inner)]"
        } else {
            if takeTemplate() { return GraphQLSchema.TypeReference(description: "") }
            let known = schema.types.values.filter(\.isInput)
            guard let type = name("a type", { Self.suggestions(known) }) else { return nil }
            if schema.types[type.text]?.isInput != true {
                failUnknown("there is no type \(type.text) for variables", type, known.map(\.name))
                if problem != nil { return nil }
            }
            text = type.text
        }
        if take("!") { text += "!" }
        return GraphQLSchema.TypeReference(description: text)
    }

    private mutating func fragment() {
        variables = nil
        guard name("the name of a fragment", { [] }) != nil else { return }
        let type = condition()
        directives()
        guard !isOver else { return }
        guard at("{") else { return fail("{ with the fields is expected") }
        selection(of: type)
    }

    /// Reads `on Type`.
    private mutating func condition() -> String? {
        guard let word = name("on", { [Suggestion(name: "on", detail: "", summary: "")] }), word.text == "on" else {
            fail("on with a type is expected")
            return nil
        }
        if takeTemplate() { return nil }
        let known = schema.types.values.filter { $0.isComposite && !$0.name.hasPrefix("__") }
        guard let type = name("a type", { Self.suggestions(known) }) else { return nil }
        if schema.types[type.text]?.isComposite != true { failUnknown("there is no type \(type.text) with fields", type, known.map(\.name)) }
        return type.text
    }

    // MARK: Selections

    /// Reads `{ … }`.
    ///
    /// - Parameter type: The name of the type whose fields are selected; nil where it is not known.
    private mutating func selection(of type: String?) {
        let open = token
        index += 1
        let named = type.flatMap { schema.types[$0] }
        var isEmpty = true
        while !isOver, !take("}") {
            guard token.kind != .end else { return fail("{ is not closed", at: open.start) }
            isEmpty = false
            if takeTemplate() { continue }
            if take("...") { spread(in: type) } else { field(of: named) }
        }
        if isEmpty, !isOver { fail("{ } has no fields", at: open.start) }
    }

    private mutating func spread(in type: String?) {
        if takeTemplate() { return }
        if at("@") { directives() }
        if at("{") { return selection(of: type) }
        let names = fragments.sorted()
        if index == cursor {
            found =
                [Suggestion(name: "on", detail: "fields of a type", summary: "")]
                + names.map { Suggestion(name: $0, detail: "fragment", summary: "") }
            return
        }
        if token.text == "on" {
            let type = condition()
            directives()
            guard !isOver else { return }
            guard at("{") else { return fail("{ with the fields is expected") }
            return selection(of: type)
        }
        guard let fragment = name("the name of a fragment, or on with a type", { [] }) else { return }
        if !fragments.contains(fragment.text) { failUnknown("there is no fragment \(fragment.text)", fragment, names) }
        directives()
    }

    private mutating func field(of type: GraphQLSchema.Named?) {
        let all = fields(of: type)
        guard var field = name("a field or }", { Self.suggestions(all) }) else { return }
        if take(":") {
            guard let real = name("a field", { Self.suggestions(all) }) else { return }
            field = real
        }
        let known = all.first { $0.name == field.text }
        if known == nil, let type { failUnknown("\(type.name) has no field \(field.text)", field, all.map(\.name)) }
        guard !isOver else { return }
        if at("(") || known?.arguments.contains(where: \.isRequired) == true { arguments(known?.arguments, of: field) }
        directives()
        guard !isOver else { return }
        let named = known.flatMap { schema.types[$0.type.name] }
        if at("{") {
            if let named, !named.isComposite, cursor == nil { return fail("\(field.text) is of the type \(named.name), which has no fields") }
            selection(of: named?.name)
        } else if let known, named?.isComposite == true, token.kind != .template, cursor == nil {
            fail("\(field.text) is of the type \(known.type) and needs a selection of fields: \(field.text) { … }", at: field.start)
        }
    }

    private func fields(of type: GraphQLSchema.Named?) -> [GraphQLSchema.Field] {
        guard let type else { return [] }
        let name = GraphQLSchema.Field(name: "__typename", type: GraphQLSchema.TypeReference(description: "String!"), summary: "the name of the type")
        guard type.name == schema.roots["query"] else { return type.fields + [name] }
        let meta = [("__schema", "__Schema!", []), ("__type", "__Type", [("name", "String!")])].map { field, type, arguments in
            GraphQLSchema.Field(
                name: field, type: GraphQLSchema.TypeReference(description: type),
                arguments: arguments.map { GraphQLSchema.Input(name: $0.0, type: GraphQLSchema.TypeReference(description: $0.1)) })
        }
        return type.fields + [name] + meta
    }

    // MARK: Arguments and values

    /// Reads `(name: value …)`.
    ///
    /// - Parameter known: The arguments that can be given; nil where they are not known.
    private mutating func arguments(_ known: [GraphQLSchema.Input]?, of owner: GraphQLToken) {
        var given: Set<String> = []
        let open = token
        if take("(") {
            while !isOver, !take(")") {
                guard token.kind != .end else { return fail("( is not closed", at: open.start) }
                if takeTemplate() { return }
                input(known, "\(owner.text) has no argument", &given, "an argument or )")
            }
        }
        guard !isOver, cursor == nil, let missing = known?.first(where: { $0.isRequired && !given.contains($0.name) }) else { return }
        fail("\(owner.text) needs the argument \(missing.name): \(missing.type)", at: owner.start)
    }

    /// Reads `name: value`.
    private mutating func input(_ known: [GraphQLSchema.Input]?, _ unknown: String, _ given: inout Set<String>, _ what: String) {
        let rest = (known ?? []).filter { !given.contains($0.name) }
        guard let argument = name(what, { Self.suggestions(rest) }) else { return }
        given.insert(argument.text)
        let input = known?.first { $0.name == argument.text }
        if let known, input == nil { failUnknown("\(unknown) \(argument.text)", argument, known.map(\.name)) }
        guard !isOver else { return }
        guard take(":") else { return fail(": with the value of \(argument.text) is expected") }
        value(of: input?.type)
    }

    private mutating func value(of type: GraphQLSchema.TypeReference?) {
        guard !isOver else { return }
        let named = type.flatMap { schema.types[$0.name] }
        if take("$") {
            let known = (variables ?? [:]).map { Suggestion(name: $0.key, detail: $0.value, summary: "") }.sorted { $0.name < $1.name }
            guard let variable = name("the name of a variable", { known }) else { return }
            if let variables, variables[variable.text] == nil {
                failUnknown("$\(variable.text) is no variable of the operation", variable, known.map(\.name), mark: "$")
            }
            return
        }
        if take("[") {
            while !isOver, !take("]") {
                guard token.kind != .end else { return fail("] is expected") }
                value(of: type?.element ?? type)
            }
            return
        }
        if take("{") {
            var given: Set<String> = []
            while !isOver, !take("}") {
                guard token.kind != .end else { return fail("} is expected") }
                if takeTemplate() { return }
                input(named?.kind == .input ? named?.inputs : nil, "\(named?.name ?? "the value") has no field", &given, "a field or }")
            }
            guard !isOver, cursor == nil, let missing = named?.inputs.first(where: { $0.isRequired && !given.contains($0.name) }) else { return }
            return fail("\(named?.name ?? "") needs the field \(missing.name): \(missing.type)")
        }
        switch token.kind {
        case .template, .number, .string: index += 1
        case .name:
            let words = named?.kind == .enumeration ? named?.values ?? [] : named?.name == "Boolean" ? ["true", "false"] : []
            let known = words.map { Suggestion(name: $0, detail: named?.name ?? "", summary: "") }
            guard let word = name("a value", { known }) else { return }
            if named?.kind == .enumeration, word.text != "null", !words.contains(word.text) {
                failUnknown("\(named?.name ?? "") has no value \(word.text)", word, words)
            }
        case .punctuator, .end: fail("a value is expected")
        }
    }

    private mutating func directives() {
        while !isOver, take("@") {
            let known = schema.directives.keys.sorted().map { Suggestion(name: $0, detail: "directive", summary: "") }
            guard let directive = name("the name of a directive", { known }) else { return }
            let inputs = schema.directives[directive.text]
            if inputs == nil { failUnknown("there is no directive @\(directive.text)", directive, known.map(\.name), mark: "@") }
            guard !isOver else { return }
            if at("(") || inputs?.contains(where: \.isRequired) == true { arguments(inputs, of: directive) }
        }
    }

    // MARK: Suggestions

    private static func suggestions(_ types: [GraphQLSchema.Named]) -> [Suggestion] {
        types.map { Suggestion(name: $0.name, detail: $0.kind.rawValue.lowercased().replacing("_", with: " "), summary: $0.summary) }
            .sorted { $0.name < $1.name }
    }

    private static func suggestions(_ fields: [GraphQLSchema.Field]) -> [Suggestion] {
        fields.map { field in
            let arguments = field.arguments.isEmpty ? "" : "(\(field.arguments.map(\.name).joined(separator: ", "))) "
            return Suggestion(name: field.name, detail: "\(arguments)\(field.type)", summary: field.isDeprecated ? "deprecated" : field.summary)
        }
    }

    private static func suggestions(_ inputs: [GraphQLSchema.Input]) -> [Suggestion] {
        inputs.map { Suggestion(name: $0.name, detail: "\($0.type)", summary: $0.summary) }
    }
}

extension GraphQLReader.Suggestion {
    /// The end of a message about an unknown name.
    fileprivate static func hint(for name: String, _ names: [String], mark: String) -> String {
        SortieBase.Suggestion.nearest(to: name, in: names).map { "; did you mean \(mark)\($0)?" } ?? ""
    }
}
