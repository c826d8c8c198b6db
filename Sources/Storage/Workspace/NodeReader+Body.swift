internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// The kinds of body; a file contains at most one.
    static let bodyKinds = WorkspaceKeys.body.names.filter { $0 != "contentType" }

    /// The body of an endpoint.
    ///
    /// - Parameter style: how nested form fields are flattened into rows.
    mutating func body(_ node: YAMLNode?, style: ParameterStyle?) -> BodyTemplate {
        guard let node, !node.isNull, node.text != "none" else { return .none }
        guard node.entries != nil else {
            report(
                node, "body must have a kind, as in body: {json: …}, {form: …}, {text: …} or {file: …}, not \(node.kindName)")
            return .none
        }
        let fields = fields(node, of: "body", known: .body)
        let kinds = Self.bodyKinds.filter { fields[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let value = fields[kind] else {
            report(
                node,
                kinds.isEmpty
                    ? "body has no kind; write one of \(Self.bodyKinds.joined(separator: ", "))"
                    : "body has \(kinds.joined(separator: " and ")); keep one of them")
            // Problems in them are reported as well.
            for kind in kinds { if let value = fields[kind] { _ = body(value, of: kind, contentType: nil, style: style) } }
            return .none
        }
        let contentType = template(fields["contentType"], "contentType")
        if contentType != nil, kind != "text", kind != "file" {
            report(fields["contentType"] ?? node, "contentType is valid only with text and file; use a Content-Type header")
        }
        return body(value, of: kind, contentType: contentType, style: style)
    }

    private mutating func body(_ value: YAMLNode, of kind: String, contentType: String?, style: ParameterStyle?) -> BodyTemplate {
        switch kind {
        case "json": return jsonDocument(value).map { .json($0) } ?? .none
        case "form": return .form(rows(value, of: "form", style: style))
        case "plist": return propertyList(value)
        case "text": return text(value, contentType: contentType)
        case "file": return bodyFile(value, contentType: contentType)
        case "graphql": return graphQL(value)
        default: return .multipart(parts(value))
        }
    }

    /// A GraphQL request: its query, or a mapping.
    private mutating func graphQL(_ node: YAMLNode) -> BodyTemplate {
        guard node.entries != nil else { return template(node, "graphql").map { .graphQL(GraphQLTemplate(query: $0)) } ?? .none }
        let fields = fields(node, of: "graphql", known: .graphQL)
        if fields["query"] == nil { report(node, "graphql has no query; write graphql: {query: \"{ … }\"}") }
        var request = GraphQLTemplate(query: template(fields["query"], "query") ?? "", operation: template(fields["operation"], "operation"))
        if let variables = fields["variables"], !variables.isNull {
            if variables.entries == nil, !isJSONDocument(variables) {
                report(variables, "variables must be a mapping of names to values, or the text of a JSON object, not \(variables.kindName)")
            } else {
                request.variables = jsonDocument(variables) ?? ""
            }
        }
        if let name = request.operation, !name.isEmpty, let place = fields["operation"], Template(name).isPlain, Template(request.query).isPlain,
            let problem = GraphQLOperationName.problem(of: name, in: request.query)
        {
            reportInvalid(place, "graphql: \(problem)", severity: .warning)
        }
        return .graphQL(request)
    }

    /// A property list as XML text, or as a value that is converted to one.
    private mutating func propertyList(_ node: YAMLNode) -> BodyTemplate {
        guard node.text == nil else { return template(node, "plist").map { .plist($0) } ?? .none }
        guard let text = jsonText(node) else { return .none }
        do { return .plist(try PropertyListText.text(of: JSONValue(parsing: text))) } catch {
            report(node, "plist: \(error)")
            return .none
        }
    }

    private mutating func text(_ node: YAMLNode, contentType: String?) -> BodyTemplate {
        guard node.entries != nil else { return template(node, "text").map { .text($0, contentType: contentType) } ?? .none }
        let fields = fields(node, of: "text", known: .text)
        let inner = template(fields["contentType"], "contentType")
        return .text(template(fields["text"], "text") ?? "", contentType: inner ?? contentType)
    }

    private mutating func bodyFile(_ node: YAMLNode, contentType: String?) -> BodyTemplate {
        var pathNode: YAMLNode? = node
        var contentType = contentType
        if node.entries != nil {
            let fields = fields(node, of: "file", known: .file)
            pathNode = fields["path"]
            contentType = template(fields["contentType"], "contentType") ?? contentType
        }
        guard let pathNode else {
            report(node, "file has no path")
            return .none
        }
        guard let path = name(pathNode, "file") else { return .none }
        note(path, at: pathNode)
        return .file(path: self.path(path), contentType: contentType)
    }

    private mutating func parts(_ node: YAMLNode) -> [BodyTemplate.Part] {
        guard let items = node.items else {
            if !node.isNull { report(node, "multipart must be a list of {name, value} or {name, file}, not \(node.kindName)") }
            return []
        }
        return items.compactMap { part($0) }
    }

    private mutating func part(_ item: YAMLNode) -> BodyTemplate.Part? {
        guard item.entries != nil else {
            report(item, "a part must be {name, value} or {name, file}, not \(item.kindName)")
            return nil
        }
        let fields = fields(item, of: "a part", known: .part)
        guard let nameNode = fields["name"] else {
            report(item, "a part has no name")
            return nil
        }
        guard let name = template(nameNode, "the name of a part") else { return nil }
        if fields["value"] != nil, fields["file"] != nil {
            report(item, "the part “\(name.shortened)” has a value and a file; keep one of them")
            return nil
        }
        let isFile = fields["file"] != nil
        let value = template(fields["file"] ?? fields["value"], "the part “\(name.shortened)”") ?? ""
        let part = BodyTemplate.Part(
            name: name, value: isFile ? path(value) : value, isFile: isFile, fileName: template(fields["filename"], "filename"),
            contentType: template(fields["type"], "type"), isEnabled: bool(fields["enabled"], "enabled") ?? true)
        let header = RequestBody.Part(name: part.name, content: .bytes([]), fileName: part.fileName, contentType: part.contentType)
        if let problem = header.problem { reportInvalid(item, problem) }
        return part
    }
}
