internal import DequeModule
internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// The permissions of a workspace on this machine while one program runs (`Security.md` 3 and 4).
///
/// The capabilities in the files are compared with those that the user permitted: stored for the workspace, for this command (`--trust`,
/// `SORTIE_TRUST`), or in the workbench for this session. Capabilities that a user types are not in the files and are always permitted, except
/// commands, which only files can contain.
final class WorkspacePermission: Sendable {
    struct State {
        var scan: CapabilityScan
        var permitted: Set<Capability>
        /// All capabilities that the files have had since the program started; a change of the files never permits one of them.
        var asked: Set<Capability>
        /// The origins from which captured values came.
        var captures = CaptureOrigins()
    }

    let program: ProgramContext
    private let folder: String
    private let namedFolder: String
    /// The path of the workspace in the store and in commands.
    private let identity: String
    private let name: String
    let state: Mutex<State>
    /// The reason why `SORTIE_TRUST` was not sufficient; nil where it is not set.
    private let problem: String?
    /// Whether protected locations may be used (`--force`).
    private let isForced: Bool
    /// Whether the user trusts the complete workspace (`--trust`), so that the list is not compared.
    let isUnrestricted: Bool

    /// The permissions of a workspace: the stored ones, or all of them when `isTrusted` is true, when `SORTIE_TRUST` is the digest of the list,
    /// or when the list is exactly that of the shipped demo.
    ///
    /// - Throws: When the file of permissions cannot be read.
    init(_ workspace: Workspace, in program: ProgramContext, isTrusted: Bool, isForced: Bool = false) throws(WorkspaceError) {
        let identity = TrustStore.identity(of: workspace)
        let scan = Self.scan(of: workspace, program.folders)
        var permitted: Set<Capability> = []
        var problem: String?
        // Without capabilities, no file is read and no digest computed.
        if !scan.all.isEmpty {
            let variable = program.environment["SORTIE_TRUST"] ?? ""
            let digest = { TrustStore.digest(of: scan.all) }
            if isTrusted || !variable.isEmpty && digest() == variable.lowercased() {
                permitted = scan.all
            } else {
                permitted = try TrustStore(stateFolder: program.folders.state).permitted(in: identity)
                // A digest loads libcrypto, for which the start of a permitted workspace need not wait.
                if !permitted.isSuperset(of: scan.all) {
                    if digest() == TrustStore.demoDigest {
                        permitted = scan.all
                    } else if !variable.isEmpty {
                        problem = "SORTIE_TRUST is not the digest of this workspace's list, which is \(digest())"
                    }
                }
            }
        }
        (self.program, self.identity) = (program, identity)
        folder = RealPath.of(workspace.folder)
        (self.problem, self.isForced) = (problem, isForced)
        isUnrestricted = isTrusted
        namedFolder = workspace.folder
        name = workspace.name
        state = Mutex(State(scan: scan, permitted: permitted, asked: scan.all))
    }

    /// Creates the permissions for one command.
    static func ofCommand(_ workspace: Workspace, in program: ProgramContext, isTrusted: Bool, isForced: Bool) throws -> WorkspacePermission {
        do { return try WorkspacePermission(workspace, in: program, isTrusted: isTrusted, isForced: isForced) } catch { throw CommandFailure(error) }
    }

    /// The capabilities in the files of a workspace that was read, without downloads to the user's folder for downloads.
    ///
    /// Later lists, such as those of edits, resolve no further links.
    static func scan(of workspace: Workspace, _ folders: UserFolders) -> CapabilityScan {
        defer { workspace.realPaths.close() }
        return CapabilityScan(workspace, downloadFolder: folders.downloads)
    }

    /// The capabilities that the files require.
    var scan: CapabilityScan { state.withLock { $0.scan } }

    /// The currently permitted capabilities.
    var permitted: Set<Capability> { state.withLock { $0.permitted } }

    /// Whether the user has permitted all capabilities of the files.
    var isComplete: Bool { state.withLock { $0.scan.all.isSubset(of: $0.permitted) } }

    /// What permits everything.
    var remedy: Diagnostic.Remedy { .permission(workspace: ShellQuote.quoted(identity)) }

    /// Whether one capability is permitted: the user permitted it, or typed it.
    ///
    /// - Parameter typed: the capabilities that the user typed; a capability that is in neither list is refused.
    func permits(_ capability: Capability, typed: TypedCapabilities? = nil) -> Bool {
        let isPermitted = state.withLock { state in
            state.permitted.contains(capability) || state.permitted.contains { $0.covers(capability) }
        }
        if isUnrestricted || isPermitted { return true }
        guard let typed, capability.kind != .command, !state.withLock({ $0.asked.contains(capability) }) else { return false }
        return typed.contains(capability)
    }

    /// Whether a file may be read: one of the workspace, one that the user permitted, or one elsewhere that the user typed.
    func permitsReading(_ path: String, typed: TypedCapabilities? = nil) -> Bool {
        let real = RealPath.of(path)
        if FilePath.isIn(folder, real) || typed?.files.contains(path) == true { return true }
        // A path inside the workspace that leads out of it is a link, which the user did not type.
        return permits(Capability(.file, real), typed: FilePath.isIn(namedFolder, path) ? nil : typed)
    }

