internal import SortieBase
internal import WorkspaceModel

/// `assert` rows and values of responses in Bruno.
enum BrunoChecks {
    /// Adds an assertion; false for one that has no equivalent.
    static func add(_ subject: String, _ text: String, to expectation: inout Expectation) -> Bool {
        let word = text.prefix { !$0.isWhitespace }
        let argument = ForeignText.trimmed(text.dropFirst(word.count))
        if subject == "res.status" || subject == "res.getStatus()" {
            guard word == "eq", let status = Int(argument), (100...599).contains(status) else { return false }
            expectation.status = status
            return true
        }
        if subject == "res.responseTime" {
            guard word == "lt" || word == "lte", let limit = Int(argument), limit > 0 else { return false }
            expectation.under = .milliseconds(limit)
            return true
        }
        guard let source = source(of: subject), source != "status", let test = test(String(word), argument, text) else { return false }
        if source.hasPrefix("header ") {
            expectation.headers.append(Parameter(String(source.dropFirst("header ".count)), test))
        } else {
            expectation.json.append(Parameter(source, test))
        }
        return true
    }

    /// The source of a capture for an expression such as `res.body.data.id`; nil for another one.
    static func source(of expression: String) -> String? {
        let text = ForeignText.trimmed(expression)
        if text == "res.status" { return "status" }
        for prefix in ["res.headers.", "res.headers["] where text.hasPrefix(prefix) {
            let name = text.dropFirst(prefix.count).filter { !"'\"]".contains($0) }
            return name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) } && !name.isEmpty ? "header \(name)" : nil
        }
        for (prefix, suffix) in [("res.getHeader(", ")"), ("res(", ")")] where text.hasPrefix(prefix) && text.hasSuffix(suffix) {
            let inner = text.dropFirst(prefix.count).dropLast().filter { !"'\"`".contains($0) }
            return prefix == "res(" ? path(String(inner)) : "header \(inner)"
        }
        guard text.hasPrefix("res.body") else { return nil }
        let rest = text.dropFirst("res.body".count)
        return rest.isEmpty ? "$" : path(String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
    }

    private static func path(_ text: String) -> String? {
        guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber || "._-[]".contains($0) }) else { return nil }
        let path = text.hasPrefix("[") ? "$" + text : "$." + text
        do {
            _ = try Capture(name: "x", path: path).source()
            return path
        } catch { return nil }
    }

    private static func test(_ word: String, _ argument: String, _ whole: String) -> String? {
        let quoted = argument.count >= 2 && "\"'".contains(argument.first ?? " ") && argument.first == argument.last
        let value = quoted ? String(argument.dropFirst().dropLast()) : argument
        switch word {
        case "eq": return "= \(value)"
        case "neq": return "!= \(value)"
        case "gt": return number(">", value)
        case "gte": return number(">=", value)
        case "lt": return number("<", value)
        case "lte": return number("<=", value)
        case "contains": return "matches \(escaped(value))"
        case "startsWith": return "matches ^\(escaped(value))"
        case "endsWith": return "matches \(escaped(value))$"
        case "matches":
            let pattern = value.hasPrefix("/") && value.hasSuffix("/") && value.count > 2 ? String(value.dropFirst().dropLast()) : value
            do {
                _ = try Condition("matches \(pattern)")
                return "matches \(pattern)"
            } catch { return nil }
        case "isDefined": return "exists"
        case "isUndefined": return "missing"
        case "isNull": return "type null"
        case "isNumber": return "type number"
        case "isString": return "type string"
        case "isBoolean": return "type bool"
        case "isArray": return "type array"
        case "isJson": return "type object"
        case "in", "notIn", "notContains", "notMatches", "length", "between", "isEmpty", "isNotEmpty", "isTruthy", "isFalsy": return nil
        // A value without an operator must be equal.
        default: return whole.contains(" ") ? nil : "= \(whole)"
        }
    }

    private static func number(_ operation: String, _ value: String) -> String? { Double(value) == nil ? nil : "\(operation) \(value)" }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
