/// A value of a YAML document with its position, for diagnostics and for edits in place.
struct YAMLNode {
    /// The kind of value.
    enum Content {
        case scalar(YAMLScalar)
        case mapping([Entry])
        case sequence([YAMLNode])
    }

    /// An entry `key: value`.
    struct Entry {
        var key: YAMLNode
        var value: YAMLNode
    }

    var content: Content
    /// The line, from 1.
    var line: Int
    /// The column in characters, from 1.
    var column: Int
    /// The offset of its first byte in the file, its tag and anchor included.
    var start: Int
    /// Whether the value comes from an alias `*name`; its position is then that of the anchor.
    var isAlias = false

    /// The text of a scalar; nil for a collection.
    var text: String? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }

    /// Whether the value is null: empty, `null` or `~`.
    var isNull: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.type == .null
    }

    /// The entries of a mapping with those that `<<` merges into it; nil for anything else.
    var entries: [Entry]? {
        guard case .mapping(let own) = content else { return nil }
        guard own.contains(where: { $0.key.isMergeKey }) else { return own }
        var result = own.filter { !$0.key.isMergeKey }
        var known = Set(result.compactMap(\.key.text))
        for entry in own where entry.key.isMergeKey {
            var sources = [entry.value]
            if case .sequence(let items) = entry.value.content { sources = items }
            for source in sources {
                guard let merged = source.entries else { continue }
                result += merged.filter { $0.key.text.map { !known.contains($0) } ?? false }
                known.formUnion(merged.compactMap(\.key.text))
            }
        }
        return result
    }

    /// The items of a sequence; nil for anything else.
    var items: [YAMLNode]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    /// The value of `key`; nil when the mapping has no such key.
    subscript(key: String) -> YAMLNode? {
        entries?.last { $0.key.text == key }?.value
    }

    /// The name of this kind of value in messages.
    var kindName: String {
        switch content {
        case .scalar(let scalar): scalar.type == .null ? "nothing" : "the text “\(scalar.text.shortened)”"
        case .mapping: "a mapping"
        case .sequence: "a list"
        }
    }

    private var isMergeKey: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.style == .plain && scalar.text == "<<"
    }
}

extension String {
    /// The first line of the text, truncated to 40 characters for a message.
    var shortened: String {
        let line = prefix { !$0.isNewline }
        return line.count > 40 ? line.prefix(40) + "…" : line.count < count ? line + "…" : self
    }
}
