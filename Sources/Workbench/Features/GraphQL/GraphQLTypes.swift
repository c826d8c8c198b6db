internal import WorkspaceModel

extension Command {
    static let browseTypes = Command.named("browseGraphQLTypes")
}

/// The types of a GraphQL server as a list that is searched by typing: each type with its fields, inputs, values or possible types.
enum GraphQLTypes {
    /// Shows the types.
    ///
    /// - Parameter type: The type that is selected; nil for the first one.
    static func show(_ schema: GraphQLSchema, at type: String? = nil, _ state: inout AppState) {
        var items: [ListPopup.Item] = []
        var selected = 0
        for named in ordered(schema) {
            let rows = rows(of: named, schema)
            if named.name == type { selected = items.count }
            let root = schema.roots.first { $0.value == named.name }.map { " · \($0.key)" } ?? ""
            let summary = named.summary.isEmpty ? "" : " · \(line(named.summary))"
            let kind = named.kind.rawValue.lowercased().replacing("_", with: " ")
            var heading = ListPopup.Item(label: named.name, detail: kind + root + summary)
            // It is a row, so that typing finds it.
            heading.choice = { state in
                show(schema, at: named.name, &state)
                return []
            }
            items.append(heading)
            items += rows
        }
        state.popups.show(
            ListPopup(
                title: "GraphQL types", items: items, filter: TextField(), selected: selected,
                guideAddress: "graphql#the-schema-in-the-workbench"))
    }

    /// The scalars of the specification, which have nothing to show.
    private static let standard: Set = ["Int", "Float", "String", "Boolean", "ID"]

    /// The types of the operations first, then the others by name; without those of introspection and the scalars of the specification.
    private static func ordered(_ schema: GraphQLSchema) -> [GraphQLSchema.Named] {
        let roots = ["query", "mutation", "subscription"].compactMap { schema.roots[$0] }
        let others = schema.types.keys.filter { !$0.hasPrefix("__") && !standard.contains($0) && !roots.contains($0) }.sorted()
        return (roots + others).compactMap { schema.types[$0] }
    }

    private static func rows(of named: GraphQLSchema.Named, _ schema: GraphQLSchema) -> [ListPopup.Item] {
        func item(_ label: String, _ summary: String, to type: String) -> ListPopup.Item {
            var item = ListPopup.Item(label: "  " + label, detail: line(summary), place: named.name)
            // Enter goes to the type of a field.
            item.choice = { state in
                show(schema, at: standard.contains(type) ? named.name : type, &state)
                return []
            }
            return item
        }
        let fields = named.fields.map { field in
            let arguments = field.arguments.map(text).joined(separator: ", ")
            let label = "\(field.name)\(arguments.isEmpty ? "" : "(\(arguments))"): \(field.type)"
            return item(label, (field.isDeprecated ? "deprecated · " : "") + field.summary, to: field.type.name)
        }
        let inputs = named.inputs.map { item(text($0), $0.summary, to: $0.type.name) }
        let values = named.values.map { item($0, "", to: named.name) }
        return fields + inputs + values + named.possible.map { item($0, "possible type", to: $0) }
    }

    private static func text(_ input: GraphQLSchema.Input) -> String { "\(input.name): \(input.type)\(input.hasDefault ? " = …" : "")" }

    private static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
