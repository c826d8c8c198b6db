public import Model

/// The addresses of names, kept so that the next program need not wait for the first answer (S3.12): `$XDG_CACHE_HOME/sortie/addresses/names.json`.
///
/// A cache: of two programs the last one's is kept, and what cannot be read is lost.
public struct AddressStore: Sendable {
    private let file: StateFile<[KeptName]>

    /// The addresses of all workspaces.
    ///
    /// - Parameter cacheFolder: where programs keep what they can get again.
    public init(cacheFolder: String = StateFolder.cachePath) {
        file = StateFile(path: "\(cacheFolder)/sortie/addresses/names.json", content: "the resolved addresses")
    }

    /// What was kept; none when nothing was.
    ///
    /// - Throws: when the file is there but cannot be read; the next answer replaces it.
    public func load() throws -> [KeptName] {
        do { return try file.load() ?? [] } catch {
            throw WorkspaceError(.unreadable, file: file.path, "the resolved addresses cannot be read; names are resolved again")
        }
    }

    /// Keeps these names, and only these.
    public func keep(_ names: [KeptName]) throws {
        try file.save(names.isEmpty ? nil : names)
    }
}
