internal import SortieHTTP
internal import WorkspaceModel

/// Determines what completes the text that is being typed.
struct CompletionSource {
    private let state: AppState
    private let text: TypedText
    /// The line of the cursor, and the number of its characters before the cursor.
    private let line: [Character]
    private let column: Int

    init(_ state: AppState, _ text: TypedText) {
        self.state = state
        self.text = text
        line = text.content.lines[text.content.cursor.row]
        column = text.content.cursor.column
    }

    /// The list; nil when nothing completes the text.
    ///
    /// - Parameter isAsked: Whether the user asked for the list. Otherwise a text must have been typed, or `{{`.
    func list(isAsked: Bool) -> CompletionList? {
        guard let place = text.place, text.content.selection == nil else { return nil }
        if place.hasTemplates, let template { return list(template.before, template.after, template.items, isAsked: isAsked, isTemplate: true) }
        let typed = String(line[..<column])
        switch place {
        case .templates, .json: return nil
        case .graphQL: return graphQL(isAsked: isAsked)
        case .method: return list(column, line.count - column, RegisteredNames.methods, isAsked: isAsked)
        case .headerName: return list(column, line.count - column, RegisteredNames.headerFields, isAsked: isAsked)
        case .headerValue(let name): return headerValue(name, isAsked: isAsked)
        case .url:
            guard !typed.contains(where: { "?#".contains($0) }) else { return nil }
            let after = line[column...].prefix { !"?#".contains($0) }.count
            return list(column, after, KnownURLs(state).completions, isAsked: isAsked)
        }
    }

    private func list(_ before: Int, _ after: Int, _ items: [Completion], isAsked: Bool, isTemplate: Bool = false) -> CompletionList? {
        let typed = String(line[(column - before)..<column])
        guard isAsked || isTemplate || !typed.isEmpty else { return nil }
        let items = Completion.ranked(items, typed: typed, isAsked: isAsked, hidesComplete: !isTemplate)
        return items.isEmpty ? nil : CompletionList(content: text.content, before: before, after: after, items: items)
    }

    /// The fields, arguments, types, variables or values that the schema of the server has at the cursor.
    private func graphQL(isAsked: Bool) -> CompletionList? {
        guard let endpoint = state.openEndpoint, let schema = state.graphQLSchema(of: endpoint) else { return nil }
        let offset = text.content.lines[..<text.content.cursor.row].reduce(column) { $0 + $1.count + 1 }
        guard let found = GraphQLCompletion.suggestions(in: text.content.text, at: offset, schema) else { return nil }
        let items = found.items.map { item in
            Completion(item.name, detail: item.detail, source: item.summary.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
        }
        return list(found.before, found.after, items, isAsked: isAsked)
    }

    /// The values of a header field: the one after the last comma of a list.
    private func headerValue(_ name: String, isAsked: Bool) -> CompletionList? {
        let values = RegisteredNames.values(ofHeader: name)
        guard !values.isEmpty else { return nil }
        let start = line[..<column].lastIndex(of: ",").map { $0 + 1 } ?? 0
        let blanks = line[start..<column].prefix(while: \.isWhitespace).count
        let after = line[column...].prefix { $0 != "," }.count
        guard !line[start..<column].contains(";") else { return nil }
        return list(column - start - blanks, after, values, isAsked: isAsked)
    }

    /// The template that the cursor is in, with the variables and built-ins that complete it; nil outside of templates.
    private var template: (before: Int, after: Int, items: [Completion])? {
        var open = column - 2
        while open >= 0, !(line[open] == "{" && line[open + 1] == "{") {
            if line[open] == "}" { return nil }
            open -= 1
        }
        guard open >= 0, let endpoint = state.openEndpoint else { return nil }
        let start = open + 2 + line[(open + 2)..<column].prefix(while: \.isWhitespace).count
        // A built-in with an argument is complete.
        guard !line[start..<column].contains(where: \.isWhitespace) else { return nil }
        let name = line[column...].prefix { $0.isWordCharacter || $0 == "." || $0 == "-" }.count
        let isClosed = line[(column + name)...].starts(with: "}}")
        let items = KnownVariables(state, endpoint).completions.map { item in
            var item = item
            if isClosed {
                item.text = String(item.text.dropLast(2))
                item.cursor = item.cursor.map { min($0, item.text.count) }
            }
            return item
        }
        return (column - start, name, items)
    }
}
