internal import Foundation
package import SortieBase
package import WorkspaceModel

/// Checks the owner of a workspace that is found by searching upward, so that one of another user is never opened by accident (`Security.md` 5).
///
/// Messages contain the number of a user: the user database may be on another machine, and opening a workspace performs no lookup.
package enum WorkspaceOwnership {
    /// The reason why the workspace in a folder is used only when the user names it; nil for one that may be found by searching.
    ///
    /// Its `workspace.yaml`, or the folder itself where it has none, must belong to the user, to root, or under sudo to the user who called it, and the
    /// folder must not be world-writable.
    package static func problem(of folder: String) -> String? {
        var file = FilePath.joining(folder, "workspace.yaml")
        var ofFile = stat()
        var ofFolder = stat()
        guard stat(folder, &ofFolder) == 0 else { return nil }
        if lstat(file, &ofFile) != 0 { (file, ofFile) = (folder, ofFolder) }
        if !SystemUser.isTrusted(ofFile.st_uid) { return "\(file) belongs to the user \(ofFile.st_uid)" }
        // The sticky bit prevents others from replacing files, but not from adding services.
        if ofFolder.st_mode & S_IWOTH != 0 { return "every user can write to \(folder)" }
        return nil
    }
}

extension Workspace {
    /// Files of the workspace, and data of its runs, that other users of this machine can change, so that their content may not be the user's.
    ///
    /// Only the permissions of the files are examined; their content is not read.
    package var ownershipProblems: [Diagnostic] {
        let files = ["workspace.yaml"] + (endpoints.map(\.location) + runs.map(\.location)).compactMap { $0?.file } + runs.compactMap(\.dataFile)
        let folders = [folder] + services.map { FilePath.joining(folder, $0.folder) }
        var seen: Set<String> = []
        return (folders + files.map { FilePath.joining(folder, $0) }).filter { seen.insert($0).inserted }.compactMap { path in
            guard let reason = WorkspaceOwnership.problem(ofFile: path) else { return nil }
            let name = path == folder ? "workspace.yaml" : FilePath.relative(path, to: folder, within: folder)
            return Diagnostic(SourceLocation(file: name), reason, severity: .warning)
        }
    }
}

extension WorkspaceOwnership {
    /// The reason why other users can change a file or a folder; nil where they cannot, and for a missing file.
    fileprivate static func problem(ofFile path: String) -> String? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        if !SystemUser.isTrusted(information.st_uid) {
            return "\(path) belongs to the user \(information.st_uid), who can change it; copy it to own the copy"
        }
        if information.st_mode & S_IWOTH != 0 { return "every user of this machine can change \(path); chmod o-w removes that permission" }
        // On systems that make files group-writable by default, the user's own group has no other members.
        if information.st_mode & S_IWGRP != 0, information.st_gid != getgid() {
            return "the group \(information.st_gid) can change \(path); chmod g-w removes that permission"
        }
        return nil
    }
}
