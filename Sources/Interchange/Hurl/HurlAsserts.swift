internal import SortieBase
internal import WorkspaceModel

/// Makes the expectation and the captures of an endpoint of the response that a Hurl file describes.
struct HurlAsserts {
    private(set) var expectation = Expectation()
    private(set) var captures: [Capture] = []
    /// The statuses that all conditions permit; nil without a condition.
    private var statuses: [ClosedRange<Int>]?
    /// The variables that the captures of the same response set.
    private var own: Set<String> = []
    private static let allStatuses = 100...599

    /// A value that a response is compared with.
    private struct Value {
        /// The text with the templates of Sortie.
        var text: String
        /// The type, where the text alone does not show it.
        var type: ValueType?
        var hasTemplate = false
    }

    /// The expectation; nil where nothing is expected.
    var result: Expectation? {
        var result = expectation
        result.statuses = statuses
        return result == Expectation() ? nil : result
    }

    /// Adds what stands before the sections; returns the reasons for what is not compared.
    mutating func add(_ response: HurlFile.Response, _ templates: inout HurlTemplates) -> [(reason: ImportReason, place: SourceLocation)] {
        var omitted: [(ImportReason, SourceLocation)] = []
        own = Set(response.captures.map(\.name))
        if let version = response.version { omitted.append(("the version HTTP/\(version) of the response is not compared", response.place)) }
        if let status = response.status {
            if Self.allStatuses.contains(status) {
                permit([status...status])
            } else {
                omitted.append(("\(status) is no status", response.place))
            }
        }
        for row in response.headers {
            expectation.headers.append(Parameter(HurlText.unescaped(row.name), "= " + templates.text(row.value)))
        }
        for row in response.asserts {
            do throws(HurlQuery.Refusal) { try add(row.value, &templates) } catch {
                omitted.append(("the assert “\(ForeignText.short(row.value))” is not made: \(error.reason)", row.place))
            }
        }
        switch response.body {
        case (.json(let text), _)?, (.lines(let text, language: "json"), _)?:
            expectation.json.append(Parameter("$", "= " + templates.text(text.trimmingBlanks, hasEscapes: false)))
        case (_, let place)?: omitted.append(("the body of the response is not compared, because it is not JSON", place))
        case nil: break
        }
        for row in response.captures {
            do throws(HurlQuery.Refusal) { captures.append(try capture(row)) } catch {
                omitted.append(("the capture \(row.name) is not made: \(error.reason)", row.place))
            }
        }
        return omitted
    }

    private func capture(_ row: HurlFile.Pair) throws(HurlQuery.Refusal) -> Capture {
        guard let all = HurlToken.tokens(row.value) else { throw HurlQuery.Refusal("a text does not end") }
        var tokens = all[...]
        let query = try HurlQuery(&tokens)
        if tokens == [.word("redact")] { tokens = [] }
        guard tokens.isEmpty, !query.isCount else { throw HurlQuery.Refusal("what follows its query has no counterpart") }
        guard ForeignText.isVariable(row.name), !row.name.contains(".") else { throw HurlQuery.Refusal("this is not the name of a variable") }
        switch query.subject {
        case .status: return Capture(name: row.name, path: "status")
        case .header(let name): return Capture(name: row.name, path: "header \(name)")
        case .json(let path): return Capture(name: row.name, path: path.description)
        case .duration, .size, .text, .cookie: throw HurlQuery.Refusal("only parts of JSON, fields and the status are captured")
        }
    }

    // MARK: Asserts

