internal import Dispatch
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// Reads the differences from the last commit, and watches the repository where the workspace is permitted.
final class GitEffects: Sendable {
    private let folder: String
    private let permission: WorkspacePermission
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "sortie.git")
    /// Nil before the first status, and without a repository.
    private let watch = Mutex<GitWatch?>(nil)

    init(folder: String, permission: WorkspacePermission, mailbox: Mailbox) {
        (self.folder, self.permission, self.mailbox) = (folder, permission, mailbox)
    }

    /// The status; nil without permission, without git and without a repository.
    func read() async -> GitStatus? {
        guard permission.isComplete else { return nil }
        let reader = GitReader(folder: folder, environment: permission.program.childEnvironment)
        // Before the status is read, so that no change is missed.
        if watch.withLock({ $0 == nil }), let data = await reader.repositoryFolder() {
            let started = GitWatch(data, queue: queue) { [mailbox] in mailbox.post(.gitChanged) }
            watch.withLock { $0 = $0 ?? started }
        }
        return await reader.read()
    }
}
