internal import SortieBase

/// Finds the keywords of schemas with which no value can be compared, because of a mistake in the description.
///
/// A value is compared with the other keywords of its schema, so that such a mistake refuses no valid value.
struct ContractKeyword {
    private let version: OpenAPIVersion
    /// Why a pattern cannot be compared, by its text; nil for one that can be.
    private var patterns: [String: String?] = [:]

    init(_ version: OpenAPIVersion) { self.version = version }

    /// Why no value is compared with a keyword; nil for a valid one, and for a name that is no keyword.
    ///
    /// - Parameter schema: The schema with the keyword.
    mutating func problem(of name: String, _ value: OpenAPIValue, in schema: OpenAPIValue) -> Diagnostic? {
        message(name, value, in: schema).map { Diagnostic(value.place, "\(name) is not compared: \($0)") }
    }

    private mutating func message(_ name: String, _ value: OpenAPIValue, in schema: OpenAPIValue) -> String? {
        switch name {
        case "type":
            // The type of files in Swagger 2.0, whose content is not compared.
            if version == .swagger2, value.text == "file" { return nil }
            let isValid = value.node.items?.isEmpty != true && value.texts.count == value.node.items?.count ?? 1
            return isValid && value.texts.allSatisfy(Self.isType) ? nil : sentence(name, value)
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            // Before OpenAPI 3.1, it says whether the other limit is exclusive.
            if name.hasPrefix("exclusive"), value.bool != nil { return nil }
            return value.isNumber ? nil : sentence(name, value)
        case "multipleOf":
            if case .number(let text) = value.node.json, JSONDecimal(text).canDivide { return nil }
            return sentence(name, value)
        case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
            if case .number(let text) = value.node.json, let count = JSONDecimal(text).integer, count >= 0 { return nil }
            return sentence(name, value) ?? "\(name) must be a whole number from 0 on"
        case "pattern": return value.string.map { problem(ofPattern: $0) } ?? sentence(name, value)
        case "format": return value.string == nil ? "\(name) must be a string" : nil
        case "uniqueItems", "nullable": return value.bool == nil ? "\(name) must be true or false" : nil
        case "enum": return value.node.items == nil ? sentence(name, value) : nil
        case "required":
            // The older form `required: true` belongs to a parameter.
            if schema["in"] != nil, value.bool != nil { return nil }
            return value.node.items != nil && value.items.allSatisfy { $0.string != nil } ? nil : sentence(name, value)
        case "dependentRequired": return value.isObject ? nil : "\(name) must be an object"
        default: return SubschemaKeyword(rawValue: name).flatMap { problem(of: $0, value) }
        }
    }

    private mutating func problem(of keyword: SubschemaKeyword, _ value: OpenAPIValue) -> String? {
        guard keyword.subject != .none else { return nil }
        switch keyword.content {
        case .schema: return value.isObject || value.bool != nil ? nil : "\(keyword.rawValue) must be a schema"
        case .list: return value.node.items?.isEmpty == false ? nil : "\(keyword.rawValue) must be a list of schemas"
        case .map:
            guard value.isObject else { return "\(keyword.rawValue) must be an object" }
            guard keyword == .patternProperties else { return nil }
            for member in value.members { if let message = problem(ofPattern: member.name) { return message } }
            return nil
        }
    }

    private static func isType(_ name: String) -> Bool { ValueType(rawValue: name).map(ValueType.json.contains) ?? false }

    /// Why a pattern cannot be compared, in linear time.
    mutating func problem(ofPattern pattern: String) -> String? {
        if let known = patterns[pattern] { return known }
        var message: String?
        do throws(PatternError) { _ = try TextPattern(pattern) } catch {
            message = "\(error.message): \(pattern.count > 60 ? pattern.prefix(60) + "…" : pattern)"
        }
        patterns[pattern] = .some(message)
        return message
    }

    /// The message of the reader of JSON Schemas.
    private func sentence(_ name: String, _ value: OpenAPIValue) -> String? {
        do throws(JSONSchemaError) {
            _ = try JSONSchema(part: .object([.init(name, value.node.json)]))
            return "the value has another type"
        } catch { return error.message }
    }
}

extension OpenAPIValue {
    fileprivate var isNumber: Bool { if case .number = node.json { true } else { false } }
}
