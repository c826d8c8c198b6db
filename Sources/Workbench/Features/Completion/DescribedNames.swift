internal import BodyViews
internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// Reading what the description of a service (`contract:`) has for the request of an endpoint.
package struct DescribedRequestJob: WorkJob {
    let key: DescribedRequests.Key
    /// Whether the user asked for completions.
    let isAsked: Bool
    package let endpoint: Endpoint

    func finish(_ outcome: DescribedRequest, _ state: inout AppState) -> [Effect] {
        state.states[DescribedRequests.self].known[key] = outcome
        if isAsked, let text = state.typedText { state.states[CompletionState.self].list = CompletionSource(state, text).list(isAsked: true) }
        return []
    }
}

/// The described requests that were read since the files changed.
struct DescribedRequests: FeatureState {
    /// What determines the operation.
    struct Key: Hashable, Sendable {
        var service: String
        var method: String
        var path: String

        /// Nil for an endpoint that has no contract.
        init?(_ endpoint: Endpoint, in workspace: Workspace) {
            guard workspace.contract(of: endpoint) != nil else { return nil }
            (service, method, path) = (endpoint.serviceName, endpoint.shownMethod.rawValue, endpoint.path)
        }
    }

    /// The requests; empty ones where the description has none, or cannot be read, which the comparison of responses reports.
    var known: [Key: DescribedRequest] = [:]
    /// The requests that were asked for.
    var asked: Set<Key> = []
}

extension AppState {
    /// What the description has for the open endpoint's request; nil while it is not known.
    var describedRequest: DescribedRequest? {
        guard shownService == nil, let endpoint = openEndpoint, let key = DescribedRequests.Key(endpoint, in: workspace) else { return nil }
        return states[DescribedRequests.self].known[key]
    }

    /// Reads the description for the open endpoint's request, once until files change.
    mutating func readDescription(isAsked: Bool = false) -> [Effect] {
        guard shownService == nil, let endpoint = openEndpoint, let key = DescribedRequests.Key(endpoint, in: workspace),
            states[DescribedRequests.self].asked.insert(key).inserted
        else { return [] }
        return start(DescribedRequestJob(key: key, isAsked: isAsked, endpoint: endpoint))
    }
}

extension Completion {
    /// The completion of a described name.
    init(_ member: DescribedRequest.Member, of request: DescribedRequest) {
        let details = [request.value(member.value)?.type ?? "", member.isRequired ? "required" : ""].filter { !$0.isEmpty }
        self.init(member.name, detail: details.joined(separator: ", "), source: member.summary)
    }

    /// The completions of values as plain texts.
    static func choices(_ values: [JSONValue]) -> [Completion] {
        values.map { if case .string(let text) = $0 { Completion(text) } else { Completion($0.compactText) } }
    }
}

/// The place of the cursor in a value of JSON that is typed.
struct JSONValuePlace {
    /// The numbers of characters of the value before and after the cursor, in a string with the closing quote.
    let before: Int
    let after: Int
    /// Whether the cursor is in a string.
    let isQuoted: Bool
    /// The names of the members from the root to the value; nil for an item of an array.
    let path: [String?]

    /// Nil where the cursor is not in a value, or not at the place of one.
    init?(_ content: EditableText) {
        let (line, column) = (content.lines[content.cursor.row], content.cursor.column)
        guard line.count <= LineStyles.longestLine else { return nil }
        isQuoted = EditableText.endsInString(line[..<column])
        var start = column
        if isQuoted {
            while start > 0, line[start - 1] != "\"" { start -= 1 }
            before = column - start
            let rest = line[column...].prefix { $0 != "\"" }.count
            let isClosed = column + rest < line.count
            after = isClosed ? rest + 1 : 0
            start -= 1
        } else {
            while start > 0, line[start - 1].isWordCharacter || "-.".contains(line[start - 1]) { start -= 1 }
            before = column - start
            after = line[column...].prefix { $0.isWordCharacter || "-.".contains($0) }.count
        }
        guard start >= 0, let step = JSONPlacePath.step(before: .init(row: content.cursor.row, column: start), in: content) else { return nil }
        path = JSONPlacePath.names(around: .init(row: content.cursor.row, column: start), in: content) + [step.name]
    }
}

/// Finds the place of a text in JSON that may be incomplete.
enum JSONPlacePath {
    /// A step into an object or an array.
    struct Step {
        /// The name of the member; nil for an item.
        var name: String?
    }

    /// How deep values nest at most.
    private static let depth = 64

    /// The steps to the innermost object or array around a place: names of members, nil for items.
    static func names(around place: EditableText.Position, in content: EditableText) -> [String?] {
        var names: [String?] = []
        var place = place
        while names.count < depth, let open = content.enclosingBracket(of: place, .json) {
            place = open.place
            guard let step = step(before: place, in: content) else { break }
            names.append(step.name)
        }
        return names.reversed()
    }

    /// The step to a value that begins at a place: the name before its colon, or an item of an array; nil for the root.
    static func step(before place: EditableText.Position, in content: EditableText) -> Step? {
        let line = content.line(before: place)
        guard line.count <= LineStyles.longestLine, let last = line.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        switch line[last] {
        case ":":
            let before = line[..<last].reversed().drop(while: \.isWhitespace)
            guard before.first == "\"" else { return nil }
            return Step(name: String(before.dropFirst().prefix { $0 != "\"" }.reversed()))
        case "[": return Step()
        case ",": return content.enclosingBracket(of: place, .json)?.bracket == "[" ? Step() : nil
        default: return nil
        }
    }
}
