internal import Foundation
internal import SortieBase

/// The secrets that the user stored by name with `sortie secret set`, and to which workspaces refer by `{secret: NAME}`.
///
/// The file is `$XDG_STATE_HOME/sortie/secrets`, mode 0600, replaced atomically. The values are in plain text: other users cannot read them, programs of
/// the same user can.
package struct SecretStore: Sendable {
    /// A stored secret.
    package struct Entry: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
    }

    /// The path of the file.
    package let path: String
    private var file: StateFile<StoredSecret> { StateFile(path) }

    /// Creates the store of this user.
    package init() {
        self.init(path: "\(StateFolder.path)/sortie/secrets")
    }

    init(path: String) {
        self.path = path
    }

    /// The names in alphabetical order.
    package func names() throws(WorkspaceError) -> [String] { try stored().map(\.name).sorted() }

    /// The value of a secret; nil where there is none of this name.
    package func value(of name: String) throws(WorkspaceError) -> String? { try stored().first { $0.name == name }?.value }

    /// Stores a value; returns whether it replaces another one.
    package func set(_ name: String, to value: String) throws(WorkspaceError) -> Bool {
        var wasThere = false
        try change { entries in
            wasThere = entries.contains { $0.name == name }
            entries.removeAll { $0.name == name }
            entries.append(Entry(name: name, value: value))
        }
        return wasThere
    }

    /// Removes a secret; returns whether there was one.
    package func forget(_ name: String) throws(WorkspaceError) -> Bool {
        guard try stored().contains(where: { $0.name == name }) else { return false }
        try change { $0.removeAll { $0.name == name } }
        return true
    }

    /// All entries.
    ///
    /// - Throws: Also where a part of the file cannot be read, so that a secret is not lost silently, and where other users can read the file.
    private func stored() throws(WorkspaceError) -> [Entry] {
        var information = stat()
        if stat(path, &information) == 0, information.st_mode & 0o077 != 0 {
            throw WorkspaceError(.notPrivate, file: path, "other users may read or change the stored secrets; make the file private with chmod 600")
        }
        guard let content = try file.load() else { return [] }
        if let problem = content.problems.first { throw problem }
        return content.values
    }

    private func change(_ edit: (inout [Entry]) -> Void) throws(WorkspaceError) {
        do { try StateFolder.make(FilePath.folder(of: path)) } catch {
            throw WorkspaceError(.unwritable, file: path, "the secrets cannot be stored: \(error)")
        }
        // Without the lock, two programs that store a secret at the same time could lose one of them.
        guard let lock = StateLock(path: path + ".lock", within: 2) else {
            throw WorkspaceError(.unwritable, file: path, "another program is changing the stored secrets; try again")
        }
        defer { withExtendedLifetime(lock) {} }
        var entries = try stored()
        edit(&entries)
        // Without secrets there is no file.
        try file.save(entries.isEmpty ? nil : entries)
    }
}

/// A secret as it is stored.
private struct StoredSecret: StateRecord {
    static let format = StateFormat(key: "secrets", content: "the stored secrets")

    var name: String
    var value: String

    init(_ entry: SecretStore.Entry) {
        (name, value) = (entry.name, entry.value)
    }

    func value(_ problems: inout [String]) -> SecretStore.Entry? {
        SecretStore.Entry(name: name, value: value)
    }
}
