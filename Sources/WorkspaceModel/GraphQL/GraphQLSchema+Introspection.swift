package import SortieBase

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
        guard let schema = response["data"]?["__schema"], let list = schema["types"]?.arrayValue else { return nil }
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
        for value in schema["directives"]?.arrayValue ?? [] {
            if let name = value["name"]?.stringValue { directives[name] = Self.inputs(value["args"]) }
        }
    }

    fileprivate static func inputs(_ list: JSONValue?) -> [Input] {
        (list?.arrayValue ?? []).compactMap { value in
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
        fields = (value["fields"]?.arrayValue ?? []).compactMap { field in
            guard let name = field["name"]?.stringValue, let type = GraphQLSchema.TypeReference(field["type"]) else { return nil }
            return GraphQLSchema.Field(
                name: name, type: type, arguments: GraphQLSchema.inputs(field["args"]), summary: field["description"]?.stringValue ?? "",
                isDeprecated: field["isDeprecated"] == .bool(true))
        }
        inputs = GraphQLSchema.inputs(value["inputFields"])
        possible = (value["possibleTypes"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        values = (value["enumValues"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
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

extension JSONValue {
    fileprivate var arrayValue: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    fileprivate var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
