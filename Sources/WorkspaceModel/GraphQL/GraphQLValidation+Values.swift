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
