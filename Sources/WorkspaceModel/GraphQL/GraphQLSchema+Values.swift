extension GraphQLSchema {
    /// The fields that can be selected of a type, with those that each type has (§4.1, §4.4).
    func fields(of type: Named) -> [Field] {
        let name = Field(name: "__typename", type: TypeReference(description: "String!"), summary: "the name of the type")
        guard type.name == roots["query"] else { return type.fields + [name] }
        let meta = [("__schema", "__Schema!", []), ("__type", "__Type", [("name", "String!")])].map { field, type, arguments in
            Field(
                name: field, type: TypeReference(description: type),
                arguments: arguments.map { Input(name: $0.0, type: TypeReference(description: $0.1)) })
        }
        return type.fields + [name] + meta
    }

    /// A type; also a scalar of the specification that the server does not describe, because it does not use it.
    func named(_ type: String) -> Named? { types[type] ?? (Named.scalars.contains(type) ? Named(name: type, kind: .scalar) : nil) }

    /// Whether variables can have a type.
    func isInput(_ type: String) -> Bool { named(type)?.isInput ?? false }

    /// The names of the objects of a type with fields; nil where the server did not name them.
    func objects(of type: String) -> Set<String>? {
        guard let named = types[type] else { return nil }
        if named.kind == .object { return [type] }
        return named.possible.isEmpty ? nil : Set(named.possible)
    }
}

extension GraphQLSchema.Named {
    /// Whether it is a scalar that the specification does not define, which may accept any value.
    var isCustomScalar: Bool { kind == .scalar && !Self.scalars.contains(name) }

    /// The scalars of the specification (§3.5).
    fileprivate static let scalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

    /// Whether a single value that is no variable, no object and not null fits the scalar or the enumeration (§3.5, §3.9).
    func accepts(_ value: GraphQLDocument.Value) -> Bool {
        let text = value.token.text
        switch kind {
        case .enumeration: return value.content == .word && values.contains(text)
        case .input: return false
        case .object, .interface, .union: return true
        case .scalar: break
        }
        switch name {
        case "Int": return value.content == .number && Int32(text) != nil
        case "Float": return value.content == .number && Double(text)?.isFinite == true
        case "String": return value.content == .string
        case "ID": return value.content == .string || value.content == .number && text.allSatisfy { $0.isNumber || $0 == "-" }
        case "Boolean": return value.content == .word && ["true", "false"].contains(text)
        default: return true
        }
    }
}
