internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// Resolves the requests of endpoints in the workspace as it was read last.
final class EndpointRequests: Sendable {
    private let current: Mutex<Workspace>
    /// Variables with precedence over all files.
    let overrides: [String: String]
    private let client: Client
    private let permission: WorkspacePermission
    private let redaction: LiveRedaction
    private let hide: @Sendable (String) -> Void
    /// The responses whose values templates use.
    let earlier: EarlierResponses

    /// - Parameters:
    ///   - hide: Called with each secret that is used.
    ///   - log: Receives what is sent for values of responses.
    ///   - observer: Creates an observer of a request that is sent for values of its response.
    init(
        _ workspace: Workspace, overrides: [String: String], client: Client, permission: WorkspacePermission, redaction: LiveRedaction,
        hide: @escaping @Sendable (String) -> Void, log: @escaping @Sendable (LogEntry) -> Void = { _ in },
        observer: @escaping @Sendable (Request) -> (@Sendable (CallEvent) -> Void)? = { _ in nil }
    ) {
        current = Mutex(workspace)
        self.overrides = overrides
        self.client = client
        self.permission = permission
        self.redaction = redaction
        self.hide = hide
        earlier = EarlierResponses(permission: permission, hide: hide) { [client] request in
            let exchange = await client.exchange(request, onEvent: observer(request))
            let outcome = exchange.response.map { String($0.status) } ?? exchange.error?.message ?? "no response"
            log(LogEntry(.info, "\(request.method) \(request.target ?? request.url.origin) was sent for values of its response: \(outcome)"))
            return exchange
        }
    }

    /// The workspace as it was read last.
    var workspace: Workspace { current.withLock { $0 } }

    /// The files have changed.
    func use(_ workspace: Workspace) {
        current.withLock { $0 = workspace }
        earlier.forget()
    }

    /// The resolved request of an endpoint.
    ///
    /// The secrets it uses are posted before.
    ///
    /// - Parameter isPreview: Whether no other endpoint is sent for a value of its response.
    func request(
        for endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation, isPreview: Bool = false
    ) async throws(Diagnostic) -> Request {
        try await checkedRequest(for: endpoint, environment, cancellation, isPreview: isPreview).request
    }

    /// The resolved request of a download, and its destination.
    func download(_ order: QueuedTransfer, _ cancellation: Cancellation) async throws(Diagnostic) -> (request: Request, destination: String) {
        let request = try await request(for: order.endpoint, order.environment, cancellation)
        let place = order.destination ?? "."
        // The caller rejects protected folders.
        if let folder = workspace.downloadFolder, place == folder + "/", ProtectedLocation(folder, .writing, permission.program.folders) == nil {
            try DownloadFolder.create(folder)
        }
        guard !Template(place).isPlain else { return (request, place) }
        let plan = RequestBuilder(workspace: workspace, environment: order.environment, overrides: [overrides])
        let values = LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        let destination = try await values.resolve(cancelledBy: cancellation) { values throws(Diagnostic) in
            try plan.destination(place, of: order.endpoint, in: values.scope(of: order.endpoint, plan: plan))
        }
        return (request, destination)
    }

    /// The resolved request of an endpoint, and the check of its response.
    func checkedRequest(
        for endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation, isPreview: Bool = false
    ) async throws(Diagnostic) -> (request: Request, check: ResponseCheck?) {
        let workspace = workspace
        var plan = RequestBuilder(workspace: workspace, environment: environment, overrides: [overrides])
        plan.turn = { [client] in client.serverTurn(of: $0, in: environment, count: $1) }
        var values = LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        values.earlier = EarlierContext(isPreview ? nil : earlier, plan, for: endpoint)
        return try await values.resolve(cancelledBy: cancellation) { [plan, redaction, hide] values throws(Diagnostic) in
            let scope = values.scope(of: endpoint, plan: plan)
            let request = try plan.request(for: endpoint, in: scope)
            for value in redaction.always.secrets(of: request) { hide(value) }
            try values.permission.refuseProtectedFiles(of: request, at: endpoint.location ?? SourceLocation(file: endpoint.target))
            let check = ResponseCheck(
                of: endpoint, rules: request.options.parameterRules, in: scope, envelope: workspace.service(endpoint.serviceName)?.envelope,
                hasReports: workspace.hooks(of: endpoint).contains { $0.stage == .process })
            return (request: request, check: check)
        }
    }

    /// The values of secrets of the workspace, by name.
    func values(ofSecrets names: [String], _ cancellation: Cancellation) async -> RevealOutcome {
        let workspace = workspace
        let plan = RequestBuilder(workspace: workspace, environment: nil)
        let values = LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        do {
            return .done(
                try await values.resolve(cancelledBy: cancellation) { values throws(TemplateError) in
                    let scope = values.scope(of: Endpoint(target: "", name: "", path: ""), plan: plan)
                    var found: [String: String] = [:]
                    for name in names { found[name] = try scope.secret(name) }
                    return found
                })
        } catch {
            return .failed(error.message)
        }
    }

    /// The setup for sending exchanges of the history again.
    func replaySetup(posting mailbox: Mailbox) -> ReplaySetup {
        ReplaySetup(
            workspace: workspace, overrides: [overrides], mayAsk: false, permission: permission, redaction: redaction,
            used: { mailbox.post(.secretUsed($0)) })
    }
}
