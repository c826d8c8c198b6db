internal import SortieBase
internal import WorkspaceModel

/// The expectation that checks of scripts become.
struct ScriptExpectation {
    private(set) var expectation: Expectation
    /// The schema of what conditions do not express.
    private var schema: JSONValue?
    /// Every check that was added.
    private(set) var checks: Set<ScriptCheck> = []
    /// The paths of the JSON values whose members a script reads, which fails where they are missing or null; the root stands for the body.
    private var read: Set<[ScriptCheck.Step]> = []

    init(_ expectation: Expectation = Expectation()) {
        self.expectation = expectation
        guard case .inline(let text)? = expectation.schema else { return }
        schema = JSONValue(ifValid: text)
    }

    /// The expectation with its schema.
    ///
    /// - Parameter captures: The values that are captured from the same response, which therefore must be there.
    func result(beside captures: [Capture]) -> Expectation {
        var result = expectation
        if let schema { result.schema = .inline(schema.text) }
        let present = captures.map(\.path) + result.json.filter { $0.value != "missing" }.map(\.name)
        result.json.removeAll { row in
            row.value == "!= null" && present.contains { $0.hasPrefix(row.name + ".") || $0.hasPrefix(row.name + "[") }
        }
        let readsBody = !result.json.isEmpty || result.schema != nil || captures.contains(where: \.readsBody)
        if !read.isEmpty, !readsBody { result.json = [Parameter("$", "exists")] }
        return result
    }

    /// Records that a script reads the value at a path, whether it is there or not.
    ///
    /// - Returns: False where no expectation has the meaning that the objects around it must be there.
    mutating func read(_ path: [ScriptCheck.Step]) -> Bool {
        read.insert([])
        guard path.count > 1, read.insert(Array(path.dropLast())).inserted else { return true }
        return path.contains(.every) ? add(.hasValue, at: Array(path.dropLast())) : addParent(of: path)
    }

    /// Adds checks, all or none.
    ///
    /// - Returns: False where no expectation has their meaning.
    mutating func add(_ checks: [ScriptCheck]) -> Bool {
        let before = self
        for check in checks where !add(check) {
            self = before
            return false
        }
        return true
    }

    /// Whether a response that satisfies the expectation also satisfies a check.
    func implies(_ check: ScriptCheck) -> Bool {
        if checks.contains(check) { return true }
        guard check.subject == .status, let statuses = expectation.statuses, let accepted = Self.statuses(check.test) else { return false }
        return statuses.allSatisfy { $0.allSatisfy(accepted.contains) }
    }

    private mutating func add(_ check: ScriptCheck) -> Bool {
        checks.insert(check)
        let test = check.test
        switch check.subject {
        case .status: return Self.statuses(test).map { restrict(to: $0) } ?? false
        case .reason:
            guard case .string(let text)? = test.schema["const"] else { return false }
            let codes = Set(Self.reasons.filter { $0.value.lowercased() == text.lowercased() }.map(\.key))
            return restrict(to: codes)
        case .time: return limitTime(test)
        case .text:
            guard let conditions = test.textual else { return false }
            return add(conditions, named: Expectation.bodyName, to: \.body)
        case .header(let name):
            guard let conditions = test.textual else { return false }
            return add(conditions, named: name, to: \.headers)
        case .length(let path):
            guard let test = Self.lengthTest(test) else { return false }
            return add(ScriptCheck(subject: .json(path), test: test))
        case .type(let path):
            if test.schema == ["not": ["const": "undefined"]] { return add(ScriptCheck(subject: .json(path), test: .exists)) }
            guard case .string(let word)? = test.schema["const"], let test = Self.typeTest(word) else { return false }
            return add(ScriptCheck(subject: .json(path), test: test))
        case .json(let path): return add(test, at: path)
        }
    }

    // MARK: Status and time

    private static let possible = 100...599

    /// The statuses that satisfy a test; nil for a test that is not evaluated.
    private static func statuses(_ test: ScriptTest) -> Set<Int>? {
        do {
            let schema = try JSONSchema(test.schema)
            return Set(try possible.filter { try schema.failures(in: .integer($0), limit: 1).isEmpty })
        } catch { return nil }
    }

