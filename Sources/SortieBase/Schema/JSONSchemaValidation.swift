/// The validation of one value by the rules of a schema.
///
/// Its recursion has a limit, because a schema may refer to itself, and its cost has one, because `allOf` and `$ref` can multiply it.
struct JSONSchemaValidation {
    /// The rules of a schema, by one reference.
    private final class Rules {
        let nodes: [SchemaNode]
        let comments: [String?]

        init(_ schema: JSONSchema) { (nodes, comments) = (schema.nodes, schema.comments) }
    }

    /// A schema of the document or of another part.
    private struct EvaluatedSchema: Hashable {
        let part: Int
        let node: Int
        let isCollecting: Bool
        let scope: DynamicScope
    }

    /// The outcome of a trial.
    private struct Trial {
        let failures: [JSONSchemaFailure]
        let evaluated: EvaluatedParts?
    }

    /// The greatest depth of schemas that are evaluated within each other; fits into the stack of a thread for blocking work.
    private static let depthLimit = 512

    /// The rules of the schema itself.
    private let own: Rules
    /// The rules of the schema or of the part that is evaluated.
    private var rules: Rules
    /// Returns the other parts of a larger document.
    private let part: SchemaParts?
    /// The parts that were used, by their numbers.
    private var parts: [Rules?] = []
    /// The number of the part that is evaluated; -1 for the schema itself.
    private var partNumber = -1
    /// The schema with the nearest `$comment` around the rules that are evaluated, by the number of its part.
    private var commented = (part: -1, node: 0)
    /// The remaining budget of regular expressions.
    var patternSteps: Int
    var path: [JSONPath.Selector] = []
    private var depth = 0
    /// Whether only the first failure of each schema is needed, without the value, as within `anyOf`.
    private var isTrial = false
    /// The first failure, if any, of the current value by each schema that was evaluated in a trial, so that each is evaluated once.
    private var tried: [EvaluatedSchema: Trial] = [:]
    /// The parts of the current value to which schemas apply; nil where no schema around them has rules for the others.
    private var evaluated: EvaluatedParts?
    private var scope = DynamicScope()
    /// The most rules and bytes of values that are evaluated.
    private let stepLimit: Int
    private var steps = 0
    private var stepsAtCheck = 0

    init(_ schema: JSONSchema, patternSteps: Int, part: SchemaParts?, stepLimit: Int) {
        self.stepLimit = stepLimit
        own = Rules(schema)
        (rules, self.patternSteps, self.part) = (own, patternSteps, part)
    }

