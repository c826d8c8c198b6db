internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// The cached responses in a popup, the most recently stored one first.
///
/// The runner owns the cache; the popup shows the last listing.
struct CachePopup: Sendable {
    private(set) var entries: [CacheEntry] = []
    /// The time of reading, relative to which ages are shown.
    private(set) var readAt = Date(timeIntervalSince1970: 0)
    /// Whether the cache was read.
    private(set) var isRead = false
    /// The index of the selected entry.
    private(set) var selected = 0

    var chosen: CacheEntry? { entries.indices.contains(selected) ? entries[selected] : nil }

    /// The size of all entries in bytes.
    var size: Int { entries.reduce(0) { $0 + $1.size } }

    /// Updates the entries; the selected one stays selected if it still exists.
    mutating func take(_ listing: CacheListing) {
        let id = chosen?.id
        entries = listing.entries
        readAt = listing.readAt
        isRead = true
        selected = (id.flatMap { id in entries.firstIndex { $0.id == id } } ?? selected).clamped(to: 0...max(0, entries.count - 1))
    }

    mutating func select(index: Int) { if entries.indices.contains(index) { selected = index } }

    mutating func move(_ movement: Movement, page: Int) {
        selected = movement.target(from: selected, count: entries.count, page: page)
    }
}
