package import SortieBase

/// A condition for a value of a response, as text: `200`, `!= 0`, `< 5`, `matches ^[a-z]+$`, `exists`, `missing`, `type integer`.
///
/// A text that begins with none of these words is compared literally: the value must equal it. `= exists` compares with the text `exists`.
package struct Condition: Hashable, Sendable {
    /// The test of the value.
    package enum Test: Hashable, Sendable {
        case equals(String), differs(String)
        case compares(Order, String)
        /// A regular expression (``TextPattern``) that must match somewhere in the text.
        case matches(String)
        case exists, missing
        case type(ValueType)
    }

    /// A comparison of two numbers.
    package enum Order: String, Hashable, Sendable {
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
    }

    /// A type of JSON values.
    package enum ValueType: String, Hashable, Sendable, CaseIterable {
        case string, integer, number, bool, null, array, object
    }

    /// The test of the value.
    package var test: Test

    /// Parses a condition.
    ///
    /// - Throws: A ``ConditionError`` that names the remedy.
    package init(_ text: String) throws(ConditionError) {
        let word = text.prefix { $0 != " " }
        let rest = text.dropFirst(word.count).drop { $0 == " " }
        let argument = String(rest)
        switch word {
        case "exists" where rest.isEmpty: test = .exists
        case "missing" where rest.isEmpty: test = .missing
        case "=": test = .equals(argument)
        case "!=": test = .differs(argument)
        case "<", "<=", ">", ">=":
            guard Template(argument).isPlain == false || Double(argument) != nil else {
                throw ConditionError("“\(text)” does not compare with a number; write \(word) and a number, or = \(text) for the text itself")
            }
            test = .compares(Order(rawValue: String(word)) ?? .less, argument)
        case "matches" where !rest.isEmpty:
            if Template(argument).isPlain {
                do throws(PatternError) { _ = try TextPattern(argument) } catch {
                    throw ConditionError("“\(argument)” is not a regular expression: \(error.message)")
                }
            }
            test = .matches(argument)
        case "type" where !rest.isEmpty:
            guard let type = ValueType(rawValue: argument) else {
                let known = ValueType.allCases.map(\.rawValue)
                let way = Suggestion.nearest(to: argument, in: known).map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"
                throw ConditionError("“\(argument)” is not a type of JSON values; \(way)")
            }
            test = .type(type)
        default: test = .equals(text)
        }
    }

    /// The expected value for a message: `200`, `< 5`, `a value`.
    package var expected: String {
        switch test {
        case .equals(let text): text.isEmpty ? "an empty text" : text
        case .differs(let text): "not \(text)"
        case .compares(let order, let bound): "\(order.rawValue) \(bound)"
        case .matches(let pattern): "a match of \(pattern)"
        case .exists: "a value"
        case .missing: "no value"
        case .type(let type): type.rawValue
        }
    }

    /// Whether a JSON value satisfies the condition; nil is a value that the response lacks.
    ///
    /// A number equals the same number in quotes, and `1` equals `1.0`. Arrays and objects are compared as JSON.
    ///
    /// - Throws: A ``PatternError`` for an invalid pattern, and for one whose comparison takes too long.
    package func holds(for value: JSONValue?) throws(PatternError) -> Bool {
        var steps = WorkspaceLimits.patternSteps
        return try holds(for: value.map { [$0] } ?? [], steps: &steps)
    }

    /// Whether one of the values satisfies the condition; an empty list counts as a missing value.
    ///
    /// - Parameter steps: the remaining budget of regular expressions, see ``TextPattern/isFound(in:steps:)``. Writing values as text uses it as
    ///   well, because nested values have many times the text of their body.
    func holds(for values: [JSONValue], steps: inout Int) throws(PatternError) -> Bool {
        var pattern: TextPattern?
        var container: JSONValue?
        switch test {
        case .missing: return values.isEmpty
        case .matches(let text): pattern = try TextPattern(text)
        case .equals(let text), .differs(let text):
            // Parsed once, because there may be as many values as the body has bytes.
            if text.first == "[" || text.first == "{" { do { container = try JSONValue(parsing: text) } catch { container = nil } }
        case .compares, .exists, .type: break
        }
        for value in values where try isMet(by: value, container, pattern, steps: &steps) { return true }
        return false
    }

    private func isMet(
        by value: JSONValue, _ container: JSONValue?, _ pattern: TextPattern?, steps: inout Int
    ) throws(PatternError) -> Bool {
        switch test {
        case .exists: return true
        case .missing: return false
        case .type(let type): return value.isOf(type)
        case .equals, .differs, .compares, .matches: break
        }
        let text = value.plainText
        // Short values are compared even when an earlier pattern has used up the budget.
        if text.utf8.count > 1024 {
            steps -= text.utf8.count / 8
            guard steps > 0 else { throw .exhausted }
        }
        switch test {
        case .equals(let expected): return value.equals(expected, text: text, container)
        case .differs(let expected): return !value.equals(expected, text: text, container)
        case .compares(let order, let bound):
            guard let number = Double(text), let bound = Double(bound) else { return false }
            return order.holds(number, bound)
        case .matches: return try pattern?.isFound(in: text, steps: &steps) ?? false
        case .exists, .missing, .type: return false
        }
    }
}

