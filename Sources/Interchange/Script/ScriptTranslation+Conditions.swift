internal import SortieBase

/// The checks that truth values stand for.
extension ScriptTranslation {
    /// The checks that all hold exactly when an expression counts as true, or as false; nil where there are none with this meaning.
    mutating func checks(of expression: JavaScriptExpression, _ isTrue: Bool) -> [ScriptCheck]? {
        let isPossible = beginEvaluation()
        defer { endEvaluation() }
        guard isPossible else { return nil }
        switch expression {
        case .unary("!", let operand): return checks(of: operand, !isTrue)
        case .call(.name("Boolean"), let arguments) where arguments.count == 1: return checks(of: arguments[0], isTrue)
        case .binary("&&", let left, let right), .binary("||", let left, let right):
            guard case .binary(let operation, _, _) = expression else { return nil }
            guard let first = checks(of: left, isTrue), let second = checks(of: right, isTrue) else { return nil }
            if (operation == "&&") == isTrue { return first + second }
            guard let one = ScriptCheck.joined(first), let other = ScriptCheck.joined(second) else { return nil }
            return one.or(other).map { [$0] }
        case .binary(let operation, let left, let right):
            return comparison(operation, left, right).flatMap { isTrue ? [$0] : opposite($0, of: operation) }
        case .call(.member(let object, .string(let method), isOptional: false), let arguments):
            guard let found = call(method, on: object, arguments) else { break }
            if isTrue { return found }
            // The others fail for a value of another type, negated or not.
            let isTotal = ["isArray", "isInteger", "hasOwnProperty"].contains(method) || found.first?.test == .exists
            return found.count == 1 && isTotal ? [found[0].negated] : nil
        default: break
        }
        if case .call = expression { return nil }
        switch value(of: expression) {
        case .subject(.length(let path))?: return [ScriptCheck(subject: .length(path), test: .number([(isTrue ? .greater : .atMost, "0")]))]
        case .subject(.type)?, nil: return nil
        case .subject(.json(let path))?: return [ScriptCheck(subject: .json(path), test: isTrue ? .truthy : ScriptTest.truthy.negated)]
        case .subject(let subject)?: return isTrue ? [ScriptCheck(subject: subject, test: .truthy)] : nil
        case .checks(let checks, let opposite)?: return isTrue ? checks : opposite
        case .constant(let value)?:
            let isFalse: Bool = [.null, .bool(false), .string("")].contains(value) || value == .integer(0)
            return isFalse != isTrue ? [] : nil
        case .undefined?: return isTrue ? nil : []
        case .bytes?, .words?, .template?, .base64?, .pattern?, .function?, .interface?: return nil
        }
    }

    /// The check of the opposite of a comparison; of one that orders values, only for numbers, because JavaScript orders all others, too.
    private func opposite(_ check: ScriptCheck, of operation: String) -> [ScriptCheck]? {
        if check.test.hasNoSchema { return nil }
        switch check.subject {
        case .status, .length, .type: return [check.negated]
        case .json: return Comparison(rawValue: operation) == nil ? [check.negated] : nil
        case .reason, .time, .text, .header: return nil
        }
    }

    private static let mirrored: [Comparison: Comparison] = [.less: .greater, .atMost: .atLeast, .greater: .less, .atLeast: .atMost]

    private mutating func comparison(_ operation: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression) -> ScriptCheck? {
        if let found = search(operation, left, right) { return found }
        switch operation {
        case "in":
            guard let name = value(of: left)?.string, case .subject(.json(let path))? = value(of: right) else { return nil }
            return ScriptCheck(subject: .json(path + [.name(name)]), test: .exists)
        case "instanceof":
            guard case .subject(.json(let path))? = value(of: left), case .name("Array") = right else { return nil }
            return ScriptCheck(subject: .json(path), test: .type(.array))
        default: break
        }
        guard let first = value(of: left), let second = value(of: right) else { return nil }
        if case .subject(let subject) = first { return comparison(operation, subject, second, isMirrored: false) }
        if case .subject(let subject) = second { return comparison(operation, subject, first, isMirrored: true) }
        return nil
    }

    private func comparison(_ operation: String, _ subject: ScriptCheck.Subject, _ other: ScriptValue, isMirrored: Bool) -> ScriptCheck? {
        if let comparison = Comparison(rawValue: operation) {
            guard let bound = other.number, let mirrored = Self.mirrored[comparison] else { return nil }
            var test = ScriptTest.number([(isMirrored ? mirrored : comparison, bound)])
            if case .json = subject { test.conditions?.removeAll { $0 == .type(.number) } }
            return ScriptCheck(subject: subject, test: test)
        }
        guard let test = equality(other, isLoose: operation == "==" || operation == "!=", for: subject) else { return nil }
        switch operation {
        case "===", "==": return ScriptCheck(subject: subject, test: test)
        case "!==", "!=": return ScriptCheck(subject: subject, test: test).negated
        default: return nil
        }
    }

