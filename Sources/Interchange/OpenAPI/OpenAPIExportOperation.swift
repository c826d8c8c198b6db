internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// One operation of an exported description.
struct OpenAPIExportOperation {
    /// Fields that OpenAPI describes in other places, or that belong to a connection.
    private static let otherFields: Set<String> = [
        "accept", "content-type", "authorization", "content-length", "host", "connection", "transfer-encoding", "user-agent", "accept-encoding",
    ]

    let item: ExportSource.Item
    private let values: OpenAPIExportValues
    /// The path with `{name}` for its parameters.
    private(set) var path = ""
    private(set) var server: OpenAPIExportServer
    private(set) var schemes: [JSONValue.Member] = []
    /// The flow that gets the token; nil where the credentials are others.
    private(set) var flow: OpenAPIExportFlow?
    private var parameters: [JSONValue] = []
    private var pathNames: [String] = []

    init(_ item: ExportSource.Item, _ source: ExportSource) {
        var item = item
        item.endpoint = item.endpointAsSent(in: source.workspace)
        self.item = item
        values = OpenAPIExportValues(item, source)
        server = OpenAPIExportServer(item, path: "/")
        let query = setPath()
        server = OpenAPIExportServer(item, path: path)
        for name in pathNames { addParameter(name, "path", examples: [values.value(of: name)].compactMap(\.self), isRequired: true, summary: nil) }
        addRows(query + item.endpoint.query, "query")
        addHeaders(item.endpoint.headers + item.endpoint.inheritedHeaders(in: source.workspace))
        addAuth()
    }

    // MARK: Parts

    var tags: [String] {
        let folders = FilePath.components(of: item.endpoint.target).dropFirst().dropLast().joined(separator: "/")
        return (folders.isEmpty || item.endpoint.target.hasPrefix("history/") ? [] : [folders]) + item.endpoint.tags.filter { $0 != "deprecated" }
    }

