internal import Foundation

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

    /// The name under which the state of the workspace in `folder` is kept: people recognise it, and two folders never share it.
    static func name(of folder: String) -> String {
        let name = folder.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + String(byte, radix: 16)
        }
        return String(name.joined().suffix(200))
    }

    /// Makes a folder that only the user can look into.
    static func make(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
