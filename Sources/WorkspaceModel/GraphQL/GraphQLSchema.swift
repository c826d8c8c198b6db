package import SortieBase

/// The types of a GraphQL server (GraphQL specification, October 2021, §3), as introspection describes them (§4).
package struct GraphQLSchema: Hashable, Sendable {
    /// A named type.
    package struct Named: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case scalar = "SCALAR"
            case object = "OBJECT"
            case interface = "INTERFACE"
            case union = "UNION"
            case enumeration = "ENUM"
            case input = "INPUT_OBJECT"
        }

        package var name: String
        package var kind: Kind
        package var summary = ""
        /// The fields of an object or an interface.
        package var fields: [Field] = []
        /// The fields of an input object.
        package var inputs: [Input] = []
        /// The values of an enumeration.
        package var values: [String] = []
        /// The objects of an interface or a union; empty where the server does not name them.
        package var possible: [String] = []

        /// Whether a field of the type needs a selection of fields.
        package var isComposite: Bool { [.object, .interface, .union].contains(kind) }
        /// Whether it can be the type of a variable or an argument.
        package var isInput: Bool { [.scalar, .enumeration, .input].contains(kind) }
    }

    /// A field of an object or an interface.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var type: TypeReference
        package var arguments: [Input] = []
        package var summary = ""
        package var isDeprecated = false
    }

    /// An argument, or a field of an input object.
    package struct Input: Hashable, Sendable {
        package var name: String
        package var type: TypeReference
        package var summary = ""
        package var hasDefault = false

        /// Whether a value must be given.
        package var isRequired: Bool { type.isRequired && !hasDefault }
    }

    /// A type with its lists and exclamation marks, such as `[Order!]!`.
    package struct TypeReference: Hashable, Sendable, CustomStringConvertible {
        /// The notation of the specification.
        package var description: String
        /// The type without lists and exclamation marks.
        package var name: String { description.filter { !"[]!".contains($0) } }
        /// Whether null is not allowed.
        package var isRequired: Bool { description.hasSuffix("!") }
        /// The type with null.
        package var optional: TypeReference { isRequired ? TypeReference(description: String(description.dropLast())) : self }
        /// The type of the elements; nil where it is no list.
        package var element: TypeReference? {
            let inner = optional.description
            guard inner.hasPrefix("["), inner.hasSuffix("]") else { return nil }
            return TypeReference(description: String(inner.dropFirst().dropLast()))
        }
    }

    /// The types by name.
    package var types: [String: Named]
    /// The types of operations, by `query`, `mutation` and `subscription`.
    package var roots: [String: String]
    /// The directives of operations, with their arguments.
    package var directives: [String: [Input]]
}

extension GraphQLSchema {
    /// The operation that ``introspectionQuery`` has.
    package static let introspectionOperation = "IntrospectionQuery"

    /// The query whose response describes the server.
    package static let introspectionQuery = """
        query IntrospectionQuery {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind name description
              fields(includeDeprecated: true) { name description isDeprecated args { ...Input } type { ...Type } }
              inputFields { ...Input }
              enumValues(includeDeprecated: true) { name }
              possibleTypes { name }
            }
            directives { name locations args { ...Input } }
          }
        }
        fragment Input on __InputValue { name description defaultValue type { ...Type } }
        fragment Type on __Type {
          kind name
          ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } }
        }
        """

    /// Reads the response to the introspection query; nil where it does not describe a server.
    package init?(introspection response: JSONValue) {
        guard let schema = response["data"]?["__schema"], case .array(let list)? = schema["types"] else { return nil }
        types = [:]
        for value in list {
            guard let type = Named(value) else { continue }
            types[type.name] = type
        }
        roots = [:]
        for root in ["query", "mutation", "subscription"] {
            if let name = schema["\(root)Type"]?["name"]?.stringValue, types[name] != nil { roots[root] = name }
        }
        guard roots["query"] != nil else { return nil }
        directives = [:]
        for value in schema["directives"]?.elements ?? [] {
            if let name = value["name"]?.stringValue { directives[name] = Self.inputs(value["args"]) }
        }
    }

    fileprivate static func inputs(_ list: JSONValue?) -> [Input] {
        (list?.elements ?? []).compactMap { value in
            guard let name = value["name"]?.stringValue, let type = TypeReference(value["type"]) else { return nil }
            return Input(
                name: name, type: type, summary: value["description"]?.stringValue ?? "", hasDefault: value["defaultValue"]?.stringValue != nil)
        }
    }
}

extension GraphQLSchema.Named {
    fileprivate init?(_ value: JSONValue) {
        guard let name = value["name"]?.stringValue, let kind = value["kind"]?.stringValue.flatMap(Kind.init) else { return nil }
        self.init(name: name, kind: kind, summary: value["description"]?.stringValue ?? "")
        fields = (value["fields"]?.elements ?? []).compactMap { field in
            guard let name = field["name"]?.stringValue, let type = GraphQLSchema.TypeReference(field["type"]) else { return nil }
            return GraphQLSchema.Field(
                name: name, type: type, arguments: GraphQLSchema.inputs(field["args"]), summary: field["description"]?.stringValue ?? "",
                isDeprecated: field["isDeprecated"] == .bool(true))
        }
        inputs = GraphQLSchema.inputs(value["inputFields"])
        possible = (value["possibleTypes"]?.elements ?? []).compactMap { $0["name"]?.stringValue }
        values = (value["enumValues"]?.elements ?? []).compactMap { $0["name"]?.stringValue }
    }
}

extension GraphQLSchema.TypeReference {
    /// Reads a type with at most eight lists and exclamation marks.
    fileprivate init?(_ value: JSONValue?, depth: Int = 0) {
        guard let value, depth < 9, let kind = value["kind"]?.stringValue else { return nil }
        switch kind {
        case "NON_NULL", "LIST":
            guard let inner = GraphQLSchema.TypeReference(value["ofType"], depth: depth + 1) else { return nil }
            description = kind == "LIST" ? "[\(inner)]" : "\(inner)!"
        default:
            guard let name = value["name"]?.stringValue else { return nil }
            description = name
        }
    }
}

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
