/// A condition for a value, as text: `200`, `!= 0`, `< 5`, `matches ^[a-z]+$`, `exists`, `missing`, `type integer`, `oneOf ["a", "b"]`, `shortest 2`.
///
/// A text that begins with none of these words is compared literally: the value must equal it. `= exists` compares with the text `exists`.
package struct Condition: Hashable, Sendable {
    /// The test of the value.
    package enum Test: Hashable, Sendable {
        case equals(String), differs(String)
        case compares(Comparison, String)
        /// A regular expression (``TextPattern``) that must match somewhere in the text.
        case matches(String)
        case exists, missing
        case type(ValueType)
        /// The permitted values.
        case oneOf([String])
        /// The number of characters is compared.
        case length(Comparison, Int)
    }

    /// A test in a mapping of a file, with the value as its operand; `exists` has true or false instead.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case equals, not, type, greaterThan, atLeast, lessThan, atMost, shortest, longest, matches, oneOf, exists

        /// The word that begins the text of the condition.
        package var word: String {
            switch self {
            case .equals: "="
            case .not: "!="
            case .lessThan: Comparison.less.rawValue
            case .atMost: Comparison.atMost.rawValue
            case .greaterThan: Comparison.greater.rawValue
            case .atLeast: Comparison.atLeast.rawValue
            case .type, .shortest, .longest, .matches, .oneOf, .exists: rawValue
            }
        }
    }

    /// The test of the value.
    package let test: Test

    /// Creates a condition.
    package init(_ test: Test) {
        self.test = test
    }

    /// Parses a condition.
    ///
    /// - Throws: A ``ConditionError`` that names the remedy.
    package init(_ text: String) throws(ConditionError) {
        // By scalars, because a combining mark after the blank would hide it.
        let word = String(text.unicodeScalars.prefix { $0 != " " })
        let key = Key.allCases.first { $0.word == word }
        let rest = text.unicodeScalars.dropFirst(word.unicodeScalars.count)
        // Further blanks belong to a text, and not to a number, a type or a list.
        let operand = String([.equals, .not, .matches].contains(key) ? rest.dropFirst() : rest.drop { $0 == " " })
        switch key {
        case .exists? where operand.isEmpty: test = .exists
        case nil where word == "missing" && operand.isEmpty: test = .missing
        // A text that is no test is compared literally.
        case .matches? where operand.isEmpty, .type? where operand.isEmpty, .oneOf? where operand.first != "[", .exists?, nil: test = .equals(text)
        case .shortest? where Int(operand) == nil, .longest? where Int(operand) == nil: test = .equals(text)
        case let key? where Comparison(rawValue: key.word) != nil && !operand.contains("{{") && JSONDecimal(parsing: operand) == nil:
            throw ConditionError("“\(text)” does not compare with a number; write \(word) and a number, or = \(text) for the text itself")
        case let key?: test = try Condition(key, operand).test
        }
    }

    /// Creates a condition from a key of a mapping and its operand, which is a JSON array for ``Key/oneOf``.
    ///
    /// An operand with a template is checked where the condition is parsed again, after the template was resolved.
    ///
    /// - Parameter resolvesTemplates: Whether templates are resolved; otherwise the operand is checked as it is.
    /// - Throws: A ``ConditionError`` that names the remedy.
    package init(_ key: Key, _ operand: String, resolvesTemplates: Bool = true) throws(ConditionError) {
        let hasTemplate = resolvesTemplates && operand.contains("{{")
        switch key {
        case .equals: test = .equals(operand)
        case .not: test = .differs(operand)
        case .lessThan, .atMost, .greaterThan, .atLeast:
            guard let comparison = Comparison(rawValue: key.word), hasTemplate || JSONDecimal(parsing: operand) != nil else {
                throw ConditionError("\(key.rawValue) must be a number, not “\(operand)”")
            }
            test = .compares(comparison, operand)
        case .matches:
            if !hasTemplate {
                do throws(PatternError) { _ = try TextPattern(operand) } catch {
                    throw ConditionError("“\(operand)” is not a regular expression: \(error.message)")
                }
            }
            test = .matches(operand)
        case .type:
            guard let type = ValueType(word: operand) else {
                let known = ValueType.allCases.map(\.rawValue)
                let way = Suggestion.nearest(to: operand, in: known).map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"
                throw ConditionError("“\(operand)” is not a type of values; \(way)")
            }
            test = .type(type)
        case .oneOf:
            let items: JSONValue
            do { items = try JSONValue(parsing: operand) } catch { throw ConditionError("“\(operand)” is not a list such as [\"a\", \"b\"]") }
            guard case .array(let values) = items else { throw ConditionError("“\(operand)” is not a list such as [\"a\", \"b\"]") }
            test = .oneOf(values.map(\.plainText))
        case .shortest, .longest:
            guard let count = Int(operand), count >= 0 else { throw ConditionError("“\(operand)” is not a number of characters") }
            test = .length(key == .shortest ? .atLeast : .atMost, count)
        case .exists:
            guard let exists = ["": true, "true": true, "false": false][operand] else {
                throw ConditionError("“\(operand)” is neither true nor false")
            }
            test = exists ? .exists : .missing
        }
    }

    /// The key of a mapping, and its operand.
    package var entry: (key: Key, operand: String) {
        switch test {
        case .equals(let text): (.equals, text)
        case .differs(let text): (.not, text)
        case .compares(let comparison, let bound): (Key.allCases.first { $0.word == comparison.rawValue } ?? .equals, bound)
        case .matches(let pattern): (.matches, pattern)
        case .exists: (.exists, "true")
        case .missing: (.exists, "false")
        case .type(let type): (.type, type.rawValue)
        case .oneOf(let values): (.oneOf, JSONValue.array(values.map(JSONValue.string)).text)
        case .length(let comparison, let count): (comparison == .atLeast ? .shortest : .longest, String(count))
        }
    }

    /// The text that begins with the word of the test, and parses as the same condition.
    package var text: String {
        switch test {
        case .exists: "exists"
        case .missing: "missing"
        default: "\(entry.key.word) \(entry.operand)"
        }
    }
}

