internal import SortieBase

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