    private mutating func restrict(to codes: Set<Int>) -> Bool {
        guard codes.count < Self.possible.count else { return true }
        let known = expectation.statuses.map { $0.flatMap { Array($0) } }
        let remaining = (known ?? Array(Self.possible)).filter(codes.contains).sorted()
        guard let first = remaining.first else { return false }
        var ranges = [first...first]
        for code in remaining.dropFirst() {
            if let last = ranges.last, code == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        if remaining.count != known?.count { expectation.statuses = ranges }
        return true
    }

    private mutating func limitTime(_ test: ScriptTest) -> Bool {
        guard case .object(let members) = test.schema, members.count == 2, members[0].key == "type",
            members[1].key == "maximum" || members[1].key == "exclusiveMaximum", case .number(let text) = members[1].value,
            let limit = Int(text), limit > 0
        else { return false }
        expectation.under = min(expectation.under ?? .milliseconds(limit), .milliseconds(limit))
        return true
    }

    /// The reason phrases of statuses (RFC 9110 §15).
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
        304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
        410: "Gone", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]

    // MARK: Derived subjects

    /// The test of a value whose length satisfies a test.
    private static func lengthTest(_ test: ScriptTest) -> ScriptTest? {
        guard case .object(let members) = test.schema else { return nil }
        var (least, most): (Int, Int?) = (0, nil)
        for member in members {
            if member.key == "type", member.value == "number" { continue }
            guard case .number(let text) = member.value, let number = Int(text), number >= 0 else { return nil }
            switch member.key {
            case "const": (least, most) = (number, number)
            case "minimum": least = number
            case "exclusiveMinimum" where number < .max: least = number + 1
            case "maximum": most = number
            case "exclusiveMaximum" where number > 0: most = number - 1
            default: return nil
            }
        }
        return .sized(least, most)
    }

    /// The test of a value for which `typeof` gives a word.
    private static func typeTest(_ word: String) -> ScriptTest? {
        switch word {
        case "undefined": .missing
        case "object": ScriptTest(["type": .array(["object", "array", "null"])])
        case "string", "number", "boolean": ValueType(rawValue: word).map(ScriptTest.type)
        default: nil
        }
    }

    // MARK: JSON

    private mutating func add(_ test: ScriptTest, at path: [ScriptCheck.Step]) -> Bool {
        read.insert([])
        if let conditions = test.conditions, let text = Self.text(of: path), !test.acceptsMissing || conditions == [.missing] {
            let before = expectation
            // The object of a missing member must be there: in a script, reading a member of nothing fails.
            let hasParent = !test.acceptsMissing || path.isEmpty || addParent(of: path)
            if hasParent, add(conditions, named: text, to: \.json) { return true }
            expectation = before
        }
        // A template has its value when the request is sent, and schemas have none.
        if test.hasNoSchema { return false }
        guard let found = Self.schema(of: test, at: path[...]) else { return false }
        schema = schema.map { Self.merged($0, found) } ?? found
        return true
    }

    private mutating func addParent(of path: [ScriptCheck.Step]) -> Bool {
        guard !path.contains(where: { if case .optional = $0 { true } else { false } }) else { return false }
        guard let text = Self.text(of: Array(path.dropLast())) else { return false }
        return add([.differs("null")], named: text, to: \.json)
    }

    /// Adds rows; false where a row has another condition of the same kind, because a file has one of each kind.
    private mutating func add(_ tests: [Condition.Test], named name: String, to rows: WritableKeyPath<Expectation, [Parameter]>) -> Bool {
        for test in tests {
            let row = Parameter(name, Self.text(of: test))
            if expectation[keyPath: rows].contains(row) { continue }
            let others = expectation[keyPath: rows].filter { $0.name == name }
            let kinds = others.map { row in
                do throws(ConditionError) { return try Condition(row.value).entry.key } catch { return .equals }
            }
            guard rows == \Expectation.body || !kinds.contains(Condition(test).entry.key) else { return false }
            expectation[keyPath: rows].append(row)
        }
        return true
    }

