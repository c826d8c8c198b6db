internal import Crypto
internal import Foundation
internal import Model

/// Where the program keeps its state (XDG Base Directory Specification).
public enum StateFolder {
    /// `$XDG_STATE_HOME` where it is absolute, else `~/.local/state`.
    public static var path: String {
        if let folder = ProcessInfo.processInfo.environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder }
        return HomeFolder.path + "/.local/state"
    }

    /// `$XDG_CACHE_HOME` where it is absolute, else `~/.cache`: for what may be lost without harm.
    public static var cachePath: String {
        if let folder = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder }
        return HomeFolder.path + "/.cache"
    }

    // MARK: Names

    /// The path at which the state of the workspace in `folder` is kept in `parent`: a name that people recognise, and a digest, so that two folders
    /// never share it and no path is too long for a name.
    ///
    /// What version 0.1.0 kept under the name without a digest is renamed.
    static func path(in parent: String, of folder: String, ending: String = "") -> String {
        let name = readableName(of: folder)
        let path = "\(parent)/\(digested(name, of: folder))\(ending)"
        let old = "\(parent)/\(name)\(ending)"
        // Version 0.1.0 cut longer names, so whose they are is not known.
        if name.utf8.count <= longestName, access(old, F_OK) == 0, access(path, F_OK) != 0 {
            // Where it fails the old state stays where it is and can be moved by hand.
            rename(old, path)
        }
        return path
    }

    /// The name of a file for something that has a name itself, such as a run; two of them never share it.
    static func name(of text: String) -> String {
        let name = readableName(of: text)
        return name.utf8.count <= longestName ? name : digested(name, of: text)
    }

    /// How long a name without a digest may be, in bytes: the endings must still fit into 255.
    private static let longestName = 200

    /// The end of a readable name and the first 64 bits of the text's SHA-256, divided by a hyphen, which no readable name contains.
    private static func digested(_ name: String, of text: String) -> String {
        let digest = SHA256.hash(data: Array(text.utf8)).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "\(name.suffix(150))-\(digest)"
    }

    private static func readableName(of text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + String(byte, radix: 16)
        }.joined()
    }

    // MARK: Folders

    /// Makes a folder that only the user can look into.
    ///
    /// - Throws: also where other users could change what is in it (``check(_:)``).
    static func make(_ path: String) throws {
        try check(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Refuses a folder of ours that other users can change: one that belongs to another user, or that everybody can write to.
    ///
    /// The folder and those above it are looked at, up to the one that is called `sortie`; what is above that belongs to all programs.
    ///
    /// - Throws: with the folder and the way out; a folder that does not exist is fine.
    static func check(_ path: String) throws(WorkspaceError) {
        let isOurs = FilePath.components(of: path).contains("sortie")
        var current = FilePath.normalized(path)
        while true {
            if let problem = problem(of: current) {
                throw WorkspaceError(
                    .notPrivate, file: current,
                    "\(problem), so other users could read or change the files of Sortie in it; move the folder to another place, "
                        + "or set XDG_STATE_HOME and XDG_CACHE_HOME to folders that you own")
            }
            guard isOurs, FilePath.name(of: current) != "sortie" else { return }
            current = FilePath.folder(of: current)
        }
    }

    private static func problem(of folder: String) -> String? {
        var link = stat()
        var target = stat()
        guard lstat(folder, &link) == 0, stat(folder, &target) == 0 else { return nil }
        for owner in [link.st_uid, target.st_uid] where !SystemUser.isTrusted(owner) { return "it belongs to \(SystemUser.name(of: owner))" }
        return target.st_mode & S_IFMT == S_IFDIR && target.st_mode & S_IWOTH != 0 ? "every user can write to it" : nil
    }
}
