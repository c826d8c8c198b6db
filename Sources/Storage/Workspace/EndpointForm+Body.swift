internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension EndpointForm {
    /// The body as `{kind: …}`; nil for none.
    func body(_ body: BodyTemplate) -> YAMLValue? {
        let written = source?["body"]
        switch body {
        case .none: return nil
        case .json(let text): return .mapping([.init("json", json(text, source: written?["json"]))])
        case .form(let fields): return .mapping([.init("form", rows(fields, source: written?["form"]) ?? .mapping([]))])
        case .plist(let text): return .mapping([.init("plist", .text(text))])
        case .text(let text, let contentType): return typed("text", inner: "text", text, contentType, source: written)
        case .file(let path, let contentType):
            return typed("file", inner: "path", self.path(path), contentType, source: written)
        case .multipart(let parts): return .mapping([.init("multipart", .sequence(parts.map(part)))])
        case .graphQL(let request): return .mapping([.init("graphql", graphQL(request, source: written?["graphql"]))])
        }
    }

    /// A GraphQL request; only its query where the file has nothing else.
    private func graphQL(_ request: GraphQLTemplate, source: YAMLNode?) -> YAMLValue {
        if source?.text != nil, !request.hasVariables, request.operation == nil { return .text(request.query) }
        return .mapping(optional: [
            ("query", .text(request.query)), ("variables", request.variables.isEmpty ? nil : json(request.variables, source: source?["variables"])),
            ("operation", request.operation.map(YAMLValue.text)),
        ])
    }

    private func typed(_ kind: String, inner: String, _ text: String, _ contentType: String?, source: YAMLNode?) -> YAMLValue {
        let type = contentType.map(YAMLValue.text)
        if source?[kind]?.entries != nil {
            return .mapping([.init(kind, .mapping(optional: [(inner, .text(text)), ("contentType", type)]))])
        }
        return .mapping(optional: [(kind, .text(text)), ("contentType", type)])
    }

    /// JSON as a YAML value where that reads back as exactly the same text, else as a block scalar.
    private func json(_ text: String, source: YAMLNode?) -> YAMLValue {
        if isStored { return .json(text) }
        var isBlockText = false
        if case .scalar(let scalar)? = source?.content { isBlockText = scalar.style == .literal || scalar.style == .folded }
        if !isBlockText, let value = EndpointForm.yaml(ofJSON: text) { return value }
        return .block(text)
    }

    /// JSON on one line as a YAML value where that reads back as the same JSON, else as a block scalar.
    func json(ofOneLine text: String) -> YAMLValue {
        if isStored { return .json(text) }
        do {
            let value = try JSONValue(parsing: text)
            let document = try YAMLDocument(bytes: Array(text.utf8), file: "")
            var reader = NodeReader(file: "", folder: "/", folders: nil)
            if let root = document.root, let read = reader.jsonDocument(root), try JSONValue(parsing: read) == value, let yaml = YAMLValue(json: root)
            {
                return yaml
            }
        } catch {
            // Not an error: text that is not YAML stays text.
        }
        return .block(text)
    }

    /// The YAML value that reads as the JSON text `text`; nil where there is none: other spacing, duplicate keys, not JSON.
    static func yaml(ofJSON text: String) -> YAMLValue? {
        do {
            let document = try YAMLDocument(bytes: Array(text.utf8), file: "")
            guard let root = document.root, let value = YAMLValue(json: root) else { return nil }
            // A string of several lines would be written as a block, which is read as JSON text.
            if root.text?.unicodeScalars.contains("\n") == true { return nil }
            var reader = NodeReader(file: "", folder: "/", folders: nil)
            return reader.jsonDocument(root) == text ? value : nil
        } catch {
            // Not an error: text that is not YAML stays text.
            return nil
        }
    }

    private func part(_ part: BodyTemplate.Part) -> YAMLValue {
        let value = part.isFile ? path(part.value) : part.value
        return .mapping(optional: [
            ("name", .text(part.name)), (part.isFile ? "file" : "value", .text(value)),
            ("filename", part.fileName.map(YAMLValue.text)),
            ("type", part.contentType.map(YAMLValue.text)), ("enabled", part.isEnabled ? nil : .token("false")),
        ])
    }
}

