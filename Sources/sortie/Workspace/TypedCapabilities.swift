internal import Storage
internal import Synchronization
internal import WorkspaceModel

/// What the user typed into an endpoint and into variables asks for, beside what the files ask for; found when it is first needed.
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

    /// Whether the user typed this; a file is compared by its real path.
    func contains(_ capability: Capability) -> Bool {
        if all.contains(capability) { return true }
        guard capability.kind == .file else { return false }
        return all.contains { $0.kind == .file && RealPath.of($0.subject) == capability.subject }
    }

    /// Whether the user typed one of these.
    func contains(where isWanted: (Capability) -> Bool) -> Bool { all.contains(where: isWanted) }
}
