package import SortieBase
package import SortieHTTP

/// Builds the ``Request`` of an ``Endpoint``: resolves templates, joins the URL, and merges header fields and options by precedence.
///
/// All requests of a workspace are built here; the preview of the workbench, `send` and runs use this type.
package struct RequestBuilder: Sendable {
    /// The workspace.
    package var workspace: Workspace
    /// The selected environment.
    package var environment: String?
    /// The values of a run's step, used literally: templates in them are not resolved.
    package var literals: [String: String] = [:]
    /// The values that earlier steps of a run captured, by step and name, also used literally; the same dictionary for all steps, which may be many.
    package var captures: [String: String] = [:]
    /// The targets of the steps of a run by their names.
    package var stepTargets: [String: Set<String>] = [:]
    /// The sources of ``literals``, where they depend on responses or secrets.
    var literalSources: [String: LiteralSource] = [:]
    /// `--var`: layers that win over every file.
    package var overrides: [[String: String]]
    /// Returns the active server of a service's ring with `count` servers; nil for the first server.
    package var turn: @Sendable (_ service: String, _ count: Int) -> ServerTurn? = { _, _ in nil }

    /// Creates a builder of requests of `workspace`.
    package init(workspace: Workspace, environment: String?, overrides: [[String: String]] = []) {
        (self.workspace, self.environment, self.overrides) = (workspace, environment, overrides)
    }

    /// The scope for the templates of `endpoint`.
    package func scope(
        of endpoint: Endpoint, secret: @escaping @Sendable (String) throws(TemplateError) -> String? = { _ in nil },
        builtin: @escaping TemplateScope.Builtin
    ) -> TemplateScope {
        let ofEnvironment = workspace.variables(of: environment)
        let ofPublic = Dictionary(workspace.publicParameters.map { ($0.name, $0.value) }) { first, _ in first }
        var scope = TemplateScope(
            literals: literals, captures: captures, layers: overrides + [endpoint.variables, ofEnvironment, workspace.variables, ofPublic],
            secretNames: workspace.secrets.keys.sorted(),
            secret: secret, builtin: builtin)
        scope.layerNames =
            overrides.map { _ in "--var" } + [
                "of the endpoint", environment.map { "environment \($0)" } ?? "no environment", "workspace.yaml", "publicParameters",
            ]
        scope.secretSources = workspace.secrets
        return scope
    }

    /// The time limits of `endpoint`.
    package func timeouts(of endpoint: Endpoint) -> Timeouts {
        let inherited = endpoint.inherits ?? true ? workspace.service(endpoint.serviceName)?.timeouts ?? workspace.timeouts : Timeouts()
        return endpoint.timeouts ?? inherited
    }

    /// Builds the request of `endpoint`.
    ///
    /// - Throws: A ``Diagnostic`` with the file and the field of the error.
    package func request(for endpoint: Endpoint, in scope: TemplateScope) throws(Diagnostic) -> Request {
        let memo = TemplateMemo()
        var remembering = scope.withinOneBudget()
        remembering.memo = memo
        var request = try resolvedRequest(for: endpoint, in: remembering)
        request.kind = endpoint.grpc != nil ? .grpc : endpoint.opensWebSocket ? .webSocket : endpoint.kind
        var stored = endpoint
        stored.promptValues = [:]
        request.origin = RequestOrigin(endpoint: stored, variables: memo.variables, builtins: memo.builtins)
        request.origin?.sources = memo.sources
        var secrets = secrets(usedIn: memo)
        let source = source(of: memo, for: endpoint)
        secrets.uses.formUnion(source.uses)
        secrets.captures = source.captures
        encode(&secrets, in: workspace.parameterStyle(of: endpoint).parameterCharset)
        if !secrets.isEmpty { request.secrets.formUnion(secrets) }
        do { try scope.authorize?(request) } catch {
            throw Diagnostic(endpoint.location ?? SourceLocation(file: endpoint.target), error.message)
        }
        try authorizeTokenRequest(of: request, in: scope, at: endpoint.location ?? SourceLocation(file: endpoint.target))
        return request
    }

    /// The destination of a download with its templates resolved.
    ///
    /// - Parameter text: `to:` of the endpoint, or an absolute path made from it.
    /// - Throws: A ``Diagnostic`` also where a value would lead to another folder, because values may come from servers.
    package func destination(_ text: String, of endpoint: Endpoint, in scope: TemplateScope) throws(Diagnostic) -> String {
        guard !Template(text).isPlain else { return text }
        let place = endpoint.location ?? SourceLocation(file: endpoint.target)
        let texts = PlacedScope(scope: scope, place: place).at("download", "to")
        var result = ""
        if let problem = ResponseFileName.problem(in: text) { throw texts.problem("download: to: \(problem)") }
        for segment in Template(text).segments {
            // The values of the response are inserted when the file gets its name.
            let value = ResponseFileName.isReference(segment) ? segment.description : try texts.resolve(segment.description, "download: to")
            if case .text = segment {
            } else if ResponseFileName.isReference(segment) {
            } else if value.contains("/") || value.utf8.contains(0) || [".", "..", ""].contains(value) {
                throw texts.problem("download: to: the value of \(segment.description) is not the name of a file or folder")
            }
            result += value
        }
        return result
    }

    private func resolvedRequest(for endpoint: Endpoint, in scope: TemplateScope) throws(Diagnostic) -> Request {
        let place = endpoint.location ?? SourceLocation(file: endpoint.target)
        let texts = PlacedScope(scope: scope, place: place)
        if let section = endpoint.unreadableSections.keys.map(\.rawValue).min() {
            throw texts.at(section).problem("\(section): the text that was typed cannot be read; correct it in the workbench, or undo the change")
        }
        let service = workspace.service(endpoint.serviceName)
        let places = try places(of: endpoint, service: service, texts: texts)
        var request = Request(
            method: endpoint.method, url: places.urls[0], target: endpoint.target, service: service?.folder, environment: environment)
        request.serverGeneration = places.generation
        let style = workspace.parameterStyle(of: endpoint)
        let parameters = places.urls[0].withoutNames(of: try texts.at("query").rows(endpoint.query, "query", style: style))
        let isInQuery = style.placement.isQuery(for: endpoint.method, hasBody: !endpoint.body.takesParameters)
        request.otherServers = Array(places.urls.dropFirst())
        if isInQuery { request.append(query: try queryText(parameters, in: style.parameterCharset, of: texts)) }
        request.options.parameterRules = style.rules

        // A request that inherits nothing does not get the message settings of its service; the servers, trust, proxy and limits apply.
        let inherits = endpoint.inherits ?? true
        try applyFields(of: endpoint, inherits ? service : nil, to: &request, texts: texts)
        let folder = workspace.fileFolder(of: endpoint)
        let bodyPlan = BodyResolver(folder: folder, texts: texts.at("body"), style: style, parameters: isInQuery ? [] : parameters)
        if case .graphQL(let graphQL) = endpoint.body {
            try apply(graphQL, of: endpoint, to: &request, bodyPlan, in: style.parameterCharset)
        } else {
            request.body = try bodyPlan.body(of: endpoint.sentBody)
        }
        if let grpc = endpoint.grpc { try apply(grpc, to: &request, folder: folder, texts: texts) }
        try apply(endpoint.auth(in: service), to: &request, texts: texts)
        if let bad = request.headers.fields.lazy.compactMap(\.problem).first { throw texts.at("headers").problem(bad) }
        if let bad = request.headers.framingProblem { throw texts.at("headers").problem(bad) }

        if let acceptance = endpoint.acceptance {
            do { request.options.answer = try acceptance.rules() } catch { throw texts.at("expect").problem("expect: \(error.message)") }
        }
        if !endpoint.reform.isEmpty {
            do { request.options.answer.reform = try Reform(paths: endpoint.reform.map { ($0.name, $0.value) }) } catch {
                throw texts.at("reform").problem("reform: \(error.description)")
            }
        }
        request.options.bypassesPlugins = endpoint.pluginUse == Endpoint.PluginUse.none || !inherits
        request.options.timeouts = timeouts(of: endpoint)
        request.options.usesCookies = inherits
        request.options.requiresTLS = service?.requiresTLS ?? false
        for key in EndpointKey.all { key.apply(endpoint, &request.options) }
        if let cache = endpoint.cache ?? (inherits ? workspace.cache(for: endpoint) : nil) { try apply(cache, to: &request, texts: texts) }
        request.options.retry = endpoint.retry
        if !endpoint.excludedNetworks.isEmpty { request.options.excludedNetworks = Set(endpoint.excludedNetworks) }
        try requireTLS(of: &request, endpoint, service)
        try applyTrust(of: service, to: &request, texts: texts)
        try resolution(of: service, to: &request, texts: texts)
        try applyProxy(of: service, to: &request, texts: texts)
        return request
    }

    /// Applies the fields of a service and of an endpoint, which replace those of the same name.
    private func applyFields(of endpoint: Endpoint, _ service: Service?, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        let shared = PlacedScope(scope: texts.scope, place: service?.location ?? texts.place)
        let common = try shared.fields(service?.headers ?? [], from: service?.location?.file ?? "service.yaml")
        let own = try texts.fields(endpoint.headers)
        request.headers = Headers(common).overlaid(with: Headers(own))
        let removed = removedFields(service, endpoint, common: common, own: own)
        request.options.removedFields = removed
        if !removed.isEmpty { request.headers.fields.removeAll { removed.contains($0.name.lowercased()) } }
        // A server may respond in another format to a request that accepts any (HTML Standard §9.2.2).
        if endpoint.kind == .events { accept("text/event-stream", in: &request) }
    }

    /// Requests media types where the files do not say which.
    private func accept(_ types: String, in request: inout Request) {
        guard request.headers["Accept"] == nil, !request.options.removedFields.contains("accept") else { return }
        request.headers.fields.append(HeaderField("Accept", types))
    }

    private func applyTrust(of service: Service?, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        let trust = workspace.trust(of: service, in: environment)
        request.options.trust = trust
        // The command that returns the passphrase runs only where the key is used.
        request.options.trust.clientKeyPassphrase = nil
        if let passphrase = trust.clientKeyPassphrase, ([request.url] + request.otherServers).contains(where: { $0.scheme == .https }) {
            texts.scope.memo?.mark(isSent: false)
            request.options.trust.clientKeyPassphrase = try texts.resolve(passphrase, "trust: clientKeyPassphrase")
            texts.scope.memo?.mark(isSent: true)
        }
    }

    private func applyProxy(of service: Service?, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        guard let template = workspace.proxy(of: service) else { return }
        let source = service?.proxy == nil ? "proxy: of workspace.yaml" : "proxy: of the service"
        if var script = try proxyScript(template, texts: texts) {
            script.source = source
            request.options.proxyScript = CopyOnWrite(wrappedValue: script)
        } else {
            var proxy = try self.proxy(template, texts: texts)
            proxy?.source = source
            request.options.proxy = proxy
        }
    }

    /// Applies a GraphQL request: as JSON, or by GET as parameters (GraphQL over HTTP §5), and with the media types of its responses (§6.1).
    ///
    /// Over a WebSocket connection it is a subscription, and the stream of events of one has its own media type.
    private func apply(
        _ graphQL: GraphQLTemplate, of endpoint: Endpoint, to request: inout Request, _ resolver: BodyResolver, in charset: ParameterCharset
    ) throws(Diagnostic) {
        if endpoint.opensWebSocket {
            // The handshake is a GET, also where GraphQL over HTTP is a POST.
            request.method = .get
            request.body = try resolver.body(of: .graphQL(graphQL))
            if request.headers["Sec-WebSocket-Protocol"] == nil {
                request.headers.fields.append(HeaderField("Sec-WebSocket-Protocol", GraphQLSubscription.subprotocol))
            }
            return
        }
        if request.method == .get {
            let pairs = try resolver.members(of: graphQL).map { ParameterPair($0.key, $0.value.plainText) }
            request.append(query: try queryText(pairs, in: charset, of: resolver.texts))
        } else {
            request.body = try resolver.body(of: .graphQL(graphQL))
        }
        accept("application/graphql-response+json, application/json", in: &request)
    }

    /// Applies `grpc:`; the library converts the body when it is sent.
    private func apply(_ setting: GRPCSetting, to request: inout Request, folder: String, texts: PlacedScope) throws(Diagnostic) {
        let name = try texts.at("grpc", "method").resolve(setting.method, "grpc: method")
        guard let method = GRPCMethodPath(name) else {
            throw texts.at("grpc", "method").problem("grpc: method: “\(name)” is not the name of a method; write it as package.Service/Method")
        }
        switch request.body {
        case .none, .bytes: break
        case .file, .multipart: throw texts.at("body").problem("the message of a gRPC call is JSON; write body: {json: …}")
        }
        var call = GRPCCall(method: method.description)
        if let proto = setting.proto {
            let path = try texts.at("grpc", "proto").resolve(proto, "grpc: proto", as: .filePath)
            guard !path.isEmpty else { throw texts.at("grpc", "proto").problem("grpc: proto names no file") }
            call.schema = .file(path: FilePath.joining(folder, path), folder: workspace.folder)
        }
        request.options.grpc = call
        request.url = request.url.calling(method)
        request.otherServers = request.otherServers.map { $0.calling(method) }
    }

    /// Applies `https:` of the endpoint or its service: a URL without TLS is moved by the table of the service, or is an error.
    private func requireTLS(of request: inout Request, _ endpoint: Endpoint, _ service: Service?) throws(Diagnostic) {
        guard request.options.requiresTLS else { return }
        let ports = service?.tlsPorts ?? [:]
        request.moveToTLS(by: ports)
        guard let url = ([request.url] + request.otherServers).first(where: { $0.scheme == .http }) else { return }
        let place = (endpoint.requiresTLS == nil ? service?.location : endpoint.location) ?? SourceLocation(file: endpoint.target)
        let remedy = ports.isEmpty ? "" : ", or add the port \(url.port) to ports: of https in the service"
        throw Diagnostic(place, "https: TLS is required, and \(url.origin) does not use it; write an https URL\(remedy)", keys: ["https"])
    }

    private func apply(_ cache: CacheSetting, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        request.options.cacheLifetime = cache.lifetime
        request.options.cachePolicy = cache.policy
        request.options.cachesOnDisk = cache.isOnDisk
        if request.method == .post { request.options.cachedMethods.insert(.post) }
        guard let tag = cache.tag else { return }
        texts.scope.memo?.mark(isSent: false)
        request.options.cacheTag = try texts.at("cache", "tag").resolve(tag, "cache: tag")
        texts.scope.memo?.mark(isSent: true)
    }

    /// The names of header fields not to send, in lowercase; a field set at the same level or below is sent.
    private func removedFields(_ service: Service?, _ endpoint: Endpoint, common: [HeaderField], own: [HeaderField]) -> Set<String> {
        let ofEndpoint = endpoint.removedHeaders ?? []
        let ofService = service?.removedHeaders ?? []
        guard !ofEndpoint.isEmpty || !ofService.isEmpty else { return [] }
        let given = Set(common.map { $0.name.lowercased() })
        let removed = Set(ofService.map { $0.lowercased() }).subtracting(given).union(ofEndpoint.map { $0.lowercased() })
        return removed.subtracting(own.map { $0.name.lowercased() })
    }

    /// The script that chooses the proxy of a service; nil without one.
    private func proxyScript(_ template: ProxyTemplate, texts: PlacedScope) throws(Diagnostic) -> ProxyScript? {
        guard let text = template.script else { return nil }
        let permission = template.scriptPermission(digests: workspace.programDigests)
        var script: ProxyScript
        if template.scriptFile != nil {
            script = ProxyScript(.file(text), permission: permission)
        } else {
            do throws(HTTPURL.ParseError) { script = ProxyScript(.url(try HTTPURL(parsing: text)), permission: permission) } catch {
                throw Diagnostic(texts.place, "proxy: pac: \(error)")
            }
        }
        script.exceptions = try exceptions(of: template, texts: texts)
        script.certificateAuthorityFile = template.certificateAuthorityFile
        script.authentication = template.authentication
        return script
    }

    private func exceptions(of template: ProxyTemplate, texts: PlacedScope) throws(Diagnostic) -> [ProxyException] {
        let except = try texts.resolve(template.except.joined(separator: ","), "proxy: except")
        do throws(ProxyProblem) { return try ProxyException.list(except) } catch { throw Diagnostic(texts.place, "proxy: \(error.message)") }
    }

    /// The proxy of a service; nil where its URL resolves to an empty text, as in an environment without a proxy.
    private func proxy(_ template: ProxyTemplate, texts: PlacedScope) throws(Diagnostic) -> Proxy? {
        let url = try texts.resolve(template.url, "proxy", as: .proxy)
        let exceptions = try exceptions(of: template, texts: texts)
        guard !url.isEmpty else { return nil }
        do throws(ProxyProblem) {
            var proxy = try Proxy(url, except: exceptions, certificateAuthorityFile: template.certificateAuthorityFile)
            proxy.authentication = template.authentication
            return proxy
        } catch {
            throw Diagnostic(texts.place, "proxy: \(error.message)")
        }
    }

    /// Parameters as the text of a query, in the bytes of a charset.
    private func queryText(
        _ pairs: [ParameterPair], in charset: ParameterCharset, of texts: PlacedScope
    ) throws(Diagnostic) -> String {
        do { return try ParameterEncoding(charset: charset).text(of: pairs, allowed: .unreserved) } catch {
            throw texts.at("query").problem("query: \(error)")
        }
    }

    private func missingServer(of name: String, _ service: Service?) -> String {
        let known = (service?.servers ?? [:]).filter { !$0.value.isEmpty }.keys.sorted()
        if environment == nil, !known.isEmpty {
            return "no environment is chosen, and the service \(name) has servers for \(known.joined(separator: ", ")); "
                + "set environment and environments in workspace.yaml, or choose one"
        }
        let place = environment.map { " for the environment \($0)" } ?? ""
        return "the service \(name) has no server\(place); add one under servers in its service.yaml"
    }

    /// The URLs of the endpoint: on the active server, then on the following ones of the ring; never empty.
    private func places(
        of endpoint: Endpoint, service: Service?, texts: PlacedScope
    ) throws(Diagnostic) -> (urls: [HTTPURL], generation: Int?) {
        let texts = texts.at("path")
        var path = try texts.resolve(endpoint.pathTemplate { texts.scope.defines($0) }, "path", as: .url)
        if WebSocketURL.isWebSocket(path) {
            guard endpoint.opensWebSocket else { throw texts.problem("path: a WebSocket connection needs kind: webSocket") }
            path = WebSocketURL.http(path)
        }
        guard !HTTPURL.isAbsolute(path), HTTPURL.schemeWithOtherSlashes(path) == nil else {
            do { return ([try HTTPURL.joining(base: nil, path: path)], nil) } catch { throw texts.problem("path: \(error)") }
        }
        if let end = path.firstRange(of: "://"), !path[..<end.lowerBound].isEmpty, path[..<end.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber })
        {
            throw texts.problem("path: the scheme \(path[..<end.lowerBound]) is not supported; write http, https, ws or wss")
        }
        let ring = environment.flatMap { service?.servers[$0] } ?? []
        guard let service, !ring.isEmpty else {
            throw Diagnostic(texts.place, missingServer(of: endpoint.serviceName, service))
        }
        func url(onServer index: Int) throws(Diagnostic) -> HTTPURL {
            let servers = PlacedScope(scope: texts.scope, place: service.location ?? texts.place).at("servers", environment ?? "")
            let field = "servers: \(environment ?? "")"
            let server = try servers.resolve(ring[index % ring.count], field, of: .part("server"), as: .url)
            do { return try HTTPURL.joining(base: server, path: path) } catch {
                // The server is parsed alone only here, to name the text that is invalid.
                do { _ = try HTTPURL(parsing: server) } catch { throw servers.problem("\(field): \(error)") }
                throw texts.problem("path: \(error)")
            }
        }
        let turn = turn(service.folder, ring.count)
        let index = turn?.index ?? 0
        var urls = [try url(onServer: index)]
        for step in 1..<max(1, ring.count) {
            // An invalid fallback server, which may not be needed, does not prevent the request; the check of the files reports it.
            do throws(Diagnostic) {
                urls.append(try url(onServer: index + step))
            } catch { continue }
        }
        return (urls, turn?.generation)
    }

    /// Sets the source of the addresses of the service's hosts.
    private func resolution(of service: Service?, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        guard let service else { return }
        let settings = service.addresses
        if case .https(let text) = settings.source {
            let texts = PlacedScope(scope: texts.scope, place: service.location ?? texts.place).at("addresses", "source")
            let url = try texts.resolve(text, "addresses.source", as: .url)
            do { request.options.resolution.server = try HTTPURL(parsing: url) } catch {
                throw texts.problem("addresses.source: \(error.description)")
            }
        }
        guard !settings.fixed.isEmpty else { return }
        // The addresses apply to every server of the service, so that a redirect between them keeps them.
        let addresses = HostAddresses(fixed: settings.source == .fixed ? settings.fixed : [], further: settings.fixed)
        for host in [request.url.host] + request.otherServers.map(\.host) { request.options.resolution.hosts[host] = addresses }
        request.useConfiguredAddresses()
    }

    private func apply(_ auth: Auth, to request: inout Request, texts: PlacedScope) throws(Diagnostic) {
        let texts = texts.at("auth")
        let known = try auth.mapping { field, text throws(Diagnostic) in
            try texts.resolve(text, "auth \(field.name)", as: field.isURL ? .url : field.isJSON ? .json : .text)
        }
        let isReplaced = request.headers.contains("Authorization") && !known.isBesideAuthorization
        if !isReplaced, let problem = known.problem { throw texts.problem("auth: \(known.scheme.map { "\($0): " } ?? "")\(problem)") }
        request.options.credential = known
        request.placeCredentialsOfURL()
        request.placeCredential()
    }

    /// Compares the receivers of a token request's secrets with the permitted ones, as for the request itself.
    private func authorizeTokenRequest(of request: Request, in scope: TemplateScope, at place: SourceLocation) throws(Diagnostic) {
        guard case .oauth2(let settings) = request.options.credential, let authorize = scope.authorize else { return }
        do {
            for receiver in settings.receivers {
                var tokenRequest = Request(method: .post, url: try HTTPURL(parsing: receiver.url))
                tokenRequest.body = .bytes(Array(receiver.texts.joined(separator: "\n").utf8), contentType: "text/plain")
                tokenRequest.secrets = request.secrets
                try authorize(tokenRequest)
            }
        } catch let error as TemplateError {
            throw Diagnostic(place, error.message, remedy: error.remedy)
        } catch {
            throw Diagnostic(place, "auth: oauth2: \(error)", keys: ["auth"])
        }
    }
}

extension HTTPURL {
    /// The rows whose names are not in the query of the URL: a parameter in the URL replaces the rows of its name.
    fileprivate func withoutNames(of rows: [ParameterPair]) -> [ParameterPair] {
        guard let query, !query.isEmpty, !rows.isEmpty else { return rows }
        let own = Set(query.split(separator: "&").map { PercentEncoding.decode($0.prefix { $0 != "=" }) })
        return rows.filter { !own.contains($0.name) }
    }
}