    /// The test of a value that `===`, or `==`, finds equal; nil where an expectation compares other values.
    private func equality(_ value: ScriptValue, isLoose: Bool, for subject: ScriptCheck.Subject) -> ScriptTest? {
        switch value {
        case .undefined: return isLoose ? ScriptTest.hasValue.negated : .missing
        case .template(let text): return .equals(template: text)
        case .constant(.null) where isLoose: return ScriptTest.hasValue.negated
        // Objects are compared by identity.
        case .constant(.array), .constant(.object): return nil
        case .constant(let constant):
            guard isLoose, case .json = subject else { return .equals(constant) }
            switch constant {
            // Without its type, a number equals its text.
            case .number(let digits): return ScriptTest(["enum": .array([constant, .string(digits)])], [.equals(digits)])
            case .string(let text) where JSONDecimal(parsing: text) == nil && !text.isEmpty: return .equals(constant)
            case .string, .bool, .null, .array, .object: return nil
            }
        case .bytes, .words, .base64, .pattern, .subject, .checks, .function, .interface: return nil
        }
    }

    /// `a.indexOf(b) > -1` and its other forms.
    private mutating func search(_ operation: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression) -> ScriptCheck? {
        guard case .call(.member(let object, .string("indexOf"), isOptional: false), let arguments) = left, let bound = value(of: right)?.number,
            let found = call("includes", on: object, arguments)?.first
        else { return nil }
        switch (operation, bound) {
        case (">", "-1"), ("!==", "-1"), ("!=", "-1"), (">=", "0"): return found
        default: return nil
        }
    }

    // MARK: Methods

    /// The checks of a method that returns a truth value; nil for another method.
    private mutating func call(_ method: String, on object: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> [ScriptCheck]? {
        guard let argument = arguments.first else { return nil }
        if case .name("Array") = object, method == "isArray" { return typed(argument, .array) }
        if case .name("Number") = object, method == "isInteger" { return typed(argument, .integer) }
        switch (value(of: object), value(of: argument)) {
        case (.interface("_")?, .subject(.json)?):
            let types: [String: ValueType] = [
                "isArray": .array, "isString": .string, "isNumber": .number, "isBoolean": .boolean, "isNull": .null, "isInteger": .integer,
            ]
            return types[method].flatMap { typed(argument, $0) }
        case (.interface("pm.response.headers")?, let name?) where method == "has" && arguments.count == 1:
            return name.string.map { [ScriptCheck(subject: .header($0), test: .exists)] }
        case (.interface("tv4")?, .subject(.json(let path))?) where method == "validate" && arguments.count == 2:
            return constant(arguments[1]).flatMap(ScriptTest.valid).map { [ScriptCheck(subject: .json(path), test: $0)] }
        case (.interface("ajv")?, .constant(let schema)?) where method == "validate" && arguments.count == 2:
            guard case .subject(.json(let path))? = value(of: arguments[1]) else { return nil }
            return ScriptTest.valid(by: schema).map { [ScriptCheck(subject: .json(path), test: $0)] }
        case (.constant(.array(let values))?, .subject(let subject)?) where method == "includes":
            return [ScriptCheck(subject: subject, test: .oneOf(values))]
        case (.pattern(let pattern)?, .subject(let subject)?) where method == "test": return [ScriptCheck(subject: subject, test: .matches(pattern))]
        case (.subject(let subject)?, .pattern(let pattern)?) where method == "match": return [ScriptCheck(subject: subject, test: .matches(pattern))]
        case (.subject(.json(let path))?, let name?) where method == "hasOwnProperty":
            return name.string.map { [ScriptCheck(subject: .json(path + [.name($0)]), test: .exists)] }
        case (.subject(let subject)?, .constant(let part)?) where method == "includes" || method == "has" && subject == .text:
            if case .array = part { return nil }
            if case .object = part { return nil }
            return [ScriptCheck(subject: subject, test: .contains(part))]
        case (.subject(let subject)?, .constant(.string(let part))?) where method == "startsWith" || method == "endsWith":
            let pattern = TextPattern.escaped(part)
            var test = ScriptTest.matches(method == "startsWith" ? "^\(pattern)" : "\(pattern)$")
            test.conditions = nil
            return [ScriptCheck(subject: subject, test: test)]
        case (.subject(.json(let path))?, .function(let function)?) where method == "every":
            guard let parameter = function.parameters.first, function.body.count == 1, case .returns(let result?) = function.body[0].kind else {
                return nil
            }
            let inner = with(parameter, .subject(.json(path + [.every]))) { $0.checks(of: result, true) }
            return inner.map { [ScriptCheck(subject: .json(path), test: .type(.array))] + $0 }
        default: return nil
        }
    }

    private mutating func typed(_ expression: JavaScriptExpression, _ type: ValueType) -> [ScriptCheck]? {
        guard case .subject(.json(let path))? = value(of: expression) else { return nil }
        return [ScriptCheck(subject: .json(path), test: .type(type))]
    }
}
