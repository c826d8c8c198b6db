internal import Foundation
internal import Model

/// Whose workspace is found upward from a folder: one of another user is never opened by accident (`trust.md` 5).
enum WorkspaceOwnership {
    /// Why the workspace in a folder is used only when the user names it; nil for one that may be found.
    ///
    /// Its `workspace.yaml` has to belong to the user, to root, or under sudo to the user who called it, and everybody must not be able to put files
    /// beside it.
    static func problem(of folder: String) -> String? {
        let file = FilePath.joining(folder, "workspace.yaml")
        var ofFile = stat()
        var ofFolder = stat()
        guard lstat(file, &ofFile) == 0, stat(folder, &ofFolder) == 0 else { return nil }
        if !SystemUser.isTrusted(ofFile.st_uid) { return "\(file) belongs to \(SystemUser.name(of: ofFile.st_uid))" }
        // The sticky bit keeps others from replacing files, not from adding services.
        if ofFolder.st_mode & S_IWOTH != 0 { return "everybody can write to \(folder)" }
        return nil
    }
}