    /// Adds the failures of a value to a list, until the list has `limit` of them.
    mutating func validate(_ value: JSONValue, by node: Int, into failures: inout [JSONSchemaFailure], limit: Int) throws(PatternError) {
        guard depth < Self.depthLimit else {
            throw PatternError("the value or the references of the schema are nested deeper than \(Self.depthLimit) schemas at \(place)")
        }
        guard failures.count < limit else { return }
        if rules.nodes[node].isPlain { return try validate(value, byPlain: node, &failures, limit) }
        let key = isTrial ? current(node) : nil
        if let key, let known = tried[key] {
            try spend(1)
            failures += known.failures
            if known.failures.isEmpty, let parts = known.evaluated, evaluated != nil {
                try spend(parts.count)
                evaluated?.formUnion(parts)
            }
            return
        }
        let (count, outer, anchors) = (failures.count, commented, scope.count)
        let rulesOfNode = rules.nodes[node].rules
        var parts = evaluated
        if parts != nil { evaluated = EvaluatedParts() } else if case .unevaluated? = rulesOfNode.last { evaluated = EvaluatedParts() }
        depth += 1
        enter(node)
        defer {
            depth -= 1
            commented = outer
            scope.leave(to: anchors)
        }
        for rule in rulesOfNode {
            guard failures.count < limit else { break }
            try spend(1)
            switch rule {
            case .reference(let target): try validate(value, by: target, into: &failures, limit: limit)
            case .part(let number): try validate(value, by: 0, ofPart: number, into: &failures, limit: limit)
            case .dynamicReference(let anchor):
                let target = scope.target(of: anchor)
                try validate(value, by: target.node, ofPart: target.part ?? -1, into: &failures, limit: limit)
            case .scope(let anchors): scope.enter(anchors)
            case .members(let members): try validate(membersOf: value, members, &failures, limit)
            case .items(let prefix, let rest): try validate(itemsOf: value, prefix, rest, &failures, limit)
            case .allOf(let schemas):
                for schema in schemas where failures.count < limit { try validate(value, by: schema, into: &failures, limit: limit) }
            case .anyOf(let schemas): try validate(value, anyOf: schemas, &failures)
            case .oneOf(let schemas): try validate(value, oneOf: schemas, &failures)
            case .not(let schema):
                let parts = evaluated
                evaluated = nil
                defer { evaluated = parts }
                if try isValid(value, by: schema) { fail("not", "a value that does not match the schema", value, &failures) }
            case .conditional(let condition, let then, let otherwise):
                if let schema = try isValid(value, by: condition) ? then : otherwise {
                    try validate(value, by: schema, into: &failures, limit: limit)
                }
            case .contains(let schema, let minimum, let maximum):
                try validate(value, contains: schema, minimum, maximum, &failures)
            case .propertyNames(let schema): try validate(namesOf: value, schema, &failures, limit)
            case .dependentSchema(let name, let schema):
                if value[name] != nil { try validate(value, by: schema, into: &failures, limit: limit) }
            case .unevaluated(let members, let items): try validate(restOf: value, members, items, &failures, limit)
            default: try validate(value, byPlain: rule, &failures, limit)
            }
        }
        // A schema that a value does not match describes nothing of it; outside of alternatives, the value is invalid anyway.
        if !isTrial || failures.count == count, let own = evaluated, parts != nil {
            try spend(own.count)
            parts?.formUnion(own)
        }
        let own = evaluated
        evaluated = parts
        if let key { tried[key] = Trial(failures: Array(failures[count...]), evaluated: own) }
    }

    /// Validates a value by a schema without others.
    private mutating func validate(
        _ value: JSONValue, byPlain node: Int, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        let outer = commented
        enter(node)
        defer { commented = outer }
        for rule in rules.nodes[node].rules {
            guard failures.count < limit else { return }
            try spend(1)
            try validate(value, byPlain: rule, &failures, limit)
        }
    }

    /// Forgets the outcomes for another value.
    private mutating func forgetTrials() { if !tried.isEmpty { tried = [:] } }

    /// Notes the comment of a schema, if it has one.
    private mutating func enter(_ node: Int) {
        if !rules.comments.isEmpty, rules.comments[node] != nil { commented = (partNumber, node) }
    }

    /// A schema with what its outcome depends on beside the value.
    private func current(_ node: Int) -> EvaluatedSchema {
        EvaluatedSchema(part: partNumber, node: node, isCollecting: evaluated != nil, scope: scope)
    }

    private mutating func validate(
        _ value: JSONValue, by node: Int, ofPart number: Int, into failures: inout [JSONSchemaFailure], limit: Int
    ) throws(PatternError) {
        let outer = (rules, partNumber)
        (rules, partNumber) = (try rules(ofPart: number), number)
        defer { (rules, partNumber) = outer }
        try validate(value, by: node, into: &failures, limit: limit)
    }

    private mutating func rules(ofPart number: Int) throws(PatternError) -> Rules {
        guard number >= 0 else { return own }
        if number < parts.count, let known = parts[number] { return known }
        guard let part else { throw PatternError("the schema refers to a document that is not known") }
        let rules = Rules(try part(number))
        if number >= parts.count { parts += Array(repeating: nil, count: number + 1 - parts.count) }
        parts[number] = rules
        return rules
    }

    // MARK: Children

