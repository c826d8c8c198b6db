internal import Foundation
internal import Model
internal import Storage
internal import Synchronization

/// What a workspace may do on this machine while one program runs (`Security.md` 3 and 4).
///
/// What the files ask for is compared with what the user permitted: stored for the workspace, for this command (`--trust`, `SORTIE_TRUST`), or in the
/// workbench for this session. What a user types is not in the files and is always permitted, except commands, which only files can name.
final class WorkspacePermission: Sendable {
    private struct State {
        var scan: CapabilityScan
        var permitted: Set<Capability>
        /// Everything that the files have asked for since the program started: a change of the files never makes it permitted.
        var asked: Set<Capability>
    }

    private let folder: String
    private let namedFolder: String
    private let name: String
    private let state: Mutex<State>
    /// Why what `SORTIE_TRUST` says was not enough; nil where it says nothing.
    private let problem: String?
    /// Whether protected places may be used (`--force`).
    private let isForced: Bool
    /// Whether the user trusts the workspace as it is (`--trust`), so that nothing is compared with the list.
    private let isUnrestricted: Bool

    /// The permissions of a workspace: those that are stored, and everything with `isTrusted`, where `SORTIE_TRUST` is the digest of the list, or
    /// where the workspace asks for exactly what the shipped demo does.
    ///
    /// - Throws: when the file of permissions cannot be read.
    init(_ workspace: Workspace, isTrusted: Bool, isForced: Bool = false) throws(WorkspaceError) {
        let folder = TrustStore.identity(of: workspace)
        let scan = Self.scan(of: workspace)
        var permitted: Set<Capability> = []
        var problem: String?
        // Without anything to permit no file is read and no digest computed.
        if !scan.all.isEmpty {
            let digest = TrustStore.digest(of: scan.all)
            let variable = ProcessInfo.processInfo.environment["SORTIE_TRUST"] ?? ""
            if isTrusted || digest == variable.lowercased() || digest == TrustStore.demoDigest {
                permitted = scan.all
            } else {
                permitted = try TrustStore().permitted(in: folder)
                if !variable.isEmpty { problem = "SORTIE_TRUST is not the digest of this workspace's list, which is \(digest)" }
            }
        }
        self.folder = folder
        self.problem = problem
        self.isForced = isForced
        isUnrestricted = isTrusted
        namedFolder = workspace.folder
        name = workspace.name
        state = Mutex(State(scan: scan, permitted: permitted, asked: scan.all))
    }

    /// The permissions for one command.
    static func ofCommand(_ workspace: Workspace, isTrusted: Bool, isForced: Bool) throws -> WorkspacePermission {
        do { return try WorkspacePermission(workspace, isTrusted: isTrusted, isForced: isForced) } catch { throw CommandFailure(error) }
    }

    /// What the files of a workspace ask for on this machine: downloads to `~/Downloads` are not part of it.
    static func scan(of workspace: Workspace) -> CapabilityScan {
        CapabilityScan(workspace, downloadFolder: HomeFolder.path + "/Downloads")
    }

    /// Everything that is permitted now.
    var permitted: Set<Capability> { state.withLock { $0.permitted } }

    /// Whether there is nothing that the files ask for and the user has not permitted.
    var isComplete: Bool { state.withLock { $0.scan.all.isSubset(of: $0.permitted) } }

    /// The command that permits everything.
    var remedy: String { "sortie trust \(ShellWord.quoted(folder))" }

    /// Whether one thing may be done: the user permitted it, or typed it.
    ///
    /// - Parameter typed: what the user typed asks for; what neither the list nor the user names is refused.
    func permits(_ capability: Capability, typed: TypedCapabilities? = nil) -> Bool {
        if isUnrestricted || state.withLock({ $0.permitted.contains(capability) }) { return true }
        guard let typed, capability.kind != .command, !state.withLock({ $0.asked.contains(capability) }) else { return false }
        return typed.contains(capability)
    }

    /// Whether a file may be read: one of the workspace, one that the user permitted, or one elsewhere that the user typed.
    func permitsReading(_ path: String, typed: TypedCapabilities? = nil) -> Bool {
        let real = RealPath.of(path)
        if Self.isIn(folder, real) { return true }
        // A path into the workspace that leads out of it is a link, which no user typed.
        return permits(Capability(.file, real), typed: Self.isIn(namedFolder, path) ? nil : typed)
    }

    /// What the user typed into an endpoint and into variables, found when it is needed.
    func typed(in endpoint: Endpoint, plan: RequestPlan) -> TypedCapabilities {
        let scan = state.withLock { $0.scan }
        let variables = plan.overrides.reversed().reduce(into: [String: String]()) { $0.merge($1) { $1 } }
        return TypedCapabilities { scan.typed(in: endpoint, variables: variables, environment: plan.environment) }
    }

