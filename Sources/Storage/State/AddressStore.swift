internal import Foundation
public import Model

/// The addresses of names, kept so that the next program need not wait for the first answer (S3.12): `$XDG_CACHE_HOME/sortie/addresses/names.json`.
///
/// A cache: of two programs the last one's is kept, and what cannot be read is lost.
public struct AddressStore: Sendable {
    private let file: StateFile<StoredName>

    /// The addresses of all workspaces.
    ///
    /// - Parameter cacheFolder: where programs keep what they can get again.
    public init(cacheFolder: String = StateFolder.cachePath) {
        file = StateFile("\(cacheFolder)/sortie/addresses/names.json")
    }

    /// What was kept; none when nothing was.
    ///
    /// - Throws: when the file is there but cannot be read; the next response replaces it, unless a newer version wrote it.
    public func load() throws(WorkspaceError) -> [KeptName] {
        do throws(WorkspaceError) {
            let content = try file.load()
            if let problem = content?.problems.first, content?.values.isEmpty == true { throw problem }
            return content?.values ?? []
        } catch {
            guard error.code == .unreadable else { throw error }
            throw WorkspaceError(.unreadable, file: file.path, "the addresses of names cannot be read; they are looked up again")
        }
    }

    /// Keeps these names, and only these.
    public func keep(_ names: [KeptName]) throws {
        try file.save(names.isEmpty ? nil : names)
    }
}

/// The addresses of a name as they are stored.
private struct StoredName: StateRecord {
    static let format = StateFormat(
        key: "names", content: "the addresses of names", migrations: [{ DateMigration.migrated($0, keys: ["found"]) }])

    var host: String
    var server: String?
    var addresses: [String]
    var found: Date
    var lifetime: Double

    init(_ name: KeptName) {
        (host, server, addresses, found, lifetime) = (name.host, name.server, name.addresses, name.found, name.lifetime)
    }

    func value(_ problems: inout [String]) -> KeptName? {
        KeptName(host: host, server: server, addresses: addresses, found: found, lifetime: lifetime)
    }
}
