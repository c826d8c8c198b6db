internal import SortieBase

/// Reads a GraphQL document, or the values of its variables, up to the first mistake of the syntax.
///
/// Templates stand for any value, argument, field or type.
struct GraphQLParser {
    /// The depth of selections and values that is read.
    static let depthLimit = 200

    private let tokens: [GraphQLToken]
    private var index = 0
    /// The index of the token that is being completed, at which reading ends; nil where all is read.
    private let cursor: Int?
    private var isStopped = false
    private var hasTemplates = false
    private var problem: GraphQLProblem?
    private var depth = 0
    /// Whether names of fields of objects are strings, as in JSON.
    private let isJSON: Bool

    private init(_ tokens: [GraphQLToken], cursor: Int? = nil, isJSON: Bool = false) {
        (self.tokens, self.cursor, self.isJSON) = (tokens, cursor, isJSON)
    }

    /// Reads a document.
    ///
    /// - Parameter cursor: The index of the token that is being completed.
    static func document(_ tokens: [GraphQLToken], cursor: Int? = nil) -> GraphQLDocument {
        var parser = GraphQLParser(tokens, cursor: cursor)
        var document = GraphQLDocument()
        while parser.token.kind != .end, !parser.isStopped {
            guard !parser.takeTemplate() else { break }
            parser.definition(&document)
        }
        (document.problem, document.hasTemplates) = (parser.problem, parser.hasTemplates)
        return document
    }

    /// Reads a JSON value with templates as a value; nil where it is not JSON.
    static func json(_ text: String) -> GraphQLDocument.Value? {
        var parser = GraphQLParser(GraphQLToken.tokens(of: Array(text)), isJSON: true)
        let value = parser.value()
        return parser.problem == nil && parser.token.kind == .end ? value : nil
    }

    // MARK: Tokens

    private var token: GraphQLToken { tokens[min(index, tokens.count - 1)] }

    private func at(_ text: String) -> Bool { token.kind == .punctuator && token.text == text && !isStopped }

    private mutating func take(_ text: String) -> Bool {
        guard at(text) else { return false }
        index += 1
        return true
    }

    private mutating func takeTemplate() -> Bool {
        guard token.kind == .template, !isStopped else { return false }
        hasTemplates = true
        index += 1
        return true
    }

    /// Reads a name; nil after a mistake.
    private mutating func name(_ what: String) -> GraphQLToken? {
        guard !isStopped else { return nil }
        guard token.kind == .name else {
            fail("\(what) is expected" + (token.kind == .end ? " at the end" : ", not \(token.text)"))
            return nil
        }
        if index == cursor { isStopped = true }
        defer { index += 1 }
        return token
    }

    private mutating func fail(_ message: String, at offset: Int? = nil) {
        guard !isStopped else { return }
        problem = GraphQLProblem(offset: offset ?? token.start, message: message)
        isStopped = true
    }

    /// Enters a selection or a value; false where there are too many in each other.
    private mutating func enter() -> Bool {
        depth += 1
        guard depth > Self.depthLimit else { return true }
        fail("more than \(Self.depthLimit) selections or values in each other are not read")
        return false
    }

    // MARK: Definitions

    private mutating func definition(_ document: inout GraphQLDocument) {
        if at("{") {
            var operation = GraphQLDocument.Operation(start: token.start)
            selection(&operation.selection)
            document.definitions.append(.operation(operation))
            return
        }
        let isCompleted = index == cursor
        guard let keyword = name("query, mutation, subscription, fragment or {") else { return }
        guard !isCompleted else { return document.definitions.append(.unknown(keyword)) }
        switch keyword.text {
        case "query", "mutation", "subscription": document.definitions.append(.operation(operation(keyword)))
        case "fragment":
            guard let name = name("the name of a fragment") else { return }
            document.definitions.append(.fragment(fragment(name)))
        default:
            document.definitions.append(.unknown(keyword))
            isStopped = true
        }
    }

    private mutating func operation(_ keyword: GraphQLToken) -> GraphQLDocument.Operation {
        var operation = GraphQLDocument.Operation(keyword: keyword, start: keyword.start)
        if token.kind == .name { operation.name = name("the name of the operation") }
        let open = token
        if take("(") {
            while !isStopped, !take(")") {
                guard token.kind != .end else { fail("( is not closed", at: open.start); break }
                variable(&operation.variables)
            }
        }
        directives(&operation.directives)
        body(&operation.selection)
        return operation
    }