    /// Refuses a request that would send a secret, an environment variable or a file to an origin that the list does not name for it.
    ///
    /// An origin that is known at run time only is listed as its template, and permission for that holds.
    func requireReceivers(of request: Request, typed: TypedCapabilities) throws(TemplateError) {
        guard !isUnrestricted, !request.secrets.uses.isEmpty else { return }
        let permitted = state.withLock { $0.permitted }
        for use in request.secrets.uses.sorted(by: { $0.name < $1.name }) {
            for url in [request.url] + request.otherServers {
                let capability = Capability(.secret, use.name, to: url.origin)
                if permitted.contains(capability) || typed.contains(capability) { continue }
                let isOpen = { (other: Capability) in other.kind == .secret && other.subject == use.name && other.destination.contains("{{") }
                if permitted.contains(where: isOpen) || typed.contains(where: isOpen) { continue }
                var sent = request
                sent.url = url
                // What `hosts:` refuses is refused for that reason.
                let isRestricted = request.secrets.restricted.contains { $0.name == use.name && !$0.permits(url.hostForLookup) }
                guard !isRestricted, sent.contains(secret: use.value) else { continue }
                throw TemplateError(
                    "the workspace is not permitted to send {{\(use.name)}} to \(url.origin), which its files do not list for it; "
                        + "--trust permits it for one command")
            }
        }
    }

    private static func isIn(_ folder: String, _ path: String) -> Bool { path == folder || path.hasPrefix(folder + "/") }

    // MARK: Protected places

    /// The protected place that a path leads to; nil for one that may be used.
    func protected(_ path: String, _ access: ProtectedLocation.Access) -> ProtectedLocation? {
        isForced ? nil : ProtectedLocation(path, access)
    }

    /// Refuses a request that reads a protected file.
    func refuseProtectedFiles(of request: Request, at location: SourceLocation) throws(Problem) {
        for path in request.readFiles {
            guard let protected = protected(path, .reading) else { continue }
            throw Problem(location, "\(protected.message); the commands read it with --force")
        }
    }

    // MARK: Commands

    /// What sending an endpoint needs and is not permitted.
    func missing(for endpoint: Endpoint, environment: String?) -> Set<Capability> {
        // Commands download to where the command line says, whatever the endpoint names.
        state.withLock { state in
            state.scan.needed(by: endpoint, environment: environment).subtracting(state.permitted).filter { $0.kind != .download }
        }
    }

    /// What a run needs and is not permitted.
    func missing(for run: RunDefinition, environment: String?) -> Set<Capability> {
        guard !isUnrestricted else { return [] }
        return state.withLock { state in
            let needed = state.scan.needed(by: run, environment: environment)
            // A file of a run that is not in `runs/` was named, not written, by the user.
            state.asked.formUnion(needed)
            return needed.subtracting(state.permitted).filter { $0.kind != .download }
        }
    }

    /// What sending an exchange again needs and is not permitted: as it was sent, and as the files say now.
    func missing(for past: PastExchange, in workspace: Workspace) -> Set<Capability> {
        let kept = past.exchange.request
        let endpoints = [kept.origin?.endpoint, kept.target.flatMap { workspace.endpoint($0) }].compactMap { $0 }
        guard !endpoints.isEmpty else {
            return state.withLock { state in state.scan.all.subtracting(state.permitted).filter { $0.kind != .download } }
        }
        return endpoints.reduce(into: []) { $0.formUnion(missing(for: $1, environment: past.item.environment)) }
    }

    /// Refuses what is not permitted, with the list and the command that permits it.
    func require(_ missing: Set<Capability>) throws {
        guard !missing.isEmpty else { return }
        let sentences = CapabilityList(missing, shortens: true).sentences
        let shown = sentences.prefix(Self.mostLines)
        let rest = sentences.count > shown.count ? ["… and \(sentences.count - shown.count) more; sortie trust --list shows all"] : []
        throw CommandFailure(
            .file, name: "notTrusted", "the workspace “\(name)” needs your permission, and nothing was sent. It requests to:",
            details: shown.map { "- \($0)" } + rest + [problem].compactMap { $0 }, hint: "to permit it: \(remedy)   for this command only: --trust")
    }

    /// How many lines of a list leave room for the rest on a terminal of 24 lines.
    private static let mostLines = 16

    // MARK: The workbench

    /// Permits capabilities while the program runs.
    func permit(_ capabilities: Set<Capability>) {
        state.withLock { $0.permitted.formUnion(capabilities) }
    }

    /// Permits capabilities beside those that are stored, and stores that; what the files do not ask for any more is removed.
    func permitForGood(_ capabilities: Set<Capability>) throws(WorkspaceError) {
        permit(capabilities)
        let all = state.withLock { $0.scan.all }
        let store = TrustStore()
        try store.permit(store.permitted(in: folder).intersection(all).union(capabilities), in: folder)
    }

    /// The files have changed: what they ask for in addition is not permitted.
    func use(_ workspace: Workspace) {
        let scan = Self.scan(of: workspace)
        state.withLock { state in
            state.scan = scan
            state.asked.formUnion(scan.all)
        }
    }
}