extension Condition {
    /// The expected value for a message: `200`, `< 5`, `a value`.
    package var expected: String {
        switch test {
        case .equals(let text): text.isEmpty ? "an empty text" : text
        case .differs(let text): "not \(text)"
        case .compares(let comparison, let bound): "\(comparison.rawValue) \(bound)"
        case .matches(let pattern): "a match of \(pattern)"
        case .exists: "a value"
        case .missing: "no value"
        case .type(let type): type.rawValue
        case .oneOf(let values): "one of \(values.joined(separator: ", "))"
        case .length(let comparison, let count): "\(comparison.phrase) \(ItemCount.text(count, "character"))"
        }
    }

    /// The condition after the name of what is compared: `must be at least 5`, `must be a whole number`.
    package var requirement: String {
        switch test {
        case .compares(let comparison, let bound): "must be \(comparison.phrase) \(bound)"
        case .type(let type): "must be \(type.phrase)"
        case .matches(let pattern): "must match \(pattern)"
        case .oneOf(let values): "must be \(values.joined(separator: " or "))"
        case .length: "must have \(expected)"
        case .equals, .differs, .exists, .missing: "must be \(expected)"
        }
    }

    /// A description of the values that were compared.
    package func actual(_ values: [JSONValue]) -> String {
        guard let first = values.first else { return "nothing" }
        if case .type = test { return "\(ValueType(of: first).rawValue) \(first.text)" }
        let more = values.count > 10 ? ", and \(values.count - 10) more" : ""
        return values.prefix(10).map(\.text).joined(separator: ", ") + more
    }
}