    /// The target without the service, as one word.
    var id: String {
        let parts = FilePath.components(of: item.endpoint.target)
        return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: "-")
    }

    /// - Parameter flowKey: The name of the security scheme of ``flow``.
    func value(id: String, isOnServer: Bool, flowKey: String?) -> JSONValue {
        let endpoint = item.endpoint
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue?) { if let value { members.append(.init(name, value)) } }
        add("tags", tags.isEmpty ? nil : .array(tags.map { .string($0) }))
        add("summary", .string(endpoint.name))
        let isDeprecated = endpoint.tags.contains("deprecated")
        var text = endpoint.summary ?? ""
        if isDeprecated, text.hasPrefix("Deprecated.") { text = String(text.dropFirst("Deprecated.".count).drop { $0 == "\n" || $0 == " " }) }
        add("description", text.isEmpty ? nil : .string(text))
        add("operationId", .string(id))
        add("deprecated", isDeprecated ? true : nil)
        add("servers", isOnServer ? nil : .array([server.value]))
        add("parameters", parameters.isEmpty ? nil : .array(parameters))
        add("requestBody", OpenAPIExportBody(item, values).value)
        add("responses", responses)
        var security = schemes.map { JSONValue.Member($0.key, .array([])) }
        if let flowKey, let flow { security.append(.init(flowKey, .array(flow.scopes.map { .string($0) }))) }
        if !security.isEmpty { add("security", .array([.object(security)])) }
        return .object(members)
    }

    private var responses: JSONValue {
        func key(_ range: ClosedRange<Int>?) -> String {
            guard let range else { return "default" }
            return range.lowerBound % 100 == 0 && range.count == 100 ? "\(range.lowerBound / 100)XX" : String(range.lowerBound)
        }
        let examples = item.endpoint.examples
        var keys: [String] = []
        for range in (item.endpoint.expectation?.statuses ?? []) + (item.endpoint.expectation?.accepted ?? []) where keys.count < 10 {
            if !keys.contains(key(range)) { keys.append(key(range)) }
        }
        for example in examples where !keys.contains(key(example.response.statuses)) { keys.append(key(example.response.statuses)) }
        if keys.isEmpty { keys = ["default"] }
        return .object(
            keys.map { name in
                let text = name == "default" ? "The response" : "The expected response"
                let own = examples.filter { key($0.response.statuses) == name }
                return .init(name, .object([.init("description", .string(text))] + OpenAPIExportExample.members(of: own)))
            })
    }

    // MARK: Path

    /// Sets the path; returns the rows of its query.
    private mutating func setPath() -> [Parameter] {
        var text = item.endpoint.path
        if let scheme = text.firstRange(of: "://"), !text[..<scheme.lowerBound].contains("/") {
            text = text[scheme.upperBound...].firstIndex(of: "/").map { String(text[$0...]) } ?? "/"
        }
        var endpoint = item.endpoint
        endpoint.path = text
        for parameter in endpoint.pathParameters where parameter.text.hasPrefix(":") && values.isDefined(parameter.name) {
            text = text.split(separator: "/", omittingEmptySubsequences: false).map { $0 == parameter.text ? "{\(parameter.name)}" : String($0) }
                .joined(separator: "/")
        }
        var target = ""
        for segment in Template(text).segments {
            switch segment {
            case .text(let text), .unclosed(let text): target += text
            case .variable(let name, _): target += "{\(name)}"
            case .builtin("braces", _, _): target += "{{"
            case .builtin(let name, let argument, _): target += "{\(PathParameter.isName(argument) ? argument : name)}"
            }
        }
        let parts = target.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map { String($0) } ?? ""
        if !path.hasPrefix("/") { path = "/" + path }
        for part in path.split(separator: "{").dropFirst() {
            guard let end = part.firstIndex(of: "}"), end > part.startIndex else { continue }
            let name = String(part[..<end])
            if !pathNames.contains(name) { pathNames.append(name) }
        }
        return (parts.count > 1 ? parts[1].split(separator: "&") : []).map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentEncoding.decode($0, plusIsSpace: true)
            }
            return Parameter(Template.quoting(sides[0]), sides.count > 1 ? Template.quoting(sides[1]) : "")
        }
    }

    // MARK: Parameters

    private mutating func addParameter(
        _ name: String, _ location: String, examples: [String], isRequired: Bool, summary: String?, isList: Bool = false
    ) {
        var members: [JSONValue.Member] = [.init("name", .string(name)), .init("in", .string(location))]
        if let summary { members.append(.init("description", .string(summary))) }
        if isRequired { members.append(.init("required", true)) }
        let named = item.endpoint.examples.compactMap { example -> JSONValue.Member? in
            let rows = location == "path" ? example.request.path : location == "query" ? example.request.query : example.request.headers
            let row = rows.first { $0.isEnabled && $0.name == name && Template($0.value).isPlain }
            return row.map { .init(example.name, ["value": .string($0.value)]) }
        }
        // A parameter has either one example or named ones (OpenAPI 3.1 §4.8.12).
        if !named.isEmpty, !isList {
            members.append(.init("schema", ["type": "string", "examples": .array(examples.prefix(1).map { .string($0) })]))
            members.append(.init("examples", .object(named)))
            return parameters.append(.object(members))
        }
        members.append(.init("schema", isList ? ["type": "array", "items": ["type": "string"]] : ["type": "string"]))
        if isList, !examples.isEmpty {
            members.append(.init("example", .array(examples.map { .string($0) })))
        } else if let example = examples.first {
            members.append(.init("example", .string(example)))
        }
        parameters.append(.object(members))
    }

    private mutating func addRows(_ rows: [Parameter], _ location: String) {
        var names: [String] = []
        for row in rows {
            let name = values.name(row.name)
            guard !names.contains(name) else { continue }
            names.append(name)
            let all = rows.filter { values.name($0.name) == name }
            // A row that is switched off is not another value of the parameter.
            let same = all.contains(where: \.isEnabled) ? all.filter(\.isEnabled) : all
            if row.isEnabled, values.isCredential(row) {
                addScheme(name + (location == "query" ? "Query" : "Header"), ["type": "apiKey", "in": .string(location), "name": .string(name)])
                continue
            }
            addParameter(
                name, location, examples: same.compactMap { values.text($0.value) }, isRequired: same.contains(where: \.isEnabled),
                summary: row.summary, isList: same.count > 1 && location == "query")
        }
    }

    private mutating func addHeaders(_ rows: [Parameter]) {
        for row in rows where row.name.lowercased() == "cookie" {
            for pair in row.value.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
                let name = String((sides.first ?? "").filter { !$0.isWhitespace })
                guard sides.count == 2, !name.isEmpty, !name.contains("{") else { continue }
                if row.isEnabled, values.isSecret(sides[1]) {
                    addScheme(name + "Cookie", ["type": "apiKey", "in": "cookie", "name": .string(name)])
                } else {
                    addParameter(
                        name, "cookie", examples: [values.text(sides[1])].compactMap(\.self), isRequired: row.isEnabled, summary: row.summary)
                }
            }
        }
        for row in rows where row.name.lowercased() == "authorization" && row.isEnabled {
            addScheme("authorization", ["type": "apiKey", "in": "header", "name": "Authorization"])
        }
        addRows(rows.filter { $0.name.lowercased() != "cookie" && !Self.otherFields.contains($0.name.lowercased()) }, "header")
    }

    // MARK: Security

    /// What the description does not have of the credentials.
    var notes: [String] {
        let notes = otherNotes
        switch item.credentials {
        case .oauth2(let settings):
            if flow == nil { return notes + ["OAuth 2 is described as a bearer token, because the value of a part of its URLs is not known"] }
            return notes + (settings.audience.isEmpty ? [] : ["the audience of OAuth 2 is not described"])
        case .awsSigV4: return notes + ["the signature of AWS is not described"]
        case .none, .inherit, .bearer, .jwt, .basic, .digest, .ntlm, .negotiate, .apiKey, .signature: return notes
        }
    }

    private var hasTextBesideCookies: Bool {
        item.endpoint.headers.filter { $0.isEnabled && $0.name.lowercased() == "cookie" }.contains { row in
            row.value.isEmpty || row.value.split(separator: ";").contains { !$0.contains("=") || $0.trimmingBlanks.hasPrefix("=") }
        }
    }

    /// What the description does not have of the other parts of the request.
    private var otherNotes: [String] {
        let endpoint = item.endpoint
        var notes: [String] = []
        if case .file = endpoint.body { notes.append("the file of the body is not described") }
        if case .multipart(let parts) = endpoint.body, parts.contains(where: \.isFile) { notes.append("the files of parts are not described") }
        // A description has no parameters of these names (OpenAPI 3.1 §4.8.12).
        let fields = item.request.headers.fields.map(\.name).filter { ["accept", "accept-encoding", "host", "user-agent"].contains($0.lowercased()) }
        if !fields.isEmpty { notes.append("the fields \(fields.joined(separator: ", ")) are not described") }
        var rows = endpoint.query + endpoint.headers
        if case .form(let form) = endpoint.body { rows += form }
        if rows.contains(where: { $0.isEnabled && !$0.value.isEmpty && values.text($0.value) == nil }) {
            notes.append("credentials, and values that are generated or come from the user, have no example")
        }
        let url = URLText(of: endpoint)
        if url.rows.contains(where: { $0.isNameOnly && $0.value.isEmpty }) { notes.append("a parameter with a name alone has an empty value") }
        if url.hasEmptyItems { notes.append("the empty items of the query are not described") }
        let names = url.rows.map(\.name)
        let runs = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }
        if runs.count > Set(names).count { notes.append("parameters of one name that stand apart are described together") }
        if hasTextBesideCookies { notes.append("the text of the field Cookie that is no cookie is not described") }
        let written = endpoint.headers.filter(\.isEnabled).map { $0.name.lowercased() }
        let several = Set(written).filter { name in written.count { $0 == name } > 1 && name != "cookie" }.sorted()
        if !several.isEmpty { notes.append("only the first of the fields \(several.joined(separator: ", ")) is described") }
        if item.request.options.removedFields.contains("content-type") { notes.append("a body has a type in a description") }
        if case .text(let text, _) = endpoint.body, OpenAPIMedia.isJSON(item.request.body.contentType ?? ""), !ImportedBody.isJSON(text) {
            notes.append("the body is not JSON, and is a text in the example")
        }
        if let expectation = endpoint.expectation {
            let rows = expectation.headers.isEmpty && expectation.json.isEmpty ? [] : ["headers and values"]
            let parts = rows + expectation.partsBesideStatusAndRows
            if !parts.isEmpty { notes.append("expect: \(parts.joined(separator: ", "))") }
        }
        if var others = endpoint.acceptance {
            (others.accepted, others.usesAnswerKey) = (nil, false)
            if others != Expectation() { notes.append("expect: conditions of acceptance beside the statuses") }
        }
        let raw = Template(endpoint.path).segments.compactMap { if case .variable(let name, true) = $0 { name } else { nil } }
        if !raw.isEmpty { notes.append("the values of \(raw.joined(separator: ", ")) in the path are described as one segment each") }
        if !item.request.options.decompresses { notes.append("a description does not say that no compressed response is requested") }
        return notes
    }

    private mutating func addScheme(_ name: String, _ value: JSONValue) {
        let key = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) ? $0 : "_" })
        if !schemes.contains(where: { $0.key == key }) { schemes.append(.init(key, value)) }
    }

    private mutating func addAuth() {
        if case .oauth2(let settings) = item.credentials, let flow = OpenAPIExportFlow(settings, values) {
            self.flow = flow
            return
        }
        switch item.auth {
        case .none, .inherit, .oauth2, .awsSigV4, .signature: break
        case .bearer, .jwt: addScheme("bearerAuth", ["type": "http", "scheme": "bearer"])
        case .basic: addScheme("basicAuth", ["type": "http", "scheme": "basic"])
        case .digest: addScheme("digestAuth", ["type": "http", "scheme": "digest"])
        case .ntlm: addScheme("ntlmAuth", ["type": "http", "scheme": "ntlm"])
        case .negotiate: addScheme("negotiateAuth", ["type": "http", "scheme": "negotiate"])
        case .apiKey(let key):
            let place = key.place.rawValue
            addScheme(key.name + (key.place == .query ? "Query" : "Header"), ["type": "apiKey", "in": .string(place), "name": .string(key.name)])
        }
    }
}

