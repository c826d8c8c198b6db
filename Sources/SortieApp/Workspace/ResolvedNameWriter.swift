internal import SortieNetworking
internal import SortieStorage

/// Stores the addresses of host names in the cache folder, for the workbench and the commands.
struct ResolvedNameWriter: AddressArchive {
    private let store: AddressStore

    init(_ folders: UserFolders) { store = AddressStore(cacheFolder: folders.cache) }

    func load() throws -> [ResolvedName] { try store.load() }
    func keep(_ names: [ResolvedName]) throws { try store.keep(names) }
}
