package import SortieHTTP

package import struct FoundationEssentials.Date

/// A request to the cache of the workspace.
package enum CacheRequest: Hashable, Sendable {
    /// List the entries.
    case list
    /// Remove entries.
    case remove([CacheEntry.ID])
    /// Remove the entries of a service; nil for those of requests without a service.
    case removeService(String?)
    /// Remove all entries.
    case clear
}

/// The entries of the cache after a ``CacheRequest``.
package struct CacheListing: Hashable, Sendable {
    /// The entries, the most recently stored one first.
    package var entries: [CacheEntry]
    /// The time of reading.
    package var readAt: Date
    /// The number of removed entries; nil for a request that removes none.
    package var removed: Int?
    /// A sentence for each damaged file, which was removed.
    package var problems: [String]

    /// Creates a listing.
    package init(_ entries: [CacheEntry], readAt: Date, removed: Int? = nil, problems: [String] = []) {
        self.entries = entries
        self.readAt = readAt
        self.removed = removed
        self.problems = problems
    }
}
