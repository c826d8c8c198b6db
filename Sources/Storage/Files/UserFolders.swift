internal import Foundation
package import SortieBase

/// The folders that paths of a user refer to: the home, the working directory, and the folders for files of programs (XDG Base Directory Specification).
package struct UserFolders: Hashable, Sendable {
    /// `$HOME` where it is absolute, as POSIX specifies; else the folder in the user database.
    package let home: String
    /// The working directory, an absolute path.
    package let current: String
    /// `$XDG_CONFIG_HOME` where it is absolute, else `~/.config`.
    package let configuration: String
    /// `$XDG_DATA_HOME` where it is absolute, else `~/.local/share`.
    package let data: String
    /// `$XDG_STATE_HOME` where it is absolute, else `~/.local/state`.
    package let state: String
    /// `$XDG_CACHE_HOME` where it is absolute, else `~/.cache`: for data that may be lost without harm.
    package let cache: String
    /// The value of `XDG_DOWNLOAD_DIR`.
    let downloadVariable: String?

    /// Determines the folders by the variables of an environment.
    ///
    /// - Parameter current: the working directory, an absolute path.
    package init(environment: [String: String], current: String) {
        func folder(_ name: String) -> String? { environment[name].flatMap { FilePath.isAbsolute($0) ? $0 : nil } }
        let variable = folder("HOME").map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        let home = variable ?? SystemUser.homeFolder ?? "/"
        (self.home, self.current) = (home, current)
        configuration = folder("XDG_CONFIG_HOME") ?? home + "/.config"
        data = folder("XDG_DATA_HOME") ?? home + "/.local/share"
        state = folder("XDG_STATE_HOME") ?? home + "/.local/state"
        cache = folder("XDG_CACHE_HOME") ?? home + "/.cache"
        downloadVariable = environment["XDG_DOWNLOAD_DIR"]
    }

    /// Replaces a `~` that is the first component of a path by the home folder.
    package func expanding(_ path: String) -> String { FilePath.expanding(path, home: home) }

    /// The absolute path of a typed one, which is relative to the working directory, or begins with `~/`.
    ///
    /// `..` is left to the system, which follows a link before it.
    package func absolute(_ path: String) -> String {
        let path = expanding(path)
        return FilePath.isAbsolute(path) ? path : current + "/" + path
    }
}

extension UserFolders {
    /// The folder for downloads (XDG user directories): `$XDG_DOWNLOAD_DIR`, else that of `user-dirs.dirs`, else `~/Downloads`.
    package var downloads: String {
        // A file that cannot be read is the same as none: it is optional, and other programs write it.
        let place = configuration + "/user-dirs.dirs"
        let file = try? WholeFile.bytes(at: place, limit: 1 << 20)
        return DownloadFolder.path(
            variable: downloadVariable, userDirectories: file.map { String(decoding: $0, as: UTF8.self) } ?? "", home: home)
    }
}

/// The folder of the user for downloads.
package enum DownloadFolder {
    /// The folder that the variable or the file names.
    ///
    /// A folder that contains the home, or is the home, is not used: this is how `user-dirs.dirs` expresses that there is none, and downloads into
    /// this folder need no permission.
    ///
    /// - Parameters:
    ///   - variable: The value of `XDG_DOWNLOAD_DIR`.
    ///   - userDirectories: The text of `user-dirs.dirs`.
    ///   - home: The home of the user.
    static func path(variable: String?, userDirectories: String, home: String) -> String {
        let lines = userDirectories.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            guard let match = line.wholeMatch(of: /\s*XDG_DOWNLOAD_DIR\s*=\s*"(.*)"\s*/) else { return nil }
            return match.1.hasPrefix("$HOME/") ? home + match.1.dropFirst(5) : String(match.1)
        }
        for folder in [variable, lines.last].compactMap({ $0 }) where folder.hasPrefix("/") {
            let folder = FilePath.normalized(folder)
            if !(home + "/").hasPrefix(folder == "/" ? folder : folder + "/") { return folder }
        }
        return home + "/Downloads"
    }

    /// Creates the folder that a workspace names for downloads, where it is missing.
    ///
    /// - Throws: The reason, with a remedy.
    package static func create(_ path: String) throws(Diagnostic) {
        let place = SourceLocation(file: "workspace.yaml")
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Diagnostic(place, "folders: \(path) cannot be created: \(error.systemReason); create it, or name another folder")
        }
    }
}

/// Information from the user database (`getpwuid_r(3)`).
enum SystemUser {
    /// The name of a user in messages: `the user alice`, or `the user 1001` where the database has no name.
    static func name(of user: uid_t) -> String {
        "the user \(entry(of: user) { $0.pw_name } ?? "\(user)")"
    }

    /// The home folder of the current user; nil where the database has no absolute one.
    static var homeFolder: String? {
        entry(of: getuid()) { $0.pw_dir }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Whether files of this owner are as trustworthy as the user's: those of the user, of root, or under sudo of the user who called it.
    static func isTrusted(_ owner: uid_t) -> Bool {
        if owner == geteuid() || owner == 0 { return true }
        guard geteuid() == 0, let text = getenv("SUDO_UID").map({ String(cString: $0) }) else { return false }
        return uid_t(text) == owner
    }

    private static func entry(of user: uid_t, _ field: (passwd) -> UnsafeMutablePointer<CChar>?) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return field(entry).map { String(cString: $0) }
    }
}