    private mutating func validate(
        membersOf value: JSONValue, _ rule: SchemaMembers, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .object(let members) = value else { return }
        var parts = evaluated
        evaluated = nil
        let outer = tried
        defer { (tried, evaluated) = (outer, parts) }
        var next = 0
        for member in members {
            guard failures.count < limit else { return }
            try spend(1)
            forgetTrials()
            path.append(.name(member.key))
            defer { path.removeLast() }
            var isKnown = false
            if let schema = rule.properties.value(of: member.key, next: &next) {
                isKnown = true
                try validate(member.value, by: schema, into: &failures, limit: limit)
            }
            for (pattern, schema) in rule.patterns where try pattern.isFound(in: member.key, steps: &patternSteps) {
                isKnown = true
                try validate(member.value, by: schema, into: &failures, limit: limit)
            }
            if parts != nil, isKnown || rule.additional != nil { parts?.insert(member.key) }
            guard !isKnown, let schema = rule.additional else { continue }
            try validate(member.value, by: schema, of: "additionalProperties", into: &failures, limit: limit)
        }
    }

    /// Validates a member or an item to which only the schema for the remaining parts applies.
    private mutating func validate(
        _ value: JSONValue, by schema: Int, of keyword: String, into failures: inout [JSONSchemaFailure], limit: Int
    ) throws(PatternError) {
        if case .forbidden("false")? = rules.nodes[schema].rules.first {
            failures.append(failure(keyword, keyword.hasSuffix("tems") ? "no such item" : "no such member", shown(value)))
        } else {
            try validate(value, by: schema, into: &failures, limit: limit)
        }
    }

    private mutating func validate(
        restOf value: JSONValue, _ membersSchema: Int?, _ itemsSchema: Int?, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        var parts = evaluated ?? EvaluatedParts()
        evaluated = nil
        let outer = tried
        defer { (tried, evaluated) = (outer, parts) }
        switch value {
        case .object(let members):
            guard let schema = membersSchema else { return }
            for member in members where failures.count < limit && !parts.contains(member.key) {
                try spend(1)
                forgetTrials()
                path.append(.name(member.key))
                defer { path.removeLast() }
                try validate(member.value, by: schema, of: "unevaluatedProperties", into: &failures, limit: limit)
            }
            parts.insertAllMembers()
        case .array(let items):
            guard let schema = itemsSchema else { return }
            for (index, item) in items.enumerated() where failures.count < limit && !parts.contains(index) {
                try spend(1)
                forgetTrials()
                path.append(.index(index))
                defer { path.removeLast() }
                try validate(item, by: schema, of: "unevaluatedItems", into: &failures, limit: limit)
            }
            parts.insertItems(upTo: items.count)
        case .null, .bool, .number, .string: return
        }
    }

    private mutating func validate(
        itemsOf value: JSONValue, _ prefix: [Int], _ rest: Int?, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .array(let items) = value else { return }
        var parts = evaluated
        evaluated = nil
        let outer = tried
        defer { (tried, evaluated) = (outer, parts) }
        parts?.insertItems(upTo: rest == nil ? prefix.count : items.count)
        for (index, item) in items.enumerated() {
            forgetTrials()
            guard failures.count < limit, let schema = index < prefix.count ? prefix[index] : rest else { return }
            path.append(.index(index))
            defer { path.removeLast() }
            try validate(item, by: schema, of: "items", into: &failures, limit: limit)
        }
    }

    private mutating func validate(
        namesOf value: JSONValue, _ schema: Int, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .object(let members) = value else { return }
        let (outer, parts) = (tried, evaluated)
        evaluated = nil
        defer { (tried, evaluated) = (outer, parts) }
        for member in members {
            guard failures.count < limit else { return }
            forgetTrials()
            var found: [JSONSchemaFailure] = []
            path.append(.name(member.key))
            defer { path.removeLast() }
            try validate(.string(member.key), by: schema, into: &found, limit: 1)
            guard let first = found.first else { continue }
            failures.append(failure("propertyNames", "a name with \(first.keyword): \(first.expected)", first.actual))
        }
    }

