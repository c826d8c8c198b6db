/// The validation of one value by the rules of a schema.
///
/// Its recursion has a limit, because a schema may refer to itself, and its cost has one, because `allOf` and `$ref` can multiply it.
struct JSONSchemaValidation {
    /// The rules of a schema, by one reference.
    private final class Rules {
        let nodes: [[SchemaRule]]
        let comments: [String?]

        init(_ schema: JSONSchema) { (nodes, comments) = (schema.nodes, schema.comments) }
    }

    /// A schema of the document or of another part.
    private struct EvaluatedSchema: Hashable {
        let part: Int
        let node: Int
    }

    /// The greatest depth of schemas that are evaluated within each other; fits into the stack of a thread for blocking work.
    private static let depthLimit = 512
    /// The most rules and bytes of values that one validation evaluates.
    private static let stepLimit = 20_000_000

    /// The rules of the schema or of the part that is evaluated.
    private var rules: Rules
    /// Returns the other parts of a larger document.
    private let part: SchemaParts?
    /// The parts that were used, by their numbers.
    private var parts: [Rules?] = []
    /// The number of the part that is evaluated; -1 for the schema itself.
    private var partNumber = -1
    /// The schema with the nearest `$comment` around the rules that are evaluated.
    private var commented: (rules: Rules, node: Int)
    /// The remaining budget of regular expressions.
    var patternSteps: Int
    private var path: [JSONPath.Selector] = []
    private var depth = 0
    /// Whether only the first failure of each schema is needed, without the value, as within `anyOf`.
    private var isTrial = false
    /// The first failure, if any, of the current value by each schema that was evaluated in a trial, so that each is evaluated once.
    private var tried: [EvaluatedSchema: [JSONSchemaFailure]] = [:]
    private var steps = 0
    private var stepsAtCheck = 0

    init(_ schema: JSONSchema, patternSteps: Int, part: SchemaParts?) {
        (rules, self.patternSteps, self.part) = (Rules(schema), patternSteps, part)
        commented = (rules, 0)
    }

    /// Adds the failures of a value to a list, until the list has `limit` of them.
    mutating func validate(_ value: JSONValue, by node: Int, into failures: inout [JSONSchemaFailure], limit: Int) throws(PatternError) {
        guard depth < Self.depthLimit else {
            throw PatternError("the value or the references of the schema are nested deeper than \(Self.depthLimit) schemas at \(place)")
        }
        guard failures.count < limit else { return }
        if isTrial, let known = tried[EvaluatedSchema(part: partNumber, node: node)] {
            try spend(1)
            failures += known
            return
        }
        let count = failures.count
        depth += 1
        let outer = commented
        if !rules.comments.isEmpty, rules.comments[node] != nil { commented = (rules, node) }
        defer {
            depth -= 1
            commented = outer
        }
        for rule in rules.nodes[node] {
            guard failures.count < limit else { break }
            try spend(1)
            switch rule {
            case .reference(let target): try validate(value, by: target, into: &failures, limit: limit)
            case .part(let number):
                let outer = (rules, partNumber)
                (rules, partNumber) = (try rules(ofPart: number), number)
                defer { (rules, partNumber) = outer }
                try validate(value, by: 0, into: &failures, limit: limit)
            case .members(let members): try validate(membersOf: value, members, &failures, limit)
            case .items(let prefix, let rest): try validate(itemsOf: value, prefix, rest, &failures, limit)
            case .allOf(let schemas):
                for schema in schemas where failures.count < limit { try validate(value, by: schema, into: &failures, limit: limit) }
            case .anyOf(let schemas): try validate(value, anyOf: schemas, &failures)
            case .oneOf(let schemas): try validate(value, oneOf: schemas, &failures)
            case .not(let schema):
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
            default: try validate(value, byPlain: rule, &failures, limit)
            }
        }
        if isTrial { tried[EvaluatedSchema(part: partNumber, node: node)] = Array(failures[count...]) }
    }

    private mutating func rules(ofPart number: Int) throws(PatternError) -> Rules {
        if number < parts.count, let known = parts[number] { return known }
        guard let part else { throw PatternError("the schema refers to a document that is not known") }
        let rules = Rules(try part(number))
        if number >= parts.count { parts += Array(repeating: nil, count: number + 1 - parts.count) }
        parts[number] = rules
        return rules
    }

    // MARK: Rules without schemas

    private mutating func validate(
        _ value: JSONValue, byPlain rule: SchemaRule, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        switch rule {
        case .forbidden(let keyword): fail(keyword, "no value", value, &failures)
        case .types(let types):
            if !Self.isOne(of: types, value) {
                fail("type", types.map(\.rawValue).joined(separator: " or "), value, &failures)
            }
        case .values(let values):
            if !values.isKnown(value), !values.contains(canonical: try canonicalText(of: value)) {
                fail(values.keyword, values.description, value, &failures)
            }
        case .bound(let bound):
            if case .number(let text) = value, !bound.holds(forNumber: text) {
                fail(bound.keyword.rawValue, bound.expected, value, &failures)
            }
        case .multipleOf(let divisor, let text):
            if case .number(let number) = value, !JSONDecimal(number).isMultiple(of: divisor) {
                fail("multipleOf", "a multiple of \(text)", value, &failures)
            }
        case .count(let count):
            if !count.certainlyHolds(for: value), let actual = count.count(of: value), !count.holds(for: actual) {
                failures.append(failure(count.keyword.rawValue, count.expected, "\(actual)"))
            }
        case .pattern(let pattern, let text):
            if case .string(let string) = value, try !pattern.isFound(in: string, steps: &patternSteps) {
                fail("pattern", "a match of \(text)", value, &failures)
            }
        case .format(let format):
            if !format.accepts(value) { fail("format", format.rawValue, value, &failures) }
        case .uniqueItems: try validate(uniqueItemsOf: value, &failures)
        case .required(let names):
            if case .object(let members) = value {
                for name in Self.missing(names, in: members) where failures.count < limit {
                    path.append(.name(name))
                    failures.append(failure("required", "a value", "nothing"))
                    path.removeLast()
                }
            }
        case .dependentRequired(let name, let names, let keyword):
            if case .object(let members) = value {
                guard members.contains(where: { $0.key == name }) else { return }
                for other in Self.missing(names, in: members) where failures.count < limit {
                    path.append(.name(other))
                    failures.append(failure(keyword, "a value, because there is \(name)", "nothing"))
                    path.removeLast()
                }
            }
        default: break
        }
    }

