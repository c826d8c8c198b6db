internal import SortieNetworking
internal import SortieWorkbench

internal import struct Foundation.Date

extension CacheJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> CacheListing? {
        let cache = runner.client.cache
        var removed: Int?
        switch request {
        case .list: break
        case .remove(let ids): removed = await cache.remove { ids.contains($0.id) }
        case .removeService(let service): removed = await cache.remove { $0.service == service }
        case .clear: removed = await cache.removeAll()
        }
        let (entries, problems) = await cache.entries()
        return CacheListing(entries, readAt: Date(), removed: removed, problems: problems)
    }
}
