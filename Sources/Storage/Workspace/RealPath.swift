internal import Foundation
internal import Model

/// Where a path leads when every symbolic link in it is followed (`realpath(3)`); nothing is opened.
public enum RealPath {
    /// The real path; of a file that does not exist, that of its nearest folder that does, with the rest appended.
    public static func of(_ path: String) -> String {
        var rest: [String] = []
        var current = FilePath.normalized(path)
        while true {
            if let found = realpath(current, nil) {
                defer { free(found) }
                return FilePath.joining(String(cString: found), rest.reversed().joined(separator: "/"))
            }
            let parent = FilePath.folder(of: current)
            guard parent != current, parent != "." else { return path }
            rest.append(FilePath.name(of: current))
            current = parent
        }
    }
}

extension Workspace {
    /// Fills ``links`` with the targets of the paths that the files name.
    mutating func findLinks() {
        links = [:]
        for path in CapabilityScan.namedPaths(in: self).union([folder]) {
            let real = RealPath.of(path)
            if real != path { links[path] = real }
        }
    }
}
