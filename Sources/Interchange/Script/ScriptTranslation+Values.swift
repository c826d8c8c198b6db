internal import SortieBase
internal import WorkspaceModel

/// The values of expressions.
extension ScriptTranslation {
    /// The value of an expression; nil where it is not known before the response.
    mutating func value(of expression: JavaScriptExpression) -> ScriptValue? {
        let isPossible = beginEvaluation()
        defer { endEvaluation() }
        guard isPossible else { return nil }
        switch expression {
        case .string(let text): return .constant(.string(text))
        case .number(let digits): return Self.number(digits).map { .constant(.number($0)) }
        case .boolean(let value): return .constant(.bool(value))
        case .null: return .constant(.null)
        case .name("undefined"): return .undefined
        case .name(let name): return isLocal(name) ? local(name) : named(ScriptInterface.path(name))
        case .regexp(let source, let flags): return ScriptPattern.pattern(source, flags: flags).map { .pattern($0) }
        case .function(let function): return .function(function)
        case .array(let items):
            let values = items.map { constant($0) }
            return values.contains(nil) ? nil : composed(.array(values.compactMap(\.self)))
        case .object(let members):
            let values = members.map { member in constant(member.value).map { JSONValue.Member(member.name, $0) } }
            return values.contains(nil) ? nil : composed(.object(values.compactMap(\.self)))
        case .template(let texts, let parts):
            if parts.count == 1, texts.count == 2, texts[1].isEmpty, case .base64(let text, let before)? = value(of: parts[0]) {
                return .base64(ofTemplate: text, after: texts[0] + before)
            }
            let values = parts.map { value(of: $0)?.text }
            guard !values.contains(nil) else { return nil }
            let joined = zip(texts.dropFirst(), values).reduce(Template.quoting(texts.first ?? "")) { $0 + ($1.1 ?? "") + Template.quoting($1.0) }
            return self.joined(joined)
        case .member(let object, let key, let isOptional):
            guard let owner = value(of: object) else { return nil }
            return member(key, of: owner, isOptional: isOptional)
        case .call(let callee, let arguments): return result(of: callee, arguments)
        case .new(.name("Date"), let arguments) where arguments.isEmpty: return .interface("new Date()")
        case .new(let type, _): return interface(type) == "Ajv" ? .interface("ajv") : nil
        case .unary("+", let operand):
            if case .interface("new Date()")? = value(of: operand) { return .interface("Date.now()") }
            return nil
        case .unary("-", let operand):
            return value(of: operand)?.number.map { .constant(.number($0.hasPrefix("-") ? String($0.dropFirst()) : "-" + $0)) }
        case .unary("!", _): return truth(of: expression)
        case .unary("typeof", let operand):
            switch value(of: operand) {
            case .subject(.json(let path))?: return .subject(.type(path))
            default: return nil
            }
        case .binary("+", let left, let right):
            guard let left = value(of: left), let right = value(of: right), left.number == nil || right.number == nil else { return nil }
            if case .base64(let text, let before) = right, let first = left.string { return .base64(ofTemplate: text, after: first + before) }
            guard let first = left.text, let second = right.text else { return nil }
            return joined(first + second)
        case .binary("/", let left, .number("1000")):
            if case .interface("Date.now()")? = value(of: left) { return .interface("seconds") }
            return nil
        case .binary("*", let left, let right):
            guard case .interface("Math.random()")? = value(of: left), let bound = value(of: right)?.number else { return nil }
            return .interface("random \(bound)")
        case .binary: return truth(of: expression)
        case .unary, .conditional, .assignment, .sequence, .postfix, .other: return nil
        }
    }

    /// The value of an expression that is true or false; nil for another one, which only counts as one of them.
    private mutating func truth(of expression: JavaScriptExpression) -> ScriptValue? {
        guard Self.isTruthValue(expression) else { return nil }
        let (checks, opposite) = (checks(of: expression, true), checks(of: expression, false))
        return checks == nil && opposite == nil ? nil : .checks(checks, opposite: opposite)
    }

