package import SortieBase

/// The JSON Schema (draft 7) of workspace files, generated from the tables of their keys.
///
/// It describes keys and words; the rest of the rules, such as those for templates, is checked by `sortie check`.
package enum WorkspaceSchema {
    /// The version of the schema; it changes with the keys of the files.
    package static let version = 1

    /// A kind of file.
    package enum Kind: String, CaseIterable, Sendable {
        case workspace, service, endpoint, run

        fileprivate var keys: WorkspaceKeys {
            switch self {
            case .workspace: .workspace
            case .service: .service
            case .endpoint: .endpoint
            case .run: .run
            }
        }
    }

    /// The schema of a kind of file; nil for any of them.
    package static func schema(of kind: Kind?) -> JSONValue {
        let definitions = WorkspaceKeys.all.map { JSONValue.Member(name(of: $0.heading), object($0)) } + [.init("plugin", plugin)]
        let root: [JSONValue.Member] =
            kind.map { [.init("allOf", .array([reference($0.keys.heading)]))] }
            ?? [.init("anyOf", .array(Kind.allCases.map { reference($0.keys.heading) }))]
        return .object(
            [
                .init("$schema", "http://json-schema.org/draft-07/schema#"),
                .init("$comment", .string("version \(version), printed by sortie schema")),
                .init("title", .string("Sortie: " + (kind?.keys.heading ?? "file of a workspace"))),
            ] + root + [.init("definitions", .object(definitions))])
    }

    /// The name of a definition.
    private static func name(of heading: String) -> String { heading.split { $0 == " " || $0 == "." }.joined(separator: "-") }

    private static func reference(_ heading: String) -> JSONValue { ["$ref": .string("#/definitions/\(name(of: heading))")] }

    private static func object(_ keys: WorkspaceKeys) -> JSONValue {
        let properties = keys.keys.map { key in
            let form = ValueForm(key.value)
            guard case .object(let members) = form.schema else { return JSONValue.Member(key.name, form.schema) }
            // A reference with other members is ignored by validators of draft 7.
            let isReference = members.contains { $0.key == "$ref" }
            let inner: [JSONValue.Member] = isReference ? [.init("allOf", .array([form.schema]))] : members
            return .init(key.name, .object([.init("description", .string(key.summary))] + inner))
        }
        let required = keys.keys.filter { ValueForm($0.value).isRequired }.map { JSONValue.string($0.name) }
        var members: [JSONValue.Member] = [
            .init("description", .string(keys.place)), .init("type", ValueForm.types("object")), .init("properties", .object(properties)),
            .init("additionalProperties", .bool(false)),
        ]
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        return .object(members)
    }

    /// An entry of a list of plugins: a name, or a mapping of the name to options.
    private static var plugin: JSONValue {
        let known = WorkspaceKeys.all.compactMap { keys -> JSONValue.Member? in
            guard keys.heading.hasPrefix("plugin ") else { return nil }
            return .init(String(keys.heading.dropFirst("plugin ".count)), ["anyOf": .array([reference(keys.heading), ValueForm.scalar])])
        }
        return ["anyOf": .array([ValueForm.scalar, ["type": "object", "properties": .object(known)]])]
    }

    /// The schema of a value, from its form in the tables such as ``"`none`, `inherit` or *auth*"``.
    struct ValueForm {
        let schema: JSONValue
        let isRequired: Bool

        static let anything: JSONValue = [:]
        /// YAML has numbers and booleans where a text is expected.
        static let scalar: JSONValue = ["type": types("string", "number", "boolean")]

        /// The value of `type` for these types, and for nothing, which YAML reads as null.
        static func types(_ names: String...) -> JSONValue { .array((names + ["null"]).map { .string($0) }) }

        init(_ form: String) {
            isRequired = form.hasSuffix("; required")
            let parts = Self.parts(of: form.firstRange(of: "; required").map { String(form[..<$0.lowerBound]) } ?? form)
            let words = parts.filter { $0.hasPrefix("`") }.map { $0.filter { $0 != "`" } }
            var schemas = parts.filter { !$0.hasPrefix("`") }.map(Self.schema)
            if !words.isEmpty { schemas.insert(["enum": .array(words.flatMap(Self.values) + [.null])], at: 0) }
            if schemas.contains(Self.anything) { schemas = [Self.anything] }
            schema = schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]
        }

        /// The alternatives of a form.
        private static func parts(of form: String) -> [String] {
            // Examples are not alternatives.
            if let example = form.firstRange(of: " such as ") { return [String(form[..<example.lowerBound])] }
            let list = form.replacing(", or ", with: ", ").replacing(" or ", with: ", ")
            var parts: [String] = []
            for part in list.split(separator: ", ").map(String.init) { parts.append(part) }
            return parts
        }

        /// A word as text, and as the number that YAML reads.
        private static func values(_ word: String) -> [JSONValue] {
            Double(word) == nil ? [.string(word)] : [.string(word), .number(word)]
        }

        private static func schema(_ part: String) -> JSONValue {
            if part.hasPrefix("*"), part.hasSuffix("*") { return reference(part.filter { $0 != "*" }) }
            if part.hasPrefix("list of ") {
                let item = String(part.dropFirst("list of ".count))
                let kinds = item.split(separator: " and ").map { schema(String($0)) }
                let isObject = item.hasPrefix("*")
                let items = isObject ? (kinds.count == 1 ? kinds[0] : ["anyOf": .array(kinds)]) : item == "plugins" ? reference("plugin") : scalar
                let list: JSONValue = ["type": types("array"), "items": items]
                return item.hasPrefix("*") ? list : ["anyOf": .array([list, scalar])]
            }
            if let to = part.firstRange(of: " to ") {
                let (from, content) = (part[..<to.lowerBound], String(part[to.upperBound...]))
                if let low = number(from), let high = number(content[...]) { return ["type": types("number"), "minimum": low, "maximum": high] }
                if ["*condition*", "conditions", "templates", "JSON paths", "places", "ports", "texts", "one of them"].contains(content) {
                    return ["type": types("object", "array")]
                }
                if content.hasPrefix("*") { return ["type": types("object"), "additionalProperties": schema(content)] }
                if from == "environments" { return ["type": types("object"), "additionalProperties": ["type": types("array", "string")]] }
                return scalar
            }
            switch part {
            case "boolean": return ["type": types("boolean")]
            case "list": return ["type": types("array")]
            case "rows": return ["anyOf": .array([["type": types("object")], ["type": "array", "items": reference("row")]])]
            case "value", "JSON value", "JSON": return anything
            default: return scalar
            }
        }

        private static func number(_ text: Substring) -> JSONValue? {
            let digits = text.filter { $0 != "," }
            return Double(digits) == nil ? nil : .number(String(digits))
        }
    }
}
