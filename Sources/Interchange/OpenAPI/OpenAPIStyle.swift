internal import SortieBase

/// How a value becomes the text of parameters (OpenAPI 3.1 §4.8.12, Swagger 2.0 `collectionFormat`).
struct OpenAPIStyle: Equatable {
    /// `form`, `simple`, `spaceDelimited`, `pipeDelimited`, `tabDelimited`, `deepObject`, `label` or `matrix`.
    var name: String
    /// Whether each item of an array and each property of an object is a parameter.
    var explodes: Bool
    /// What is between the items of arrays in the array, from the outer ones to the inner ones (Swagger 2.0 only).
    private(set) var nested: [Character] = []
    /// The type of the items of the innermost array.
    private(set) var nestedType: String?

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
            var items = value["items"]
            while let array = items, array["type"]?.text == "array", nested.count < 10 {
                let separators: [String: Character] = ["ssv": " ", "tsv": "\t", "pipes": "|"]
                nested.append(separators[array["collectionFormat"]?.text ?? ""] ?? ",")
                items = array["items"]
            }
            nestedType = nested.isEmpty ? nil : items?["type"]?.text
            return
        }
        name = value["style"]?.text ?? (location == "path" || location == "header" ? "simple" : "form")
        explodes = value["explode"]?.bool ?? (name == "form" || name == "cookie" || name == "deepObject")
    }

    /// What is between the items of an array that is one parameter, percent-encoded as in a query (OpenAPI 3.1.1, appendix C).
    private var separator: String {
        switch name {
        case "spaceDelimited": "%20"
        case "tabDelimited": "%09"
        case "pipeDelimited": "%7C"
        default: ","
        }
    }

    /// The names and values of a parameter in a query, a form or a cookie; never empty.
    ///
    /// - Parameter encode: Encodes a name or a text of the value; the characters between the items of an array are not encoded.
    func pairs(of value: JSONValue?, named parameter: String, _ encode: (String) -> String) -> [(name: String, value: String)] {
        func text(_ value: JSONValue) -> String { item(value, encode) { $0 == "," ? "," : PercentEncoding.encode(String($0), allowed: .unreserved) } }
        func nested(_ value: JSONValue, _ name: String) -> [(name: String, value: String)] {
            switch value {
            case .object(let members) where !members.isEmpty: members.flatMap { nested($0.value, "\(name)[\($0.key)]") }
            case .array(let items) where !items.isEmpty: items.flatMap { nested($0, "\(name)[]") }
            default: [(encode(name), text(value))]
            }
        }
        let name = encode(parameter)
        switch value {
        case nil: return [(name, "")]
        case let value? where self.name == "deepObject":
            switch value {
            case .array([]): return [(encode("\(parameter)[]"), "")]
            case .object([]): return [(name, "")]
            default: return nested(value, parameter)
            }
        case .array(let items)? where explodes && !items.isEmpty: return items.map { (name, text($0)) }
        case .object(let members)? where explodes && !members.isEmpty: return members.map { (encode($0.key), text($0.value)) }
        case .array(let items)?: return [(name, items.map(text).joined(separator: separator))]
        case .object(let members)?:
            return [(name, members.map { "\(encode($0.key))\(separator)\(text($0.value))" }.joined(separator: separator))]
        case .some(let scalar): return [(name, text(scalar))]
        }
    }

    /// The names and values of a field of a form, not encoded; without a style, a list is repeated and an object is JSON.
    static func fields(of value: JSONValue?, named name: String, _ style: OpenAPIStyle?) -> [(name: String, value: String)] {
        switch (style, value) {
        // A form encodes the characters between the items, too.
        case (let style?, _):
            style.pairs(of: value, named: name) { PercentEncoding.encode($0, allowed: .unreserved) }.map { pair in
                (PercentEncoding.decode(pair.name), PercentEncoding.decode(pair.value))
            }
        case (nil, .array(let items)?) where !items.isEmpty: items.map { (name, text($0)) }
        default: [(name, value.map(text) ?? "")]
        }
    }

    /// The text of a value in a path or a header field (RFC 6570 §3.2.2 to §3.2.7).
    ///
    /// - Parameter encode: Encodes a text of the value; the characters between the items of an array are not encoded.
    func text(of value: JSONValue?, named parameter: String, _ encode: (String) -> String) -> String {
        func text(_ value: JSONValue) -> String { item(value, encode) { String($0) } }
        guard let value else { return "" }
        let (isLabel, isMatrix) = (name == "label", name == "matrix")
        let separator = explodes && isLabel ? "." : explodes && isMatrix ? ";" : ","
        switch value {
        case .array(let items) where isMatrix && explodes: return items.map { ";\(parameter)=\(text($0))" }.joined()
        case .object(let members) where isMatrix && explodes: return members.map { ";\(encode($0.key))=\(text($0.value))" }.joined()
        case .array(let items): return prefix(for: parameter) + items.map(text).joined(separator: separator)
        case .object(let members):
            return prefix(for: parameter)
                + members.map { "\(encode($0.key))\(explodes ? "=" : ",")\(text($0.value))" }.joined(separator: separator)
        case .string, .number, .bool, .null: return prefix(for: parameter) + text(value)
        }
    }

    /// The text of an item, which may have items itself.
    ///
    /// - Parameter separator: Encodes what is between them.
    private func item(_ value: JSONValue, depth: Int = 0, _ encode: (String) -> String, _ separator: (Character) -> String) -> String {
        guard case .array(let items) = value, depth < nested.count else { return encode(Self.text(value)) }
        return items.map { item($0, depth: depth + 1, encode, separator) }.joined(separator: separator(nested[depth]))
    }

    /// The value of an item, the reverse of its text.
    ///
    /// - Parameter scalar: The value of a text of a type.
    func value(ofItem text: String, depth: Int = 0, _ scalar: (String, String?) -> JSONValue) -> JSONValue {
        guard depth < nested.count else { return scalar(text, nestedType) }
        return .array(text.split(separator: nested[depth]).map { value(ofItem: String($0), depth: depth + 1, scalar) })
    }

    /// What precedes a value that is not exploded in a path.
    func prefix(for parameter: String) -> String { name == "label" ? "." : name == "matrix" ? ";\(parameter)=" : "" }

    /// Whether a value has parts for which no style says how they are sent.
    func isUndefined(_ value: JSONValue?) -> Bool {
        let parts: [JSONValue]
        switch value {
        case .array(let items)?: if name == "deepObject" { return true } else { parts = items }
        case .object(let members)?: parts = members.map(\.value)
        case .string?, .number?, .bool?, .null?, nil: return false
        }
        return parts.contains { part in
            switch part {
            case .array(let items): !items.isEmpty && nested.isEmpty
            case .object(let members): !members.isEmpty
            case .string, .number, .bool, .null: false
            }
        }
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
