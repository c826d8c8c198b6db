/// Merges a member of a file that the source and the user changed, by the entries of mappings and by the rows of lists that have names.
struct MemberMerge {
    /// The digests of what the earlier import wrote, of the text of the user and of that of the source, by path.
    let base: [String: String]
    let ours: [String: String]
    let theirs: [String: String]
    /// The paths of what both changed; that of the user stays.
    private(set) var conflicts: [String] = []

    /// What is between the names of a path.
    static let separator = "/"
    /// How deep values are merged.
    static let maximumDepth = 6

    /// The path of an entry or a row.
    static func path(_ name: String, in path: String) -> String {
        path + separator + name.replacing("~", with: "~0").replacing(separator, with: "~1")
    }

    /// A path as messages have it, such as `headers: Accept`.
    static func shown(_ path: String) -> String {
        path.split(separator: separator, omittingEmptySubsequences: false).map { name in
            name.replacing("~1", with: separator).replacing("~0", with: "~")
        }.joined(separator: ": ")
    }

    /// The text of the user with what only the source changed in a member.
    ///
    /// - Returns: nil where the text cannot be changed in this way, or where the record has nothing about the values within the member.
    mutating func merged(_ name: String, of new: [UInt8], into current: [UInt8]) -> [UInt8]? {
        do {
            let document = try YAMLDocument(bytes: current, file: "")
            guard let root = document.root, let entry = root.entries?.first(where: { $0.key.text == name }), let value = Self.value(of: entry.value),
                let other = try YAMLDocument(bytes: new, file: "").root?[name].flatMap(Self.value), hasParts(name)
            else { return nil }
            let merged = merged(value, other, at: name)
            var patch = YAMLPatch(source: document.source)
            try patch.change(entry.value, from: value, to: merged, indentation: root.column - 1, inFlow: document.source.isFlow(root))
            let bytes = try patch.applied()
            // The text must be read as the merged value, and keep its comments.
            func signs(_ text: [UInt8]) -> Int { text.count { $0 == UInt8(ascii: "#") } }
            guard signs(bytes) >= signs(current), try YAMLDocument(bytes: bytes, file: "").root?[name].flatMap(Self.value) == merged else {
                return nil
            }
            return bytes
        } catch { return nil }
    }

    /// Whether the record has digests of the values within a value.
    private func hasParts(_ path: String) -> Bool { base.keys.contains { $0.hasPrefix(path + Self.separator) } }

    private mutating func merged(_ our: YAMLValue, _ their: YAMLValue, at path: String) -> YAMLValue {
        guard let own = ours[path], let other = theirs[path] else {
            conflicts.append(path)
            return our
        }
        if own == other || other == base[path] { return our }
        if own == base[path] { return their }
        guard hasParts(path), let ourParts = Self.parts(of: our), let theirParts = Self.parts(of: their), Self.isList(our) == Self.isList(their)
        else {
            conflicts.append(path)
            return our
        }
        let others = Dictionary(theirParts.map { ($0.key, $0.value) }) { first, _ in first }
        let names = Set(ourParts.map(\.key))
        var result: [YAMLValue.Member] = []
        for part in ourParts {
            let inner = Self.path(part.key, in: path)
            if let other = others[part.key] {
                result.append(.init(part.key, merged(part.value, other, at: inner)))
            } else if base[inner] == nil || base[inner] != ours[inner] {
                // The source does not have what the user added, or removed what the user changed.
                if base[inner] != nil { conflicts.append(inner) }
                result.append(part)
            }
        }
        for (index, part) in theirParts.enumerated() where !names.contains(part.key) {
            let inner = Self.path(part.key, in: path)
            guard base[inner] == nil else {
                // The user removed it.
                if base[inner] != theirs[inner] { conflicts.append(inner) }
                continue
            }
            let before = theirParts[..<index].last { before in result.contains { $0.key == before.key } }
            let position = before.flatMap { before in result.firstIndex { $0.key == before.key } }.map { $0 + 1 } ?? 0
            result.insert(part, at: position)
        }
        return Self.isList(our) ? .sequence(result.map(\.value)) : .mapping(result)
    }

    private static func isList(_ value: YAMLValue) -> Bool { if case .sequence = value { true } else { false } }

    /// The entries of a mapping, or the rows of a list by their names; nil for other values.
    private static func parts(of value: YAMLValue) -> [YAMLValue.Member]? {
        switch value {
        case .mapping(let members): return members
        case .sequence(let items):
            let rows = items.compactMap { item -> YAMLValue.Member? in
                guard case .mapping(let members) = item, let name = members.first(where: { $0.key == "name" })?.value else { return nil }
                switch name {
                case .text(let text), .string(let text), .token(let text): return .init(text, item)
                case .block, .json, .mapping, .sequence: return nil
                }
            }
            return rows.count == items.count && Set(rows.map(\.key)).count == rows.count ? rows : nil
        case .text, .string, .token, .block, .json: return nil
        }
    }

    /// A value as it is written; nil for one with a tag.
    private static func value(of node: YAMLNode) -> YAMLValue? {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.tag == nil else { return nil }
            // A block keeps its form, because a quoted JSON text is read as another value.
            return scalar.style == .literal ? .block(scalar.text) : YAMLValue(json: node)
        case .sequence(let items):
            let values = items.compactMap { value(of: $0) }
            return values.count == items.count ? .sequence(values) : nil
        case .mapping(let entries):
            let members = entries.compactMap { entry in entry.key.text.flatMap { key in value(of: entry.value).map { YAMLValue.Member(key, $0) } } }
            return members.count == entries.count ? .mapping(members) : nil
        }
    }
}