    private static func isTruthValue(_ expression: JavaScriptExpression) -> Bool {
        switch expression {
        case .boolean, .unary("!", _): true
        case .binary("&&", let left, let right), .binary("||", let left, let right): isTruthValue(left) && isTruthValue(right)
        case .binary(let operation, _, _): ["==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "instanceof"].contains(operation)
        case .call(.member(_, .string(let method), isOptional: false), _):
            [
                "includes", "has", "hasOwnProperty", "startsWith", "endsWith", "test", "every", "isArray", "isInteger", "isString", "isNumber",
                "validate",
            ].contains(method)
        default: false
        }
    }

    /// The value of a constant; nil for another one.
    mutating func constant(_ expression: JavaScriptExpression) -> JSONValue? {
        if case .constant(let value)? = value(of: expression) { return value }
        return nil
    }

    /// The path of the name of an object or a function of the tool; nil for another expression.
    mutating func interface(_ expression: JavaScriptExpression) -> String? {
        if case .interface(let path)? = value(of: expression) { return path }
        return nil
    }

    /// A text whose templates were joined; nil where all values together are too long.
    private mutating func joined(_ text: String) -> ScriptValue? {
        guard spend(text.utf8.count) else { return nil }
        return Template(text).isPlain ? .constant(.string(text)) : .template(text)
    }

    /// An array or an object; nil where all values together are too long.
    private mutating func composed(_ value: JSONValue) -> ScriptValue? { spend(value.compactText.utf8.count) ? .constant(value) : nil }

    private mutating func spend(_ count: Int) -> Bool {
        charactersLeft -= min(count, max(0, charactersLeft) + 1)
        return charactersLeft >= 0
    }

    /// A number as JSON has it; nil for one that JavaScript rounds, and for another notation.
    private static func number(_ digits: String) -> String? {
        guard digits.count(where: \.isNumber) <= 15 else { return nil }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return Int(digits.dropFirst(2), radix: 16).map(String.init) }
        let plain = digits.replacing("_", with: "")
        return if case .number(let text)? = JSONValue(ifValid: plain.hasPrefix(".") ? "0" + plain : plain) { text } else { nil }
    }

    private func named(_ path: String) -> ScriptValue {
        if !hiddenNames.contains(path), let subject = ScriptInterface.subject(named: path) { return .subject(subject) }
        return .interface(path)
    }

    // MARK: Members

    /// A member of a value; nil where it is not known.
    mutating func member(_ key: JavaScriptExpression, of owner: ScriptValue, isOptional: Bool = false) -> ScriptValue? {
        let key = value(of: key)
        switch owner {
        case .interface(let path):
            guard let name = key?.string else { return nil }
            if ScriptInterface.fieldObjects.contains(path) {
                // The names of fields are in lower case in Bruno.
                guard path != "res.headers" || name == name.lowercased() else { return nil }
                return .subject(.header(name))
            }
            return named(path + "." + name)
        case .subject(.json(let path)):
            if let index = key?.number { return Int(index).flatMap { $0 >= 0 ? .subject(.json(path + [.index($0)])) : nil } }
            guard let name = key?.string else { return nil }
            if name == "length" { return .subject(.length(path)) }
            return .subject(.json(path + [isOptional ? .optional(name) : .name(name)]))
        case .constant(let value):
            if let index = key?.number.flatMap({ Int($0) }) { return value[index].map { .constant($0) } ?? .undefined }
            guard let name = key?.string, case .object = value else { return nil }
            return value[name].map { .constant($0) } ?? .undefined
        case .undefined, .bytes, .words, .template, .base64, .pattern, .subject, .checks, .function: return nil
        }
    }

    // MARK: Calls

