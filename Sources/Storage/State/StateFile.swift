internal import Foundation
internal import Model

/// A value that a program stores about one workspace, as a JSON file below `$XDG_STATE_HOME/sortie`: private to the user, replaced atomically.
struct StateFile<Value: Codable> {
    /// The path of the file.
    let path: String
    /// The description of the content for messages: `the unsaved edits`.
    let content: String

    /// The stored value; nil when there is none.
    ///
    /// - Throws: When the file exists but cannot be read; it is not changed.
    func load() throws(WorkspaceError) -> Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(FilePath.folder(of: path))
        do { return try JSONDecoder().decode(Value.self, from: Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw WorkspaceError(
                .unreadable, file: path, "\(content) cannot be read; this file is not changed, move it to another place to start again")
        }
    }

    /// Stores `value`; nil removes the file.
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