/// The `requestBody` of an exported operation.
struct OpenAPIExportBody {
    private let item: ExportSource.Item
    private let values: OpenAPIExportValues

    init(_ item: ExportSource.Item, _ values: OpenAPIExportValues) {
        (self.item, self.values) = (item, values)
    }

    /// The body; nil without one.
    var value: JSONValue? {
        switch item.endpoint.body {
        case .none: recorded
        case .json, .plist, .text: content(type, media(of: text))
        // By GET, its values are parameters of the query.
        case .graphQL: item.request.body == .none ? nil : content(type, media(of: text))
        // A form without a row that is sent would be read as one with its rows.
        case .form(let rows): rows.contains(where: \.isEnabled) ? content(type, ["schema": form(rows)]) : nil
        case .multipart(let parts): content("multipart/form-data", multipart(parts))
        case .file: content(type, ["schema": ["type": "string", "format": "binary"]])
        }
    }

    /// The body of a recorded request that is not text.
    private var recorded: JSONValue? {
        guard case .bytes(let bytes, let type) = item.request.body, !bytes.isEmpty else { return nil }
        return content(type ?? "application/octet-stream", ["schema": ["type": "string", "format": "binary"]])
    }

    private var type: String {
        let field = item.request.headers.fields.last { $0.isNamed("Content-Type") }?.value
        switch item.request.body {
        case .bytes(_, let type?), .file(_, let type?): return values.shown(field ?? type)
        default: return values.shown(field ?? item.endpoint.body.contentType ?? "application/octet-stream")
        }
    }

