internal import Glibc

/// Operations on paths as text: joining, and resolving `.` and `..`, without access to the file system.
///
/// Paths are split by bytes, as in the system. In Swift, a slash followed by a combining mark or a zero-width joiner is one character, which is not
/// equal to a slash, although the system treats the slash as a separator.
package enum FilePath {
    /// The separator of components.
    private static let slash = UInt8(ascii: "/")

    /// The components of a path, without empty ones.
    package static func components(of path: String) -> [Substring] {
        path.utf8.split(separator: slash).map { Substring($0) }
    }

    /// Whether a path is absolute.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// Whether a path ends with a slash, which means that it names a folder.
    package static func namesFolder(_ path: String) -> Bool { path.utf8.last == slash }

    /// Whether a text is a file name, and not a path to another folder.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == slash || $0 == 0 }
    }

    /// Resolves `path` relative to `folder`; an absolute path is only normalized.
    package static func joining(_ folder: String, _ path: String) -> String {
        normalized(isAbsolute(path) ? path : folder + "/" + path)
    }

    /// Replaces `~` as the first component of `path` with the home folder.
    package static func expanding(_ path: String, home: String) -> String {
        path == "~" || path.utf8.starts(with: "~/".utf8) ? home + path.dropFirst() : path
    }

    /// `path` without empty and `.` components, and with `..` components resolved.
    package static func normalized(_ path: String) -> String {
        var result: [String] = []
        for part in components(of: path).map(String.init) where part != "." {
            if part == "..", let last = result.last, last != ".." {
                result.removeLast()
            } else if part != ".." || !isAbsolute(path) {
                result.append(part)
            }
        }
        return (isAbsolute(path) ? "/" : "") + result.joined(separator: "/")
    }

    /// `path` relative to `folder`; unchanged where it is not below `root`.
    package static func relative(_ path: String, to folder: String, within root: String) -> String {
        guard path.utf8.starts(with: (root + "/").utf8) else { return path }
        let target = components(of: path)
        let start = components(of: folder)
        let common = zip(target, start).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        return (Array(repeating: "..", count: start.count - common) + target[common...]).joined(separator: "/")
    }

    /// Whether a path is that of a folder, or below it; both are absolute and without links and `..`.
    package static func isIn(_ folder: String, _ path: String) -> Bool {
        path.utf8.starts(with: folder.utf8)
            && (folder == "/" || path.utf8.count == folder.utf8.count || path.utf8.dropFirst(folder.utf8.count).first == slash)
    }

    /// The folder of a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of a path.
    package static func name(of path: String) -> String {
        components(of: path).last.map(String.init) ?? path
    }

    /// The path of a temporary file next to `path`, for renaming; it does not contain the name, which may have the maximum length.
    package static func temporary(beside path: String) -> String {
        "\(folder(of: path))/\(temporaryPrefix)\(UInt64.random(in: .min ... .max))\(temporaryEnding)"
    }

    /// Whether a name is that of a temporary file.
    package static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) && name.hasSuffix(temporaryEnding) }

    private static let temporaryPrefix = ".sortie-"
    private static let temporaryEnding = ".tmp"

    /// A name without `.yaml` or `.yml`; nil for another extension.
    package static func yamlStem(_ name: String) -> String? {
        for ending in [".yaml", ".yml"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return nil
    }
}

/// Resolves all symbolic links of a path (`realpath(3)`) without opening it.
package enum RealPath {
    /// The maximum number of links, as in the kernel (`path_resolution(7)`).
    private static let mostLinks = 40

    /// The resolved path of an absolute one.
    ///
    /// For a file that does not exist: the resolved path of its nearest existing folder with the rest appended.
    ///
    /// A link to a missing file resolves to the location where writing to the link creates the file.
    package static func of(_ path: String) -> String {
        var rest: [String] = []
        var current = path
        var links = 0
        while true {
            if let found = realpath(current, nil) {
                defer { free(found) }
                return FilePath.joining(String(cString: found), rest.reversed().joined(separator: "/"))
            }
            while current.utf8.count > 1, FilePath.namesFolder(current) { current = String(current.dropLast()) }
            let parent = FilePath.folder(of: current)
            guard parent != current, parent != "." else { return FilePath.normalized(path) }
            if links < mostLinks, let target = target(ofLink: current) {
                links += 1
                current = FilePath.isAbsolute(target) ? target : parent + "/" + target
                continue
            }
            rest.append(FilePath.name(of: current))
            current = parent
        }
    }

    /// The working directory of the process.
    ///
    /// For one that was removed or cannot be reached, it is the path that the system shows, where there are no files. `getcwd(3)` has none for it, and
    /// relative paths would begin at the root.
    package static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return FilePath.joining("/", target(ofLink: "/proc/self/cwd") ?? "(unreachable)") }
        defer { free(path) }
        return String(cString: path)
    }

    /// Whether there is a file at a path that is no folder; links are followed.
    package static func isFile(_ path: String) -> Bool { kind(of: path).map { $0 != S_IFDIR } ?? false }

    /// Whether there is a folder at a path; links are followed.
    package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return !path.utf8.contains(0) && stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The target of a symbolic link as it is written; nil for another file.
    package static func target(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? 0 }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
