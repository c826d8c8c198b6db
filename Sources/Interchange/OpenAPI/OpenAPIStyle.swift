internal import SortieBase
internal import WorkspaceModel

/// How a value becomes the text of parameters (OpenAPI 3.1 §4.8.12, Swagger 2.0 `collectionFormat`).
struct OpenAPIStyle {
    /// `form`, `simple`, `spaceDelimited`, `pipeDelimited`, `tabDelimited`, `deepObject`, `label` or `matrix`.
    var name: String
    /// Whether each item of an array and each property of an object is a parameter.
    var explodes: Bool

    /// The style of a parameter or of a field of a form.
    init(_ value: OpenAPIValue, location: String, isSwagger: Bool) {
        if isSwagger {
            switch value["collectionFormat"]?.text {
            case "multi": (name, explodes) = ("form", true)
            case "ssv": (name, explodes) = ("spaceDelimited", false)
            case "tsv": (name, explodes) = ("tabDelimited", false)
            case "pipes": (name, explodes) = ("pipeDelimited", false)
            default: (name, explodes) = (location == "path" || location == "header" ? "simple" : "form", false)
            }
            return
        }
        name = value["style"]?.text ?? (location == "path" || location == "header" ? "simple" : "form")
        explodes = value["explode"]?.bool ?? (name == "form" || name == "cookie" || name == "deepObject")
    }

    private var separator: String {
        switch name {
        case "spaceDelimited": " "
        case "tabDelimited": "\t"
        case "pipeDelimited": "|"
        case "label": "."
        default: ","
        }
    }

    /// The names and values of a parameter in a query, a form or a cookie; never empty.
    func pairs(of value: JSONValue?, named parameter: String) -> [(name: String, value: String)] {
        switch value {
        case .array(let items)? where name == "deepObject": items.isEmpty ? [("\(parameter)[]", "")] : items.map { ("\(parameter)[]", Self.text($0)) }
        case .array(let items)? where explodes && !items.isEmpty: items.map { (parameter, Self.text($0)) }
        case .object(let members)? where name == "deepObject" && !members.isEmpty:
            members.flatMap { Self.nested($0.value, "\(parameter)[\($0.key)]") }
        case .object(let members)? where explodes && !members.isEmpty: members.map { ($0.key, Self.text($0.value)) }
        default: [(parameter, text(of: value))]
        }
    }

    private static func nested(_ value: JSONValue, _ name: String) -> [(name: String, value: String)] {
        switch value {
        case .object(let members) where !members.isEmpty: members.flatMap { nested($0.value, "\(name)[\($0.key)]") }
        case .array(let items) where !items.isEmpty: items.flatMap { nested($0, "\(name)[]") }
        default: [(name, text(value))]
        }
    }

    /// The text of a value that is one parameter: in a path, a field, or not exploded.
    func text(of value: JSONValue?) -> String {
        let content: String
        switch value {
        case nil: return ""
        case .array(let items)?: content = items.map(Self.text).joined(separator: name == "matrix" ? "," : separator)
        case .object(let members)?:
            content = members.map { explodes ? "\($0.key)=\(Self.text($0.value))" : "\($0.key)\(separator)\(Self.text($0.value))" }
                .joined(separator: separator)
        case .some(let scalar): content = Self.text(scalar)
        }
        return name == "label" ? "." + content : content
    }

    /// The text of a scalar, or JSON.
    static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .array, .object: value.compactText
        }
    }
}
