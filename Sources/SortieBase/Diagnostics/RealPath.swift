internal import Glibc

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

    /// The target of a symbolic link as it is written; nil for another file.
    package static func target(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? 0 }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
