internal import Foundation
internal import SortieBase

/// Resolves paths as the program of a hook sees them, whose working directory is the folder of the workspace.
///
/// `/proc/self/cwd`, also as the target of a link, is the folder of the workspace there, and not that of this program.
struct ProgramPath {
    /// The maximum number of links, as in the kernel (`path_resolution(7)`).
    private static let mostLinks = 40

    /// The folder with its links resolved.
    private let root: String

    init(folder: String) { root = RealPath.of(folder) }

    /// The resolved path of a name that is relative to the workspace or leads through it; nil for another one.
    func resolved(_ name: String) -> String? {
        let isRelative = !FilePath.isAbsolute(name)
        var leadsThrough = isRelative
        var rest = FilePath.components(of: name).reversed().map(String.init)
        var path = isRelative ? root : ""
        var links = 0
        while let part = rest.popLast() {
            switch (path, part) {
            case (_, "."): continue
            case (_, ".."): path = path.isEmpty ? "" : FilePath.folder(of: path)
            case ("/proc", "self"), ("/proc", "thread-self"): path += "/\(part)"
            case ("/proc/self", "cwd"), ("/proc/thread-self", "cwd"): path = root
            case ("/proc/self", "root"), ("/proc/thread-self", "root"): path = ""
            // The standard streams and the interpreter of the program.
            case ("/proc/self", _), ("/proc/thread-self", _): return nil
            default:
                let next = path + "/" + part
                if let target = RealPath.target(ofLink: next) {
                    links += 1
                    guard links <= Self.mostLinks else { return nil }
                    if FilePath.isAbsolute(target) { path = "" }
                    rest += FilePath.components(of: target).reversed().map(String.init)
                } else {
                    path = next
                }
            }
            if path == "/" { path = "" }
            if path == root || path.hasPrefix(root + "/") { leadsThrough = true }
        }
        return leadsThrough ? path : nil
    }
}