    private mutating func add(_ line: String, _ templates: inout HurlTemplates) throws(HurlQuery.Refusal) {
        guard let all = HurlToken.tokens(line) else { throw HurlQuery.Refusal("a text does not end") }
        var tokens = all[...]
        let query = try HurlQuery(&tokens)
        let isNegated = tokens.first == .word("not")
        if isNegated { tokens.removeFirst() }
        guard case .word(let word)? = tokens.popFirst() else { throw HurlQuery.Refusal("its predicate is missing") }
        let predicate = Self.present[word] ?? word
        switch query.subject {
        case .status: permit(try Self.ranges(predicate, isNegated, try number(&tokens)))
        case .duration:
            guard let limit = Int(try number(&tokens)), limit > 0, predicate == "<" || predicate == "<=", !isNegated else {
                throw HurlQuery.Refusal("only the longest duration is compared")
            }
            expectation.under = .milliseconds(limit)
        case .size:
            let text = predicate == "==" ? try number(&tokens) : "\(predicate) \(try number(&tokens))"
            guard query.isCount, !isNegated, let condition = SizeCondition(text) else {
                throw HurlQuery.Refusal("only the number of bytes is compared")
            }
            expectation.size = condition
        case .text:
            guard ["contains", "startsWith", "matches"].contains(predicate), !isNegated else {
                throw HurlQuery.Refusal("of the text of the body, only a part is compared")
            }
            if let condition = try condition(predicate, false, &tokens, &templates)?.text {
                expectation.body.append(Parameter(Expectation.bodyName, condition))
            }
        case .cookie(let name, let attribute): try addCookie(name, attribute, predicate, isNegated, &tokens, &templates)
        case .header(let name) where predicate == "includes" && !isNegated:
            expectation.headers.append(Parameter(name, "= " + (try value(&tokens, &templates)).text))
        case .header(let name):
            if let condition = try condition(predicate, isNegated, &tokens, &templates)?.text {
                expectation.headers.append(Parameter(name, condition))
            }
        case .json(let path) where query.isCount:
            guard let count = Int(try number(&tokens)), (0...1_000_000).contains(count), !isNegated else {
                throw HurlQuery.Refusal("this count is not compared")
            }
            try addCount(predicate, count, of: path)
        case .json(let path): try add(predicate, isNegated, at: path, isConverted: query.isConverted, &tokens, &templates)
        }
        guard tokens.isEmpty else { throw HurlQuery.Refusal("more stands after its predicate") }
    }

