internal import SortieBase

/// The assertions of Chai, which Postman, Insomnia, Bruno and httpyac have, and those of JetBrains and kulala.
extension ScriptTranslation {
    /// A link of a chain of members and calls: `to`, `eql(200)`.
    private typealias Link = (name: String, arguments: [JavaScriptExpression]?)

    /// What a chain of assertions has set so far.
    private struct Chain {
        var subject: ScriptValue
        var isNegated = false
        var isDeep = false
        var contains = false
        var isAny = false
        /// Whether the length of the value is compared.
        var comparesLength = false
        var checks: [ScriptCheck] = []
    }

    private static let words: Set = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still", "also", "all", "own",
    ]

    /// The checks of an assertion; nil for an expression that is none, or whose meaning no expectation has.
    mutating func assertion(_ expression: JavaScriptExpression) -> [ScriptCheck]? {
        if let checks = assertCall(expression) { return checks }
        guard let (argument, links) = chain(expression) else { return nil }
        guard let argument else { return responseChecks(links) }
        // `pm.expect(pm.response.to.have.status(200))` is an assertion in an argument that is not compared.
        if links.isEmpty { return assertion(argument) }
        return value(of: argument).flatMap { checks(of: links, Chain(subject: $0)) }
    }

    /// `client.assert(CONDITION)`, and the functions of `assert`.
    private mutating func assertCall(_ expression: JavaScriptExpression) -> [ScriptCheck]? {
        guard case .call(let callee, let arguments) = expression, let name = interface(callee), let first = arguments.first else { return nil }
        guard let root = ["client.assert", "assert"].first(where: { name == $0 || name.hasPrefix($0 + ".") }) else { return nil }
        switch name.dropFirst(root.count) {
        case "", ".true", ".isTrue", ".ok", ".isOk": return checks(of: first, true)
        case ".false", ".isFalse", ".isNotOk": return checks(of: first, false)
        case ".same", ".equal", ".strictEqual", ".deepEqual", ".deepStrictEqual", ".are_equal":
            guard arguments.count >= 2 else { return nil }
            // `assert.equal` of Chai and Node.js compares without types.
            return checks(of: .binary(name.hasSuffix(".equal") ? "==" : "===", first, arguments[1]), true)
        case ".hasString":
            guard arguments.count >= 2, let text = value(of: arguments[1])?.string, case .subject(let subject)? = value(of: first) else { return nil }
            var test = ScriptTest.matches(TextPattern.escaped(text))
            // A number has no parts.
            if case .json = subject { test.conditions = nil }
            return [ScriptCheck(subject: subject, test: test)]
        case ".responseHas", ".headersHas", ".jsonHas":
            guard arguments.count >= 2, let key = value(of: first)?.string, let other = constant(arguments[1]), !Self.isContainer(other),
                let subject = Self.subject(key, of: name)
            else { return nil }
            return [ScriptCheck(subject: subject, test: .equals(other))]
        default: return nil
        }
    }

    /// What a key names in the functions of kulala; nil for none.
    private static func subject(_ key: String, of function: String) -> ScriptCheck.Subject? {
        if function.hasSuffix(".headersHas") { return .header(key) }
        if function.hasSuffix(".jsonHas") { return path(key).map { .json($0) } }
        return ["status", "responseCode"].contains(key) ? .status : nil
    }

    /// The argument of `expect`, or nil for `pm.response`, and the links of the chain that begins there; nil for another expression.
    private mutating func chain(_ expression: JavaScriptExpression) -> (argument: JavaScriptExpression?, links: [Link])? {
        var links: [Link] = []
        var rest = expression
        while true {
            switch rest {
            case .call(let callee, let arguments):
                if let name = interface(callee), ScriptInterface.expectations.contains(name), let first = arguments.first {
                    return (first, links.reversed())
                }
                guard case .member(let object, .string(let name), isOptional: false) = callee else { return nil }
                links.append((name, arguments))
                rest = object
            case .name, .member(_, .string, isOptional: false):
                if links.last?.name == "to", interface(rest) == "pm.response" { return (nil, links.reversed()) }
                guard case .member(let object, .string(let name), _) = rest else { return nil }
                links.append((name, nil))
                rest = object
            default: return nil
            }
        }
    }

    // MARK: Chai

    private mutating func checks(of links: [Link], _ start: Chain) -> [ScriptCheck]? {
        var chain = start
        var isAssertion = false
        for link in links {
            if link.arguments == nil {
                switch link.name {
                case "not": chain.isNegated = true
                case "deep": chain.isDeep = true
                case "any": chain.isAny = true
                case "include", "includes", "contain", "contains": chain.contains = true
                case "length", "lengthOf": chain.comparesLength = true
                case let name where Self.words.contains(name): break
                default:
                    guard let test = Self.property(link.name), add(test, to: &chain) else { return nil }
                    isAssertion = true
                }
            } else {
                guard call(link, &chain) else { return nil }
                isAssertion = true
            }
        }
        return isAssertion ? chain.checks : nil
    }

    private static func property(_ name: String) -> ScriptTest? {
        switch name {
        case "true": .equals(.bool(true))
        case "false": .equals(.bool(false))
        case "null": .equals(.null)
        case "undefined": .missing
        case "exist", "exists": .hasValue
        case "ok": .truthy
        case "empty": .empty
        case "finite": .type(.number)
        default: nil
        }
    }

    /// Adds a test of the current value, negated where the chain is, unless the test is negated already; false where it has no equal.
    private func add(_ test: ScriptTest, to chain: inout Chain, isNegated: Bool = false) -> Bool {
        var test = test
        if chain.isNegated, !isNegated {
            // These fail for a value of another type, negated or not.
            if test == .empty { test = .notEmpty } else { test = test.negated }
        }
        switch chain.subject {
        case .subject(var subject):
            if chain.comparesLength {
                guard case .json(let path) = subject else { return false }
                subject = .length(path)
            }
            chain.checks.append(ScriptCheck(subject: subject, test: test))
            return true
        case .checks(let checks, let opposite):
            // A truth value is compared with true or false.
            let isTrue = test == .equals(.bool(true)) || test == .truthy
            guard isTrue || test == .equals(.bool(false)) || test == ScriptTest.truthy.negated, let found = isTrue ? checks : opposite else {
                return false
            }
            chain.checks += found
            return true
        case .constant(let value):
            do {
                var steps = TextPattern.maximumSteps
                return try !test.hasNoSchema && JSONSchema(test.schema).failures(in: value, limit: 1, patternSteps: &steps).isEmpty
            } catch { return false }
        case .undefined: return test.acceptsMissing
        case .bytes, .words, .template, .base64, .pattern, .function, .interface: return false
        }
    }

    private mutating func call(_ link: Link, _ chain: inout Chain) -> Bool {
        let arguments = (link.arguments ?? []).map { value(of: $0) }
        guard let first = arguments.first else { return false }
        let second = arguments.count > 1 ? arguments[1] : nil
        switch link.name {
        case "eql", "eqls", "equal", "equals", "eq":
            return add(equal(first, isDeep: chain.isDeep || link.name.hasPrefix("eql"), chain), to: &chain)
        case "a", "an": return first?.string.flatMap(Self.type).map { add($0, to: &chain) } ?? false
        case "above", "gt", "greaterThan": return bounded([(.greater, first)], &chain)
        case "least", "gte", "greaterThanOrEqual": return bounded([(.atLeast, first)], &chain)
        case "below", "lt", "lessThan": return bounded([(.less, first)], &chain)
        case "most", "lte", "lessThanOrEqual": return bounded([(.atMost, first)], &chain)
        case "within": return bounded([(.atLeast, first), (.atMost, second)], &chain)
        case "match", "matches":
            guard case .pattern(let pattern)? = first, !chain.isNegated else { return false }
            return add(.matches(pattern), to: &chain)
        case "string":
            guard let text = first?.string, !chain.isNegated else { return false }
            var test = ScriptTest.matches(TextPattern.escaped(text))
            test.conditions = nil
            return add(test, to: &chain)
        case "oneOf":
            guard case .constant(.array(let values))? = first, !values.contains(where: Self.isContainer) else { return false }
            return add(.oneOf(values), to: &chain)
        case "include", "includes", "contain", "contains": return include(first, &chain)
        case "property", "haveOwnProperty", "ownProperty": return property(first, second, count: arguments.count, &chain)
        case "length", "lengthOf":
            guard let count = first?.number else { return false }
            chain.comparesLength = true
            defer { chain.comparesLength = false }
            return bounded([(.atLeast, .constant(.number(count))), (.atMost, .constant(.number(count)))], &chain)
        case "keys", "key": return keys(arguments, &chain)
        case "members": return members(first, &chain)
        case "instanceof", "instanceOf":
            guard case .interface("Array")? = first else { return false }
            return add(.type(.array), to: &chain)
        default: return false
        }
    }

    private static func isContainer(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }

    /// The test of a value that equals another one; an impossible test where objects would be compared by identity.
    private func equal(_ other: ScriptValue?, isDeep: Bool, _ chain: Chain) -> ScriptTest {
        switch other {
        case .constant(let value) where isDeep || !Self.isContainer(value): .equals(value)
        case .template(let text): .equals(template: text)
        case .undefined: .missing
        default: ScriptTest(false)
        }
    }

    /// The type that Chai gives a name; nil for a type that JSON does not have.
    private static func type(_ name: String) -> ScriptTest? {
        switch name.lowercased() {
        case "undefined": .missing
        case "string", "number", "boolean", "object", "array", "null": ValueType(rawValue: name.lowercased()).map(ScriptTest.type)
        default: nil
        }
    }

    /// Adds limits, which a value that is no number does not satisfy, negated or not.
    private func bounded(_ limits: [(Comparison, ScriptValue?)], _ chain: inout Chain) -> Bool {
        let opposites: [Comparison: Comparison] = [.less: .atLeast, .atMost: .greater, .greater: .atMost, .atLeast: .less]
        var bounds: [(Comparison, String)] = []
        for (comparison, value) in limits {
            guard let number = value?.number, let opposite = opposites[comparison] else { return false }
            bounds.append((chain.isNegated ? opposite : comparison, number))
        }
        guard !chain.isNegated || bounds.count == 1 else { return false }
        return add(.number(bounds), to: &chain, isNegated: chain.isNegated)
    }

    private func include(_ part: ScriptValue?, _ chain: inout Chain) -> Bool {
        guard case .constant(let value)? = part else { return false }
        switch value {
        case .object(let members):
            guard !chain.isNegated, chain.isDeep || !members.contains(where: { Self.isContainer($0.value) }) else { return false }
            let properties = members.map { JSONValue.Member($0.key, ["const": $0.value]) }
            let object: JSONValue = ["type": "object", "required": .array(members.map { .string($0.key) }), "properties": .object(properties)]
            // Items of an array are compared by identity unless the comparison is deep.
            guard chain.isDeep else { return add(ScriptTest(object), to: &chain) }
            return add(ScriptTest(["anyOf": .array([object, ["type": "array", "contains": ["const": value]]])]), to: &chain)
        case .array:
            guard chain.isDeep, !chain.isNegated else { return false }
            return add(.contains(value), to: &chain)
        case .string: return chain.isNegated ? add(.lacks(value), to: &chain, isNegated: true) : add(.contains(value), to: &chain)
        case .null, .bool, .number: return !chain.isNegated && add(.contains(value), to: &chain)
        }
    }

    /// Adds the test of a member, which the rest of the chain is about.
    private func property(_ name: ScriptValue?, _ value: ScriptValue?, count: Int, _ chain: inout Chain) -> Bool {
        guard let name = name?.string, case .subject(.json(let path)) = chain.subject else { return false }
        if name == "length" {
            guard !chain.isNegated, count == 2, let value else { return false }
            chain.comparesLength = true
            defer { chain.comparesLength = false }
            return add(equal(value, isDeep: false, chain), to: &chain)
        }
        let outer = chain.subject
        chain.subject = .subject(.json(path + [.name(name)]))
        let test = count == 1 ? ScriptTest.exists : equal(value, isDeep: chain.isDeep, chain)
        guard add(test, to: &chain) else { return false }
        if chain.isNegated { chain.subject = outer }
        return true
    }

    private func keys(_ arguments: [ScriptValue?], _ chain: inout Chain) -> Bool {
        var names: [JSONValue] = []
        for argument in arguments {
            switch argument {
            case .constant(.array(let values))?: names += values
            case .constant(let value)?: names.append(value)
            default: return false
            }
        }
        guard !chain.isNegated, !names.isEmpty, names.allSatisfy({ if case .string = $0 { true } else { false } }) else { return false }
        if chain.isAny { return add(ScriptTest(["type": "object", "anyOf": .array(names.map { ["required": .array([$0])] })]), to: &chain) }
        var schema: [JSONValue.Member] = [.init("type", "object"), .init("required", .array(names))]
        if !chain.contains { schema.append(.init("maxProperties", .integer(Set(names).count))) }
        return add(ScriptTest(.object(schema)), to: &chain)
    }

    private func members(_ argument: ScriptValue?, _ chain: inout Chain) -> Bool {
        guard case .constant(.array(let values))? = argument, !chain.isNegated, chain.isDeep || !values.contains(where: Self.isContainer),
            Set(values.map(\.text)).count == values.count
        else { return false }
        var schema: [JSONValue.Member] = [.init("type", "array")]
        if !values.isEmpty { schema.append(.init("allOf", .array(values.map { ["contains": ["const": $0]] }))) }
        if !chain.contains { schema += [.init("minItems", .integer(values.count)), .init("maxItems", .integer(values.count))] }
        return add(ScriptTest(.object(schema)), to: &chain)
    }

    // MARK: Responses of Postman

    /// The checks of `pm.response.to…`.
    private mutating func responseChecks(_ links: [Link]) -> [ScriptCheck]? {
        var isNegated = false
        var checks: [ScriptCheck] = []
        for link in links {
            if link.arguments == nil, link.name == "not" {
                isNegated = true
                continue
            }
            if link.arguments == nil, Self.words.contains(link.name) { continue }
            guard let check = responseCheck(link) else { return nil }
            if isNegated {
                guard !check.test.hasNoSchema else { return nil }
                checks.append(check.negated)
            } else {
                checks.append(check)
            }
        }
        return checks.isEmpty ? nil : checks
    }

    /// The statuses that words stand for (chai-postman).
    private static let statuses: [String: ClosedRange<Int>] = [
        "ok": 200...200, "accepted": 202...202, "badRequest": 400...400, "unauthorized": 401...401, "forbidden": 403...403, "notFound": 404...404,
        "rateLimited": 429...429, "info": 100...199, "success": 200...299, "redirection": 300...399, "clientError": 400...499,
        "serverError": 500...599, "error": 400...599,
    ]

    private mutating func responseCheck(_ link: Link) -> ScriptCheck? {
        let arguments = (link.arguments ?? []).map { value(of: $0) }
        switch (link.name, arguments.first ?? nil) {
        case (let word, nil) where link.arguments == nil && Self.statuses[word] != nil:
            return Self.statuses[word].map { range in
                let test = ScriptTest.number([(.atLeast, String(range.lowerBound)), (.atMost, String(range.upperBound))])
                return ScriptCheck(subject: .status, test: test)
            }
        case ("json", nil) where link.arguments == nil, ("jsonBody", nil) where link.arguments?.isEmpty == true:
            return ScriptCheck(subject: .json([]), test: .exists)
        case ("withBody", nil) where link.arguments == nil: return ScriptCheck(subject: .text, test: .truthy)
        case ("status", .constant(let value)?):
            if case .string = value { return ScriptCheck(subject: .reason, test: .equals(value)) }
            return ScriptCheck(subject: .status, test: .equals(value))
        case ("header", let name?):
            guard let name = name.string else { return nil }
            guard arguments.count > 1 else { return ScriptCheck(subject: .header(name), test: .exists) }
            guard let text = arguments[1]?.string else { return nil }
            return ScriptCheck(subject: .header(name), test: .equals(.string(text)))
        case ("body", .constant(.string(let text))?): return ScriptCheck(subject: .text, test: .equals(.string(text)))
        case ("body", .pattern(let pattern)?): return ScriptCheck(subject: .text, test: .matches(pattern))
        case ("jsonBody", .constant(.object(let members))?):
            return ScriptCheck(subject: .json([]), test: .equals(.object(members)))
        case ("jsonBody", .constant(.string(let text))?):
            guard let path = Self.path(text) else { return nil }
            guard arguments.count > 1 else { return ScriptCheck(subject: .json(path), test: .exists) }
            guard case .constant(let value)? = arguments[1] else { return nil }
            return ScriptCheck(subject: .json(path), test: .equals(value))
        case ("jsonSchema", .constant(let schema)?): return ScriptTest.valid(by: schema).map { ScriptCheck(subject: .json([]), test: $0) }
        default: return nil
        }
    }

    /// The path `a.b[0]` of Lodash; nil for another text.
    static func path(_ text: String) -> [ScriptCheck.Step]? {
        do { return ScriptCheck.steps(of: try JSONPath(text.hasPrefix("[") ? "$" + text : "$." + text)) } catch { return nil }
    }
}

extension ScriptTest {
    /// A value that a schema permits; nil for a schema that means something else here.
    static func valid(by schema: JSONValue) -> ScriptTest? {
        // The values of the keyword are compared by the other tool only.
        guard !schema.has("format"), schema["id"] == nil else { return nil }
        do throws(JSONSchemaError) {
            _ = try JSONSchema(schema)
            guard schema.has("$ref"), schema["$id"] == nil, case .object(let members) = schema else { return ScriptTest(schema) }
            // References begin at the schema, also where it is a part of another one.
            return ScriptTest(.object([.init("$id", "schema")] + members))
        } catch { return nil }
    }
}

extension JSONValue {
    /// Whether an object in the value has a member of this name.
    fileprivate func has(_ name: String) -> Bool {
        switch self {
        case .array(let items): items.contains { $0.has(name) }
        case .object(let members): members.contains { $0.key == name || $0.value.has(name) }
        case .null, .bool, .number, .string: false
        }
    }
}
