internal import SortieBase

extension GraphQLTemplate {
    /// Reads the JSON of a request (GraphQL over HTTP §5.1); nil for other text, and for a request with further members, such as `extensions`.
    ///
    /// Variables that are `null`, or the text of a JSON object, are read as well, because some tools write them so.
    package init?(json text: String) {
        // A number that the text does not contain replaces each template, inside and outside of quotes.
        var base = "71828182845904523536"
        while text.contains(base) { base += "0" }
        var (templates, marked): ([String], String) = ([], "")
        for segment in Template(text).segments {
            switch segment {
            case .text(let text): marked += text
            case .unclosed: return nil
            case .variable, .builtin:
                marked += base + Self.number(templates.count)
                templates.append(segment.description)
            }
        }
        let members: [JSONValue.Member]
        do {
            guard case .object(let read) = try JSONValue(parsing: marked) else { return nil }
            members = read
        } catch {
            // Not an error: text that is not JSON is not a request of GraphQL.
            return nil
        }
        let names = members.map(\.key)
        guard Set(names).count == names.count, Set(names).isSubset(of: ["query", "operationName", "variables"]) else { return nil }
        func restored(_ text: String) -> String {
            templates.indices.reduce(text) { $0.replacing(base + Self.number($1), with: templates[$1]) }
        }
        func value(_ name: String) -> JSONValue? { members.first { $0.key == name }?.value }
        guard case .string(let query)? = value("query") else { return nil }
        self.init(query: restored(query))
        switch value("operationName") {
        case nil, .null?: break
        case .string(let name)?: operation = name.isEmpty ? nil : restored(name)
        case .bool?, .number?, .array?, .object?: return nil
        }
        switch value("variables") {
        case nil, .null?: break
        case .object(let members)? where members.isEmpty: break
        case .object(let members)?: variables = restored(JSONText.pretty(JSONValue.object(members).text) ?? JSONValue.object(members).text)
        case .string(let text)?: variables = restored(text)
        case .bool?, .number?, .array?: return nil
        }
    }

    /// The number of a template, with the same number of digits for each.
    private static func number(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }
}
