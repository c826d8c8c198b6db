/// Paths as text: joined and with `.` and `..` resolved, without asking the file system.
package enum FilePath {
    /// `path` below `folder`; an absolute one stands for itself.
    package static func joining(_ folder: String, _ path: String) -> String {
        normalized(path.hasPrefix("/") ? path : folder + "/" + path)
    }

    /// `path` with the home folder in the place of a `~` that is its first component.
    package static func expanding(_ path: String, home: String) -> String {
        path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    /// `path` without empty, `.` and `..` components.
    package static func normalized(_ path: String) -> String {
        var result: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = result.last, last != ".." {
                result.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                result.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + result.joined(separator: "/")
    }

    /// `path` as seen from `folder`, or itself where it does not lie below `root`.
    package static func relative(_ path: String, to folder: String, within root: String) -> String {
        guard path.hasPrefix(root + "/") else { return path }
        let target = path.split(separator: "/")
        let start = folder.split(separator: "/")
        let common = zip(target, start).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: start.count - common) + target[common...]).joined(separator: "/")
    }

    /// The folder of a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// A name without `.yaml` or `.yml`, nil when it ends otherwise.
    package static func yamlStem(_ name: String) -> String? {
        for ending in [".yaml", ".yml"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return nil
    }
}
