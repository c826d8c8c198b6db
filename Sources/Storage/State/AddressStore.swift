internal import Foundation
package import SortieHTTP

/// Stores the addresses of host names, so that the next program need not wait for a name server:
/// `$XDG_CACHE_HOME/sortie/addresses/names.json`.
///
/// The file is a cache: the last program that writes it replaces what others wrote, and an unreadable file is ignored.
package struct AddressStore: Sendable {
    private let file: StateFile<ResolvedName>

    /// Creates the store for all workspaces.
    ///
    /// - Parameter cacheFolder: the folder for data that programs can obtain again.
    package init(cacheFolder: String) {
        file = StateFile("\(cacheFolder)/sortie/addresses/names.json")
    }

    /// The stored names; empty when there are none.
    ///
    /// - Throws: when the file is there but cannot be read; the next response replaces it, unless a newer version wrote it.
    package func load() throws(WorkspaceError) -> [ResolvedName] {
        do throws(WorkspaceError) {
            let content = try file.load()
            if let problem = content?.problems.first, content?.values.isEmpty == true { throw problem }
            return content?.values ?? []
        } catch {
            guard error.code == .unreadable else { throw error }
            throw WorkspaceError(.unreadable, file: file.path, "the resolved addresses cannot be read; names are resolved again")
        }
    }

    /// Replaces the stored names.
    package func keep(_ names: [ResolvedName]) throws {
        try file.save(names.isEmpty ? nil : names)
    }
}

extension ResolvedName: StateRecord {
    package typealias Value = Self

    package static let format = StateFormat(key: "names", content: "the resolved addresses", version: 2)
}