    private mutating func variable(_ variables: inout [GraphQLDocument.Variable]) {
        guard take("$") else { return fail("$ with the name of a variable, or ), is expected") }
        guard let name = name("the name of a variable") else { return }
        var variable = GraphQLDocument.Variable(name: name)
        if !isStopped, !take(":") { fail(": with the type of $\(name.text) is expected") }
        if !isStopped { variable.type = type() }
        if take("=") { variable.defaultValue = value() }
        directives(&variable.directives)
        variables.append(variable)
    }

    private mutating func type() -> GraphQLDocument.TypeNode? {
        guard enter() else { return nil }
        defer { depth -= 1 }
        var node: GraphQLDocument.TypeNode
        if take("[") {
            guard let inner = type() else { return nil }
            node = inner
            if !isStopped, !take("]") { fail("] is expected") }
            node.text = "[\(inner.text)]"
        } else {
            if takeTemplate() { return nil }
            guard let name = name("a type") else { return nil }
            node = GraphQLDocument.TypeNode(name: name, text: name.text)
        }
        if take("!") { node.text += "!" }
        return node
    }

    private mutating func fragment(_ name: GraphQLToken) -> GraphQLDocument.Fragment {
        var fragment = GraphQLDocument.Fragment(name: name)
        guard !isStopped else { return fragment }
        if token.text == "on", token.kind == .name, index != cursor {
            index += 1
            fragment.type = condition()
        } else if index == cursor {
            // The word `on` is completed.
            isStopped = true
        } else {
            fail("on with a type is expected")
        }
        directives(&fragment.directives)
        body(&fragment.selection)
        return fragment
    }

    /// Reads the type after `on`; nil for a template.
    private mutating func condition() -> GraphQLToken? { takeTemplate() ? nil : name("a type") }

    // MARK: Selections

    /// Reads the selection of a definition, which it must have.
    private mutating func body(_ selection: inout GraphQLDocument.Selection) {
        guard !isStopped else { return }
        if at("{") { return self.selection(&selection) }
        guard !takeTemplate() else {
            selection.hasTemplate = true
            return
        }
        fail("{ with the fields is expected")
    }

    private mutating func selection(_ selection: inout GraphQLDocument.Selection) {
        guard enter() else { return }
        defer { depth -= 1 }
        let open = token
        selection.start = open.start
        index += 1
        while !isStopped, !take("}") {
            guard token.kind != .end else { return fail("{ is not closed", at: open.start) }
            if takeTemplate() {
                selection.hasTemplate = true
            } else if at("...") {
                spread(&selection)
            } else {
                field(&selection)
            }
        }
        if selection.items.isEmpty, !selection.hasTemplate, !isStopped { fail("{ } has no fields", at: open.start) }
    }

    private mutating func spread(_ selection: inout GraphQLDocument.Selection) {
        let dots = token
        index += 1
        if takeTemplate() {
            selection.hasTemplate = true
            return
        }
        if token.kind == .name, token.text != "on" || index == cursor {
            guard let name = name("the name of a fragment") else { return }
            var spread = GraphQLDocument.Spread(name: name)
            directives(&spread.directives)
            return selection.items.append(.spread(spread))
        }
        var inline = GraphQLDocument.Inline(start: dots.start)
        if token.kind == .name {
            index += 1
            inline.hasTemplate = token.kind == .template
            inline.type = condition()
        } else if !at("{"), !at("@") {
            return fail("the name of a fragment, or on with a type is expected" + (token.kind == .end ? " at the end" : ", not \(token.text)"))
        }
        directives(&inline.directives)
        body(&inline.selection)
        selection.items.append(.inline(inline))
    }

    private mutating func field(_ selection: inout GraphQLDocument.Selection) {
        guard let first = name("a field or }") else { return }
        var field = GraphQLDocument.Field(name: first)
        if take(":") {
            guard let real = name("a field") else { return }
            (field.alias, field.name) = (first, real)
        }
        if at("(") { arguments(&field.arguments) }
        directives(&field.directives)
        field.hasTemplate = token.kind == .template
        if at("{") { self.selection(&field.selection) }
        field.isComplete = !isStopped
        selection.items.append(.field(field))
    }

    // MARK: Arguments and values

    /// Reads `(name: value …)`.
    private mutating func arguments(_ arguments: inout GraphQLDocument.Arguments) {
        let open = token
        index += 1
        while !isStopped, !take(")") {
            guard token.kind != .end else { fail("( is not closed", at: open.start); break }
            if takeTemplate() { arguments.hasTemplate = true } else { argument(&arguments, "an argument or )") }
        }
        arguments.isComplete = !isStopped
    }

