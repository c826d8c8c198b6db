internal import Foundation

/// The secrets that the user stored by name with `sortie secret set`, and to which workspaces refer by `{secret: NAME}`.
///
/// The file is `$XDG_STATE_HOME/sortie/secrets`, mode 0600, replaced atomically. The values are in plain text: other users cannot read them, programs of
/// the same user can.
package struct SecretStore: Sendable {
    /// A stored secret.
    package struct Entry: Codable, Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
    }

    /// The path of the file.
    package let path: String
    private var file: PrivateStore<Entry> { PrivateStore(path: path) }

    /// Creates the store of this user.
    package init(stateFolder: String) {
        self.init(path: "\(stateFolder)/sortie/secrets")
    }

    init(path: String) {
        self.path = path
    }

    /// The names in alphabetical order.
    package func names() throws(WorkspaceError) -> [String] { try file.values().map(\.name).sorted() }

    /// The value of a secret; nil where there is none of this name.
    package func value(of name: String) throws(WorkspaceError) -> String? { try file.values().first { $0.name == name }?.value }

    /// Stores a value; returns whether it replaces another one.
    package func set(_ name: String, to value: String) throws(WorkspaceError) -> Bool {
        var wasThere = false
        try file.change { entries in
            wasThere = entries.contains { $0.name == name }
            entries.removeAll { $0.name == name }
            entries.append(Entry(name: name, value: value))
        }
        return wasThere
    }

    /// Stores a value under a name that has no other value: the given one, or the given one with a number.
    ///
    /// - Returns: The name, and whether the value is new in the store.
    package func add(_ value: String, named base: String) throws(WorkspaceError) -> (name: String, isNew: Bool) {
        var name = base
        var isNew = true
        try file.change { entries in
            var number = 1
            while let entry = entries.first(where: { $0.name == name }), entry.value != value {
                number += 1
                name = "\(base)\(number)"
            }
            isNew = !entries.contains { $0.name == name }
            if isNew { entries.append(Entry(name: name, value: value)) }
        }
        return (name, isNew)
    }

    /// Removes a secret; returns whether there was one.
    package func forget(_ name: String) throws(WorkspaceError) -> Bool {
        guard try file.values().contains(where: { $0.name == name }) else { return false }
        try file.change { $0.removeAll { $0.name == name } }
        return true
    }
}

extension SecretStore.Entry: StateRecord {
    package typealias Value = Self

    package static let format = StateFormat(key: "secrets", content: "the stored secrets")
}
