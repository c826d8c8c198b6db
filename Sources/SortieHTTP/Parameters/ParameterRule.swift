package import SortieBase

/// What a parameter must be, checked before anything is sent.
public struct ParameterRule: Hashable, Sendable {
    /// The type of the text of a value.
    public enum ValueType: String, Hashable, Sendable, CaseIterable {
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
    /// The conditions for the text of a value that is not empty; all must hold.
    package var conditions: [Condition]

    /// Creates a rule from conditions.
    package init(_ name: String, isRequired: Bool = false, conditions: [Condition]) {
        (self.name, self.isRequired, self.conditions) = (name, isRequired, conditions)
    }

    /// Creates a rule; an argument that is nil permits any text.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - isRequired: Whether the parameter must be sent, and not be empty.
    ///   - type: The type.
    ///   - atLeast: The smallest number.
    ///   - atMost: The largest number.
    ///   - shortest: The smallest number of characters.
    ///   - longest: The largest number of characters.
    ///   - pattern: A regular expression that must match somewhere in the text.
    ///   - choices: The permitted texts.
    public init(
        _ name: String, isRequired: Bool = false, type: ValueType? = nil, atLeast: Double? = nil, atMost: Double? = nil, shortest: Int? = nil,
        longest: Int? = nil, pattern: String? = nil, choices: [String]? = nil
    ) {
        let tests: [Condition.Test?] = [
            type.flatMap { SortieBase.ValueType(rawValue: $0.rawValue) }.map { .type($0) },
            atLeast.map { .compares(.atLeast, ParameterValue.text(of: $0)) }, atMost.map { .compares(.atMost, ParameterValue.text(of: $0)) },
            shortest.map { .length(.atLeast, $0) }, longest.map { .length(.atMost, $0) }, pattern.map { .matches($0) }, choices.map { .oneOf($0) },
        ]
        self.init(name, isRequired: isRequired, conditions: tests.compactMap { $0.map(Condition.init) })
    }

    /// Why a value is rejected, after the name of the parameter; nil when it is accepted.
    ///
    /// The text does not contain the value, which may be secret. An empty value is accepted unless the parameter is required.
    ///
    /// - Parameter value: The text of the parameter; nil where the request has none of that name.
    package func problem(of value: String?) -> String? {
        guard let value, !value.isEmpty else { return isRequired ? (value == nil ? "is missing" : "is empty") : nil }
        var steps = TextPattern.maximumSteps
        for condition in conditions {
            do throws(PatternError) {
                guard try condition.holds(for: [.string(value)], areTexts: true, steps: &steps) else { return condition.requirement }
            } catch {
                return "cannot be compared with \(condition.entry.operand): \(error.message)"
            }
        }
        return nil
    }
}
