/// Reads the keywords of one schema.
struct SchemaKeywordReader {
    let keywords: [String: JSONValue]
    let pointer: String
    let resource: String
    /// The rules read so far.
    var rules: [SchemaRule] = []

    /// Reads a keyword; one that belongs to others is read with the first of them, and an annotation is ignored.
    mutating func read(_ keyword: String, with reader: inout JSONSchemaReader) throws(JSONSchemaError) {
        guard let value = keywords[keyword] else { return }
        switch keyword {
        case "type": rules.append(.types(SchemaTypes(try types(value))))
        case "enum":
            let values = try list(value, keyword)
            let shown = values.prefix(5).map { JSONSchemaFailure.shown($0) }.joined(separator: ", ") + (values.count > 5 ? ", …" : "")
            rules.append(.values(SchemaValues(values, keyword: keyword, description: "one of \(shown)")))
        case "const": rules.append(.values(SchemaValues([value], keyword: keyword, description: JSONSchemaFailure.shown(value))))
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            let text = try number(value, keyword)
            if let name = SchemaBound.Keyword(rawValue: keyword) {
                rules.append(.bound(SchemaBound(keyword: name, text: text)))
            }
        case "multipleOf":
            let text = try number(value, keyword)
            let divisor = JSONDecimal(text)
            guard divisor.canDivide else { throw error("multipleOf must be a number above 0 with at most 18 significant digits", keyword) }
            rules.append(.multipleOf(divisor, text: text))
        case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
            let limit = try count(value, keyword)
            if let name = SchemaCount.Keyword(rawValue: keyword) { rules.append(.count(SchemaCount(keyword: name, limit: limit))) }
        case "pattern":
            let text = try self.text(value, keyword)
            rules.append(.pattern(try pattern(text, keyword), text: text))
        case "format" where reader.isPart:
            if let format = SchemaFormat(rawValue: try self.text(value, keyword)) { rules.append(.format(format)) }
        case "x-part" where reader.isPart: rules.append(.part(try count(value, keyword)))
        case "x-dynamic" where reader.isPart: for anchor in try anchors(value, keyword) { rules.append(.dynamicReference(anchor)) }
        case "x-scope" where reader.isPart: rules.append(.scope(try anchors(value, keyword)))
        case "x-forbidden" where reader.isPart: rules.append(.forbidden(keyword: try self.text(value, keyword)))
        case "uniqueItems": if try bool(value, keyword) { rules.append(.uniqueItems) }
        case "required": rules.append(.required(try names(value, keyword)))
        case "properties", "patternProperties", "additionalProperties":
            if isFirst(keyword, of: ["properties", "patternProperties", "additionalProperties"]) {
                rules.append(.members(try self.members(with: &reader)))
            }
        case "propertyNames": rules.append(.propertyNames(try schema(value, keyword, &reader)))
        case "dependentRequired":
            for (name, value) in try members(value, keyword) {
                rules.append(.dependentRequired(name, try names(value, keyword, name), keyword: keyword))
            }
        case "dependentSchemas":
            for (name, value) in try members(value, keyword) { rules.append(.dependentSchema(name, try schema(value, keyword, name, &reader))) }
        case "dependencies":
            for (name, value) in try members(value, keyword) {
                if case .array = value {
                    rules.append(.dependentRequired(name, try names(value, keyword, name), keyword: keyword))
                } else {
                    rules.append(.dependentSchema(name, try schema(value, keyword, name, &reader)))
                }
            }
        case "prefixItems", "items", "additionalItems":
            if isFirst(keyword, of: ["prefixItems", "items", "additionalItems"]) { rules.append(try items(with: &reader)) }
        case "contains":
            let minimum = try keywords["minContains"].map { value throws(JSONSchemaError) in try count(value, "minContains") }
            let maximum = try keywords["maxContains"].map { value throws(JSONSchemaError) in try count(value, "maxContains") }
            rules.append(.contains(try schema(value, keyword, &reader), minimum: minimum ?? 1, maximum: maximum))
        case "allOf": rules.append(.allOf(try schemas(value, keyword, &reader)))
        case "anyOf": rules.append(.anyOf(try schemas(value, keyword, &reader)))
        case "oneOf": rules.append(.oneOf(try schemas(value, keyword, &reader)))
        case "not": rules.append(.not(try schema(value, keyword, &reader)))
        case "if":
            let condition = try schema(value, keyword, &reader)
            let then = try keywords["then"].map { value throws(JSONSchemaError) in try schema(value, "then", &reader) }
            let otherwise = try keywords["else"].map { value throws(JSONSchemaError) in try schema(value, "else", &reader) }
            rules.append(.conditional(condition, then: then, otherwise: otherwise))
        case "$defs", "definitions": for (name, value) in try members(value, keyword) { _ = try schema(value, keyword, name, &reader) }
        case "$recursiveRef":
            // Ignoring it would accept values that the schema does not permit.
            throw error("$recursiveRef is not supported; write $dynamicRef", keyword)
        default: break
        }
    }

