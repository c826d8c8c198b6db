internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The parameters of an operation as rows of an endpoint.
struct OpenAPIParameters {
    let reader: OpenAPIReader
    let isSwagger: Bool
    /// The name of the operation in the report, and its identity.
    let item: String
    let id: String
    var endpoint: Endpoint
    /// The parameters of Swagger 2.0 that describe the body.
    var bodyParameters: [OpenAPIValue] = []
    private var cookies: [String] = []
    private var notes: [String] = []

    init(_ endpoint: Endpoint, reader: OpenAPIReader, isSwagger: Bool, item: String, id: String) {
        (self.endpoint, self.reader, self.isSwagger, self.item, self.id) = (endpoint, reader, isSwagger, item, id)
    }

    /// The parameters of a path and its operation; one of the operation replaces one of the path with the same name and location.
    static func merged(_ lists: [OpenAPIValue?], _ reader: OpenAPIReader, item: String) -> [OpenAPIValue] {
        var result: [OpenAPIValue] = []
        var positions: [String: Int] = [:]
        for list in lists.compactMap(\.self) {
            guard list.node.items != nil else {
                reader.add(.omitted, item, "parameters must be a list", at: list)
                continue
            }
            for value in list.items {
                guard let parameter = reader.resolved(value) else {
                    reader.add(.omitted, item, "the parameter \(value["$ref"]?.text ?? "") cannot be read", at: value)
                    continue
                }
                guard let name = parameter["name"]?.text, let location = parameter["in"]?.text else {
                    reader.add(.omitted, item, "a parameter must have name and in", at: parameter)
                    continue
                }
                let key = "\(location)\n\(location == "header" ? name.lowercased() : name)"
                if let position = positions[key] {
                    result[position] = parameter
                } else {
                    positions[key] = result.count
                    result.append(parameter)
                }
            }
        }
        return result
    }

    /// - Parameter operation: the operation, for places in the report.
    mutating func add(_ parameters: [OpenAPIValue], of operation: OpenAPIValue) {
        for parameter in parameters { add(parameter) }
        if !cookies.isEmpty { endpoint.headers.append(Parameter("Cookie", cookies.joined(separator: "; "))) }
        renamePathParameters()
        defineOtherPathParameters(than: parameters, of: operation)
        for note in notes { endpoint.summary = endpoint.summary.map { $0 + "\n" + note } ?? note }
    }

    private mutating func add(_ parameter: OpenAPIValue) {
        let name = parameter["name"]?.text ?? ""
        let location = parameter["in"]?.text ?? ""
        let style = OpenAPIStyle(parameter, location: location, isSwagger: isSwagger)
        switch location {
        case "body", "formData": bodyParameters.append(parameter)
        case "path": addPath(name, parameter, style)
        case "query": endpoint.query += rows(parameter, name, style)
        case "header": addHeader(name, parameter, style)
        case "cookie": addCookie(name, parameter, style)
        case "querystring": addQueryString(name, parameter)
        default: reader.add(.omitted, item, "the parameter \(name) is in “\(location)”, which is not known", at: parameter, id: id)
        }
    }

    /// Reports a value that is sent although OpenAPI has no rule for its parts.
    private func reportParts(of value: JSONValue?, _ style: OpenAPIStyle, _ parameter: OpenAPIValue, _ name: String) {
        guard isRequired(parameter), style.isUndefined(value) else { return }
        let form = style.name == "deepObject" ? "as \(name)[…]" : "as JSON"
        reader.add(
            .changed, item, "the parameter \(name): OpenAPI does not say how values within its value are sent; they are sent \(form)", at: parameter,
            id: id)
    }

    // MARK: Values

    /// The example of a parameter, else a value that its schema describes.
    private func sample(_ parameter: OpenAPIValue) -> JSONValue? {
        if let example = OpenAPISample.example(in: parameter, reader) { return example }
        if let media = parameter["content"]?.members.first?.value {
            let value = OpenAPISample.example(in: media, reader) ?? media["schema"].flatMap { made(from: $0) }
            if case .string? = value { return value }
            return value.map { .string($0.compactText) }
        }
        let schema = schema(of: parameter)
        guard style(of: parameter) == "deepObject", let scalar = OpenAPISchema(schema, reader).alternatives.first(where: { isScalar($0) }) else {
            return made(from: schema)
        }
        // A plain value is the simplest form where the server accepts both.
        return made(from: scalar)
    }

