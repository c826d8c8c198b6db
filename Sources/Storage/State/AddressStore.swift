public import Model

/// Stores the addresses of host names, so that the next program need not wait for a name server (S3.12):
/// `$XDG_CACHE_HOME/sortie/addresses/names.json`.
///
/// The file is a cache: the last program that writes it wins, and an unreadable file is ignored.
public struct AddressStore: Sendable {
    private let file: StateFile<[KeptName]>

    /// Creates the store for all workspaces.
    ///
    /// - Parameter cacheFolder: the folder for data that programs can obtain again.
    public init(cacheFolder: String = StateFolder.cachePath) {
        file = StateFile(path: "\(cacheFolder)/sortie/addresses/names.json", content: "the resolved addresses")
    }

    /// The stored names; empty when there are none.
    ///
    /// - Throws: When the file exists but cannot be read; the next result replaces it.
    public func load() throws -> [KeptName] {
        do { return try file.load() ?? [] } catch {
            throw WorkspaceError(.unreadable, file: file.path, "the resolved addresses cannot be read; names are resolved again")
        }
    }

    /// Replaces the stored names.
    public func keep(_ names: [KeptName]) throws {
        try file.save(names.isEmpty ? nil : names)
    }
}
