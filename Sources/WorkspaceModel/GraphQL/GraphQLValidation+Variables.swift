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