    private func style(of parameter: OpenAPIValue) -> String? { parameter["style"]?.text }

    private func isScalar(_ schema: OpenAPIValue) -> Bool {
        ["string", "integer", "number", "boolean"].contains(OpenAPISchema(schema, reader).type ?? "")
    }

    private func made(from schema: OpenAPIValue) -> JSONValue? {
        var sample = OpenAPISample(reader)
        return sample.value(for: schema)
    }

    /// The schema; Swagger 2.0 has its keywords in the parameter.
    private func schema(of parameter: OpenAPIValue) -> OpenAPIValue { parameter["schema"] ?? parameter }

    private func isRequired(_ parameter: OpenAPIValue) -> Bool { parameter["required"]?.bool == true }

    /// The description with the permitted values.
    private func summary(_ parameter: OpenAPIValue) -> String? {
        let values = OpenAPISchema(schema(of: parameter), reader)["enum"]?.texts ?? []
        let parts = [
            parameter["deprecated"]?.bool == true ? "Deprecated." : nil, OpenAPIText.line(parameter["description"]?.text),
            values.isEmpty ? nil : "One of: \(values.joined(separator: ", "))",
        ]
        let text = parts.compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    private func rows(_ parameter: OpenAPIValue, _ name: String, _ style: OpenAPIStyle) -> [Parameter] {
        let value = sample(parameter)
        reportParts(of: value, style, parameter, name)
        let isReserved = parameter["allowReserved"]?.bool == true
        if isReserved, style.pairs(of: value, named: name, { $0 }).contains(where: { $0.value.contains { "&+#%".contains($0) } }) {
            reader.add(.changed, item, "the parameter \(name): &, +, # and % of its value are percent-encoded", at: parameter, id: id)
        }
        let pairs = style.pairs(of: value, named: name) { Self.encoded($0, isReserved: isReserved) }
        if let other = pairs.first(where: { !PercentEncoding.decode($0.name).hasPrefix(name) }) {
            reader.add(
                .changed, item, "the parameter \(name): each property of its object is a parameter, such as \(PercentEncoding.decode(other.name))",
                at: parameter, id: id)
        }
        let summary = summary(parameter)
        return pairs.map { pair in
            // The characters between the items of a list are not encoded, unlike those of a value.
            var row =
                URLText.row("\(pair.name)=\(pair.value)"[...])
                ?? Parameter(Template.quoting(PercentEncoding.decode(pair.name)), Template.quoting(PercentEncoding.decode(pair.value)))
            (row.isEnabled, row.summary) = (isRequired(parameter), summary)
            return row
        }
    }

    /// A text percent-encoded for a query; reserved characters stay where a query can have them in a value.
    private static func encoded(_ text: String, isReserved: Bool = false) -> String {
        text.unicodeScalars.map { scalar in
            isReserved && ":/?@!$()*,;=[]".unicodeScalars.contains(scalar)
                ? String(scalar) : PercentEncoding.encode(String(scalar), allowed: .unreserved)
        }.joined()
    }

    // MARK: Locations

    private mutating func addPath(_ name: String, _ parameter: OpenAPIValue, _ style: OpenAPIStyle) {
        guard endpoint.path.contains("{\(name)}") else {
            return reader.add(.omitted, item, "the path has no {\(name)}", at: parameter, id: id)
        }
        if let summary = summary(parameter) { notes.append("\(name): \(summary)") }
        let sample = sample(parameter)
        reportParts(of: sample, style, parameter, name)
        switch sample {
        case .array?, .object?:
            let value = style.text(of: sample, named: name) { Self.encoded($0) }
            guard !value.isEmpty, Self.encoded(value) != value else {
                endpoint.variables[name] = value.isEmpty ? nil : value
                return
            }
            // The characters between the items are not encoded, unlike those of a value.
            let variable = Self.pathName(name)
            endpoint.path = endpoint.path.replacing("{\(name)}", with: Template.Segment.variable(variable, isRaw: true).description)
            endpoint.variables[variable] = value
        case .string?, .number?, .bool?, .null?, nil:
            let prefix = style.prefix(for: name)
            if !prefix.isEmpty { endpoint.path = endpoint.path.replacing("{\(name)}", with: Template.quoting(prefix) + "{\(name)}") }
            let value = sample.map(OpenAPIStyle.text) ?? ""
            if !value.isEmpty { endpoint.variables[name] = Template.quoting(value) }
        }
    }

    private mutating func addHeader(_ name: String, _ parameter: OpenAPIValue, _ style: OpenAPIStyle) {
        guard Token.isValid(name) else {
            return reader.add(.omitted, item, "“\(name)” is not the name of a header field", at: parameter, id: id)
        }
        let sample = sample(parameter)
        reportParts(of: sample, style, parameter, name)
        let value = Template.quoting(OpenAPIText.line(style.text(of: sample, named: name) { $0 }) ?? "")
        var row = Parameter(Template.quoting(name), value, isEnabled: isRequired(parameter), summary: summary(parameter))
        // The body determines this field.
        if name.lowercased() == "content-type" { row.isEnabled = false }
        endpoint.headers.append(row)
    }

    private mutating func addCookie(_ name: String, _ parameter: OpenAPIValue, _ style: OpenAPIStyle) {
        let sample = sample(parameter)
        reportParts(of: sample, style, parameter, name)
        let text = style.pairs(of: sample, named: name, Self.cookieText).map { pair in
            // A literal value would be taken for a credential, and the name would not stay readable.
            guard pair.name == name, PathParameter.isName(name) else { return Template.quoting("\(pair.name)=\(pair.value)") }
            endpoint.variables[name] = Template.quoting(pair.value)
            return "\(name)={{\(name)}}"
        }.joined(separator: "; ")
        if isRequired(parameter) { return cookies.append(text) }
        endpoint.headers.append(Parameter("Cookie", text, isEnabled: false, summary: summary(parameter)))
    }

    /// A text with the characters percent-encoded that a cookie cannot have (RFC 6265 §4.1.1).
    private static func cookieText(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.value > 0x20 && scalar.value < 0x7f && !"\",;\\".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : PercentEncoding.encode(String(scalar), allowed: .unreserved)
        }.joined()
    }

