internal import SortieBase
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

extension NodeReader {
    /// The JSON text of a value that is sent or compared as JSON.
    ///
    /// In contrast to ``jsonText(_:)``, a text between quotes that is a JSON object or array is JSON already, unless it has a tag such as `!!str`.
    mutating func jsonDocument(_ node: YAMLNode) -> String? {
        guard !isStored, let text = textLikeJSON(node) else { return jsonText(node) }
        if let problem = problem(ofJSON: text) {
            report(node, "\(problem), so it is a JSON string; correct it, or write !!str before it if a string is meant", severity: .warning)
            return jsonText(node)
        }
        note(text, at: node)
        return text
    }

    /// Whether a node is a text that ``jsonDocument(_:)`` takes as it is.
    func isJSONDocument(_ node: YAMLNode) -> Bool {
        isJSONText(node) || !isStored && textLikeJSON(node).map { problem(ofJSON: $0) == nil } == true
    }

    /// A text between quotes that begins like a JSON object or array; a template at its beginning is none.
    private func textLikeJSON(_ node: YAMLNode) -> String? {
        guard case .scalar(let scalar) = node.content, scalar.tag == nil, scalar.type == .string, !isJSONText(node),
            case .text(let start)? = Template(scalar.text).segments.first, let first = start.first(where: { !$0.isWhitespace })
        else { return nil }
        return first == "{" || first == "[" ? scalar.text : nil
    }

    /// The syntax error of a JSON text with templates, each of which may be a value or a part of a string.
    private func problem(ofJSON text: String) -> String? {
        let sample = Template(text).segments.map { segment in
            // As long as the template, so that the position of an error is that in the text.
            if case .text(let text) = segment { text } else { String(repeating: "1", count: segment.description.count) }
        }
        return JSONText.problem(in: sample.joined())?.ofJSON(in: "the text")
    }

    /// The JSON text of a YAML value: two spaces of indentation, keys in their order, numbers with their original digits.
    ///
    /// A block scalar (`|`) is JSON text already and stays unchanged, as a text with the tag `!json` of a stored endpoint does.
    mutating func jsonText(_ node: YAMLNode) -> String? {
        if case .scalar(let scalar) = node.content, isJSONText(node) {
            // A text with templates is JSON only once they have values.
            if !isStored, !scalar.text.isEmpty, !scalar.text.contains("{{"), let problem = JSONText.problem(in: scalar.text) {
                report(node, problem.ofJSON(in: "the text"), severity: .warning)
            }
            note(scalar.text, at: node)
            return scalar.text
        }
        var output = ""
        let before = problems.count
        writeJSON(node, indentation: "", to: &output)
        return problems.count == before ? output : nil
    }

    /// Whether a node is a text that is JSON already.
    func isJSONText(_ node: YAMLNode) -> Bool {
        guard case .scalar(let scalar) = node.content else { return false }
        return scalar.style == .literal || scalar.style == .folded || isStored && scalar.tag == YAMLScalar.jsonTag
    }

    private mutating func writeJSON(_ node: YAMLNode, indentation: String, to output: inout String) {
        let inner = indentation + "  "
        switch node.content {
        case .scalar(let scalar):
            note(scalar.text, at: node)
            output += jsonScalar(scalar, at: node)
        case .sequence(let items):
            guard !items.isEmpty else {
                output += "[]"
                return
            }
            output += "["
            for (index, item) in items.enumerated() {
                output += (index == 0 ? "\n" : ",\n") + inner
                writeJSON(item, indentation: inner, to: &output)
            }
            output += "\n\(indentation)]"
        case .mapping:
            let entries = node.entries ?? []
            guard !entries.isEmpty else {
                output += "{}"
                return
            }
            output += "{"
            for (index, entry) in entries.enumerated() {
                guard let key = entry.key.text else {
                    report(entry.key, "a key of JSON must be text, not \(entry.key.kindName)")
                    continue
                }
                note(key, at: entry.key)
                output += (index == 0 ? "\n" : ",\n") + inner + "\"\(JSONText.escaped(key))\"" + ": "
                writeJSON(entry.value, indentation: inner, to: &output)
            }
            output += "\n\(indentation)}"
        }
    }

    private mutating func jsonScalar(_ scalar: YAMLScalar, at node: YAMLNode) -> String {
        switch scalar.type {
        case .null: return "null"
        case .bool: return scalar.text.lowercased()
        case .string: return "\"\(JSONText.escaped(scalar.text))\""
        case .integer, .float:
            guard let number = JSONValue(yamlNumber: scalar.text) else {
                report(node, "JSON has no number “\(scalar.text.shortened)”; put it into quotes")
                return "null"
            }
            return number.text
        }
    }
}

