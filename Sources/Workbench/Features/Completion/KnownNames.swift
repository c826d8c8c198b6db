internal import BodyViews
internal import WorkspaceModel

/// The place of the cursor in the name of a member of JSON that is typed.
struct JSONNamePlace {
    /// The number of characters of the name before the cursor.
    let before: Int
    /// The number of characters of the name after the cursor, with its closing quote.
    let after: Int
    /// Whether a colon follows the name.
    let hasColon: Bool
    /// The place of the quote that opens the name.
    let start: EditableText.Position

    /// Nil where the cursor is not in a name.
    init?(_ content: EditableText) {
        let (line, column) = (content.lines[content.cursor.row], content.cursor.column)
        guard line.count <= LineStyles.longestLine, EditableText.endsInString(line[..<column]) else { return nil }
        var quote = column - 1
        while quote >= 0, line[quote] != "\"" { quote -= 1 }
        guard quote >= 0, Self.beginsName(content, .init(row: content.cursor.row, column: quote)) else { return nil }
        before = column - quote - 1
        start = .init(row: content.cursor.row, column: quote)
        let name = line[column...].prefix { $0.isWordCharacter || $0 == "-" || $0 == "." || $0 == "$" }.count
        let isClosed = line[(column + name)...].first == "\""
        after = isClosed ? name + 1 : name
        hasColon = line[(column + after)...].first { !$0.isWhitespace } == ":"
    }

    /// Whether a string at a place is the name of a member: after the bracket of an object, or after a comma in one.
    private static func beginsName(_ content: EditableText, _ place: EditableText.Position) -> Bool {
        switch content.line(before: place).last(where: { !$0.isWhitespace }) {
        case "{": return true
        case ",": return content.enclosingBracket(of: place, .json)?.bracket == "{"
        default: return false
        }
    }
}

/// The names of members of JSON that a body may have.
struct KnownNames {
    /// The largest body that is read, and the number of bytes that are read of all.
    private static let largestBody = 64 << 10
    private static let budget = 256 << 10
    /// The greatest number of characters of a name.
    private static let longestName = 64

    private let state: AppState
    private let endpoint: Endpoint

    init(_ state: AppState, _ endpoint: Endpoint) { (self.state, self.endpoint) = (state, endpoint) }

    /// The variables of the query of a GraphQL request; else the names in other bodies, those of the same service first.
    var completions: [Completion] {
        if case .graphQL(let request) = endpoint.body { return Self.variables(of: request.query) }
        var names: Set<String> = []
        var result: [Completion] = []
        var left = Self.budget
        func add(_ other: Endpoint) {
            let other = state.endpoint(other.id) ?? other
            guard case .json(let text) = other.body, text.utf8.count <= Self.largestBody, left > 0 else { return }
            left -= text.utf8.count
            for name in Self.names(in: text) where names.insert(name).inserted { result.append(Completion(name, source: other.name)) }
        }
        let services = state.workspace.services
        for service in services where service.folder == endpoint.serviceName {
            for other in service.endpoints where other.id != endpoint.id { add(other) }
        }
        for service in services where service.folder != endpoint.serviceName { for other in service.endpoints { add(other) } }
        // The body itself last: a name occurs often in an array of objects.
        add(endpoint)
        return result
    }

    /// The names of members in a text, which may be incomplete, in order and without escapes.
    ///
    /// They are read for each key that is typed in a name, so that bytes are compared and not a regular expression.
    private static func names(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let (quote, colon) = (UInt8(ascii: "\""), UInt8(ascii: ":"))
        var names: [String] = []
        var start = 0
        while let open = bytes[start...].firstIndex(of: quote) {
            start = open + 1
            guard let end = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") }) else { break }
            guard bytes[end] == quote, end > start,
                let next = bytes[(end + 1)...].firstIndex(where: { !Character(UnicodeScalar($0)).isWhitespace }), bytes[next] == colon
            else {
                // The closing quote of a value may be the opening one of what follows in a text that is incomplete.
                start = end
                continue
            }
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            if name.count <= longestName { names.append(name) }
            start = next + 1
        }
        return names
    }

    /// The variables that a query declares, with their types.
    private static func variables(of query: String) -> [Completion] {
        query.matches(of: /\$([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([\[\]A-Za-z0-9_!]+)/).map { Completion(String($0.1), detail: String($0.2)) }
    }
}
