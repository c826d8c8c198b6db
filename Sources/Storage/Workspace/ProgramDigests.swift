internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// The SHA-256 digests of the files of a workspace that the command of a hook, a secret or a tunnel names, such as its script.
///
/// They are part of what the user permits, so that a changed script needs a new permission.
package enum ProgramDigests {
    /// The largest file that is read, in bytes: scripts, and compiled programs.
    static let limit = 64 << 20
    /// Stands for the digest of a file that cannot be read or is too large; a command with such a file is not run (``refusal(of:)``).
    package static let missing = "not readable"

    /// The digests by name, in hexadecimal digits; a name that is no file, or a file that the workspace does not contain or lead to, has none.
    package static func digests(of names: Set<String>, in folder: String) -> [String: String] {
        var digests: [String: String] = [:]
        // One file can have many names, each of which would take the time of a large file again.
        var byPath: [String: String?] = [:]
        let paths = ProgramPath(folder: folder)
        for name in names {
            guard let path = paths.resolved(name) else { continue }
            let digest = byPath[path] ?? digest(of: path)
            (byPath[path], digests[name]) = (.some(digest), digest)
        }
        return digests
    }

    /// Why a command with these digests is not run, although it is permitted: the content of a file was not part of the permission; nil where each was.
    package static func refusal(of digests: [String: String]) -> (reason: String, hint: String)? {
        guard let name = digests.filter({ $0.value == missing }).keys.min() else { return nil }
        return (
            "its file \(name) cannot be read or has more than \(limit >> 20) MiB",
            "permission is for the content of the file; make it readable, or install a large program outside of the workspace"
        )
    }

    /// The digest of a regular file.
    private static func digest(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A file in a folder that cannot be searched now may be readable when the program runs.
            return errno == EACCES ? missing : nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= limit else { return missing }
        do { return HexDigits.text(HashFunction.sha256.digest(of: try WorkspaceFile.bytes(at: path, limit: limit))) } catch { return missing }
    }
}

extension Workspace {
    /// Fills ``programDigests`` from the files.
    package mutating func findProgramDigests() {
        // Of all commands together, because many endpoints may name one script.
        programDigests = ProgramDigests.digests(of: programFiles, in: folder)
    }
}

/// Resolves paths as for the program of a hook, whose working directory is the folder of the workspace.
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