    /// A parameter that is the whole query (OpenAPI 3.2).
    private mutating func addQueryString(_ name: String, _ parameter: OpenAPIValue) {
        guard let media = parameter["content"]?.members.first else {
            return reader.add(.omitted, item, "the query \(name) has no media type", at: parameter, id: id)
        }
        let value = OpenAPISample.example(in: media.value, reader) ?? media.value["schema"].flatMap { made(from: $0) }
        if OpenAPIMedia.isForm(media.name), case .object(let members)? = value {
            endpoint.query += members.map { Parameter(Template.quoting($0.key), Template.quoting(OpenAPIStyle.text($0.value))) }
        } else if let value {
            endpoint.path += "?" + PercentEncoding.encode(OpenAPIStyle.text(value), allowed: .unreserved)
        }
    }

    /// Asks for the values of parameters in the path that have none, because their text would be sent.
    private mutating func defineOtherPathParameters(than parameters: [OpenAPIValue], of operation: OpenAPIValue) {
        let declared = Set(parameters.filter { $0["in"]?.text == "path" }.map { Self.pathName($0["name"]?.text ?? "") })
        for parameter in endpoint.pathParameters where parameter.text.hasPrefix("{") && endpoint.variables[parameter.name] == nil {
            endpoint.variables[parameter.name] = ImportedWorkspace.prompt(parameter.name)
            guard !declared.contains(parameter.name) else { continue }
            reader.add(
                .changed, item, "{\(parameter.name)} of the path is no parameter of the operation; it is a variable, whose value is asked for",
                at: operation, id: id)
        }
    }

    /// The name of a parameter in a path.
    static func pathName(_ name: String) -> String {
        let allowed = String(name.map { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber ? $0 : "_" })
        return PathParameter.isName(allowed) ? allowed : "p_" + allowed
    }

    /// Gives parameters of the path names that a path can have.
    private mutating func renamePathParameters() {
        var path = ""
        var rest = endpoint.path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            path += rest[..<open]
            rest = rest[rest.index(after: close)...]
            if PathParameter.isName(name) || name.isEmpty || name.hasPrefix("{") || rest.first == "}" {
                path += "{\(name)}"
                continue
            }
            let new = Self.pathName(name)
            if let value = endpoint.variables.removeValue(forKey: name) { endpoint.variables[new] = value }
            reader.report(changed: item, "the parameter {\(name)} of the path is named \(new)", id: id)
            path += "{\(new)}"
        }
        endpoint.path = path + rest
    }
}