extension EndpointForm {
    /// `plugins:` of an endpoint.
    func plugins(_ use: Endpoint.PluginUse) -> YAMLValue {
        switch use {
        case .none: .text("none")
        case .adding(let kinds): .sequence(kinds.map(plugin))
        case .only(let kinds): .mapping([.init("only", .sequence(kinds.map(plugin)))])
        }
    }

    /// A name, or a name with the options that differ from the defaults.
    func plugin(_ kind: PluginSetting.Kind) -> YAMLValue {
        if case .debugLog(isOn: false, lines: _) = kind { return .mapping([.init(kind.name, .token("false"))]) }
        let options = options(of: kind).compactMap { key, value in value.map { YAMLValue.Member(key, $0) } }
        return options.isEmpty ? .text(kind.name) : .mapping([.init(kind.name, .mapping(options))])
    }

    private func options(of kind: PluginSetting.Kind) -> [(String, YAMLValue?)] {
        func text(_ value: String, unless standard: String) -> YAMLValue? { value == standard ? nil : .text(value) }
        switch kind {
        case .token(let token):
            // Without a value, a token that is renewed starts with none.
            let hasValue = token.refresh != nil || token.value != PluginSetting.Token().value
            return [
                ("value", hasValue ? token.value.map(YAMLValue.text) : nil), ("scheme", text(token.scheme, unless: PluginSetting.Token().scheme)),
                ("refresh", token.refresh.map(refresh)),
            ]
        case .sign(let sign):
            let standard = PluginSetting.Sign()
            return [
                ("scheme", text(sign.scheme.rawValue, unless: standard.scheme.rawValue)), ("secret", text(sign.secret, unless: standard.secret)),
                ("parameter", text(sign.parameter, unless: standard.parameter)),
                ("timestampHeader", text(sign.timestampHeader, unless: standard.timestampHeader)),
            ]
        case .errorFilter(let filter): return options(of: filter)
        case .signals(let signals):
            return [("loading", signals.loading ? nil : .token("false")), ("toast", signals.toast ? nil : .token("false"))]
        case .debugLog(_, let lines): return [("lines", rows(lines, source: nil))]
        case .encrypt(let encrypt):
            let cipher = YAMLValue.mapping(optional: [
                ("key", .text(encrypt.key)), ("parameter", encrypt.parameter.map(YAMLValue.text)),
                ("files", encrypt.files == .refused ? nil : .text(encrypt.files.rawValue)),
            ])
            return [("aes-gcm", cipher)]
        }
    }

    private func refresh(_ refresh: PluginSetting.Refresh) -> YAMLValue {
        .mapping(optional: [
            ("endpoint", .text(refresh.target)), ("token", .text(refresh.token.description)),
            ("expires", refresh.expires.map { .text($0.description) }),
        ])
    }

    private func options(of filter: PluginSetting.ErrorFilter) -> [(String, YAMLValue?)] {
        let (envelope, standard) = (filter.envelope, PluginSetting.ErrorFilter.standard.envelope)
        var success: YAMLValue?
        if envelope.success != standard.success, case .string(let text)? = envelope.success.first { success = .text(text) }
        let messages = envelope.messages.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .text($0.value)) }
        return [
            ("code", envelope.codePath == standard.codePath ? nil : .text(envelope.codePath.description)), ("success", success),
            ("message", envelope.messagePath == standard.messagePath ? nil : envelope.messagePath.map { .text($0.description) }),
            ("codes", messages.isEmpty ? nil : .mapping(messages)), ("distinguish", filter.distinguishes ? .token("true") : nil),
        ]
    }
}