    /// Reads the keywords that apply to what all others do not.
    mutating func readUnevaluated(with reader: inout JSONSchemaReader) throws(JSONSchemaError) {
        let (properties, items) = ("unevaluatedProperties", "unevaluatedItems")
        guard keywords[properties] != nil || keywords[items] != nil else { return }
        rules.append(
            .unevaluated(
                members: try keywords[properties].map { value throws(JSONSchemaError) in try schema(value, properties, &reader) },
                items: try keywords[items].map { value throws(JSONSchemaError) in try schema(value, items, &reader) }))
    }

    /// Reads the schemas that references may lead to, and no rules.
    func readDefinitions(with reader: inout JSONSchemaReader) throws(JSONSchemaError) {
        for keyword in ["$defs", "definitions"] {
            guard let value = keywords[keyword] else { continue }
            for (name, value) in try members(value, keyword) { _ = try schema(value, keyword, name, &reader) }
        }
    }

    private func isFirst(_ keyword: String, of group: [String]) -> Bool { group.first { keywords[$0] != nil } == keyword }

    // MARK: Groups

    private func members(with reader: inout JSONSchemaReader) throws(JSONSchemaError) -> SchemaMembers {
        var (properties, patterns, additional): ([(name: String, value: Int)], [(pattern: TextPattern, schema: Int)], Int?) = ([], [], nil)
        if let value = keywords["properties"] {
            for (name, value) in try self.members(value, "properties") {
                properties.append((name, try schema(value, "properties", name, &reader)))
            }
        }
        if let value = keywords["patternProperties"] {
            for (text, value) in try self.members(value, "patternProperties") {
                let pattern = try pattern(text, "patternProperties")
                patterns.append((pattern, try schema(value, "patternProperties", text, &reader)))
            }
        }
        if let value = keywords["additionalProperties"] { additional = try schema(value, "additionalProperties", &reader) }
        return SchemaMembers(properties: MemberTable(properties), patterns: patterns, additional: additional)
    }

    private func items(with reader: inout JSONSchemaReader) throws(JSONSchemaError) -> SchemaRule {
        var prefix: [Int] = []
        var rest: Int?
        if let value = keywords["prefixItems"] { prefix = try schemas(value, "prefixItems", &reader) }
        if let value = keywords["items"] {
            // The list of draft-07, whose other items `additionalItems` describes.
            if case .array = value, keywords["prefixItems"] == nil {
                prefix = try schemas(value, "items", &reader)
                if let value = keywords["additionalItems"] { rest = try schema(value, "additionalItems", &reader) }
            } else {
                rest = try schema(value, "items", &reader)
            }
        }
        return .items(prefix: prefix, rest: rest)
    }

    // MARK: Values

    private func place(_ parts: [String]) -> String {
        parts.reduce(pointer) { $0 + "/" + JSONPointer.escaped($1) }
    }

