internal import Foundation
public import Model

/// Unsaved edits of a workspace, so that a crash or a closed terminal loses nothing that was typed (architecture, rule 7).
///
/// One file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, private to the user, replaced atomically, removed when nothing is unsaved.
public struct DraftStore: Sendable {
    private let file: URL

    /// The drafts of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: where programs keep their state; `$XDG_STATE_HOME`, or `~/.local/state`.
    public init(workspace folder: String, stateFolder: String = DraftStore.stateFolder) {
        // A name that people can recognise and that two folders never share.
        let name = folder.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + String(byte, radix: 16)
        }
        .joined()
        file = URL(fileURLWithPath: stateFolder).appendingPathComponent("sortie/drafts/\(name.suffix(200)).json")
    }

    /// `$XDG_STATE_HOME` where it is absolute, else `~/.local/state`.
    public static var stateFolder: String {
        if let folder = ProcessInfo.processInfo.environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state").path
    }

    /// The endpoints as they were left; none when nothing is unsaved.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    public func load() throws(WorkspaceError) -> [Endpoint] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        do { return try JSONDecoder().decode([Endpoint].self, from: Data(contentsOf: file)) } catch {
            throw WorkspaceError(.unreadable, file: file.path, "the unsaved edits cannot be read; they stay in this file")
        }
    }

    /// Keeps these endpoints, and only these.
    public func save(_ endpoints: [Endpoint]) throws(WorkspaceError) {
        do {
            guard !endpoints.isEmpty else {
                if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
                return
            }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write(Array(JSONEncoder().encode(endpoints)), to: file.path, newMode: 0o600)
        } catch {
            throw WorkspaceError(.unwritable, file: file.path, "the unsaved edits cannot be kept: \(error)")
        }
    }
}
