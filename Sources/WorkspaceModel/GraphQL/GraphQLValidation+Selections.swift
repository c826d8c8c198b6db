/// Fields, their arguments, and directives (§5.3, §5.4, §5.7).
extension GraphQLValidation {
    /// Compares a selection with the type whose fields are selected; nil where it is not known.
    mutating func selection(_ selection: GraphQLDocument.Selection, of type: String?) {
        let named = type.flatMap { schema.types[$0] }
        for item in selection.items {
            switch item {
            case .field(let field): self.field(field, of: named)
            case .spread(let spread):
                use.fragments.append(spread.name)
                directives(spread.directives)
                if let target = fragmentTypes[spread.name.text].flatMap(\.self) { overlap(type, target, at: spread.name.start) }
            case .inline(let inline):
                directives(inline.directives)
                var inner = inline.hasTemplate ? nil : type
                if let condition = inline.type {
                    inner = self.condition(condition) ? condition.text : nil
                    if let inner { overlap(type, inner, at: condition.start) }
                }
                self.selection(inline.selection, of: inner)
            }
        }
        merging(selection)
    }

    private mutating func field(_ field: GraphQLDocument.Field, of type: GraphQLSchema.Named?) {
        let all = type.map { schema.fields(of: $0) } ?? []
        let known = all.first { $0.name == field.name.text }
        if known == nil, let type { fail("\(type.name) has no field \(field.name.text)", unknown: field.name, known: all.map(\.name)) }
        arguments(field.arguments, known?.arguments, of: field.name, isComplete: field.hasEnded)
        directives(field.directives)
        let named = known.flatMap { schema.types[$0.type.name] }
        if let start = field.selection.start {
            if let named, !named.isComposite { fail("\(field.name.text) is of the type \(named.name), which has no fields", at: start) }
            selection(field.selection, of: named?.isComposite == true ? named?.name : nil)
        } else if let known, named?.isComposite == true, field.isComplete, !field.hasTemplate {
            fail(
                "\(field.name.text) is of the type \(known.type) and needs a selection of fields: \(field.name.text) { … }", at: field.name.start)
        }
    }

    /// Fields with the same name in the response are the same field with the same arguments (§5.3.2).
    private mutating func merging(_ selection: GraphQLDocument.Selection) {
        var first: [String: GraphQLDocument.Field] = [:]
        for case .field(let field) in selection.items {
            guard let other = first[field.responseName] else {
                first[field.responseName] = field
                continue
            }
            let place = (field.alias ?? field.name).start
            if other.name.text != field.name.text {
                fail("\(other.name.text) and \(field.name.text) have the same name \(field.responseName) in the response", at: place)
            } else if !other.arguments.isSame(as: field.arguments) {
                fail("\(field.name.text) is selected twice with other arguments; give one another name: NAME: \(field.name.text)", at: place)
            }
        }
    }

    /// Compares `(name: value …)` with the arguments that can be given; nil where they are not known.
    ///
    /// - Parameter isComplete: Whether the end of the arguments was read.
    mutating func arguments(
        _ arguments: GraphQLDocument.Arguments, _ known: [GraphQLSchema.Input]?, of owner: GraphQLToken, isComplete: Bool
    ) {
        inputs(arguments, known) { "\(owner.text) has no argument \($0)" }
        failRepeated(arguments.items.map(\.name)) { "the argument \($0) is given twice" }
        guard arguments.isComplete, isComplete, !arguments.hasTemplate, let missing = arguments.missing(of: known) else { return }
        fail("\(owner.text) needs the argument \(missing.name): \(missing.type)", at: owner.start)
    }

    mutating func directives(_ directives: [GraphQLDocument.Directive]) {
        for directive in directives {
            let inputs = schema.directives[directive.name.text]
            if inputs == nil {
                fail("there is no directive @\(directive.name.text)", unknown: directive.name, known: schema.directives.keys.sorted(), mark: "@")
            }
            arguments(directive.arguments, inputs, of: directive.name, isComplete: directive.isComplete)
        }
        // Introspection of older servers does not say which directives can be repeated; these cannot.
        let single = directives.map(\.name).filter { ["skip", "include"].contains($0.text) }
        failRepeated(single) { "@\($0) is given twice" }
    }
}

extension GraphQLDocument.Arguments {
    /// The first required one that is not given; nil where an unknown name may stand for it.
    func missing(of known: [GraphQLSchema.Input]?) -> GraphQLSchema.Input? {
        guard let known, items.allSatisfy({ item in known.contains { $0.name == item.name.text } }) else { return nil }
        return known.first { input in input.isRequired && !items.contains { $0.name.text == input.name } }
    }

    /// Whether both have the same names and values, in any order; the values of templates may be equal.
    func isSame(as other: GraphQLDocument.Arguments) -> Bool {
        if hasTemplate || other.hasTemplate { return true }
        guard items.count == other.items.count else { return false }
        return items.allSatisfy { item in
            other.items.contains { $0.name.text == item.name.text && ($0.value.map { item.value?.isSame(as: $0) ?? true } ?? true) }
        }
    }
}

extension GraphQLDocument.Value {
    /// Whether both are written in the same way; a template may be equal to every value.
    fileprivate func isSame(as other: GraphQLDocument.Value) -> Bool {
        switch (content, other.content) {
        case (.template, _), (_, .template): true
        case (.number, .number), (.string, .string), (.word, .word): token.text == other.token.text
        case (.variable(let name), .variable(let otherName)): name?.text == otherName?.text
        case (.list(let items), .list(let others)):
            items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let fields), .object(let others)): fields.isSame(as: others)
        default: false
        }
    }
}
