internal import Glibc

/// Folders of ours below the user's cache folder.
enum CacheFolder {
    /// `$XDG_CACHE_HOME/sortie/NAME`; the variable counts only when it is absolute, as its specification says.
    static func path(for name: String) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" } ?? "/tmp"
        return "\(base)/sortie/\(name)"
    }

    /// Makes a folder and those above it, for this user alone.
    ///
    /// A failure shows when the first file in it cannot be made.
    static func make(_ path: String) {
        var current = ""
        for part in path.split(separator: "/") {
            current += "/" + part
            mkdir(current, 0o700)
        }
    }
}
