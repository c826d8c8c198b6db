internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// Stores what the user permitted workspaces to do on this machine (`Security.md` 4).
///
/// Permission belongs to the resolved path of a workspace's folder and to the list of its capabilities. A capability that is not in the stored
/// list requires permission again. The file is `$XDG_STATE_HOME/sortie/trust`, mode 0600.
package struct TrustStore: Sendable {
    /// One workspace and its permitted capabilities.
    package struct Entry: Codable, Hashable, Sendable {
        /// The path of the workspace's folder, with symbolic links resolved.
        package var folder: String
        /// The digest of the list of capabilities.
        package var digest: String
        /// The capabilities, a line of JSON each (``Capability/line``).
        package var capabilities: [String]
    }

    private let path: String
    private var file: StateFile<Entry> { StateFile(path) }

    /// Creates the store of this user.
    package init(stateFolder: String) {
        self.init(path: "\(stateFolder)/sortie/trust")
    }

    init(path: String) {
        self.path = path
    }

    /// The digest of a list of capabilities: SHA-256 of its sorted lines, in hexadecimal.
    package static func digest(of capabilities: Set<Capability>) -> String {
        let lines = capabilities.sorted().map(\.line).joined(separator: "\n")
        return HexDigits.text(HashFunction.sha256.digest(of: lines))
    }

    /// The digest of the capabilities of the shipped demo (`Workspaces/Demo`); a workspace that requires exactly these is permitted.
    package static let demoDigest = "2614333751f8cfa2110647a6f7bd32c4055ec4c1feeaaba88865a1be22b32e31"

    /// The path that identifies a workspace in the store: its folder, or the file that is used in place, because a folder may have several.
    package static func identity(of workspace: Workspace) -> String {
        identity(ofFolder: workspace.folder, file: workspace.foreignFile ?? ".")
    }

    /// The path that identifies the workspace in a folder, which need not exist.
    package static func identity(ofFolder folder: String, file: String = ".") -> String { FilePath.joining(RealPath.of(folder), file) }

    /// All workspaces with permission, sorted by folder.
    ///
    /// A permission that cannot be read is none.
    ///
    /// - Throws: When the file exists and cannot be read, or was written by a newer version.
    package func entries() throws(WorkspaceError) -> [Entry] {
        try stored().sorted { $0.folder < $1.folder }
    }

    /// The permitted capabilities of the workspace in a folder; empty without permission.
    package func permitted(in folder: String) throws(WorkspaceError) -> Set<Capability> {
        guard let entry = try stored().first(where: { $0.folder == folder }) else { return [] }
        var permitted: Set<Capability> = []
        for line in entry.capabilities {
            // An unknown line permits nothing.
            do { if let capability = try Capability(line: line) { permitted.insert(capability) } } catch { continue }
        }
        return permitted
    }

    /// Permits these capabilities of a workspace and replaces its earlier permissions.
    package func permit(_ capabilities: Set<Capability>, in folder: String) throws(WorkspaceError) {
        try change { entries in
            entries.removeAll { $0.folder == folder }
            entries.append(
                Entry(folder: folder, digest: Self.digest(of: capabilities), capabilities: capabilities.sorted().map(\.line)))
        }
    }

    /// Revokes all permissions of a workspace; returns whether there were any.
    @discardableResult
    package func revoke(_ folder: String) throws(WorkspaceError) -> Bool {
        var wasThere = false
        try change { entries in
            wasThere = entries.contains { $0.folder == folder }
            entries.removeAll { $0.folder == folder }
        }
        return wasThere
    }

    private func stored() throws(WorkspaceError) -> [Entry] { try file.load()?.values ?? [] }

    private func change(_ edit: (inout [Entry]) -> Void) throws(WorkspaceError) {
        let lock = try file.lock(within: 2)
        defer { withExtendedLifetime(lock) {} }
        var entries = try stored()
        edit(&entries)
        try file.save(entries)
    }
}

extension TrustStore.Entry: StateRecord {
    package typealias Value = Self

    package static let format = StateFormat(key: "workspaces", content: "the permissions of workspaces")
}
