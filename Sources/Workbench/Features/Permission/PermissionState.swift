internal import SortieBase
internal import WorkspaceModel

/// The permissions of the workspace on this machine, and the effects that wait for the user's choice (`Security.md` 3).
struct PermissionState: FeatureState {
    /// The capabilities that the files of the workspace need.
    var scan: CapabilityScan
    /// The capabilities that the user permitted, now or in an earlier session.
    var permitted: Set<Capability> = []
    /// Effects that wait for permission.
    var withheld: [Effect] = []
    /// The open prompt.
    var prompt: PopupStack.ID?

    init() { scan = CapabilityScan(Workspace(name: "", folder: "/"), downloadFolder: "/") }

    init(_ workspace: Workspace, folders: TransferFolders, permitted: Set<Capability>, scan: CapabilityScan? = nil) {
        self.scan = scan ?? CapabilityScan(workspace, downloadFolder: folders.userDownloads)
        self.permitted = permitted
    }

    /// Uses the scan of the changed files; without one, scans them.
    mutating func use(_ workspace: Workspace, folders: TransferFolders, scan: CapabilityScan? = nil) {
        self.scan = scan ?? CapabilityScan(workspace, downloadFolder: folders.userDownloads)
    }

    /// The capabilities that an effect needs and that are not permitted.
    func missing(for effect: Effect, in workspace: Workspace) -> Set<Capability> {
        effect.sentEndpoints(in: workspace).reduce(into: []) { missing, sent in
            switch sent {
            case .endpoint(let endpoint, let environment):
                missing.formUnion(scan.needed(by: endpoint, environment: environment).subtracting(permitted))
            case .run(let run, let environment):
                missing.formUnion(scan.needed(by: run, environment: environment).subtracting(permitted))
            case .secrets(let names):
                let needed = names.compactMap { workspace.secrets[$0] }.map { Capability($0, digests: workspace.programDigests) }
                missing.formUnion(needed.filter { !permitted.contains($0) })
            case .descriptions: missing.formUnion(scan.ofDescriptions.subtracting(permitted))
            case .anything:
                // An exchange of the history may be of any endpoint.
                missing.formUnion(scan.all.subtracting(permitted))
            }
        }
    }
}

extension AppState {
    /// The permissions of the workspace.
    var permission: PermissionState {
        get { states[PermissionState.self] }
        _modify { yield &states[PermissionState.self] }
    }
}

extension Effect {
    /// The endpoints and runs whose templates the effect resolves, for sending or for a dry run.
    func sentEndpoints(in workspace: Workspace) -> [SentByEffect] {
        switch self {
        case .work(let started): started.job.sent
        case .send(_, let endpoint, let environment): [.endpoint(endpoint, environment: environment)]
        case .download(_, let transfer): [.endpoint(transfer.endpoint, environment: transfer.environment)]
        case .sendParked(let requests): requests.map { .endpoint($0.request.endpoint, environment: $0.request.environment) }
        case .startRun(_, let name, let environment, _):
            workspace.run(named: name).map { [.run($0, environment: environment)] } ?? []
        case .startRuns(let name, let starts):
            workspace.run(named: name).map { run in starts.map { .run(run, environment: $0.environment) } } ?? []
        case .replay: [.anything]
        default: []
        }
    }

    /// The actions that end an effect without permission.
    func refused(_ problem: Diagnostic) -> [Action] {
        switch self {
        case .send(let id, _, _), .download(let id, _): [.callFailedToStart(id, problem)]
        case .work(let started): [started.refused(problem)].compactMap(\.self)
        case .sendParked(let requests): requests.map { .callFailedToStart($0.id, problem) }
        case .startRun(let id, _, _, _): [.run(id, .failedToStart(problem.workbenchSentence))]
        case .startRuns(_, let starts): starts.map { .run($0.id, .failedToStart(problem.workbenchSentence)) }
        case .replay(let ids, _, _): ids.map { .callFailedToStart($0, problem) }
        default: []
        }
    }
}