    private var text: String {
        guard case .bytes(let bytes, _) = item.request.body else { return "" }
        return values.shown(String(decoding: bytes, as: UTF8.self))
    }

    private func content(_ type: String, _ media: JSONValue) -> JSONValue {
        ["required": true, "content": .object([.init(type, media)])]
    }

    private func media(of text: String) -> JSONValue {
        let named = item.endpoint.examples.compactMap { example in
            OpenAPIExportExample.value(of: example.request.body).map { JSONValue.Member(example.name, ["value": $0]) }
        }
        if !named.isEmpty, let own = OpenAPIExportExample.value(of: OpenAPIMedia.isJSON(type) ? .json(text) : .text(text, contentType: type)) {
            return ["schema": ["examples": .array([own])], "examples": .object(named)]
        }
        // Placeholders can make the text invalid, which is then shown as text.
        if OpenAPIMedia.isJSON(type), let value = try? JSONValue(parsing: text) { return ["example": value] }
        if OpenAPIMedia.isForm(type) {
            let pairs = text.split(separator: "&").map { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0, plusIsSpace: true) }
            }
            return ["schema": form(pairs.map { Parameter(Template.quoting($0[0]), $0.count > 1 ? Template.quoting($0[1]) : "") })]
        }
        return ["schema": ["type": "string"], "example": .string(text)]
    }

    private func form(_ rows: [Parameter]) -> JSONValue {
        object(rows.map { (values.name($0.name), values.text($0.value), $0.isEnabled, $0.summary, false) })
    }

    private func multipart(_ parts: [BodyTemplate.Part]) -> JSONValue {
        let schema = object(parts.map { (values.name($0.name), $0.isFile ? nil : values.text($0.value), $0.isEnabled, nil, $0.isFile) })
        let types = parts.compactMap { part in
            part.contentType.flatMap { values.text($0) }.map { JSONValue.Member(values.name(part.name), ["contentType": .string($0)]) }
        }
        return types.isEmpty ? ["schema": schema] : ["schema": schema, "encoding": .object(types)]
    }

    /// The schema of fields; fields with one name are a list.
    private func object(_ fields: [(name: String, example: String?, isEnabled: Bool, summary: String?, isFile: Bool)]) -> JSONValue {
        var properties: [JSONValue.Member] = []
        var required: [JSONValue] = []
        for field in fields where !properties.contains(where: { $0.key == field.name }) {
            let same = fields.filter { $0.name == field.name }
            if same.contains(where: \.isEnabled) { required.append(.string(field.name)) }
            var members: [JSONValue.Member] = same.count > 1 ? [.init("type", "array")] : [.init("type", "string")]
            let kind: JSONValue = field.isFile ? ["type": "string", "format": "binary"] : ["type": "string"]
            if same.count > 1 { members.append(.init("items", kind)) } else if field.isFile { members.append(.init("format", "binary")) }
            if let summary = field.summary { members.append(.init("description", .string(summary))) }
            let examples = same.compactMap(\.example)
            if same.count > 1, !examples.isEmpty {
                members.append(.init("examples", .array([.array(examples.map { .string($0) })])))
            } else if let example = examples.first {
                members.append(.init("examples", .array([.string(example)])))
            }
            properties.append(.init(field.name, .object(members)))
        }
        var members: [JSONValue.Member] = [.init("type", "object")]
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        return .object(members + [.init("properties", .object(properties))])
    }
}

