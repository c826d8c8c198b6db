internal import SortieBase
internal import SortieHTTP

/// A description as one JSON document, whose references lead into it.
struct OpenAPIRevisionDocument {
    /// How many references follow one another at most.
    private static let depth = 32

    let root: JSONValue

    private var version: String { root["openapi"]?.stringValue ?? "" }
    /// Whether a path can have operations of other methods.
    var hasAdditionalOperations: Bool { version.hasPrefix("3.2") }

    /// The value to which references lead; the value itself where they cannot be followed.
    func resolved(_ value: JSONValue) -> JSONValue {
        var value = value
        for _ in 0..<Self.depth {
            guard let reference = value["$ref"]?.stringValue, reference.hasPrefix("#/") else { return value }
            var target = root
            for part in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
                let name = JSONPointer.unescaped(PercentEncoding.decode(part))
                guard let next = target[name] ?? Int(name).flatMap({ target[$0] }) else { return value }
                target = next
            }
            value = target
        }
        return value
    }

    /// A path with the members to which its reference leads; its own ones take precedence.
    func path(_ value: JSONValue) -> JSONValue {
        guard value["$ref"] != nil else { return value }
        let target = resolved(value)
        return target == value ? value : value.members.filter { $0.key != "$ref" }.reduce(target) { $0.setting($1.key, to: $1.value) }
    }

    /// A part of OpenAPI 3.1 in the version of the description: in 3.0, a schema has one example.
    func inVersion(_ value: JSONValue) -> JSONValue { version.hasPrefix("3.0") ? Self.inOldVersion(value, isSchema: false) : value }

    private static func inOldVersion(_ value: JSONValue, isSchema: Bool) -> JSONValue {
        let result = value.mapChildren { key, child in
            switch key {
            case "example", "examples", "value": child
            // The names of properties are no keywords.
            case "properties" where isSchema: child.mapChildren { inOldVersion($1, isSchema: true) }
            default: inOldVersion(child, isSchema: isSchema || key == "schema")
            }
        }
        guard isSchema, let examples = result["examples"] else { return result }
        return result.setting("examples", to: nil).setting("example", to: examples[0])
    }
}

/// An operation of a description with the changes of a request.
struct OpenAPIOperationRevision {
    private(set) var value: JSONValue
    private(set) var notes: [String] = []
    /// The parameters that all operations of the path share.
    private let shared: [JSONValue]
    private let document: OpenAPIRevisionDocument

    init(_ value: JSONValue, shared: JSONValue, in document: OpenAPIRevisionDocument) {
        (self.value, self.shared, self.document) = (value, shared.elements, document)
    }

    /// Changes what differs between two exported operations.
    ///
    /// - Parameters:
    ///   - old: The operation of the endpoint as an import gives it.
    ///   - new: The operation of the endpoint.
    mutating func change(from old: JSONValue, to new: JSONValue) {
        for name in ["tags", "summary", "description", "deprecated"] {
            if let text = new[name], text != old[name] { value = value.setting(name, to: text) }
        }
        for parameter in new["parameters"]?.elements ?? [] {
            let known = old["parameters"]?.elements.first { Self.isSame($0, parameter) }
            if parameter != known { change(parameter, from: known) }
        }
        if let body = new["requestBody"], body != old["requestBody"] { changeBody(from: old["requestBody"], to: body) }
        for response in new["responses"]?.members ?? [] {
            let known = old["responses"]?[response.key]
            if response.value != known { change(response, from: known) }
        }
        if let security = new["security"], security != old["security"] {
            notes.append("its credentials differ from those of the description, which has them as before")
        }
    }

    // MARK: Parameters

    private static func isSame(_ first: JSONValue, _ second: JSONValue) -> Bool {
        guard first["in"] == second["in"], let name = first["name"]?.stringValue, let other = second["name"]?.stringValue else { return false }
        return name == other || first["in"] == "header" && name.lowercased() == other.lowercased()
    }

