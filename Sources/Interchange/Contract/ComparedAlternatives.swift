internal import SortieBase

extension ComparedSchema {
    /// The schemas of `oneOf` or `anyOf`; those of an alternative that has nothing but alternatives are among them.
    struct Alternatives {
        var items: [Alternative]
        var hasNull: Bool
    }

    struct Alternative {
        let position: Int
        let schema: ComparedSchema

        /// The name of the schema, or the position.
        var name: String { schema.name ?? "\(position + 1)" }
        /// The part of a path for the alternative.
        var pathPart: String { schema.name == nil ? "(alternative \(name))" : "(\(name))" }
        /// A text that alternatives with the same schema share.
        var text: String { schema.value.node.json.canonicalText }
    }

    /// The alternatives; nil where there are none.
    var alternatives: Alternatives? {
        var (seen, found, hasNull): (Set<Identity>, [ComparedSchema], Bool) = ([identity], [], false)
        collect(&seen, into: &found, &hasNull)
        let items = found.enumerated().map { Alternative(position: $0, schema: $1) }
        return items.isEmpty ? nil : Alternatives(items: items, hasNull: hasNull)
    }

    private func collect(_ seen: inout Set<Identity>, into found: inout [ComparedSchema], _ hasNull: inout Bool) {
        let all = schema.alternatives
        guard !all.isEmpty else { return }
        if permitsNull || all.contains(where: Self.isNull) { hasNull = true }
        for value in all where !Self.isNull(value) {
            let item = ComparedSchema(value, schema.reader)
            let isUnion = item.hasOnly(["oneOf", "anyOf"]) && !item.schema.alternatives.isEmpty
            guard isUnion else {
                found.append(item)
                continue
            }
            // An alternative that is the schema itself permits nothing more.
            if seen.insert(item.identity).inserted { item.collect(&seen, into: &found, &hasNull) }
        }
    }

    /// The alternatives of two schemas; nil where they are not comparable.
    ///
    /// A schema without alternatives is the only one, where the other schema has nothing but alternatives.
    static func alternatives(_ left: ComparedSchema, _ right: ComparedSchema) -> (before: Alternatives, after: Alternatives)? {
        let (before, after) = (left.alternatives, right.alternatives)
        guard let one = before ?? after else { return nil }
        if let before, let after { return (before, after) }
        guard (before == nil ? right : left).hasOnly(["oneOf", "anyOf", "discriminator"]) else { return nil }
        let other = before == nil ? left : right
        guard !other.isAny else { return nil }
        let item = Alternative(position: 0, schema: ComparedSchema(excludingNullFrom: other))
        let single = Alternatives(items: [item], hasNull: other.permitsNull || other.schema["type"]?.texts.contains("null") ?? false)
        return before == nil ? (single, one) : (one, single)
    }

    /// The alternatives that are the same ones: by their names, by their texts, or one that has no name by its type.
    static func matching(
        _ before: [Alternative], _ after: [Alternative]
    ) -> (common: [(Alternative, Alternative)], removed: [Alternative], added: [Alternative]) {
        var (removed, added, common): ([Alternative], [Alternative], [(Alternative, Alternative)]) = (before, after, [])
        func match(_ isSame: (Alternative, Alternative) -> Bool) {
            removed = removed.filter { old in
                guard let index = added.firstIndex(where: { isSame(old, $0) }) else { return true }
                common.append((old, added.remove(at: index)))
                return false
            }
        }
        match { $0.schema.name != nil && $0.schema.name == $1.schema.name }
        if !removed.isEmpty, !added.isEmpty {
            let texts = Dictionary(added.map { ($0.position, $0.text) }) { $1 }
            match { texts[$1.position] == $0.text }
            match { ($0.schema.name == nil || $1.schema.name == nil) && $0.schema.schema.type == $1.schema.schema.type }
        }
        return (common.sorted { $0.1.position < $1.1.position }, removed, added)
    }
}
