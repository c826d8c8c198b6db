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
        let paths = ProgramPath(folder: folder)
        for name in names { digests[name] = paths.resolved(name).flatMap { digest(of: $0) } }
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
    /// Fills ``links`` with the targets of the paths in the files.
    mutating func findLinks() {
        links = [:]
        for path in CapabilityScan.namedPaths(in: self).union([folder]) {
            let real = RealPath.of(path)
            if real != path { links[path] = real }
        }
    }

    /// Fills ``programDigests`` from the files.
    package mutating func findProgramDigests() {
        // Of all commands together, because many endpoints may name one script.
        programDigests = ProgramDigests.digests(of: programFiles, in: folder)
    }
}
