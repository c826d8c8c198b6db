internal import Crypto
internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// The SHA-256 digests of the files of a workspace that are words of a hook's command, such as its script.
///
/// They are part of what the user permits, so that a changed script needs a new permission.
package enum HookDigests {
    /// The largest file that is read, in bytes: scripts, and compiled programs.
    private static let limit = 64 << 20

    /// The digests by word, in hexadecimal digits; a word that is not a readable file in the folder has none.
    package static func digests(of command: [String], in folder: String) -> [String: String] {
        var digests: [String: String] = [:]
        for word in Set(command) where !word.isEmpty && !word.hasPrefix("/") && !word.hasPrefix("-") {
            let path = FilePath.joining(folder, word)
            digests[word] = digest(of: path)
        }
        return digests
    }

    /// The digest of a regular file; a text that no permission contains for one that cannot be read.
    private static func digest(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        do { return SHA256.hash(data: try WorkspaceFile.bytes(at: path, limit: limit)).hexadecimal } catch { return "unreadable" }
    }
}

extension Workspace {
    /// Fills ``hookDigests``.
    mutating func findHookDigests() {
        // Of all commands together, because many endpoints may name one script.
        hookDigests = HookDigests.digests(of: allHooks.flatMap(\.command), in: folder)
    }
}
