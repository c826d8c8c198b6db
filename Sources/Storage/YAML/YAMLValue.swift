internal import SortieBase

/// A value to be written.
enum YAMLValue: Hashable {
    /// A text that is read exactly as it is written, so that `1` needs no quotes.
    case text(String)
    /// A text that must not be read as a number or a boolean.
    case string(String)
    /// A number, `true`, `false` or `null`.
    case token(String)
    /// A text that must be written as a literal block scalar (`|`), because only there it is taken verbatim.
    case block(String)
    /// JSON text in a stored endpoint: a literal block scalar, or a quoted text with the tag `!json` where that cannot express it.
    case json(String)
    /// A mapping in the order of its members.
    case mapping([Member])
    /// A list.
    case sequence([YAMLValue])

    /// A member of a mapping.
    struct Member: Hashable {
        var key: String
        var value: YAMLValue

        init(_ key: String, _ value: YAMLValue) {
            self.key = key
            self.value = value
        }
    }

    /// A mapping without the members that have no value.
    static func mapping(optional members: [(String, YAMLValue?)]) -> YAMLValue {
        .mapping(members.compactMap { key, value in value.map { Member(key, $0) } })
    }

    /// The value of a member of a mapping; nil where there is none.
    func member(_ key: String) -> YAMLValue? {
        guard case .mapping(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// A value of JSON.
    init(_ value: JSONValue) {
        switch value {
        case .null, .bool, .number: self = .token(value.text)
        // A text of several lines is never read as another type, and may be a block.
        case .string(let text): self = text.contains("\n") ? .text(text) : .string(text)
        case .array(let items): self = .sequence(items.map { YAMLValue($0) })
        case .object(let members): self = .mapping(members.map { Member($0.key, YAMLValue($0.value)) })
        }
    }

    /// The value of a JSON node; nil when a key is not text.
    init?(json node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            self = scalar.type == .string ? .string(scalar.text) : .token(scalar.text.isEmpty ? "null" : scalar.text)
        case .sequence(let items):
            var values: [YAMLValue] = []
            for item in items {
                guard let value = YAMLValue(json: item) else { return nil }
                values.append(value)
            }
            self = .sequence(values)
        case .mapping:
            var members: [Member] = []
            for entry in node.entries ?? [] {
                guard let key = entry.key.text, let value = YAMLValue(json: entry.value) else { return nil }
                members.append(Member(key, value))
            }
            self = .mapping(members)
        }
    }

    /// Whether the value is a scalar.
    var isScalar: Bool {
        switch self {
        case .text, .string, .token, .block, .json: true
        case .mapping, .sequence: false
        }
    }
}