    private mutating func result(of callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> ScriptValue? {
        if let path = interface(callee) {
            if ScriptCrypto.functions.contains(path) { return ScriptCrypto.result(of: path, arguments.map { value(of: $0) }) }
            if let result = result(ofFunction: path, arguments) { return result }
        }
        if case .member(let object, .string("toString"), isOptional: false) = callee {
            if case .call(let function, let texts) = object, interface(function) == "Buffer.from", texts.count == 1, arguments.count == 1 {
                return value(of: arguments[0])?.string == "base64" ? ScriptCrypto.base64(of: value(of: texts[0])) : nil
            }
            switch value(of: object) {
            case .bytes(let bytes)?: return ScriptCrypto.text(of: bytes, arguments.map { value(of: $0) })
            case .words(let text)? where arguments.count == 1 && interface(arguments[0]) == "CryptoJS.enc.Base64":
                return .base64(ofTemplate: text, after: "")
            default: break
            }
        }
        if case .member(let object, .string(let method), isOptional: false) = callee, arguments.isEmpty {
            // The text of a text is itself.
            if method == "toString" || method == "trim", case .constant(.string(let text))? = value(of: object) {
                return .constant(.string(method == "trim" ? text.trimmingBlanks : text))
            }
        }
        return truth(of: .call(callee, arguments))
    }

    private mutating func result(ofFunction path: String, _ arguments: [JavaScriptExpression]) -> ScriptValue? {
        if arguments.isEmpty, let subject = ScriptInterface.result(of: path) { return .subject(subject) }
        let first = arguments.first.flatMap { value(of: $0) }
        if ScriptInterface.fields.contains(path) { return first?.string.map { .subject(.header($0)) } }
        if ScriptInterface.gets(path) {
            guard let name = first?.string, ForeignText.isVariable(name) else { return nil }
            if let known = environment[name] { return known }
            return .template("{{\(name)}}")
        }
        switch path {
        case "res": return first?.string.flatMap(Self.path).map { .subject(.json($0)) }
        case "JSON.parse":
            switch first {
            case .subject(.text)?: return .subject(.json([]))
            case .constant(.string(let text))?: return JSONValue(ifValid: text).map { .constant($0) }
            default: return nil
            }
        case "require":
            switch first?.string {
            case "uuid"?: return .interface("uuid")
            case "moment"?: return .interface("moment")
            case "lodash"?: return .interface("_")
            case "crypto"?: return .interface("crypto")
            case "ajv"?: return .interface("Ajv")
            case "crypto-js"?: return .interface("CryptoJS")
            case "btoa"?, "atob"?: return .interface(first?.string ?? "")
            default: return nil
            }
        case "Date.now", "new Date().getTime", "new Date().valueOf", "_.now", "moment().valueOf": return .interface("Date.now()")
        case "moment" where arguments.isEmpty: return .interface("moment()")
        case "moment().unix": return .template("{{$timestamp}}")
        case "moment().toISOString", "new Date().toISOString": return .template("{{$date}}")
        case "moment().format": return first?.string.flatMap(Self.datePattern).map { .template("{{$date \($0)}}") }
        case "Math.random": return .interface("Math.random()")
        case "Math.floor", "Math.trunc", "parseInt":
            guard case .interface(let argument)? = first else { return nil }
            if argument == "seconds" { return .template("{{$timestamp}}") }
            guard argument.hasPrefix("random "), let bound = Int(argument.dropFirst("random ".count)), bound > 0 else { return nil }
            return .template("{{$random \(bound)}}")
        case "_.random":
            guard arguments.count == 2, first?.number == "0", let bound = value(of: arguments[1])?.number.flatMap({ Int($0) }), bound > 0,
                bound < .max
            else { return nil }
            return .template("{{$random \(bound + 1)}}")
        case "uuid", "uuid.v4", "crypto.randomUUID": return .template("{{$uuid}}")
        case "pm.variables.replaceIn":
            var template = PostmanTemplate()
            guard let text = first?.string.map({ template.text($0) }), template.samples.isEmpty else { return nil }
            return joined(text)
        default: return nil
        }
    }

    /// The Unicode date pattern of a format of Moment; nil for one that has no equal.
    static func datePattern(_ format: String) -> String? {
        var result = ""
        var rest = format[...]
        let tokens = [("YYYY", "yyyy"), ("MM", "MM"), ("DD", "dd"), ("HH", "HH"), ("mm", "mm"), ("ss", "ss"), ("SSS", "SSS"), ("YY", "yy")]
        while let first = rest.first {
            if let (token, pattern) = tokens.first(where: { rest.hasPrefix($0.0) }) {
                result += pattern
                rest = rest.dropFirst(token.count)
            } else if first.isLetter || first == "[" || "{}|'".contains(first) {
                return nil
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result.isEmpty ? nil : result
    }
}
