internal import SortieBase
internal import WorkspaceModel

/// The assertions of Bruno (`eq 200`) and httpyac (`== 200`), which are an operator and a literal and no script.
enum ScriptOperator {
    /// The check of a value; nil for an operator that no expectation has, and for an operand that it does not take.
    ///
    /// - Parameter isLoose: Whether a number equals the same number in quotes.
    static func check(_ subject: ScriptCheck.Subject, _ operation: String, _ operand: String, isLoose: Bool = false) -> ScriptCheck? {
        // Only for equality, a value that is known later has no type to be compared.
        guard Template(operand).isPlain || ["eq", "==", "==="].contains(operation) else { return nil }
        let value = literal(operand)
        let test: ScriptTest?
        switch operation {
        case "eq", "==", "===": test = equal(operand, value, subject, isLoose)
        case "neq", "!=", "!==":
            let equal = equal(operand, value, subject, isLoose)
            test = equal.flatMap { $0.hasNoSchema ? nil : $0.negated }
        case "gt", ">": test = limit(.greater, value)
        case "gte", ">=": test = limit(.atLeast, value)
        case "lt", "<": test = limit(.less, value)
        case "lte", "<=": test = limit(.atMost, value)
        case "between":
            let bounds = list(operand)
            guard bounds.count == 2, case .number(let low) = bounds[0], case .number(let high) = bounds[1] else { return nil }
            test = .number([(.atLeast, low), (.atMost, high)])
        case "in": test = operand.isEmpty ? nil : .oneOf(list(operand))
        case "notIn": test = operand.isEmpty ? nil : ScriptTest.oneOf(list(operand)).negated
        case "contains", "includes": test = operand.isEmpty ? nil : .contains(value)
        case "notContains": test = operand.isEmpty ? nil : .lacks(value)
        case "startsWith": test = pattern("^" + TextPattern.escaped(value.plainText))
        case "endsWith": test = pattern(TextPattern.escaped(value.plainText) + "$")
        case "matches":
            let source =
                operand.count > 2 && operand.hasPrefix("/") && operand.hasSuffix("/") ? String(operand.dropFirst().dropLast()) : value.plainText
            test = ScriptPattern.pattern(source, flags: "").map(ScriptTest.matches)
        case "length":
            guard case .json(let path) = subject, case .number(let count) = value else { return nil }
            return ScriptCheck(subject: .length(path), test: .number([(.atLeast, count), (.atMost, count)]))
        default: test = operand.isEmpty ? tests[operation] : nil
        }
        return test.map { ScriptCheck(subject: subject, test: $0) }
    }

    /// Whether a word is an operator; another one is the value that must be equal.
    static func isOperator(_ word: String) -> Bool { tests[word] != nil || binary.contains(word) }

    private static let binary: Set = [
        "eq", "neq", "gt", "gte", "lt", "lte", "in", "notIn", "contains", "notContains", "length", "matches", "notMatches", "startsWith", "endsWith",
        "between",
    ]
    private static let tests: [String: ScriptTest] = [
        "isDefined": .exists, "exists": .exists, "isUndefined": .missing, "isNull": .equals(.null), "isEmpty": .empty, "isNotEmpty": .notEmpty,
        "isTruthy": .equals(.bool(true)), "isTrue": .equals(.bool(true)), "isFalsy": .equals(.bool(false)), "isFalse": .equals(.bool(false)),
        "isNumber": .type(.number), "isString": .type(.string), "isBoolean": .type(.boolean), "isArray": .type(.array), "isJson": .type(.object),
    ]

    private static func equal(_ operand: String, _ value: JSONValue, _ subject: ScriptCheck.Subject, _ isLoose: Bool) -> ScriptTest? {
        if !Template(operand).isPlain { return .equals(template: operand) }
        if case .header = subject { return .equals(.string(value.plainText)) }
        guard isLoose, case .number(let digits) = value, case .json = subject else { return .equals(value) }
        return ScriptTest(["enum": .array([value, .string(digits)])], [.equals(digits)])
    }

    private static func limit(_ comparison: Comparison, _ value: JSONValue) -> ScriptTest? {
        guard case .number(let digits) = value else { return nil }
        return .number([(comparison, digits)])
    }

    private static func pattern(_ pattern: String) -> ScriptTest? {
        do throws(PatternError) {
            _ = try TextPattern(pattern)
            return .matches(pattern)
        } catch { return nil }
    }

    /// The items of a list with or without brackets.
    private static func list(_ text: String) -> [JSONValue] {
        let items = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        return items.split(separator: ",").map { literal($0.trimmingBlanks) }
    }

    /// A number, true, false or null, or else a text with or without quotes.
    private static func literal(_ text: String) -> JSONValue {
        if let quote = text.first, "\"'`".contains(quote), text.count >= 2, text.last == quote { return .string(String(text.dropFirst().dropLast())) }
        do {
            switch try JSONValue(parsing: text) {
            case let value where text.first != "\"": return value
            default: return .string(text)
            }
        } catch { return .string(text) }
    }
}
