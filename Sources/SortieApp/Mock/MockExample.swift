internal import SortieBase
internal import WorkspaceModel

/// A response built from `expect:` of an endpoint: its status, its fields with one value, and an object with the values of its JSON paths.
struct MockExample {
    let status: Int
    let headers: [(String, String)]
    let body: JSONValue

    init(_ expectation: Expectation?) {
        status = expectation?.status ?? expectation?.statuses?.first?.lowerBound ?? 200
        headers = (expectation?.headers ?? []).compactMap { row in
            guard row.isEnabled, case .equals(let text)? = Self.test(row.value), Template(text).isPlain else { return nil }
            return (row.name, text)
        }
        body = (expectation?.json ?? []).reduce(.object([])) { body, row in
            guard row.isEnabled, let value = Self.value(row.value) else { return body }
            // An invalid path is a problem that `sortie check` reports.
            guard case .success(let path) = Result(catching: { try JSONPath(row.name) }) else { return body }
            return Self.setting(value, at: path.steps[...], in: body) ?? body
        }
    }

    private static func test(_ text: String) -> Condition.Test? {
        guard case .success(let condition) = Result(catching: { () throws(ConditionError) in try Condition(text) }) else { return nil }
        return condition.test
    }

    /// A value that meets a condition; nil for a value that must be missing.
    private static func value(_ text: String) -> JSONValue? {
        switch test(text) {
        case nil, .missing: nil
        case .equals(let text):
            // As YAML wrote it: 200 and true are values, and what is not JSON is text.
            switch Result(catching: { () throws(BodyProblem) in try JSONValue(parsing: text) }) {
            case .success(let value): value
            case .failure: .string(text)
            }
        case .compares(let order, let bound):
            switch (order, Int(bound)) {
            case (.less, let bound?): .integer(bound - 1)
            case (.greater, let bound?): .integer(bound + 1)
            default: .number(bound)
            }
        case .differs, .exists, .matches, .type(.string): .string("")
        case .type(.integer), .type(.number): .integer(0)
        case .type(.bool): true
        case .type(.null): nil as JSONValue
        case .type(.array): .array([])
        case .type(.object): .object([])
        }
    }

    /// The largest index of an array that is filled with null before it.
    private static let mostItems = 100

    /// The value with a part replaced; nil for a path that selects more than one value.
    private static func setting(_ value: JSONValue, at steps: ArraySlice<JSONPath.Step>, in whole: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return value }
        switch step.singular {
        case .name(let name)?:
            var members: [JSONValue.Member] = []
            if case .object(let known)? = whole { members = known }
            guard let part = setting(value, at: steps.dropFirst(), in: whole?[name]) else { return nil }
            members.removeAll { $0.key == name }
            return .object(members + [JSONValue.Member(name, part)])
        case .index(let index)? where (-1...mostItems).contains(index):
            var items: [JSONValue] = []
            if case .array(let known)? = whole { items = known }
            let place = index < 0 ? max(0, items.count - 1) : index
            while items.count <= place { items.append(.null) }
            guard let part = setting(value, at: steps.dropFirst(), in: items[place]) else { return nil }
            items[place] = part
            return .array(items)
        default: return nil
        }
    }
}
