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
