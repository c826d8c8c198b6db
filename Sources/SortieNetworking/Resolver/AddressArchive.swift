public import SortieHTTP

/// Stores resolved names so that later runs of the program can use them.
public protocol AddressArchive: Sendable {
    /// The stored names; empty when nothing is stored.
    ///
    /// - Throws: An error when stored names exist and cannot be read. The resolver then starts empty and reports the
    ///   error with the next request.
    func load() throws -> [ResolvedName]

    /// Replaces the stored names.
    func keep(_ names: [ResolvedName]) throws
}
