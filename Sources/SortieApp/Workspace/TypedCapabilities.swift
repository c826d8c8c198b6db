internal import SortieBase
internal import Synchronization
internal import WorkspaceModel

/// The capabilities that the user typed into an endpoint and into variables, in addition to those of the files; computed on first use.
final class TypedCapabilities: Sendable {
    /// The absolute paths of the files that the user named on the command line; a link among them leads where it leads.
    let files: Set<String>
    private let find: @Sendable () -> Set<Capability>
    private let found = Mutex<Set<Capability>?>(nil)

    init(files: Set<String> = [], _ find: @escaping @Sendable () -> Set<Capability>) { (self.files, self.find) = (files, find) }

    private var all: Set<Capability> {
        found.withLock { found in
            if let found { return found }
            let all = find()
            found = all
            return all
        }
    }

    /// Whether the user typed this capability, or a template for it; files are compared by their resolved paths.
    func contains(_ capability: Capability) -> Bool {
        if all.contains(capability) || all.contains(where: { $0.covers(capability) }) { return true }
        guard [.file, .clientKey, .authority].contains(capability.kind) else { return false }
        return all.contains {
            $0.kind == capability.kind && $0.destination == capability.destination && RealPath.of($0.subject) == capability.subject
        }
    }
}