    /// The capabilities that the user typed into an endpoint and into variables, computed on first use.
    ///
    /// - Parameter files: the files that the user named on the command line.
    func typed(in endpoint: Endpoint, builder: RequestBuilder, files: Set<String> = []) -> TypedCapabilities {
        let scan = self.scan
        let variables = builder.overrides.reversed().reduce(into: [String: String]()) { $0.merge($1) { $1 } }
        return TypedCapabilities(files: files) { scan.typed(in: endpoint, variables: variables, environment: builder.environment) }
    }

    /// Rejects a request that would send a secret, an environment variable or a file to an origin that the list does not permit.
    ///
    /// An origin that is known only at run time is listed as its template, and permission for the template applies.
    func requireReceivers(of request: Request, typed: TypedCapabilities) throws(TemplateError) {
        guard !isUnrestricted, !request.secrets.uses.isEmpty else { return }
        let permitted = state.withLock { $0.permitted }
        for use in request.secrets.uses.sorted(by: { $0.name < $1.name }) {
            for url in [request.url] + request.otherServers {
                let capability = Capability(.secret, use.name, to: url.origin)
                if typed.contains(capability) || permitted.contains(where: { $0.covers(capability) }) { continue }
                var sent = request
                sent.url = url
                // A receiver that `hosts:` excludes is rejected for that reason.
                let isRestricted = request.secrets.restricted.contains { $0.name == use.name && !$0.permits(url.hostForLookup) }
                guard !isRestricted, sent.contains(secret: use.value) else { continue }
                throw TemplateError(
                    "the workspace is not permitted to send {{\(use.name)}} to \(url.origin), which its files do not list for it",
                    remedy: .unlistedUse)
            }
        }
    }

    // MARK: Protected places

    /// The protected location of a path; nil for one that may be used.
    func protected(_ path: String, _ access: ProtectedLocation.Access) -> ProtectedLocation? {
        isForced ? nil : ProtectedLocation(path, access, program.folders)
    }

    // MARK: Commands

    /// The capabilities that sending an endpoint needs and that are not permitted.
    func missing(for endpoint: Endpoint, environment: String?) -> Set<Capability> {
        // Commands download to the path of the command line, not to that of the endpoint.
        state.withLock { state in
            state.scan.needed(by: endpoint, environment: environment).subtracting(state.permitted).filter { $0.kind != .download }
        }
    }

    /// Rejects the folder for downloads of the workspace's files where it is outside the workspace and not permitted.
    func requireDownloads(in path: String) throws {
        let capability = Capability(.download, RealPath.of(path))
        try require(state.withLock { $0.scan.all.contains(capability) && !$0.permitted.contains(capability) } ? [capability] : [])
    }

    /// The capabilities that a run needs and that are not permitted.
    func missing(for run: RunDefinition, environment: String?) -> Set<Capability> {
        guard !isUnrestricted else { return [] }
        return state.withLock { state in
            let needed = state.scan.needed(by: run, environment: environment)
            // The user named the file of a run outside `runs/`, but did not write it.
            state.asked.formUnion(needed)
            return needed.subtracting(state.permitted).filter { $0.kind != .download }
        }
    }

    /// The capabilities that sending an exchange again needs and that are not permitted: as it was sent, and according to the current files.
    func missing(for past: PastExchange, in workspace: Workspace) -> Set<Capability> {
        let kept = past.exchange.request
        let endpoints = [kept.origin?.endpoint, kept.target.flatMap { workspace.endpoint($0) }].compactMap { $0 }
        guard !endpoints.isEmpty else {
            return state.withLock { state in state.scan.all.subtracting(state.permitted).filter { $0.kind != .download } }
        }
        return endpoints.reduce(into: []) { $0.formUnion(missing(for: $1, environment: past.item.environment)) }
    }

    /// Rejects missing capabilities with their list and the command that permits them.
    func require(_ missing: Set<Capability>) throws {
        guard !missing.isEmpty else { return }
        let sentences = CapabilityList(missing, limit: CapabilityList.messageLimit).sentences
        let shown = sentences.prefix(Self.mostLines)
        let rest = sentences.count > shown.count ? ["… and \(sentences.count - shown.count) more; sortie trust shows all"] : []
        throw CommandFailure(
            .file, name: "notTrusted", "the workspace “\(name)” needs your permission, and nothing was sent. It requests to:",
            details: shown.map { "- \($0)" } + rest + [problem].compactMap { $0 }, hint: "\(remedy.programText)   for this command only: --trust")
    }

    /// The maximum number of lines of a list, which leaves room for the rest on a terminal of 24 lines.
    private static let mostLines = 16

    // MARK: The workbench

    /// Permits capabilities while the program runs.
    func permit(_ capabilities: Set<Capability>) {
        state.withLock { $0.permitted.formUnion(capabilities) }
    }

    /// Permits and stores capabilities in addition to the stored ones; those that the files no longer contain are removed.
    func permitForGood(_ capabilities: Set<Capability>) throws(WorkspaceError) {
        permit(capabilities)
        let all = state.withLock { $0.scan.all }
        let store = TrustStore(stateFolder: program.folders.state)
        try store.permit(store.permitted(in: identity).intersection(all).union(capabilities), in: identity)
    }

