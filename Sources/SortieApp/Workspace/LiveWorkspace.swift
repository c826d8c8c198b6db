internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// The values that plugins look up while calls run: resolved texts, tokens, and the endpoint that provides a new token.
///
/// It always uses the most recently read files.
final class LiveWorkspace: Sendable {
    /// Creates the external values of a workspace's templates.
    typealias Values = @Sendable (Workspace) -> LiveValues

    private struct State {
        var workspace: Workspace
        var stores: [StoreKey: CredentialStore] = [:]
        /// The origins from which the present token of a store came.
        var origins: [StoreKey: Set<String>] = [:]
        /// Weak, because the client's plugins retain this object.
        weak var client: Client?
    }

    /// Identifies the calls that share a token.
    private struct StoreKey: Hashable {
        var environment: String?
        var token: String?
        var refresh: PluginSetting.Refresh
    }

    private let state: Mutex<State>
    private let overrides: [[String: String]]
    private let values: Values

    init(_ workspace: Workspace, overrides: [[String: String]], values: @escaping Values) {
        state = Mutex(State(workspace: workspace))
        (self.overrides, self.values) = (overrides, values)
    }

    /// Sets the client that sends the requests for tokens.
    func attach(_ client: Client) {
        state.withLock { $0.client = client }
    }

    func use(_ workspace: Workspace) {
        state.withLock { $0.workspace = workspace }
    }

    /// Resolves a plugin option that is sent; its secrets become part of the request's secrets.
    func resolve(_ text: String, of place: SourceLocation, sentIn context: PluginContext) async throws(NetworkError) -> String {
        try await resolve(text, of: place, for: context.request, isSent: true) { context.addSecrets($0) }
    }

    /// Resolves a plugin option like the request's own templates: with the variables of its endpoint and its environment.
    ///
    /// - Parameter isSent: whether the text is sent with the request: its secrets then need an origin that is permitted for them, as those of
    ///   the request's own templates do. The origin compared is the configured one, before an upgrade to HTTPS.
    /// - Parameter note: receives the secrets in the option.
    func resolve(
        _ text: String, of place: SourceLocation, for request: Request, isSent: Bool = false, note: (RequestSecrets) -> Void = { _ in }
    ) async throws(NetworkError) -> String {
        guard text.contains("{{") else { return text }
        let workspace = state.withLock { $0.workspace }
        let builder = RequestBuilder(workspace: workspace, environment: request.environment, overrides: overrides)
        let target = request.target ?? request.service ?? ""
        let endpoint = workspace.endpoint(target) ?? Endpoint(target: target, name: target, path: "/")
        do {
            let (value, secrets) = try await values(workspace).resolve { values throws(TemplateError) in
                var scope = values.scope(of: endpoint, builder: builder)
                let memo = TemplateMemo()
                scope.memo = memo
                let value = try scope.resolve(text)
                let secrets = builder.secrets(usedIn: memo)
                if isSent {
                    let typed = values.permission.typed(in: request.origin?.endpoint ?? endpoint, builder: builder)
                    try values.permission.requireReceivers(of: request.sending(value, secrets), typed: typed)
                }
                return (value, secrets)
            }
            note(secrets)
            return value
        } catch {
            throw NetworkError(.invalidTemplate, "\(place): \(error.message)")
        }
    }

    /// The command of a hook with its environment.
    ///
    /// - Throws: When the user has not permitted the program, or its script has changed since.
    func command(of hook: HookSetting, in context: PluginContext) async throws(NetworkError) -> HookCommand {
        let folder = try await BlockingExecutor.shared.run { () throws(NetworkError) in
            try requirePermission(to: "run the hook \(hook.name)", files: hook.fileNames, .pluginFailed) { hook.permissionText(digests: $0) }
        }
        if let name = hook.environment.keys.filter(CodeVariables.contains).min() {
            throw NetworkError(.pluginFailed, "the hook \(hook.name) is not run: \(CodeVariables.refusal(of: name))")
        }
        var environment: [String: String] = [:]
        let place = SourceLocation(file: "hooks")
        for (name, text) in hook.environment.sorted(by: { $0.key < $1.key }) {
            // A secret that the program puts into the request may be sent only to the hosts that are permitted for it.
            environment[name] = try await resolve(text, of: place, for: context.request) { context.addSecrets($0) }
        }
        return HookCommand(
            words: hook.command, environment: environment, folder: folder, keepsRunning: hook.keepsRunning, timeout: hook.timeout)
    }

