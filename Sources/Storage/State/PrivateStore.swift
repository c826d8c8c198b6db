internal import Foundation

/// A state file with secrets: mode 0600, replaced atomically, changed by one program at a time.
///
/// The values are in plain text: other users cannot read them, programs of the same user can.
struct PrivateStore<Record: StateRecord>: Sendable {
    let path: String
    private var file: StateFile<Record> { StateFile(path) }

    /// All values.
    ///
    /// - Throws: Also where a part of the file cannot be read, so that a secret is not lost silently, and where other users can read the file.
    func values() throws(WorkspaceError) -> [Record.Value] {
        try StateFolder.checkFile(path)
        var information = stat()
        if stat(path, &information) == 0, information.st_mode & 0o077 != 0 {
            throw WorkspaceError(
                .notPrivate, file: path, "other users may read or change \(Record.format.content); make the file private with chmod 600")
        }
        guard let content = try file.load() else { return [] }
        if let problem = content.problems.first { throw problem }
        return content.values
    }

    /// Changes the values.
    func change(_ edit: (inout [Record.Value]) -> Void) throws(WorkspaceError) {
        let lock = try file.lock(within: 2)
        defer { withExtendedLifetime(lock) {} }
        var entries = try values()
        edit(&entries)
        // Without secrets there is no file.
        try file.save(entries.isEmpty ? nil : entries)
    }
}