extension Condition {
    /// Whether a JSON value satisfies the condition; nil is a value that the response lacks.
    ///
    /// - Throws: A ``PatternError`` for an invalid pattern, and for one whose comparison takes too long.
    package func holds(for value: JSONValue?) throws(PatternError) -> Bool {
        var steps = TextPattern.maximumSteps
        return try holds(for: value.map { [$0] } ?? [], steps: &steps)
    }

    /// Whether one of the values satisfies the condition; an empty list counts as a missing value.
    ///
    /// A number equals the same number in quotes, and `1` equals `1.0`. Arrays and objects are compared as JSON, objects without the order of members.
    ///
    /// - Parameters:
    ///   - areTexts: Whether the values are texts without a type of their own, such as those of header fields and parameters; ``ValueType`` then says
    ///     what the text must be.
    ///   - steps: The remaining budget of regular expressions, see ``TextPattern/isFound(in:steps:)``. Writing values as text uses it as well, because
    ///     nested values have many times the text of their body.
    package func holds(for values: [JSONValue], areTexts: Bool = false, steps: inout Int) throws(PatternError) -> Bool {
        var operands = Operands()
        switch test {
        case .missing: return values.isEmpty
        case .matches(let text): operands.pattern = try TextPattern(text)
        // Parsed once, because there may be as many values as the body has bytes.
        case .equals(let text), .differs(let text): operands.values = [Operand(text)]
        case .oneOf(let texts): operands.values = texts.map(Operand.init)
        case .compares(_, let bound): operands.bound = JSONDecimal(parsing: bound)
        case .exists, .type, .length: break
        }
        for value in values where try isMet(by: value, areTexts, operands, &steps) { return true }
        return false
    }

    /// The parsed operands of a test.
    private struct Operands {
        var values: [Operand] = []
        var pattern: TextPattern?
        var bound: JSONDecimal?
    }

    private func isMet(by value: JSONValue, _ isText: Bool, _ operands: Operands, _ steps: inout Int) throws(PatternError) -> Bool {
        switch test {
        case .exists: return true
        case .missing: return false
        case .type(let type): return isText ? type.accepts(text: value.plainText) : type.accepts(value)
        case .equals, .differs, .compares, .matches, .oneOf, .length: break
        }
        let text = value.plainText
        // Short values are compared even when an earlier pattern has used up the budget.
        if text.utf8.count > 1024 {
            steps -= text.utf8.count / 8
            guard steps > 0 else { throw .exhausted }
        }
        switch test {
        case .equals, .oneOf: return operands.values.contains { $0.equals(value, text: text) }
        case .differs: return !operands.values.contains { $0.equals(value, text: text) }
        case .compares(let comparison, _):
            guard let number = JSONDecimal(parsing: text), let bound = operands.bound else { return false }
            return comparison.holds(number, bound)
        case .matches: return try operands.pattern?.isFound(in: text, steps: &steps) ?? false
        case .length(let comparison, let count): return comparison.holds(text.count, count)
        case .exists, .missing, .type: return false
        }
    }

    /// A text that a value is compared with.
    private struct Operand {
        let text: String
        let number: JSONDecimal?
        /// The canonical text of an array or an object; nil for another text.
        let container: String?

        init(_ text: String) {
            self.text = text
            number = JSONDecimal(parsing: text)
            container = text.first == "[" || text.first == "{" ? JSONValue(ifValid: text)?.canonicalText : nil
        }

        func equals(_ value: JSONValue, text plain: String) -> Bool {
            if plain == text { return true }
            switch value {
            case .number(let digits): return number.map { $0 == JSONDecimal(digits) } ?? false
            case .array, .object: return container != nil && container == value.canonicalText
            case .null, .bool, .string: return false
            }
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

extension JSONValue {
    /// The value as text for a template: a string without its quotes, other values as JSON.
    package var plainText: String {
        if case .string(let text) = self { return text }
        return text
    }
}