    /// The folder of the workspace.
    var folder: String { state.withLock { $0.workspace.folder } }

    /// Refuses a tunnel that the user has not permitted, or a file of which cannot be part of the permission.
    func requirePermission(for tunnel: TunnelSetting) throws(NetworkError) {
        try requirePermission(to: "open the tunnel \(tunnel.name)", files: tunnel.fileNames, .invalidOption) { tunnel.permissionText(digests: $0) }
    }

    /// Refuses a program that the user has not permitted, or a file of which cannot be part of the permission.
    ///
    /// - Parameter text: The text of the permission, with the digests of the files.
    /// - Returns: The folder of the workspace.
    @discardableResult
    private func requirePermission(
        to action: String, files: Set<String>, _ code: NetworkError.Code, text: ([String: String]) -> String
    ) throws(NetworkError) -> String {
        let workspace = state.withLock { $0.workspace }
        let permission = values(workspace).permission
        let digests = ProgramDigests.digests(of: files, in: workspace.folder)
        guard permission.permits(Capability(.command, text(digests))) else {
            throw NetworkError(
                code, "the workspace is not permitted to \(action), or its program has changed since",
                remedy: .ofProgram(permission.remedy))
        }
        if let refusal = ProgramDigests.refusal(of: digests) {
            throw NetworkError(code, "the workspace cannot \(action), because \(refusal.reason)", hint: refusal.hint)
        }
        return workspace.folder
    }

    /// The servers of services whose host names are resolved in advance; those with more than plain variables are excluded.
    var namesAhead: [(url: HTTPURL, resolution: NameResolution)] {
        let workspace = state.withLock { $0.workspace }.withPlainServers
        var names: [(url: HTTPURL, resolution: NameResolution)] = []
        // The names of servers behind a tunnel are resolved at its other end.
        for service in workspace.services where service.addresses.isResolvedAhead && service.addresses.source != .fixed && service.tunnel == nil {
            for (environment, servers) in service.servers.sorted(by: { $0.key < $1.key }) {
                let builder = RequestBuilder(workspace: workspace, environment: environment, overrides: overrides)
                for server in servers {
                    let endpoint = Endpoint(target: "\(service.folder)/", name: "", path: server)
                    // A host name that only a secret, the environment or a file completes must not reach a name server before a request is sent.
                    let scope = builder.scope(of: endpoint) { _, _ in nil }
                    do {
                        let request = try builder.request(for: endpoint, in: scope)
                        names.append((request.url, request.options.resolution))
                    } catch {
                        // The first request reports the error.
                        continue
                    }
                }
            }
        }
        return names
    }

    /// The tokens that begin with `token` and are renewed by `refresh`, shared by all calls of an environment.
    func tokens(beginningWith token: String?, _ refresh: PluginSetting.Refresh, for request: Request) -> CredentialStore {
        let environment = request.environment
        return state.withLock { state in
            let key = StoreKey(environment: environment, token: token, refresh: refresh)
            if let store = state.stores[key] { return store }
            let store = CredentialStore(token: token.map { Credential.Token($0) }) { [self] _ in
                try await newToken(refresh, for: key)
            }
            state.stores[key] = store
            return store
        }
    }

    /// Lets the tokens be renewed at once although the last renewal failed.
    func retryTokens() {
        for store in state.withLock({ Array($0.stores.values) }) { store.forgetFailure() }
    }

    /// Waits for the token of a store, and rejects a request that would send it to another origin than those from which it came, without permission.
    func requirePermission(
        toSend store: CredentialStore, beginningWith token: String?, _ refresh: PluginSetting.Refresh, with request: Request
    ) async throws(NetworkError) {
        _ = try await store.credential()
        let key = StoreKey(environment: request.environment, token: token, refresh: refresh)
        let (workspace, origins) = state.withLock { ($0.workspace, $0.origins[key]) }
        // The first token is a text of the files, whose receivers are compared when it is resolved.
        guard let origins else { return }
        let permission = values(workspace).permission
        do {
            try permission.require(sending: refresh.target, from: origins, with: request, typed: typed(for: request, workspace, permission))
        } catch { throw NetworkError(.pluginFailed, error.message) }
    }