/// The examples of responses and bodies in an exported description.
enum OpenAPIExportExample {
    /// The members `headers` and `content` of a response.
    static func members(of examples: [EndpointExample]) -> [JSONValue.Member] {
        var (headers, types): ([JSONValue.Member], [String]) = ([], [])
        for row in examples.flatMap(\.response.headers) where row.isEnabled && row.name.lowercased() != "content-type" {
            if headers.contains(where: { $0.key == row.name }) { continue }
            headers.append(.init(row.name, ["schema": ["type": "string"], "example": .string(row.value)]))
        }
        for type in examples.compactMap(\.response.contentType) where !types.contains(type) { types.append(type) }
        let content = types.map { type -> JSONValue.Member in
            let named = examples.filter { $0.response.contentType == type }.compactMap { example in
                value(of: example.response.body).map { JSONValue.Member(example.name, ["value": $0]) }
            }
            return .init(type, .object(named.isEmpty ? [] : [.init("examples", .object(named))]))
        }
        return (headers.isEmpty ? [] : [.init("headers", .object(headers))]) + (content.isEmpty ? [] : [.init("content", .object(content))])
    }

    /// The value of a body: JSON where it is JSON, else its text; nil for a body that is no text.
    static func value(of body: BodyTemplate) -> JSONValue? {
        guard let text = body.literal else { return nil }
        guard body.contentType.map(OpenAPIMedia.isJSON) == true else { return .string(text) }
        // Text that is not JSON, such as one with a template, is an example as text.
        return JSONValue(ifValid: text) ?? .string(text)
    }
}
