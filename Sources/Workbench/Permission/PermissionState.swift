internal import Model

/// What the workspace may do on this machine, and what waits for the user's decision (`trust.md` 3).
struct PermissionState: Sendable {
    /// What the files of the workspace ask for.
    var scan: CapabilityScan
    /// What the user permitted, now or in an earlier session.
    var permitted: Set<Capability>
    /// Effects that are carried out once the user permits what they need.
    var withheld: [Effect] = []

    init(_ workspace: Workspace, folders: TransferFolders, permitted: Set<Capability>) {
        scan = CapabilityScan(workspace, downloadFolder: folders.home + "/Downloads")
        self.permitted = permitted
    }

    /// The files have changed.
    mutating func use(_ workspace: Workspace, folders: TransferFolders) {
        scan = CapabilityScan(workspace, downloadFolder: folders.home + "/Downloads")
    }

    /// What an effect needs and is not permitted.
    func missing(for effect: Effect, in workspace: Workspace) -> Set<Capability> {
        effect.sentEndpoints(in: workspace).reduce(into: []) { missing, sent in
            switch sent {
            case .endpoint(let endpoint, let environment):
                missing.formUnion(scan.needed(by: endpoint, environment: environment).subtracting(permitted))
            case .run(let run, let environment):
                missing.formUnion(scan.needed(by: run, environment: environment).subtracting(permitted))
            case .anything:
                // Which endpoint of the history it is is not known here.
                missing.formUnion(scan.all.subtracting(permitted))
            }
        }
    }
}

/// What an effect sends, as far as permission is concerned.
enum SentByEffect {
    case endpoint(Endpoint, environment: String?)
    case run(RunDefinition, environment: String?)
    case anything
}

extension Effect {
    /// What the effect resolves templates of, to send it or to show what would be sent.
    func sentEndpoints(in workspace: Workspace) -> [SentByEffect] {
        switch self {
        case .send(_, let endpoint, let environment), .loadPage(_, let endpoint, let environment), .dryRun(_, let endpoint, let environment):
            [.endpoint(endpoint, environment: environment)]
        case .download(_, let transfer): [.endpoint(transfer.endpoint, environment: transfer.environment)]
        case .sendParked(let requests): requests.map { .endpoint($0.request.endpoint, environment: $0.request.environment) }
        case .startRun(_, let name, let environment, _):
            workspace.runs.filter { $0.name == name }.map { .run($0, environment: environment) }
        case .planReplay, .replay: [.anything]
        default: []
        }
    }

    /// The actions by which an effect that was not permitted ends.
    func refused(_ problem: Problem) -> [Action] {
        switch self {
        case .send(let id, _, _), .download(let id, _): [.callFailedToStart(id, problem)]
        case .loadPage(let id, _, _): [.pageFailed(id, problem)]
        case .dryRun(let id, _, _): [.dryRan(id, .failed(problem))]
        case .sendParked(let requests): requests.map { .callFailedToStart($0.id, problem) }
        case .startRun(let id, _, _, _): [.run(id, .failedToStart(problem.message))]
        case .planReplay(let id, _): [.replayRefused(id, problem.message)]
        case .replay(let ids, _, _): ids.map { .callFailedToStart($0, problem) }
        default: []
        }
    }
}