    /// The names of predicates that other ones replace.
    private static let present = [
        "equals": "==", "notEquals": "!=", "greaterThan": ">", "greaterThanOrEquals": ">=", "lessThan": "<", "lessThanOrEquals": "<=",
    ]
    private static let inverted = ["==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "exists": "missing"]
    /// The types that predicates without a value test; a number with a fraction also has to be written as one.
    private static let types: [String: ValueType] = [
        "isBoolean": .boolean, "isFloat": .number, "isInteger": .integer, "isIsoDate": .date, "isList": .array, "isNumber": .number,
        "isObject": .object, "isString": .string,
    ]

    private mutating func add(
        _ predicate: String, _ isNegated: Bool, at path: JSONPath, isConverted: Bool, _ tokens: inout ArraySlice<HurlToken>,
        _ templates: inout HurlTemplates
    ) throws(HurlQuery.Refusal) {
        func row(_ condition: String, _ path: JSONPath = path) { expectation.json.append(Parameter(path.description, condition)) }
        if isNegated, !isConverted, let test = try lacking(predicate, &tokens, &templates) {
            // Conditions have no opposites of these predicates, but a schema has.
            var all = ScriptExpectation(expectation)
            guard let steps = ScriptCheck.steps(of: path), all.add([ScriptCheck(subject: .json(steps), test: test)]) else {
                throw HurlQuery.Refusal("not \(predicate) after this path has no counterpart")
            }
            expectation = all.result(beside: [])
            return
        }
        if let type = Self.types[predicate] {
            guard !isNegated else { throw HurlQuery.Refusal("not \(predicate) has no counterpart") }
            row("type \(type.rawValue)")
            if predicate == "isFloat" { row("matches [.eE]") }
            return
        }
        switch (predicate, isNegated) {
        // As text, lists and objects begin with a bracket that the other one follows where they are empty.
        case ("isEmpty", false): row("oneOf [\"\", \"[]\", \"{}\"]")
        case ("isEmpty", true): row("matches ^([^\\[{]|\\[[^\\]]|\\{[^}])")
        case ("isCollection", false): row("matches ^[\\[{]")
        case ("isUuid", false):
            row("matches ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
            row("type string")
        // One of several values is the text; a text that has another one in it is a single value.
        case ("contains", false) where !path.isSingular: row("= " + (try value(&tokens, &templates)).text)
        case ("includes", false):
            guard path.isSingular else { throw HurlQuery.Refusal("includes after a path that selects several values has no counterpart") }
            row("= " + (try value(&tokens, &templates)).text, path.appending(.wildcard))
        default:
            guard let found = try condition(predicate, isNegated, &tokens, &templates) else { return }
            row(found.text)
            if let type = found.type, !isConverted { row("type \(type.rawValue)") }
        }
    }

    /// The test of a value of the type of a predicate that does not satisfy the predicate; nil for one whose opposite is a condition.
    private func lacking(
        _ predicate: String, _ tokens: inout ArraySlice<HurlToken>, _ templates: inout HurlTemplates
    ) throws(HurlQuery.Refusal) -> ScriptTest? {
        switch predicate {
        case "contains", "startsWith", "endsWith", "matches":
            guard let found = try condition(predicate, false, &tokens, &templates) else { return nil }
            let pattern = Template.unquoting(String(found.text.dropFirst("matches ".count)))
            return ScriptTest(["type": "string", "not": ["pattern": .string(pattern)]])
        case "includes":
            let value = try value(&tokens, &templates)
            guard !value.hasTemplate else { throw HurlQuery.Refusal("a value of a variable cannot be a part of a schema") }
            let item: JSONValue =
                switch value.type {
                case .number?: .number(value.text)
                case .boolean?: .bool(value.text == "true")
                case .null?: .null
                default: .string(Template.unquoting(value.text))
                }
            return ScriptTest(["type": "array", "not": ["contains": ["const": item]]])
        case "isBoolean", "isInteger", "isList", "isNumber", "isObject", "isString":
            return Self.types[predicate].map { ScriptTest(["not": ["type": .string($0.rawValue)]]) }
        default: return nil
        }
    }

    /// The condition of a predicate on one value.
    private func condition(
        _ predicate: String, _ isNegated: Bool, _ tokens: inout ArraySlice<HurlToken>, _ templates: inout HurlTemplates
    ) throws(HurlQuery.Refusal) -> (text: String, type: ValueType?)? {
        guard let word = isNegated ? Self.inverted[predicate] : predicate else { throw HurlQuery.Refusal("not \(predicate) has no counterpart") }
        switch word {
        case "exists", "missing": return (word, nil)
        case "==", "!=":
            let value = try value(&tokens, &templates)
            guard value.text.first?.isWhitespace != true else { throw HurlQuery.Refusal("a text that begins with a blank is not compared") }
            // Conditions compare texts: the number of such a text would not pass, which is unequal to it in Hurl.
            guard word == "==" || value.type != .string else { throw HurlQuery.Refusal("a text that looks like another value is compared with it") }
            return (word == "==" ? "= \(value.text)" : "!= \(value.text)", word == "==" ? value.type : nil)
        case "<", "<=", ">", ">=":
            let value = try value(&tokens, &templates)
            guard value.type == .number || value.hasTemplate else { throw HurlQuery.Refusal("only numbers are greater or less") }
            return ("\(word) \(value.text)", nil)
        case "startsWith", "endsWith", "contains":
            let value = try value(&tokens, &templates)
            guard !value.hasTemplate else { throw HurlQuery.Refusal("a value of a variable cannot be a part of a pattern") }
            let text = Self.pattern(for: Template.unquoting(value.text))
            return (Template.quoting("matches \(word == "startsWith" ? "^" : "")\(text)\(word == "endsWith" ? "$" : "")"), .string)
        case "matches":
            let pattern: String
            switch tokens.popFirst() {
            case .pattern(let text)?, .string(let text, isRaw: true)?: pattern = text
            case .string(let text, isRaw: false)?: pattern = HurlText.unescaped(text)
            default: throw HurlQuery.Refusal("matches has no pattern after it")
            }
            do { _ = try TextPattern(pattern) } catch { throw HurlQuery.Refusal(error.message) }
            return (Template.quoting("matches \(pattern)"), .string)
        default: throw HurlQuery.Refusal("the predicate \(predicate) has no counterpart")
        }
    }

    private func value(_ tokens: inout ArraySlice<HurlToken>, _ templates: inout HurlTemplates) throws(HurlQuery.Refusal) -> Value {
        let token = tokens.popFirst()
        if case .string(let text, _)? = token { try refuseOwn(in: text) }
        if case .template(let name)? = token { try refuseOwn(in: "{{\(name)}}") }
        switch token {
        case .string(let text, let isRaw)?:
            // A text that looks like another value of JSON equals only a text.
            let isAmbiguous = HurlText.isLiteral(text) || "[{".contains(text.first ?? " ")
            return Value(
                text: templates.text(text, hasEscapes: !isRaw), type: isAmbiguous && !text.contains("{{") ? .string : nil,
                hasTemplate: text.contains("{{"))
        case .number(let text)?: return Value(text: text, type: .number)
        case .word(let word)? where word == "true" || word == "false": return Value(text: word, type: .boolean)
        case .word("null")?: return Value(text: "null", type: .null)
        case .template(let name)?: return Value(text: templates.text("{{\(name)}}"), hasTemplate: true)
        case .bytes?: throw HurlQuery.Refusal("bytes are not compared")
        default: throw HurlQuery.Refusal("its value is missing")
        }
    }

    /// Refuses a text with a value that the same response captures, which only later requests can use.
    private func refuseOwn(in text: String) throws(HurlQuery.Refusal) {
        var used: String?
        _ = ForeignText.translated(text) { name in
            if own.contains(name) { used = name }
            return ""
        }
        if let used { throw HurlQuery.Refusal("\(used) is captured from the same response") }
    }

    private func number(_ tokens: inout ArraySlice<HurlToken>) throws(HurlQuery.Refusal) -> String {
        guard case .number(let text)? = tokens.popFirst() else { throw HurlQuery.Refusal("it is compared only with a number") }
        return text
    }

    /// A text as a regular expression; blanks at its beginning are not those of a condition.
    static func pattern(for text: String) -> String {
        let pattern = TextPattern.escaped(text).replacing(scalars: "\n", with: "\\n").replacing(scalars: "\r", with: "\\r")
            .replacing(scalars: "\t", with: "\\t")
        return pattern.first == " " ? "[ ]" + pattern.dropFirst() : pattern
    }

    // MARK: Statuses, counts and cookies

    private mutating func permit(_ ranges: [ClosedRange<Int>]) {
        let before = statuses ?? [Self.allStatuses]
        statuses = before.flatMap { range in ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) } }
    }