    private mutating func validate(
        _ value: JSONValue, contains schema: Int, _ minimum: Int, _ maximum: Int?, _ failures: inout [JSONSchemaFailure]
    ) throws(PatternError) {
        guard case .array(let items) = value else { return }
        var count = 0
        var parts = evaluated
        evaluated = nil
        let outer = tried
        defer { (tried, evaluated) = (outer, parts) }
        for (index, item) in items.enumerated() {
            forgetTrials()
            guard try isValid(item, by: schema) else { continue }
            count += 1
            parts?.insert(index)
        }
        if count < minimum {
            let keyword = minimum == 1 ? "contains" : "minContains"
            failures.append(failure(keyword, "at least \(ItemCount.text(minimum, "matching item"))", "\(count)"))
        }
        if let maximum, count > maximum {
            failures.append(failure("maxContains", "at most \(ItemCount.text(maximum, "matching item"))", "\(count)"))
        }
    }

    // MARK: Alternatives

    private mutating func isValid(_ value: JSONValue, by schema: Int) throws(PatternError) -> Bool {
        try firstFailure(of: value, by: schema).isEmpty
    }

    /// The first failure of a value, without the value itself; empty for a valid one.
    private mutating func firstFailure(of value: JSONValue, by schema: Int) throws(PatternError) -> [JSONSchemaFailure] {
        let outer = isTrial
        isTrial = true
        defer { isTrial = outer }
        var failures: [JSONSchemaFailure] = []
        try validate(value, by: schema, into: &failures, limit: 1)
        return failures
    }

    private mutating func validate(_ value: JSONValue, anyOf schemas: [Int], _ failures: inout [JSONSchemaFailure]) throws(PatternError) {
        var (found, isValid): ([JSONSchemaFailure], Bool) = ([], false)
        for schema in schemas {
            let first = try firstFailure(of: value, by: schema)
            if first.isEmpty {
                // The other alternatives may apply to further members.
                guard evaluated != nil else { return }
                isValid = true
            }
            found += first
        }
        guard !isValid else { return }
        failures.append(failure("anyOf", "a match of one of \(schemas.count) schemas", reasons(found)))
    }

    private mutating func validate(_ value: JSONValue, oneOf schemas: [Int], _ failures: inout [JSONSchemaFailure]) throws(PatternError) {
        var found: [JSONSchemaFailure] = []
        var matching: [Int] = []
        for (index, schema) in schemas.enumerated() {
            let first = try firstFailure(of: value, by: schema)
            if first.isEmpty { matching.append(index) }
            found += first
        }
        guard matching.count != 1 else { return }
        let numbers = matching.map(String.init).joined(separator: ", ")
        let actual = matching.isEmpty ? reasons(found) : "matches of the schemas \(numbers)"
        failures.append(failure("oneOf", "a match of exactly one of \(schemas.count) schemas", actual))
    }

    private func reasons(_ failures: [JSONSchemaFailure]) -> String {
        // The text of a trial is not used.
        if isTrial { return "" }
        // Without the values, because the value of one path may be a secret.
        guard !failures.isEmpty else { return "no match" }
        return "none: " + failures.prefix(3).map { "\($0.path): \($0.keyword): \($0.expected)" }.joined(separator: "; ")
    }

    // MARK: Limits

    private var place: JSONPath { JSONPath(steps: path.map { .init($0) }) }

    func failure(_ keyword: String, _ expected: String, _ actual: String) -> JSONSchemaFailure {
        let comments = (commented.part < 0 ? own : parts[commented.part])?.comments ?? []
        let comment = comments.isEmpty ? nil : comments[commented.node]
        return JSONSchemaFailure(path: place, keyword: keyword, expected: expected, actual: actual, comment: comment)
    }

    func fail(_ keyword: String, _ expected: String, _ value: JSONValue, _ failures: inout [JSONSchemaFailure]) {
        failures.append(failure(keyword, expected, shown(value)))
    }

    func shown(_ value: JSONValue) -> String { isTrial ? "" : JSONSchemaFailure.shown(value) }

    mutating func canonicalText(of value: JSONValue) throws(PatternError) -> String {
        let text = value.canonicalText
        try spend(text.utf8.count / 8)
        return text
    }

    private mutating func spend(_ cost: Int) throws(PatternError) {
        steps += cost
        guard steps <= stepLimit else { throw PatternError("the validation by the schema takes too many steps") }
        guard steps - stepsAtCheck > 10_000 else { return }
        stepsAtCheck = steps
        if Task.isCancelled { throw PatternError("the comparison was cancelled") }
    }
}