    private static func isOne(of types: [ValueType], _ value: JSONValue) -> Bool {
        let actual = ValueType(of: value)
        for type in types {
            if type == actual { return true }
            guard type == .integer, case .number(let text) = value else { continue }
            // Digits alone need not be read.
            if text.utf8.allSatisfy(ASCII.isDigit) || type.accepts(value) { return true }
        }
        return false
    }

    /// The names that no member has.
    private static func missing(_ names: [String], in members: [JSONValue.Member]) -> [String] {
        // The order of the names is often that of the members.
        var next = 0
        func isPresent(_ name: String) -> Bool {
            for offset in 0..<members.count {
                let index = next + offset < members.count ? next + offset : next + offset - members.count
                guard members[index].key == name else { continue }
                next = index
                return true
            }
            return false
        }
        guard names.count > 64, members.count > 64 else { return names.filter { !isPresent($0) } }
        let present = Set(members.map(\.key))
        return names.filter { !present.contains($0) }
    }

    private mutating func validate(uniqueItemsOf value: JSONValue, _ failures: inout [JSONSchemaFailure]) throws(PatternError) {
        guard case .array(let items) = value else { return }
        var places: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            guard let first = places.updateValue(index, forKey: try canonicalText(of: item)) else { continue }
            return failures.append(failure("uniqueItems", "items that differ", "item \(index) equal to item \(first)"))
        }
    }

    // MARK: Children

    private mutating func validate(
        membersOf value: JSONValue, _ rule: SchemaMembers, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .object(let members) = value else { return }
        let outer = tried
        defer { tried = outer }
        var next = 0
        for member in members {
            guard failures.count < limit else { return }
            try spend(1)
            tried = [:]
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
            guard !isKnown, let schema = rule.additional else { continue }
            if case .forbidden("false")? = rules.nodes[schema].first {
                failures.append(failure("additionalProperties", "no such member", shown(member.value)))
            } else {
                try validate(member.value, by: schema, into: &failures, limit: limit)
            }
        }
    }

    private mutating func validate(
        itemsOf value: JSONValue, _ prefix: [Int], _ rest: Int?, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .array(let items) = value else { return }
        let outer = tried
        defer { tried = outer }
        for (index, item) in items.enumerated() {
            tried = [:]
            guard failures.count < limit, let schema = index < prefix.count ? prefix[index] : rest else { return }
            path.append(.index(index))
            defer { path.removeLast() }
            if case .forbidden("false")? = rules.nodes[schema].first {
                failures.append(failure("items", "no such item", shown(item)))
            } else {
                try validate(item, by: schema, into: &failures, limit: limit)
            }
        }
    }

    private mutating func validate(
        namesOf value: JSONValue, _ schema: Int, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        guard case .object(let members) = value else { return }
        let outer = tried
        defer { tried = outer }
        for member in members {
            guard failures.count < limit else { return }
            tried = [:]
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
        let outer = tried
        defer { tried = outer }
        for item in items {
            tried = [:]
            if try isValid(item, by: schema) { count += 1 }
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
        var found: [JSONSchemaFailure] = []
        for schema in schemas {
            let first = try firstFailure(of: value, by: schema)
            if first.isEmpty { return }
            found += first
        }
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

    private func failure(_ keyword: String, _ expected: String, _ actual: String) -> JSONSchemaFailure {
        let comments = commented.rules.comments
        let comment = comments.isEmpty ? nil : comments[commented.node]
        return JSONSchemaFailure(path: place, keyword: keyword, expected: expected, actual: actual, comment: comment)
    }

    private func fail(_ keyword: String, _ expected: String, _ value: JSONValue, _ failures: inout [JSONSchemaFailure]) {
        failures.append(failure(keyword, expected, shown(value)))
    }

    private func shown(_ value: JSONValue) -> String { isTrial ? "" : JSONSchemaFailure.shown(value) }

    private mutating func canonicalText(of value: JSONValue) throws(PatternError) -> String {
        let text = value.canonicalText
        try spend(text.utf8.count / 8)
        return text
    }

    private mutating func spend(_ cost: Int) throws(PatternError) {
        steps += cost
        guard steps <= Self.stepLimit else { throw PatternError("the validation by the schema takes too many steps") }
        guard steps - stepsAtCheck > 10_000 else { return }
        stepsAtCheck = steps
        if Task.isCancelled { throw PatternError("the comparison was cancelled") }
    }
}
