internal import Foundation
internal import Model
internal import Storage
internal import Synchronization

/// What a workspace may do on this machine while one program runs (`trust.md` 3 and 4).
///
/// What the files ask for is compared with what the user permitted: stored for the workspace, for this command (`--trust`, `SORTIE_TRUST`), or in the
/// workbench for this session. What a user types is not in the files and is always permitted.
final class WorkspacePermission: Sendable {
    private struct State {
        var scan: CapabilityScan
        var permitted: Set<Capability>
    }

    private let folder: String
    private let name: String
    private let state: Mutex<State>

    /// The permissions of a workspace as they are stored.
    ///
    /// - Parameter downloadFolder: where downloads go by default, which requires no permission.
    /// - Throws: when the file of permissions cannot be read.
    init(_ workspace: Workspace, downloadFolder: String? = nil) throws(WorkspaceError) {
        let folder = TrustStore.identity(of: workspace)
        let scan = CapabilityScan(workspace, downloadFolder: downloadFolder)
        // Without anything to permit the file is not read.
        let permitted = scan.all.isEmpty ? [] : try TrustStore().permitted(in: folder)
        self.folder = folder
        name = workspace.name
        state = Mutex(State(scan: scan, permitted: permitted))
    }

    /// The permissions for one command: those that are stored, and everything with `--trust`, or where `SORTIE_TRUST` is the digest of the list.
    static func ofCommand(_ workspace: Workspace, isTrusted: Bool) throws -> WorkspacePermission {
        let permission: WorkspacePermission
        do { permission = try WorkspacePermission(workspace) } catch { throw CommandFailure(error) }
        let all = permission.all
        if isTrusted {
            permission.permit(all)
        } else if let digest = ProcessInfo.processInfo.environment["SORTIE_TRUST"], !digest.isEmpty, !all.isEmpty {
            if digest.lowercased() == TrustStore.digest(of: all) { permission.permit(all) }
        }
        return permission
    }

    /// Everything that the files ask for.
    var all: Set<Capability> { state.withLock { $0.scan.all } }

    /// What of the files' list is not permitted yet.
    var missing: Set<Capability> { state.withLock { $0.scan.all.subtracting($0.permitted) } }

    /// Whether one thing may be done: the user permitted it, or the files do not ask for it because the user typed it.
    func permits(_ capability: Capability) -> Bool {
        state.withLock { !$0.scan.all.contains(capability) || $0.permitted.contains(capability) }
    }

    /// What sending an endpoint needs and is not permitted.
    func missing(for endpoint: Endpoint, environment: String?) -> Set<Capability> {
        state.withLock { $0.scan.needed(by: endpoint, environment: environment).subtracting($0.permitted) }
    }

    /// What a run needs and is not permitted.
    func missing(for run: RunDefinition, environment: String?) -> Set<Capability> {
        state.withLock { $0.scan.needed(by: run, environment: environment).subtracting($0.permitted) }
    }

    /// Permits capabilities while the program runs.
    func permit(_ capabilities: Set<Capability>) {
        state.withLock { $0.permitted.formUnion(capabilities) }
    }

    /// Permits everything that the files ask for now, and stores that.
    func permitForGood() throws(WorkspaceError) {
        let all = all
        try TrustStore().permit(all, in: folder)
        permit(all)
    }

    /// The files have changed: what they ask for in addition is not permitted.
    func use(_ workspace: Workspace, downloadFolder: String? = nil) {
        let scan = CapabilityScan(workspace, downloadFolder: downloadFolder)
        state.withLock { $0.scan = scan }
    }

    /// Refuses what is not permitted, with the list and the command that grants it.
    func require(_ missing: Set<Capability>) throws {
        guard !missing.isEmpty else { return }
        let sentences = CapabilityList(missing).sentences
        let shown = sentences.prefix(Self.mostLines)
        let rest = sentences.count > shown.count ? ["… and \(sentences.count - shown.count) more; sortie trust --list shows all"] : []
        throw CommandFailure(
            .file, name: "notTrusted", "the workspace “\(name)” needs your permission to do this on your machine:", details: shown + rest,
            hint: "to permit it: sortie trust \(ShellWord.quoted(folder))   for this command only: --trust")
    }

    /// How many lines of a list leave room for the rest on a terminal of 24 lines.
    private static let mostLines = 16
}