    /// The text of a condition, without a word where the text is compared literally.
    private static func text(of test: Condition.Test) -> String {
        let text = Condition(test).text
        guard case .equals(let operand) = test, !operand.isEmpty else { return text }
        do throws(ConditionError) { return try Condition(operand).test == test ? operand : text } catch { return text }
    }

    /// The path in the notation of JSONPath; nil for a path to several values.
    static func text(of path: [ScriptCheck.Step]) -> String? {
        var steps: [JSONPath.Step] = []
        for step in path {
            switch step {
            case .name(let name), .optional(let name): steps.append(.init(.name(name)))
            case .index(let index): steps.append(.init(.index(index)))
            case .every: return nil
            }
        }
        return JSONPath(steps: steps).description
    }

    /// The greatest index of an item that a schema describes.
    private static let longestPrefix = 1000

    /// The schema of a body whose value at a path satisfies a test.
    private static func schema(of test: ScriptTest, at path: ArraySlice<ScriptCheck.Step>) -> JSONValue? {
        guard let first = path.first else { return test.schema }
        guard let inner = schema(of: test, at: path.dropFirst()) else { return nil }
        let mayBeMissing = path.count == 1 && test.acceptsMissing
        switch first {
        case .optional where test.acceptsMissing: return nil
        case .name(let name), .optional(let name):
            let members: JSONValue = .object([.init(name, inner)])
            if mayBeMissing { return ["not": ["type": "null"], "properties": members] }
            let own: [JSONValue.Member] = inner == true ? [] : [.init("properties", members)]
            return .object([.init("type", "object"), .init("required", .array([.string(name)]))] + own)
        case .index(let index):
            // The schema has an item for each one before it.
            guard index < longestPrefix else { return nil }
            let items = JSONValue.array(Array(repeating: true, count: index) + [inner])
            if mayBeMissing { return ["not": ["type": "null"], "prefixItems": items] }
            return ["type": "array", "minItems": .integer(index + 1), "prefixItems": items]
        case .every: return ["type": "array", "items": inner]
        }
    }

    /// The schema of what satisfies both of two schemas: members are joined where each has another part, otherwise both are in `allOf`.
    static func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        if one == other || other == true { return one }
        if one == true { return other }
        guard case .object(var members) = one, case .object(let added) = other, (members + added).allSatisfy({ independent.contains($0.key) }) else {
            return both(one, other)
        }
        for member in added {
            guard let index = members.firstIndex(where: { $0.key == member.key }) else {
                members.append(member)
                continue
            }
            guard let joined = joined(member.key, members[index].value, member.value) else { return both(one, other) }
            members[index].value = joined
        }
        return .object(members)
    }

    /// The keywords whose meaning does not depend on others of the same schema.
    private static let independent: Set = [
        "type", "required", "properties", "items", "not", "const", "enum", "anyOf", "allOf", "pattern", "minItems", "maxItems", "minLength",
        "maxLength",
        "minProperties", "maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    ]

    private static func both(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        if case .array(let schemas)? = one["allOf"], case .object(let members) = one, members.count == 1 {
            return ["allOf": .array(schemas + [other])]
        }
        return ["allOf": .array([one, other])]
    }

    /// The value of a keyword that two schemas have; nil where it cannot have the meaning of both.
    private static func joined(_ keyword: String, _ one: JSONValue, _ other: JSONValue) -> JSONValue? {
        if one == other { return one }
        switch (keyword, one, other) {
        case ("properties", .object(var members), .object(let added)):
            for member in added {
                if let index = members.firstIndex(where: { $0.key == member.key }) {
                    members[index].value = merged(members[index].value, member.value)
                } else {
                    members.append(member)
                }
            }
            return .object(members)
        case ("required", .array(let names), .array(let added)): return .array(names + added.filter { !names.contains($0) })
        case ("allOf", .array(let schemas), .array(let added)): return .array(schemas + added)
        case ("items", .object, .object): return merged(one, other)
        default: return nil
        }
    }
}