/// Why a text is not a condition.
package struct ConditionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the mistake and its remedy.
    package var message: String

    /// Creates an error with a message.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

extension Condition.Order {
    fileprivate func holds(_ left: Double, _ right: Double) -> Bool {
        switch self {
        case .less: left < right
        case .atMost: left <= right
        case .greater: left > right
        case .atLeast: left >= right
        }
    }
}

extension JSONValue {
    /// The value as text for a template: a string without its quotes, other values as JSON.
    package var plainText: String {
        if case .string(let text) = self { return text }
        return text
    }

    /// - Parameters:
    ///   - text: the plain text of this value.
    ///   - container: the expected text parsed as an array or an object; nil where it is neither.
    fileprivate func equals(_ expected: String, text: String, _ container: JSONValue?) -> Bool {
        if text == expected { return true }
        switch self {
        case .number(let text):
            guard let left = Double(text), let right = Double(expected) else { return false }
            // Beyond 2^53, two different integers can be the same Double. They are compared as text.
            return left == right && abs(left) < 9_007_199_254_740_992
        case .array, .object: return container == self
        case .null, .bool, .string: return false
        }
    }

    fileprivate func isOf(_ type: Condition.ValueType) -> Bool {
        switch (self, type) {
        case (.string, .string), (.number, .number), (.bool, .bool), (.null, .null), (.array, .array), (.object, .object): true
        case (.number(let text), .integer): Double(text).map { $0.rounded() == $0 } ?? false
        default: false
        }
    }
}

extension Condition {
    /// Replaces the templates of a condition.
    ///
    /// The author's text determines the test; a value determines only the operand.
    ///
    /// - Returns: The text of the condition. A value such as `exists` is compared literally; `{{name|raw}}` inserts a test.
    static func resolved(_ text: String, in scope: TemplateScope) throws(TemplateError) -> String {
        guard text.contains("{{") else { return text }
        // A raw value may be a complete test.
        let isRaw = Template(text).segments.contains { $0.isRaw }
        guard !isRaw, let test = test(of: text) else { return try scope.resolve(text) }
        switch test {
        case .equals(let argument) where argument.isContainer, .differs(let argument) where argument.isContainer:
            return try "\(text.prefix { $0 != " " }) " + value(argument, in: scope)
        case .equals:
            let value = try scope.resolve(text)
            if let read = Condition.test(of: value), read == .equals(value) { return value }
            return text.hasPrefix("= ") ? value : "= \(value)"
        case .matches(let pattern): return "matches \(try scope.resolve(pattern, as: .pattern))"
        case .differs, .compares, .exists, .missing, .type: return try scope.resolve(text)
        }
    }

    /// An array or an object to compare with.
    ///
    /// A text that only begins like one is treated as text.
    private static func value(_ text: String, in scope: TemplateScope) throws(TemplateError) -> String {
        do { return try scope.resolve(text, as: .json) } catch { return try scope.resolve(text) }
    }

    /// Nil for a text that is not a condition.
    private static func test(of text: String) -> Test? {
        do { return try Condition(text).test } catch { return nil }
    }
}

extension String {
    /// Whether the text begins like a JSON array or object.
    fileprivate var isContainer: Bool { hasPrefix("[") || (hasPrefix("{") && !hasPrefix("{{")) }
}