    private static func ranges(_ predicate: String, _ isNegated: Bool, _ text: String) throws(HurlQuery.Refusal) -> [ClosedRange<Int>] {
        guard let predicate = isNegated ? inverted[predicate] : predicate, let status = Int(text), allStatuses.contains(status) else {
            throw HurlQuery.Refusal("\(text) is no status")
        }
        let (first, last) = (allStatuses.lowerBound, allStatuses.upperBound)
        switch predicate {
        case "==": return [status...status]
        case "!=": return (status > first ? [first...(status - 1)] : []) + (status < last ? [(status + 1)...last] : [])
        case "<" where status > first: return [first...(status - 1)]
        case "<=": return [first...status]
        case ">" where status < last: return [(status + 1)...last]
        case ">=": return [status...last]
        default: throw HurlQuery.Refusal("the predicate \(predicate) has no counterpart")
        }
    }

    /// Compares the number of items of an array by those that it has and has not.
    private mutating func addCount(_ predicate: String, _ count: Int, of path: JSONPath) throws(HurlQuery.Refusal) {
        guard path.isSingular else { throw HurlQuery.Refusal("the count of a path that selects several values has no counterpart") }
        func item(_ index: Int, _ condition: String) {
            if index >= 0 { expectation.json.append(Parameter(path.appending(.index(index)).description, condition)) }
        }
        let (least, most): (Int?, Int?) =
            switch predicate {
            case "==": (count, count)
            case ">": (count + 1, nil)
            case ">=": (count, nil)
            case "<": (nil, count - 1)
            case "<=": (nil, count)
            default: (nil, nil)
            }
        guard least != nil || most != nil, most != -1 else { throw HurlQuery.Refusal("the predicate \(predicate) has no counterpart") }
        expectation.json.append(Parameter(path.description, "type array"))
        if let least { item(least - 1, "exists") }
        if let most { item(most, "missing") }
    }

    /// Compares a cookie by the text of its field.
    private mutating func addCookie(
        _ name: String, _ attribute: String?, _ predicate: String, _ isNegated: Bool, _ tokens: inout ArraySlice<HurlToken>,
        _ templates: inout HurlTemplates
    ) throws(HurlQuery.Refusal) {
        let start = "^" + Self.pattern(for: name) + "="
        let prefix = attribute.map { start + ".*;\\s*(?i:" + Self.pattern(for: $0) + ")" } ?? start
        switch predicate {
        case "exists" where !isNegated: expectation.headers.append(Parameter("Set-Cookie", Template.quoting("matches \(prefix)")))
        case "==" where !isNegated:
            let value = try value(&tokens, &templates)
            guard !value.hasTemplate else { throw HurlQuery.Refusal("a value of a variable cannot be a part of a pattern") }
            let text = Self.pattern(for: Template.unquoting(value.text)).replacing("[ ]", with: " ")
            expectation.headers.append(Parameter("Set-Cookie", Template.quoting("matches \(prefix)\(attribute == nil ? "" : "=")\(text)\\s*(;|$)")))
        default: throw HurlQuery.Refusal("only the existence and the value of a cookie are compared")
        }
    }
}
