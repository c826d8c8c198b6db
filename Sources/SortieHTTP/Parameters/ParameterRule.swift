internal import SortieBase

/// What a parameter must be, checked before anything is sent.
public struct ParameterRule: Hashable, Codable, Sendable {
    /// The type of the text of a value.
    public enum ValueType: String, Hashable, Codable, Sendable, CaseIterable {
        /// Decimal digits with an optional sign.
        case integer
        /// A finite decimal number.
        case number
        /// `true`, `false`, `1` or `0`.
        case boolean
        /// A day or a time in ISO 8601: `2027-01-31` or `2027-01-31T12:00:00Z`.
        case date
    }

    /// The name of the parameter.
    public var name: String
    /// Whether the parameter must be sent, and not be empty.
    public var isRequired: Bool
    /// The type; nil for any text.
    public var type: ValueType?
    /// The smallest number.
    public var atLeast: Double?
    /// The largest number.
    public var atMost: Double?
    /// The smallest number of characters.
    public var shortest: Int?
    /// The largest number of characters.
    public var longest: Int?
    /// A regular expression (`TextPattern`) that must match somewhere in the text.
    public var pattern: String?
    /// The permitted texts; nil for any.
    public var choices: [String]?

    /// Creates a rule.
    public init(
        _ name: String, isRequired: Bool = false, type: ValueType? = nil, atLeast: Double? = nil, atMost: Double? = nil, shortest: Int? = nil,
        longest: Int? = nil, pattern: String? = nil, choices: [String]? = nil
    ) {
        self.name = name
        self.isRequired = isRequired
        self.type = type
        self.atLeast = atLeast
        self.atMost = atMost
        self.shortest = shortest
        self.longest = longest
        self.pattern = pattern
        self.choices = choices
    }

    /// Why a value is rejected, after the name of the parameter; nil when it is accepted.
    ///
    /// The text does not contain the value, which may be secret. An empty value is accepted unless the parameter is required.
    ///
    /// - Parameter value: The text of the parameter; nil where the request has none of that name.
    public func problem(of value: String?) -> String? {
        guard let value, !value.isEmpty else { return isRequired ? (value == nil ? "is missing" : "is empty") : nil }
        if let type, !type.accepts(value) { return "must be \(type.spoken)" }
        if atLeast != nil || atMost != nil {
            guard let number = Double(value), number.isFinite else { return "must be a number" }
            if let atLeast, number < atLeast { return "must be at least \(ParameterValue.text(of: atLeast))" }
            if let atMost, number > atMost { return "must be at most \(ParameterValue.text(of: atMost))" }
        }
        if let shortest, value.count < shortest { return "must have at least \(shortest) character\(shortest == 1 ? "" : "s")" }
        if let longest, value.count > longest { return "must have at most \(longest) character\(longest == 1 ? "" : "s")" }
        if let choices, !choices.contains(value) { return "must be \(choices.joined(separator: " or "))" }
        return pattern.flatMap { Self.mismatch(of: value, with: $0) }
    }

    private static func mismatch(of value: String, with pattern: String) -> String? {
        do throws(PatternError) {
            var steps = TextPattern.maximumSteps
            return try TextPattern(pattern).isFound(in: value, steps: &steps) ? nil : "must match \(pattern)"
        } catch {
            return "cannot be compared with \(pattern): \(error.message)"
        }
    }
}

extension ParameterRule.ValueType {
    fileprivate func accepts(_ text: String) -> Bool {
        switch self {
        case .integer:
            let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.utf8.dropFirst() : text.utf8[...]
            return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit)
        case .number: return Double(text).map(\.isFinite) ?? false
        case .boolean: return ["true", "false", "1", "0"].contains(text)
        case .date: return CalendarTime.seconds(ofISO8601: text) != nil
        }
    }

    fileprivate var spoken: String {
        switch self {
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date such as 2027-01-31"
        }
    }
}