    private mutating func argument(_ arguments: inout GraphQLDocument.Arguments, _ what: String) {
        var key: GraphQLToken?
        if isJSON, token.kind == .string || token.kind == .template {
            key = token
            key?.text = String(token.text.dropFirst().dropLast())
            index += 1
        } else {
            key = name(what)
        }
        guard let key else { return }
        var argument = GraphQLDocument.Argument(name: key)
        if !isStopped, !take(":") { fail(": with the value of \(key.text) is expected") }
        if !isStopped { argument.value = value() }
        arguments.items.append(argument)
    }

    private mutating func value() -> GraphQLDocument.Value? {
        guard !isStopped, enter() else { return nil }
        defer { depth -= 1 }
        let start = token
        switch token.kind {
        case .template:
            _ = takeTemplate()
            return GraphQLDocument.Value(token: start, content: .template)
        case .number, .string:
            index += 1
            return GraphQLDocument.Value(token: start, content: start.kind == .number ? .number : .string)
        case .name: return name("a value").map { GraphQLDocument.Value(token: $0, content: .word) }
        case .punctuator, .end: break
        }
        if !isJSON, take("$") { return GraphQLDocument.Value(token: start, content: .variable(name("the name of a variable"))) }
        if take("[") {
            var items: [GraphQLDocument.Value] = []
            while !isStopped, !take("]") {
                guard token.kind != .end else { fail("] is expected"); break }
                if let item = value() { items.append(item) }
            }
            return GraphQLDocument.Value(token: start, content: .list(items))
        }
        guard take("{") else {
            fail("a value is expected")
            return nil
        }
        var fields = GraphQLDocument.Arguments()
        while !isStopped, !take("}") {
            guard token.kind != .end else { fail("} is expected"); break }
            if !isJSON, takeTemplate() { fields.hasTemplate = true } else { argument(&fields, "a field or }") }
        }
        fields.isComplete = !isStopped
        return GraphQLDocument.Value(token: start, content: .object(fields))
    }

    private mutating func directives(_ directives: inout [GraphQLDocument.Directive]) {
        while take("@") {
            guard let name = name("the name of a directive") else { return }
            var directive = GraphQLDocument.Directive(name: name)
            if at("(") { arguments(&directive.arguments) }
            directive.isComplete = !isStopped
            directives.append(directive)
        }
    }
}

/// A token of a GraphQL document (GraphQL specification, October 2021, §2.1.5), or a template in its place.
struct GraphQLToken: Hashable {
    enum Kind: Hashable {
        case name, punctuator, number, string
        /// `{{…}}`, which may stand for any text.
        case template
        case end
    }

    var kind: Kind
    var text: String
    /// The offset of the first character.
    var start: Int
    /// The offset after the last character.
    var end: Int

    /// The tokens of a text, without comments; the last one is ``Kind/end``.
    static func tokens(of text: [Character]) -> [GraphQLToken] {
        var tokens: [GraphQLToken] = []
        var offset = 0
        func add(_ kind: Kind, to end: Int) {
            tokens.append(GraphQLToken(kind: kind, text: String(text[offset..<end]), start: offset, end: end))
            offset = end
        }
        func has(_ word: String, at place: Int) -> Bool { text[min(place, text.count)...].starts(with: word) }
        while offset < text.count {
            let character = text[offset]
            if character.isWhitespace || character == "," || character == "\u{FEFF}" {
                offset += 1
            } else if character == "#" {
                offset = text[offset...].firstIndex(where: \.isLineBreak) ?? text.count
            } else if has("{{", at: offset) {
                var end = offset + 2
                while end < text.count, !has("}}", at: end) { end += 1 }
                add(.template, to: min(end + 2, text.count))
            } else if has("...", at: offset) {
                add(.punctuator, to: offset + 3)
            } else if has("\"\"\"", at: offset) {
                var end = offset + 3
                while end < text.count, !has("\"\"\"", at: end) { end += has("\\\"\"\"", at: end) ? 4 : 1 }
                add(.string, to: min(end + 3, text.count))
            } else if character == "\"" {
                var end = offset + 1
                while end < text.count, text[end] != "\"", !text[end].isLineBreak { end += text[end] == "\\" ? 2 : 1 }
                add(.string, to: min(end + 1, text.count))
            } else if isNamePart(character), !character.isNumber {
                add(.name, to: text[offset...].firstIndex { !isNamePart($0) } ?? text.count)
            } else if character.isNumber || character == "-" {
                add(.number, to: text[(offset + 1)...].firstIndex { !(isNamePart($0) || ".+-".contains($0)) } ?? text.count)
            } else {
                add(.punctuator, to: offset + 1)
            }
        }
        tokens.append(GraphQLToken(kind: .end, text: "", start: text.count, end: text.count))
        return tokens
    }

    /// Whether a character may be in a name.
    static func isNamePart(_ character: Character) -> Bool { character == "_" || character.isASCII && (character.isLetter || character.isNumber) }
}
