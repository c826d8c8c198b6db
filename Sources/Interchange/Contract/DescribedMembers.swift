internal import SortieBase

/// The members that the schemas of a description have, to find those of a value that it does not describe.
///
/// What a schema describes is found once, because a value has many objects of one schema.
final class DescribedMembers {
    /// A schema, with the position of what it describes where that is known.
    private final class Part {
        let schema: OpenAPIValue
        var position: Int?

        init(_ schema: OpenAPIValue) { self.schema = schema }
    }

    /// What a schema describes.
    private struct Members {
        var properties: [(name: String, value: Part)] = []
        /// Whether other members are described, too, or nothing is.
        var isOpen = false
        var items: Part?
        var table = MemberTable<Part>([])
    }

    private let reader: OpenAPIReader
    private var all: [Members] = []
    private var positions: [OpenAPIValue.Identity: Int] = [:]

    init(_ reader: OpenAPIReader) { self.reader = reader }

    /// The paths of the members of a value that its schema does not have.
    func undescribed(in value: JSONValue, by schema: OpenAPIValue, limit: Int) -> [JSONPath] {
        var (found, path): ([JSONPath], [JSONPath.Selector]) = ([], [])
        collect(value, Part(schema), &path, limit, into: &found)
        return found
    }

    private func collect(_ value: JSONValue, _ part: Part, _ path: inout [JSONPath.Selector], _ limit: Int, into found: inout [JSONPath]) {
        guard path.count < 64 else { return }
        switch value {
        case .object(let object):
            let members = all[position(of: part)]
            guard !members.isOpen || !members.table.isEmpty else { return }
            var next = 0
            for member in object where found.count < limit {
                let property = members.table.value(of: member.key, next: &next)
                guard property.map({ _ in member.value.hasParts }) ?? !members.isOpen else { continue }
                path.append(.name(member.key))
                defer { path.removeLast() }
                if let property {
                    collect(member.value, property, &path, limit, into: &found)
                } else {
                    found.append(JSONPath(steps: path.map { .init($0) }))
                }
            }
        case .array(let items):
            guard let schema = all[position(of: part)].items else { return }
            for (index, item) in items.enumerated() where found.count < limit && item.hasParts {
                path.append(.index(index))
                defer { path.removeLast() }
                collect(item, schema, &path, limit, into: &found)
            }
        case .null, .bool, .number, .string: return
        }
    }

    private func position(of part: Part) -> Int {
        if let known = part.position { return known }
        let position = position(of: part.schema)
        part.position = position
        return position
    }

    private func position(of value: OpenAPIValue) -> Int {
        let identity = OpenAPIValue.Identity(value)
        if let known = positions[identity] { return known }
        let position = all.count
        positions[identity] = position
        // An alternative that contains the schema ends here.
        all.append(Members(isOpen: true))
        let schema = OpenAPISchema(value, reader)
        var result = Members()
        result.properties = schema.properties.map { ($0.name, Part($0.schema)) }
        result.items = schema["items"].map { Part($0) }
        let alternatives = schema.layers.flatMap { ($0["oneOf"]?.items ?? []) + ($0["anyOf"]?.items ?? []) }
        let others = alternatives.map { all[self.position(of: $0)] }
        var known = Set(result.properties.map(\.name))
        for other in others {
            result.properties += other.properties.filter { known.insert($0.name).inserted }
            result.items = result.items ?? other.items
        }
        let hasOther = schema.layers.contains { layer in
            // Schemas that include one with a discriminator add members, and a dynamic reference leads to other ones.
            layer["patternProperties"] != nil || reader.dynamicTarget(of: layer) != nil || layer["discriminator"] != nil && alternatives.isEmpty
                || layer["additionalProperties"].map { $0.isObject || $0.bool == true } ?? false
        }
        result.isOpen = hasOther || result.properties.isEmpty || others.contains { $0.isOpen && !$0.properties.isEmpty }
        result.table = MemberTable(result.properties)
        all[position] = result
        return position
    }
}

extension JSONValue {
    /// Whether the value has members or items.
    fileprivate var hasParts: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}
