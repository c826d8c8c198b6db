internal import HistoryModel
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
    let permission: WorkspacePermission
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
        (self.overrides, self.client, self.permission, self.redaction, self.hide) = (overrides, client, permission, redaction, hide)
        earlier = EarlierResponses(permission: permission, hide: hide) { [client] prepared in
            let request = prepared.request
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

    /// The description with which an exchange of the history is compared; nil for one of another workspace, and where its service has none.
    func contract(of past: PastExchange) -> EndpointContract? {
        let workspace = self.workspace
        guard past.item.workspace == workspace.folder, let endpoint = past.item.target.flatMap(workspace.endpoint) else { return nil }
        return contract(of: endpoint)
    }

    /// The description with which the exchanges of an endpoint are compared; nil where its service has none.
    func contract(of endpoint: Endpoint) -> EndpointContract? { EndpointContract(of: endpoint, in: workspace, permission, isStrict: false) }

    /// The request of an endpoint, which may be sent.
    ///
    /// The secrets it uses are posted before.
    ///
    /// - Parameters:
    ///   - destination: The destination of a download, with templates.
    ///   - isPreview: Whether no other endpoint is sent for a value of its response.
    ///   - change: Changes the request before it is compared with the permission.
    func request(
        for endpoint: Endpoint, to destination: String? = nil, _ environment: String?, _ cancellation: Cancellation, isPreview: Bool = false,
        changing change: @Sendable (inout Request) -> Void = { _ in }
    ) async throws(Diagnostic) -> PreparedRequest {
        var builder = RequestBuilder(workspace: workspace, environment: environment, overrides: [overrides])
        builder.turn = { [client] in client.serverTurn(of: $0, in: environment, count: $1) }
        var values = LiveValues(builder.workspace, mayAsk: false, permission: permission, used: hide)
        values.earlier = EarlierContext(isPreview ? nil : earlier, builder, for: endpoint)
        return try await RequestPreparation(builder, values).request(for: endpoint, to: destination, cancelledBy: cancellation, changing: change)
    }

    /// The request of a download with its destination.
    func download(_ transfer: QueuedTransfer, _ cancellation: Cancellation) async throws(Diagnostic) -> PreparedRequest {
        let place = transfer.destination ?? "."
        let prepared = try await request(for: transfer.endpoint, to: place, transfer.environment, cancellation)
        // The caller rejects protected folders.
        if let folder = workspace.downloadFolder, place == folder + "/", ProtectedLocation(folder, .writing, permission.program.folders) == nil {
            try DownloadFolder.create(folder)
        }
        return prepared
    }

    /// The values of secrets of the workspace, by name.
    func values(ofSecrets names: [String], _ cancellation: Cancellation) async -> RevealOutcome {
        let workspace = workspace
        let builder = RequestBuilder(workspace: workspace, environment: nil)
        let values = LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        do {
            return .done(
                try await values.resolve(cancelledBy: cancellation) { values throws(TemplateError) in
                    let scope = values.scope(of: Endpoint(target: "", name: "", path: ""), builder: builder)
                    var found: [String: String] = [:]
                    for name in names { found[name] = try scope.secret(name) }
                    return found
                })
        } catch {
            return .failed(Diagnostic(.nowhere, error.message, remedy: error.remedy))
        }
    }

    /// The setup for sending exchanges of the history again.
    func replaySetup(posting mailbox: Mailbox) -> ReplaySetup {
        ReplaySetup(
            workspace: workspace, overrides: [overrides], mayAsk: false, permission: permission, redaction: redaction,
            used: { mailbox.post(.secretUsed($0)) })
    }
}
