internal import SortieNetworking
internal import Storage

/// Stores the addresses of host names in the cache folder, for the workbench and the commands.
struct NameKeeper: AddressKeeper {
    private let store = AddressStore()

    func load() throws -> [KeptName] { try store.load() }
    func keep(_ names: [KeptName]) throws { try store.keep(names) }
}