    /// Applies changed files; their additional capabilities are not permitted.
    func use(_ workspace: Workspace) -> CapabilityScan {
        let scan = Self.scan(of: workspace, program.folders)
        state.withLock { state in
            state.scan = scan
            state.asked.formUnion(scan.all)
        }
        return scan
    }
}

/// The comparison of a resolved request with the permission, the last one before it is sent.
///
/// Every request of a workspace passes it while it is built: those of commands, runs and the workbench, and those that are sent for a token or a
/// captured value of another one. The list of the files was compared before; here the values are known that only a run or a response has.
extension WorkspacePermission {
    /// Rejects a request that would use something on this machine, or send a secret to an origin, that the list does not permit.
    ///
    /// - Parameter typed: the capabilities that the user typed.
    func require(_ request: Request, typed: TypedCapabilities) throws(TemplateError) {
        try refuseRestrictedCaptures(of: request)
        guard !isUnrestricted else { return }
        try requireReceivers(of: request, typed: typed)
        try requireCaptures(of: request, typed: typed)
        let files = request.readFiles.filter { $0 != Request.standardInput && $0 != request.options.trust.clientKeyFile } + request.describingFiles
        for path in files where !permitsReading(path, typed: typed) {
            throw refusal(of: Capability(.file, RealPath.of(path)))
        }
        for used in request.capabilities {
            let capability =
                [.clientKey, .authority].contains(used.kind) ? Capability(used.kind, RealPath.of(used.subject), to: used.destination) : used
            guard !permits(capability, typed: typed) else { continue }
            throw refusal(of: capability)
        }
    }

    /// Records the origins from which captured values came.
    func note(_ captures: some Sequence<String>, from origins: some Sequence<String>) {
        state.withLock { $0.captures.note(captures, from: origins) }
    }

    /// Rejects a request that would send a captured value to another origin than that from which it came, without permission.
    private func requireCaptures(of request: Request, typed: TypedCapabilities) throws(TemplateError) {
        for capture in request.secrets.captures {
            let origins = state.withLock { $0.captures[capture.value] }
            try require(sending: capture.target, from: origins, with: request, typed: typed)
        }
    }

    /// Rejects a request that would send a value of a response of an endpoint to another origin than those from which it came, without permission.
    func require(
        sending target: String, from origins: Set<String>, with request: Request, typed: TypedCapabilities
    ) throws(TemplateError) {
        guard !isUnrestricted, state.withLock({ $0.scan.protectsCaptures }) else { return }
        for url in [request.url] + request.otherServers where !origins.contains(url.origin) {
            let capability = Capability(.captured, target, to: url.origin)
            guard !permits(capability, typed: typed) else { continue }
            throw refusal(of: capability)
        }
    }

    /// Rejects a request that would send a secret to a host that `hosts:` excludes, because a response contained it.
    private func refuseRestrictedCaptures(of request: Request) throws(TemplateError) {
        let restricted = state.withLock { state in
            state.captures.note(request)
            return state.captures.restricted
        }
        for secret in restricted where !secret.value.isEmpty {
            guard request.secrets.captures.contains(where: { $0.value.contains(secret.value) }),
                let url = ([request.url] + request.otherServers).first(where: { !secret.permits($0.hostForLookup) })
            else { continue }
            throw TemplateError("a captured value contains the secret \(secret.name), which may not be sent to \(url.origin): see its hosts")
        }
    }

    private func refusal(of capability: Capability) -> TemplateError {
        let action = CapabilityList([capability], limit: CapabilityList.messageLimit).sentences.joined()
        return TemplateError("the workspace is not permitted to \(action), which its files do not list", remedy: .unlistedUse)
    }
}

extension Request {
    /// The files that describe the messages of the request.
    fileprivate var describingFiles: [String] {
        guard case .file(let path, _)? = options.grpc?.schema else { return [] }
        return [path]
    }
}

/// The origins from which the captured values of this program came, and the secrets with `hosts:` that were sent.
struct CaptureOrigins {
    /// The origins by value; one value may come from several.
    private var origins: [String: Set<String>] = [:]
    /// The values, the oldest first.
    private var order: Deque<String> = []
    /// The secrets that only certain hosts may receive.
    private(set) var restricted: Set<RequestSecrets.Restricted> = []

    /// The number of values that are kept.
    ///
    /// The origins of older ones are unknown, so that no origin receives them without permission.
    private static let limit = 50_000

    /// The origins of a value; empty for an unknown one.
    subscript(_ value: String) -> Set<String> { origins[value] ?? [] }

    mutating func note(_ values: some Sequence<String>, from sources: some Sequence<String>) {
        for value in values {
            if origins[value] == nil {
                order.append(value)
                if order.count > Self.limit, let oldest = order.popFirst() { origins[oldest] = nil }
            }
            origins[value, default: []].formUnion(sources)
        }
    }

    mutating func note(_ request: Request) { restricted.formUnion(request.secrets.restricted) }
}
