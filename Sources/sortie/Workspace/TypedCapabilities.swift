internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// The capabilities that the user typed into an endpoint and into variables, in addition to those of the files; computed on first use.
final class TypedCapabilities: Sendable {
    private let find: @Sendable () -> Set<Capability>
    private let found = Mutex<Set<Capability>?>(nil)

    init(_ find: @escaping @Sendable () -> Set<Capability>) { self.find = find }

    private var all: Set<Capability> {
        found.withLock { found in
            if let found { return found }
            let all = find()
            found = all
            return all
        }
    }

    /// Whether the user typed this capability; files are compared by their resolved paths.
    func contains(_ capability: Capability) -> Bool {
        if all.contains(capability) { return true }
        guard capability.kind == .file else { return false }
        return all.contains { $0.kind == .file && RealPath.of($0.subject) == capability.subject }
    }

    /// Whether the user typed a matching capability.
    func contains(where isWanted: (Capability) -> Bool) -> Bool { all.contains(where: isWanted) }
}
