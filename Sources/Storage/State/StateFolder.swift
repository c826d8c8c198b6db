internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// The folder of the program's state (XDG Base Directory Specification).
package enum StateFolder {
    /// The folder of the cached responses of a workspace; nil for one without a folder.
    package static func responses(of workspace: Workspace, cacheFolder: String) -> String? {
        workspace.hasFolder ? path(in: "\(workspace.cacheFolder ?? cacheFolder)/sortie/responses", of: workspace.folder) : nil
    }

    // MARK: Names

    /// The path in `parent` at which the state of the workspace in `folder` is stored.
    static func path(in parent: String, of folder: String, ending: String = "") -> String {
        "\(parent)/\(name(of: folder))\(ending)"
    }

    /// The file name for an item with a name, such as a run or the path of a workspace; two items never share it.
    ///
    /// Only a name above `limit` bytes ends with a digest: the start of the program opens the state of a workspace and should not load libcrypto.
    static func name(of text: String, limit: Int = longestName) -> String {
        let name = readableName(of: text)
        return name.utf8.count <= limit ? name : digested(name, of: text, limit: limit)
    }

    /// The maximum length of a name without a digest, in bytes, so that the endings still fit into 255.
    static let longestName = 200

    /// The end of a readable name, a hyphen, which readable names do not contain, and the first 64 bits of the text's SHA-256.
    private static func digested(_ name: String, of text: String, limit: Int = longestName) -> String {
        let digest = HexDigits.text(HashFunction.sha256.digest(of: text).prefix(8))
        return "\(name.suffix(min(150, limit - digest.count - 1)))-\(digest)"
    }

    private static func readableName(of text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + HexDigits.text([byte])
        }.joined()
    }

    // MARK: Folders

    /// Creates a folder that only the user can access.
    ///
    /// - Throws: Also where other users could change its content (``check(_:)``).
    static func make(_ path: String) throws {
        try check(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Rejects a state folder that other users can change: one that belongs to another user, or that is world-writable.
    ///
    /// The folder and its parents up to the one named `sortie` are checked; folders above that belong to all programs.
    ///
    /// - Throws: A ``WorkspaceError`` with the folder and the remedy; a folder that does not exist is valid.
    static func check(_ path: String) throws(WorkspaceError) {
        let isOurs = FilePath.components(of: path).contains("sortie")
        var current = FilePath.normalized(path)
        while true {
            if let problem = problem(of: current) {
                throw WorkspaceError(
                    .notPrivate, file: current,
                    "\(problem), so other users could read or change the files of Sortie in it; move the folder to another place, "
                        + "or set XDG_STATE_HOME, XDG_CACHE_HOME and XDG_DATA_HOME to folders that you own")
            }
            guard isOurs, FilePath.name(of: current) != "sortie" else { return }
            current = FilePath.folder(of: current)
        }
    }

    /// Rejects a state file that is a link, a pipe, a device or a folder: reading it could wait without end, and writing it could change another file.
    ///
    /// - Throws: A ``WorkspaceError`` with the file and the remedy; a file that does not exist is valid.
    static func checkFile(_ path: String) throws(WorkspaceError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let kind =
            switch status.st_mode & S_IFMT {
            case S_IFLNK: "a symbolic link"
            case S_IFDIR: "a folder"
            case S_IFIFO: "a named pipe"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        throw WorkspaceError(
            .notPrivate, file: path, "it is \(kind), and Sortie keeps its state only in regular files; remove it, or move it to another place")
    }

    private static func problem(of folder: String) -> String? {
        var link = stat()
        var target = stat()
        guard lstat(folder, &link) == 0, stat(folder, &target) == 0 else { return nil }
        for owner in [link.st_uid, target.st_uid] where !SystemUser.isTrusted(owner) { return "it belongs to \(SystemUser.name(of: owner))" }
        return target.st_mode & S_IFMT == S_IFDIR && target.st_mode & S_IWOTH != 0 ? "every user can write to it" : nil
    }
}

extension Workspace {
    /// Whether the workspace is one of files, and not the empty one of URLs, whose folder is the working directory as `.`.
    package var hasFolder: Bool { FilePath.name(of: folder) != "." }
}