    private func error(_ message: String, _ parts: String...) -> JSONSchemaError { JSONSchemaError(message, at: place(parts)) }

    private func schema(_ value: JSONValue, _ keyword: String, _ reader: inout JSONSchemaReader) throws(JSONSchemaError) -> Int {
        try reader.schema(value, at: place([keyword]), in: resource)
    }

    private func schema(
        _ value: JSONValue, _ keyword: String, _ name: String, _ reader: inout JSONSchemaReader
    ) throws(JSONSchemaError) -> Int {
        try reader.schema(value, at: place([keyword, name]), in: resource)
    }

    private func schemas(_ value: JSONValue, _ keyword: String, _ reader: inout JSONSchemaReader) throws(JSONSchemaError) -> [Int] {
        var result: [Int] = []
        for (index, item) in try list(value, keyword).enumerated() { result.append(try schema(item, keyword, String(index), &reader)) }
        return result
    }

    func text(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> String {
        guard case .string(let text) = value else { throw error("\(keyword) must be a string", keyword) }
        return text
    }

    private func number(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> String {
        guard case .number(let text) = value else { throw error("\(keyword) must be a number", keyword) }
        return text
    }

    private func count(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> Int {
        guard case .number(let text) = value, let count = JSONDecimal(text).integer, count >= 0 else {
            throw error("\(keyword) must be a whole number from 0 on", keyword)
        }
        return count
    }

    /// The numbers of parts by the names of their anchors.
    private func anchors(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> [DynamicAnchor] {
        var anchors: [DynamicAnchor] = []
        for (name, number) in try members(value, keyword) { anchors.append(DynamicAnchor(name: name, part: try count(number, keyword), node: 0)) }
        return anchors
    }

    private func bool(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> Bool {
        guard case .bool(let value) = value else { throw error("\(keyword) must be true or false", keyword) }
        return value
    }

    private func list(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> [JSONValue] {
        guard case .array(let items) = value else { throw error("\(keyword) must be a list", keyword) }
        return items
    }

    /// The members of an object, the last one of duplicates.
    private func members(_ value: JSONValue, _ keyword: String) throws(JSONSchemaError) -> [(String, JSONValue)] {
        guard case .object(let members) = value else { throw error("\(keyword) must be an object", keyword) }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
        var seen: Set<String> = []
        return members.filter { seen.insert($0.key).inserted }.map { ($0.key, values[$0.key] ?? $0.value) }
    }

    private func names(_ value: JSONValue, _ parts: String...) throws(JSONSchemaError) -> [String] {
        guard case .array(let items) = value else { throw JSONSchemaError("\(parts[0]) must be a list of names", at: place(parts)) }
        var names: [String] = []
        for item in items {
            guard case .string(let name) = item else { throw JSONSchemaError("\(parts[0]) must be a list of names", at: place(parts)) }
            names.append(name)
        }
        return names
    }

    private func types(_ value: JSONValue) throws(JSONSchemaError) -> [ValueType] {
        let items = if case .array(let items) = value { items } else { [value] }
        var types: [ValueType] = []
        for item in items {
            guard case .string(let name) = item, let type = ValueType(rawValue: name), ValueType.json.contains(type) else {
                let known = ValueType.json.map(\.rawValue)
                let hint = if case .string(let name) = item { Suggestion.nearest(to: name, in: known) } else { String?.none }
                throw error(hint.map { "there is no such type; did you mean \($0)?" } ?? "type must be \(known.joined(separator: ", "))", "type")
            }
            types.append(type)
        }
        return types
    }

    private func pattern(_ text: String, _ keyword: String) throws(JSONSchemaError) -> TextPattern {
        do throws(PatternError) { return try TextPattern(text, classes: .javaScript) } catch {
            throw self.error("“\(text)” is not a regular expression: \(error.message)", keyword)
        }
    }
}