    private mutating func change(_ parameter: JSONValue, from old: JSONValue?) {
        var list = value["parameters"]?.elements ?? []
        let index = list.firstIndex { Self.isSame(document.resolved($0), parameter) }
        guard let known = index.map({ list[$0] }) ?? shared.first(where: { Self.isSame(document.resolved($0), parameter) }) else {
            // The parameters of a path have their names in the description, and members of objects are no parameters of it.
            guard old == nil, parameter["in"] != "path", !isMember(parameter) else { return }
            // A request that was permitted without it is permitted further.
            list.append(document.inVersion(parameter.setting("required", to: nil)))
            value = value.setting("parameters", to: .array(list))
            return
        }
        let described = document.resolved(known)
        var changed = described
        let schema = document.resolved(described["schema"] ?? .object([]))
        let type = schema.typeName
        if let example = parameter["example"], example != old?["example"], let value = Self.value(example, of: type, schema, document) {
            changed = Self.setting(value, named: "request", in: changed)
        }
        for example in parameter["examples"]?.members ?? [] where example.value != old?["examples"]?[example.key] {
            guard let value = example.value["value"].flatMap({ Self.value($0, of: type, schema, document) }) else { continue }
            changed = Self.adding(value, named: example.key, to: changed)
        }
        guard changed != described else { return }
        if let index { list[index] = changed } else { list.append(changed) }
        value = value.setting("parameters", to: .array(list))
    }

    /// Whether a parameter is a member of one that is an object.
    private func isMember(_ parameter: JSONValue) -> Bool {
        let start = (parameter["name"]?.stringValue ?? "").prefix { $0 != "[" }
        return ((value["parameters"]?.elements ?? []) + shared).map(document.resolved).contains { other in
            guard other["in"] == parameter["in"] else { return false }
            let schema = document.resolved(other["schema"] ?? .object([]))
            guard other["in"] != "querystring" else { return true }
            return schema.typeName == "object" && (other["name"]?.stringValue == String(start) || other["style"] == nil)
        }
    }

    /// The value of a text in a request by the type of its schema; nil for a text that stands for several values.
    private static func value(_ text: JSONValue, of type: String?, _ schema: JSONValue, _ document: OpenAPIRevisionDocument) -> JSONValue? {
        switch (text, type) {
        case (.array(let items), "array"):
            let inner = document.resolved(schema["items"] ?? .object([]))
            return .array(items.compactMap { value($0, of: inner.typeName, inner, document) })
        case (.string(let text), "integer"), (.string(let text), "number"): return JSONDecimal(parsing: text) == nil ? nil : .number(text)
        case (.string(let text), "boolean"): return text == "true" ? true : text == "false" ? false : nil
        case (.string, "array"), (.string, "object"), (.array, _): return nil
        default: return text
        }
    }

    // MARK: Bodies

    private mutating func changeBody(from old: JSONValue?, to new: JSONValue) {
        guard let known = value["requestBody"] else {
            value = value.setting("requestBody", to: document.inVersion(new.setting("required", to: nil)))
            return
        }
        let described = document.resolved(known)
        var content = described["content"] ?? .object([])
        for media in new["content"]?.members ?? [] {
            let before = old?["content"]?.member(ofType: media.key)?.value
            guard media.value != before else { continue }
            guard let own = content.member(ofType: media.key) else {
                content = content.setting(media.key, to: document.inVersion(media.value))
                continue
            }
            var changed = document.resolved(own.value)
            if let example = Self.example(of: media.value), example != before.flatMap(Self.example) {
                changed = Self.setting(typed(example, by: changed["schema"], media.key), named: "request", in: changed)
            }
            for example in media.value["examples"]?.members ?? [] where example.value != before?["examples"]?[example.key] {
                if let value = example.value["value"] { changed = Self.adding(value, named: example.key, to: changed) }
            }
            if changed != document.resolved(own.value) { content = content.setting(own.key, to: changed) }
        }
        if content != described["content"] { value = value.setting("requestBody", to: described.setting("content", to: content)) }
    }

    /// The example of an exported media type: its own, that of its schema, or the object of the examples of its fields.
    private static func example(of media: JSONValue) -> JSONValue? {
        if let example = media["example"] ?? media["schema"]?["examples"]?[0] { return example }
        guard let properties = media["schema"]?["properties"]?.members else { return nil }
        let fields = properties.compactMap { property in property.value["examples"]?[0].map { JSONValue.Member(property.key, $0) } }
        return fields.isEmpty ? nil : .object(fields)
    }

