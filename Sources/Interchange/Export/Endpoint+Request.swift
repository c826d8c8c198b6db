package import SortieBase
package import SortieHTTP
package import WorkspaceModel

extension Endpoint {
    /// An endpoint that sends a recorded request; masked values become environment variables.
    ///
    /// An endpoint has no body of bytes: the body is empty where the recorded body is not text.
    ///
    /// - Parameter name: The target, such as `history/12`.
    /// - Throws: A diagnostic for a part of the body that is not text.
    package init(recorded request: Request, named name: String) throws(Diagnostic) {
        self.init(target: name, name: name, method: request.method, path: request.url.origin + request.url.requestTarget)
        path = Self.unmasked(Template.quoting(path), "SECRET")
        headers = request.headers.fields.map { field in
            Parameter(field.name, Self.unmasked(Template.quoting(field.value), SecretName.environment(field.name)))
        }
        switch request.body {
        case .none: body = .none
        case .bytes(let bytes, let type):
            body =
                String(validating: bytes, as: UTF8.self).map { text in
                    .text(Self.unmasked(Template.quoting(text), "SECRET"), contentType: type)
                } ?? .none
        case .file(let path, let type): body = .file(path: Template.quoting(path), contentType: type)
        case .multipart(let parts):
            var copies: [BodyTemplate.Part] = []
            for part in parts { copies.append(try Self.part(part, of: name)) }
            body = .multipart(copies)
        }
        let (options, usual) = (request.options, RequestOptions())
        if !options.removedFields.isEmpty { removedHeaders = options.removedFields.sorted() }
        if options.maximumRedirects != usual.maximumRedirects { redirects = options.maximumRedirects }
        if options.version != usual.version { version = options.version }
        if !options.decompresses { compression = false }
        if !options.usesCookies { cookies = false }
        // Other credentials are in the message.
        if let origin = request.origin, origin.endpoint.auth.addition != nil, options.credential != .none, !request.headers.contains("Authorization")
        {
            auth = origin.endpoint.auth.mapping { field, text in Self.recorded(text, SecretName.environment(field.name), origin.variables) }
        }
    }

    /// A text of credentials with the recorded values of its variables; a value that is not stored becomes an environment variable.
    private static func recorded(_ text: String, _ variable: String, _ values: [String: String]) -> String {
        Template(text).segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): unmasked(Template.quoting(text), variable)
            case .variable(let name, _): unmasked(Template.quoting(values[name] ?? HeaderField.mask), SecretName.environment(name))
            case .builtin: segment.description
            }
        }.joined()
    }

    private static func part(_ part: RequestBody.Part, of target: String) throws(Diagnostic) -> BodyTemplate.Part {
        switch part.content {
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Diagnostic(SourceLocation(file: target), "body: the part \(part.name) is not UTF-8 text, so that it cannot be exported")
            }
            return .init(
                name: Template.quoting(part.name), value: unmasked(Template.quoting(text), "SECRET"),
                fileName: part.fileName.map(Template.quoting), contentType: part.contentType.map(Template.quoting))
        case .file(let path):
            return .init(
                name: Template.quoting(part.name), value: Template.quoting(path), isFile: true,
                fileName: part.fileName.map(Template.quoting) ?? "", contentType: part.contentType.map(Template.quoting))
        }
    }

    private static func unmasked(_ text: String, _ variable: String) -> String {
        text.replacing(HeaderField.mask, with: "{{$env.\(variable)}}")
    }
}

extension Endpoint {
    /// Adds an API key as a row of the header fields or of the query, for a format without API keys; an enabled row of its name takes precedence.
    mutating func add(_ key: APIKey) {
        switch key.place {
        case .header:
            if !headers.contains(where: { $0.isEnabled && $0.name.lowercased() == key.name.lowercased() }) {
                headers.append(Parameter(key.name, key.value))
            }
        case .query: if !query.contains(where: { $0.isEnabled && $0.name == key.name }) { query.append(Parameter(key.name, key.value)) }
        }
    }
}

extension Endpoint {
    /// Whether the endpoint removes a field that would be sent without it.
    func removesHeader(_ name: String) -> Bool { removedHeaders?.contains { $0.lowercased() == name.lowercased() } ?? false }

    /// The rows of the service that the endpoint neither replaces nor removes.
    func inheritedHeaders(in workspace: Workspace) -> [Parameter] { workspace.service(serviceName).map(inheritedHeaders) ?? [] }

    /// The rows of a service that the endpoint neither replaces nor removes.
    func inheritedHeaders(of service: Service) -> [Parameter] {
        guard inherits ?? true else { return [] }
        let own = Set((headers.map(\.name) + (removedHeaders ?? [])).map { $0.lowercased() })
        return service.headers.filter { !own.contains($0.name.lowercased()) }
    }

    /// The endpoint with the members of a GraphQL request by GET as rows of the query, as they are sent (GraphQL over HTTP §5.2).
    var withGraphQLInQuery: Endpoint {
        guard method == .get, case .graphQL(let request) = body else { return self }
        var result = self
        result.body = .none
        result.query.append(Parameter("query", request.query))
        if let operation = request.operation, !operation.isEmpty { result.query.append(Parameter("operationName", operation)) }
        if request.hasVariables { result.query.append(Parameter("variables", request.variables)) }
        return result
    }
}

extension ExportSource.Item {
    /// The endpoint with its parameters in the places where they are sent: those that plugins add in the query, and in a form where the method decides.
    func endpointAsSent(in workspace: Workspace) -> Endpoint {
        var result = endpoint.withGraphQLInQuery
        let hasForm = workspace.parameterStyle(of: endpoint).placement == .byMethod && ![.get, .head, .delete].contains(endpoint.method)
        if hasForm, case .none = result.body, !result.query.isEmpty { (result.body, result.query) = (.form(result.query), []) }
        if let service = workspace.service(endpoint.serviceName), !request.options.bypassesPlugins {
            let own = Set((URLText(of: result).rows + result.query).map(\.name))
            result.query = workspace.publicParameters(of: service).filter { !own.contains($0.name) } + result.query
        }
        return result
    }
}

extension Endpoint {
    /// The URL with its templates after the first server of an environment, for a format with variables; parameters of the path are variables.
    func urlTemplate(in workspace: Workspace, environment: String?) -> String {
        let others = workspace.variables(of: environment)
        var copy = self
        copy.path = pathTemplate { variables[$0] != nil || workspace.variables[$0] != nil || others[$0] != nil }
        let url = URLText(of: copy).text
        var server = environment.flatMap { workspace.service(serviceName)?.servers[$0]?.first } ?? ""
        guard !server.isEmpty, !HTTPURL.isAbsolute(url), !url.hasPrefix(server) else { return url }
        while server.hasSuffix("/") { server.removeLast() }
        return server + (url.hasPrefix("/") || url.hasPrefix("?") ? "" : "/") + url
    }
}