    /// Rejects a request that a hook has turned to another origin, where its secrets may not be sent to that one.
    func requireReceivers(of request: Request) throws(NetworkError) {
        let workspace = state.withLock { $0.workspace }
        let permission = values(workspace).permission
        do { try permission.requireReceivers(of: request, typed: typed(for: request, workspace, permission)) } catch {
            throw NetworkError(.pluginFailed, error.message)
        }
    }

    /// What the user typed into the endpoint of a request.
    private func typed(for request: Request, _ workspace: Workspace, _ permission: WorkspacePermission) -> TypedCapabilities {
        let target = request.target ?? request.service ?? ""
        let endpoint = request.origin?.endpoint ?? workspace.endpoint(target) ?? Endpoint(target: target, name: target, path: "/")
        return permission.typed(in: endpoint, builder: RequestBuilder(workspace: workspace, environment: request.environment, overrides: overrides))
    }

    private func newToken(_ refresh: PluginSetting.Refresh, for key: StoreKey) async throws(NetworkError) -> Credential.Token {
        let environment = key.environment
        let (workspace, client) = state.withLock { ($0.workspace, $0.client) }
        guard let client else { throw NetworkError(.shutDown, "the client was shut down") }
        guard let endpoint = workspace.endpoint(refresh.target) else {
            throw NetworkError(.invalidOption, "there is no endpoint \(refresh.target) to request a token from")
        }
        var builder = RequestBuilder(workspace: workspace, environment: environment, overrides: overrides)
        builder.turn = { client.serverTurn(of: $0, in: environment, count: $1) }
        // Values of other responses are not available, because the requests for them may need the token.
        let values = values(workspace)
        let prepared: PreparedRequest
        do throws(Diagnostic) {
            prepared = try await RequestPreparation(builder, values).request(forValueOf: endpoint) { request in
                // The request for a token must not require a token.
                switch request.options.credential {
                case .inherit, .oauth2: request.options.credential = .none
                default: break
                }
                request.options.suppressesUI = true
                // The user does not see the progress of this request.
                request.options.limitBody(to: Int64(JSONValue.bodyLimit))
            }
        } catch {
            throw NetworkError(.invalidTemplate, "no token can be requested: \(error)")
        }
        let exchange = await client.exchange(prepared.request)
        if let error = exchange.error { throw error }
        guard let response = exchange.response else { throw NetworkError(.emptyResponse, "\(refresh.target) sent no response") }
        guard response.body.count <= JSONValue.bodyLimit else {
            let size = ByteCount(response.body.count).text
            throw NetworkError(.badBody, "\(refresh.target) responded with \(response.status) and \(size), too large to search for a token")
        }
        let body: JSONValue
        do { body = try JSONValue(parsing: response.utf8Body) } catch {
            throw NetworkError(.badBody, "\(refresh.target) responded with \(response.status) and a body that is not JSON", underlying: "\(error)")
        }
        guard case .string(let token)? = refresh.token.first(in: body), !token.isEmpty else {
            throw NetworkError(.badBody, "\(refresh.target) responded with \(response.status) and no token at \(refresh.token)")
        }
        values.used(token)
        state.withLock { $0.origins[key] = exchange.captureOrigins }
        var lifetime: Duration?
        if case .number(let text)? = refresh.expires?.first(in: body), let seconds = Double(text), seconds > 0, seconds < 1e9 {
            lifetime = .seconds(seconds)
        }
        return Credential.Token(token, expiresIn: lifetime)
    }
}

extension Workspace {
    /// The workspace with only the servers in the requests of its services, so that nothing else is resolved.
    fileprivate var withPlainServers: Workspace {
        var workspace = self
        workspace.publicParameters = []
        for index in workspace.services.indices {
            workspace.services[index].headers = []
            workspace.services[index].auth = .none
            workspace.services[index].publicParameters = []
        }
        return workspace
    }
}

extension Request {
    /// The request with nothing secret but what a plugin adds to it.
    fileprivate func sending(_ value: String, _ secrets: RequestSecrets) -> Request {
        var request = Request(method: method, url: url)
        (request.otherServers, request.secrets) = (otherServers, secrets)
        request.headers.append("Authorization", value)
        return request
    }
}