extension NodeReader {
    /// The style of nested parameters; nil where the file does not specify one.
    mutating func parameterStyle(_ node: YAMLNode?) -> ParameterStyle? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "parameters", known: .parameters)
        guard node.entries != nil else { return nil }
        let charset = name(fields["charset"], "charset")
        if let charset, ParameterCharset(named: charset) == nil, let place = fields["charset"] {
            let names = ParameterCharset.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: charset, in: names).map { "did you mean “\($0)”?" } ?? "write one of \(names.joined(separator: ", "))"
            reportInvalid(place, "there is no charset “\(charset.shortened)” here; \(hint)")
        }
        var style = ParameterStyle(
            arrays: word(fields["arrays"], "arrays"), booleans: word(fields["booleans"], "booleans"), nulls: word(fields["nulls"], "nulls"),
            charset: charset)
        style.nested = word(fields["nested"], "nested")
        style.dates = word(fields["dates"], "dates")
        style.order = word(fields["order"], "order")
        style.place = word(fields["place"], "place", of: ParameterStyle.places.map(\.rawValue)).flatMap { ParameterPlacement(rawValue: $0) }
        style.rules = pairs(fields["rules"], of: "rules").compactMap { parameterRule($0.value, named: $0.name, at: $0.key) }
        return style
    }

    /// The rows of a list or a mapping, or of a boolean, a null or a date with a style; nil for a plain text.
    mutating func nestedRows(_ node: YAMLNode, named name: String, style: ParameterStyle?) -> [Parameter]? {
        guard let style else {
            // A stored endpoint has the rows themselves; only a name without a value has null.
            guard isStored, node.isNull else { return nil }
            var row = Parameter(name, "")
            row.isNameOnly = true
            return [row]
        }
        if case .scalar(let scalar) = node.content {
            let isStyled =
                scalar.type == .bool && style.booleans != nil || scalar.type == .null && style.nulls != nil
                || style.dates != nil && date(scalar) != nil
            guard isStyled else { return nil }
        }
        return parameterValue(node, style: style).map { style.rows(of: $0, named: name) }
    }

    /// The seconds of a date that is written without quotes, in ISO 8601.
    private func date(_ scalar: YAMLScalar) -> Double? {
        scalar.style == .plain ? CalendarTime.seconds(ofISO8601: scalar.text) : nil
    }

    /// A value whose texts keep their notation, such as the digits of numbers.
    private mutating func parameterValue(_ node: YAMLNode, style: ParameterStyle) -> ParameterValue? {
        switch node.content {
        case .scalar(let scalar):
            note(scalar.text, at: node)
            switch scalar.type {
            case .null: return .null
            case .bool: return .bool(scalar.text.lowercased() == "true")
            case .string, .integer, .float: return style.dates == nil ? .string(scalar.text) : date(scalar).map { .date($0) } ?? .string(scalar.text)
            }
        case .sequence(let items):
            var values: [ParameterValue] = []
            for item in items { parameterValue(item, style: style).map { values.append($0) } }
            return .array(values)
        case .mapping where style.writesJSON:
            // The text is written here, because its numbers keep their digits.
            guard let text = jsonText(node) else { return nil }
            do { return .string(try JSONValue(parsing: text).compactText) } catch {
                report(node, "a nested parameter: \(error)")
                return nil
            }
        case .mapping:
            var members: [ParameterValue.Member] = []
            for pair in pairs(node, of: "a nested parameter") {
                note(pair.name, at: pair.key)
                parameterValue(pair.value, style: style).map { members.append(.init(pair.name, $0)) }
            }
            return .object(members)
        }
    }

    /// Reads `answer:`, the key of earlier versions for the conditions of acceptance.
    mutating func answer(_ node: YAMLNode?) -> Expectation? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "answer", known: .answer)
        guard node.entries != nil else { return nil }
        var expectation = Expectation()
        acceptance(fields, status: "status", into: &expectation)
        expectation.usesAnswerKey = true
        return expectation
    }

    /// Reads the conditions of acceptance.
    mutating func acceptance(_ fields: [String: YAMLNode], status: String, into expectation: inout Expectation) {
        if let node = fields[status] { expectation.accepted = list(node, status).compactMap { statuses($0.text, at: $0.node) } }
        if let types = fields["types"] {
            expectation.contentTypes = list(types, "types").compactMap { item in
                guard let type = MediaType(item.text) else {
                    report(item.node, "“\(item.text.shortened)” is not a media type; write one such as application/json")
                    return nil
                }
                return type.essence
            }
        }
        expectation.format = word(fields["format"], "format")
        expectation.messages = messages(fields["codes"], of: "codes")
        if isStored {
            expectation.shape = fields["shape"].flatMap { jsonText($0) }
        } else if let shape = fields["shape"], let text = jsonDocument(shape) {
            do {
                _ = try Expectation.schema(ofShape: text)
                expectation.shape = text
            } catch { report(shape, error.message) }
        }
    }

    private mutating func statuses(_ text: String, at node: YAMLNode) -> ClosedRange<Int>? {
        if let range = StatusRange.parse(text) { return range }
        report(node, "“\(text.shortened)” is neither a status nor a range such as 200-299 or 2xx")
        return nil
    }

    /// The expected statuses: one, a range, or a list of both.
    mutating func expectedStatuses(_ node: YAMLNode?) -> [ClosedRange<Int>]? {
        guard let node else { return nil }
        let ranges = list(node, "status").compactMap { statuses($0.text, at: $0.node) }
        if ranges.isEmpty, node.items?.isEmpty == true { report(node, "status must have a status, a range such as 2xx, or a list of them") }
        return ranges.isEmpty ? nil : ranges
    }
}