    /// The example of a form, whose values are texts, with the types of its schema.
    private func typed(_ example: JSONValue, by schema: JSONValue?, _ type: String) -> JSONValue {
        guard OpenAPIMedia.isForm(type) || OpenAPIMedia.isMultipart(type), case .object(let fields) = example else { return example }
        let properties = document.resolved(schema ?? .object([]))["properties"] ?? .object([])
        return .object(
            fields.map { field in
                let schema = document.resolved(properties[field.key] ?? .object([]))
                return .init(field.key, Self.value(field.value, of: schema.typeName, schema, document) ?? field.value)
            })
    }

    // MARK: Responses

    private mutating func change(_ response: JSONValue.Member, from old: JSONValue?) {
        let responses = value["responses"] ?? .object([])
        let range = response.key.first.map { "\($0)XX" } ?? ""
        let parts = response.value["content"] != nil || response.value["headers"] != nil
        let known = responses.members.first { $0.key == response.key } ?? responses.members.first { $0.key.uppercased() == range }
        guard let member = known ?? responses.members.first(where: { $0.key == "default" }) else {
            guard parts || response.key != "default" else { return }
            value = value.setting("responses", to: responses.setting(response.key, to: document.inVersion(response.value)))
            return
        }
        let described = document.resolved(member.value)
        var changed = described
        for media in response.value["content"]?.members ?? [] {
            let before = old?["content"]?.member(ofType: media.key)?.value
            let content = changed["content"] ?? .object([])
            let own = content.member(ofType: media.key)
            var type = document.resolved(own?.value ?? .object([]))
            for example in media.value["examples"]?.members ?? [] where example.value != before?["examples"]?[example.key] {
                guard let value = example.value["value"] else { continue }
                // An import gives an example without a name that of the status.
                let isOnly = example.key == response.key && type["examples"] == nil
                type = isOnly ? type.setting("example", to: value) : Self.adding(value, named: example.key, to: type)
            }
            if type != own.map({ document.resolved($0.value) }) {
                changed = changed.setting("content", to: content.setting(own?.key ?? media.key, to: type))
            }
        }
        let headers = changed["headers"] ?? .object([])
        let names = Set(headers.members.map { $0.key.lowercased() })
        let new = (response.value["headers"]?.members ?? []).filter { !names.contains($0.key.lowercased()) }
        if !new.isEmpty { changed = changed.setting("headers", to: new.reduce(headers) { $0.setting($1.key, to: document.inVersion($1.value)) }) }
        if changed != described { value = value.setting("responses", to: responses.setting(member.key, to: changed)) }
    }

    // MARK: Examples

    /// A parameter or a media type with an example: its only one, or one with a name beside others.
    private static func setting(_ value: JSONValue, named name: String, in holder: JSONValue) -> JSONValue {
        holder["examples"] == nil ? holder.setting("example", to: value) : adding(value, named: name, to: holder)
    }

    /// A parameter or a media type with a named example; it has either one example or named ones (OpenAPI 3.1 §4.8.12).
    private static func adding(_ value: JSONValue, named name: String, to holder: JSONValue) -> JSONValue {
        var named = holder["examples"] ?? .object([])
        if let only = holder["example"] { named = named.setting("example", to: ["value": only]) }
        let known = named[name].flatMap { $0["$ref"] == nil ? $0 : nil } ?? .object([])
        named = named.setting(name, to: known.setting("externalValue", to: nil).setting("value", to: value))
        return holder.setting("example", to: nil).setting("examples", to: named)
    }
}

extension JSONValue {
    /// The type that a schema declares and that is not null.
    fileprivate var typeName: String? {
        self["type"]?.stringValue ?? self["type"]?.elements.lazy.compactMap(\.stringValue).first { $0 != "null" }
    }

    /// The member of a media type, whose parameters and case do not matter.
    fileprivate func member(ofType type: String) -> Member? { members.first { OpenAPIMedia.name($0.key) == OpenAPIMedia.name(type) } }
}
