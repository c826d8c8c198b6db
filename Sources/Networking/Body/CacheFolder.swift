internal import Glibc
internal import Model

/// Folders of ours below the user's cache folder.
enum CacheFolder {
    /// `$XDG_CACHE_HOME/sortie/NAME`; the variable counts only when it is absolute, as its specification says.
    static func path(for name: String) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // A folder in /tmp could be made by another user before.
        let home = variable("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? ""
        let base = variable("XDG_CACHE_HOME") ?? home + "/.cache"
        return "\(base)/sortie/\(name)"
    }

    /// Makes a folder and those above it, for this user alone.
    ///
    /// A failure shows when the first file in it cannot be made.
    static func make(_ path: String) {
        var current = ""
        for part in FilePath.components(of: path) {
            current += "/" + part
            mkdir(current, 0o700)
        }
    }
}
