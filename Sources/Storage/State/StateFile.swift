internal import Foundation
internal import Model

/// What a program keeps about one workspace, as a JSON file below `$XDG_STATE_HOME/sortie`: private to the user, replaced atomically.
struct StateFile<Value: Codable> {
    /// The file.
    let path: String
    /// What it holds, for messages: `the unsaved edits`.
    let content: String

    /// What was kept; nil when nothing was.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    func load() throws(WorkspaceError) -> Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(FilePath.folder(of: path))
        do { return try JSONDecoder().decode(Value.self, from: Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw WorkspaceError(
                .unreadable, file: path, "\(content) cannot be read; this file is not changed, move it to another place to start again")
        }
    }

    /// Keeps `value`; nil removes the file.
    func save(_ value: Value?) throws(WorkspaceError) {
        do {
            guard let value else {
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
                return
            }
            try StateFolder.make((path as NSString).deletingLastPathComponent)
            try AtomicFile.write(Array(JSONEncoder().encode(value)), to: path, mode: 0o600)
        } catch {
            throw WorkspaceError(.unwritable, file: path, "\(content) cannot be stored: \(error)")
        }
    }
}
