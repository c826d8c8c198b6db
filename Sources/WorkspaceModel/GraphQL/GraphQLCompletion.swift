/// Finds the names that can be written at a place of a GraphQL document, with the types of its server.
package struct GraphQLCompletion {
    /// A name that can be written.
    package struct Suggestion: Hashable, Sendable {
        package var name: String
        /// Its type, or what it stands for.
        package var detail: String
        package var summary: String
    }

    private let schema: GraphQLSchema
    /// The name that is being completed, which is empty where none is typed yet.
    private let cursor: GraphQLToken
    /// The names of the fragments of the whole document.
    private let fragments: [String]
    /// The variables of the operation, with their types.
    private var variables: [(name: String, type: String)] = []

    /// The names that can be written at an offset in characters, with the number of characters of the name before and after it.
    ///
    /// - Returns: Nil where no name is expected.
    package static func suggestions(in text: String, at offset: Int, _ schema: GraphQLSchema) -> (before: Int, after: Int, items: [Suggestion])? {
        var tokens = GraphQLToken.tokens(of: Array(text))
        let fragments = Set(zip(tokens, tokens.dropFirst()).compactMap { $0.text == "fragment" && $1.kind == .name ? $1.text : nil })
        var place = tokens.firstIndex { $0.kind == .name && $0.start < offset && offset <= $0.end }
        if place == nil {
            // An empty name, unless the place is within a string or a number.
            let next = tokens.firstIndex { $0.end > offset || $0.kind == .end } ?? tokens.count - 1
            guard tokens[next].start >= offset || tokens[next].kind == .end else { return nil }
            tokens.insert(GraphQLToken(kind: .name, text: "", start: offset, end: offset), at: next)
            place = next
        }
        guard let place else { return nil }
        let cursor = tokens[place]
        var completion = GraphQLCompletion(schema: schema, cursor: cursor, fragments: fragments.sorted())
        guard let items = completion.items(of: GraphQLParser.document(tokens, cursor: place)) else { return nil }
        return (offset - cursor.start, cursor.end - offset, items)
    }

    private init(schema: GraphQLSchema, cursor: GraphQLToken, fragments: [String]) {
        (self.schema, self.cursor, self.fragments) = (schema, cursor, fragments)
    }

    // MARK: Places

    /// The names at the cursor, which is in the last part of the document that was read.
    private mutating func items(of document: GraphQLDocument) -> [Suggestion]? {
        switch document.definitions.last {
        case .operation(let operation):
            variables = operation.variables.map { ($0.name.text, $0.type?.text ?? "") }
            return operation.variables.last.flatMap(names) ?? operation.directives.last.flatMap(names)
                ?? names(operation.selection, of: schema.roots[operation.kind])
        case .fragment(let fragment):
            if let type = fragment.type, isCursor(type) { return composites }
            let isBare = fragment.type == nil && fragment.selection.start == nil && fragment.directives.isEmpty && !fragment.selection.hasTemplate
            if isBare, document.problem == nil, !isCursor(fragment.name) { return [Suggestion(name: "on", detail: "", summary: "")] }
            return fragment.directives.last.flatMap(names) ?? names(fragment.selection, of: fragment.type?.text)
        case .unknown(let word):
            let keywords = ["query", "mutation", "subscription", "fragment"]
            return isCursor(word) ? keywords.map { Suggestion(name: $0, detail: "", summary: "") } : nil
        case nil: return nil
        }
    }

    private func isCursor(_ token: GraphQLToken) -> Bool { token.kind == .name && token.start == cursor.start && token.end == cursor.end }

    private func names(_ variable: GraphQLDocument.Variable) -> [Suggestion]? {
        if let type = variable.type {
            if isCursor(type.name) { return Self.suggestions(schema.types.values.filter(\.isInput)) }
            let reference = GraphQLSchema.TypeReference(description: type.text)
            if let found = variable.defaultValue.flatMap({ names($0, of: reference) }) { return found }
        }
        return variable.directives.last.flatMap(names)
    }

    private func names(_ selection: GraphQLDocument.Selection, of type: String?) -> [Suggestion]? {
        switch selection.items.last {
        case .field(let field):
            let all = type.flatMap { schema.types[$0] }.map { schema.fields(of: $0) } ?? []
            if isCursor(field.name) { return Self.suggestions(all) }
            let known = all.first { $0.name == field.name.text }
            return names(field.arguments, of: known?.arguments) ?? field.directives.last.flatMap(names)
                ?? names(field.selection, of: known?.type.name)
        case .spread(let spread):
            guard isCursor(spread.name) else { return spread.directives.last.flatMap(names) }
            let on = Suggestion(name: "on", detail: "fields of a type", summary: "")
            return [on] + fragments.map { Suggestion(name: $0, detail: "fragment", summary: "") }
        case .inline(let inline):
            if let type = inline.type, isCursor(type) { return composites }
            return inline.directives.last.flatMap(names) ?? names(inline.selection, of: inline.type?.text ?? (inline.hasTemplate ? nil : type))
        case nil: return nil
        }
    }

    private func names(_ directive: GraphQLDocument.Directive) -> [Suggestion]? {
        guard isCursor(directive.name) else { return names(directive.arguments, of: schema.directives[directive.name.text]) }
        return schema.directives.keys.sorted().map { Suggestion(name: $0, detail: "directive", summary: "") }
    }

    private func names(_ arguments: GraphQLDocument.Arguments, of known: [GraphQLSchema.Input]?) -> [Suggestion]? {
        guard let last = arguments.items.last else { return nil }
        if isCursor(last.name) {
            let given = Set(arguments.items.dropLast().map(\.name.text))
            return Self.suggestions((known ?? []).filter { !given.contains($0.name) })
        }
        let type = known?.first { $0.name == last.name.text }?.type
        return last.value.flatMap { names($0, of: type) }
    }

    private func names(_ value: GraphQLDocument.Value, of type: GraphQLSchema.TypeReference?) -> [Suggestion]? {
        let named = type.flatMap { schema.types[$0.name] }
        switch value.content {
        case .number, .string, .template: return nil
        case .word:
            guard isCursor(value.token) else { return nil }
            let words = named?.kind == .enumeration ? named?.values ?? [] : named?.name == "Boolean" ? ["true", "false"] : []
            return words.map { Suggestion(name: $0, detail: named?.name ?? "", summary: "") }
        case .variable(let name):
            guard let name, isCursor(name) else { return nil }
            return variables.map { Suggestion(name: $0.name, detail: $0.type, summary: "") }.sorted { $0.name < $1.name }
        case .list(let items): return items.last.flatMap { names($0, of: type?.element ?? type) }
        case .object(let fields): return names(fields, of: named?.kind == .input ? named?.inputs : nil)
        }
    }

    // MARK: Suggestions

    private var composites: [Suggestion] { Self.suggestions(schema.types.values.filter { $0.isComposite && !$0.name.hasPrefix("__") }) }

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
