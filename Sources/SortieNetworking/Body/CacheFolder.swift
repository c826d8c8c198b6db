internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// Folders of this program below the user's cache folder.
enum CacheFolder {
    /// `$XDG_CACHE_HOME/sortie/NAME`; the variable counts only when it is absolute, as its specification requires.
    static func path(for name: String) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // Not /tmp, where another user could create the folder first.
        let home = variable("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? ""
        let base = variable("XDG_CACHE_HOME") ?? home + "/.cache"
        return "\(base)/sortie/\(name)"
    }

    /// `$TMPDIR`, or `/tmp`; for files without a name only, because other users may write to it.
    static var temporary: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }

    /// Creates a folder and its parents, accessible to this user only.
    ///
    /// A failure is reported later, when the first file in the folder cannot be created.
    static func make(_ path: String) {
        var current = ""
        for part in FilePath.components(of: path) {
            current += "/" + part
            mkdir(current, 0o700)
        }
    }
}

/// The names of the files in a folder.
enum FolderNames {
    /// Reads the names, without `.` and `..`, in no order.
    ///
    /// - Throws: `storage` when the folder cannot be read.
    static func of(_ folder: String) throws(NetworkError) -> [String] {
        guard let stream = opendir(folder) else { throw .disk(errno, folder, "cannot be read") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
