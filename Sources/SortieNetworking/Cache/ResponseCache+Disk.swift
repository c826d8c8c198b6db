internal import FoundationEssentials
internal import SortieHTTP
internal import Synchronization

/// Entries on disk are also in memory while the program runs; these methods keep both equal. They block.
extension ResponseCache {
    /// Takes over the entry of a key as it is on disk, where other programs may have replaced or removed it.
    ///
    /// - Returns: A sentence about a damaged file that was removed.
    func readDisk(_ key: CacheKey, tag: String?) -> String? {
        // Entries with credentials are never on disk.
        guard let disk, key.credentials == nil else { return nil }
        switch disk.load(key) {
        case .none:
            forget(key)
            return nil
        case .damaged(let sentence):
            forget(key)
            return sentence
        case .entry(let head, let body):
            let wall = currentDate
            // A time in the future means that the clock was set back: the entry counts as expired.
            let age: Duration =
                head.date > wall ? .seconds(1 << 31) : .milliseconds(Int64((wall.timeIntervalSince(head.date) * 1000).rounded()))
            let isSameTag = head.tag == tag.map { Fingerprint([$0]).hex }
            guard let method = HTTPMethod(head.method) else { return nil }
            let url: HTTPURL
            do { url = try HTTPURL(parsing: head.url) } catch { return nil }
            var entry = CachedResponse(
                key: key, method: method, url: url, service: head.service, response: head.response(body: body), storedAt: currentTime - age,
                date: head.date, lifetime: .milliseconds(head.lifetime), tag: isSameTag ? tag : "another", variant: head.variant, generation: 0)
            entry.isOnDisk = true
            state.withLock { state in
                let known = state.entries.peek(key)
                // An unchanged entry keeps its generation, so that a revalidation in flight still applies to it.
                if let known, known.isOnDisk, known.date == entry.date { return }
                if let known, !known.isOnDisk, known.date > entry.date { return }
                _ = state.put(entry)
            }
            return nil
        }
    }

    /// Stores the entry of a key on disk, or removes it there when it is no longer in memory.
    ///
    /// - Returns: What was done; nil where there is no entry.
    func writeDisk(_ key: CacheKey, request: Request, isEncrypted: Bool) -> CacheStoreOutcome? {
        guard let disk else { return .refused(reason: "kept in memory only: this client has no cache folder") }
        guard key.credentials == nil else { return .refused(reason: "kept in memory only: the request has credentials") }
        guard let entry = state.withLock({ $0.entries.peek(key) }) else {
            disk.remove(key)
            return nil
        }
        if let objection = CacheSecrets.objection(to: entry, request: request, isEncrypted: isEncrypted) {
            disk.remove(key)
            return .refused(reason: "kept in memory only: \(objection)")
        }
        let count: Int
        do throws(NetworkError) { count = try disk.store(entry) } catch {
            return .refused(reason: "kept in memory only: \(error.message)")
        }
        let isCurrent = state.withLock { state in
            guard var same = state.entries.peek(key) else { return false }
            guard same.generation == entry.generation else { return true }
            same.isOnDisk = true
            // The entry keeps its generation, because its content is the same.
            _ = state.entries.put(same, for: key, cost: same.cost)
            return true
        }
        guard isCurrent else {
            // A write to the URL has invalidated it meanwhile.
            disk.remove(key)
            return .refused(reason: "removed from the disk: the URL was modified meanwhile")
        }
        let room =
            count == 0 ? "" : count == 1 ? "; the least recently used file was removed" : "; the \(count) least recently used files were removed"
        return .stored(reason: "stored on disk\(room)")
    }

    /// All entries, the most recently stored one first, and the damaged files that were removed.
    func listing() -> (entries: [CacheEntry], problems: [String]) {
        let onDisk: (entries: [CacheEntry], problems: [String]) = disk?.entries() ?? ([], [])
        let known = Set(onDisk.entries.map(\.id))
        // Another program may have removed a file since it was read.
        let inMemory = state.withLock { $0.all }.filter { !$0.isOnDisk && !known.contains($0.key.id) }.map(\.entry)
        return ((inMemory + onDisk.entries).sorted { ($1.storedAt, $0.id) < ($0.storedAt, $1.id) }, onDisk.problems)
    }

    /// Removes the entries that fulfil a condition, in memory and on disk; returns their number.
    func remove(where condition: (CacheEntry) -> Bool) -> Int {
        var removed: Set<String> = []
        for entry in state.withLock({ $0.all }) where condition(entry.entry) {
            state.withLock { $0.remove(entry.key) }
            removed.insert(entry.key.id)
        }
        return removed.union(disk?.remove(where: condition) ?? []).count
    }

    /// Removes an entry from memory that is no longer on disk.
    private func forget(_ key: CacheKey) {
        state.withLock { if $0.entries.peek(key)?.isOnDisk == true { $0.remove(key) } }
    }
}

extension ResponseCache.State {
    /// All entries.
    var all: [CachedResponse] { keys.values.joined().compactMap { entries.peek($0) } }
}
