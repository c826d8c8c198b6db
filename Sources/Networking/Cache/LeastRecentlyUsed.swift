/// Values by key with a cost each, within a limit: the one that was not used for the longest time goes first (S1.24).
///
/// Every operation takes constant time: the nodes form a list through `entries`.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Node {
        var value: Value
        var cost: Int
        /// The neighbour that was used more recently.
        var newer: Key?
        /// The neighbour that was used longer ago.
        var older: Key?
    }

    private var entries: [Key: Node] = [:]
    private var newest: Key?
    private var oldest: Key?

    /// The most that all costs together may come to.
    let limit: Int
    /// What all costs together come to.
    private(set) var cost = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// How many values there are.
    var count: Int { entries.count }

    /// The value of a key, without counting as a use.
    func peek(_ key: Key) -> Value? { entries[key]?.value }

    /// The value of a key, which becomes the most recently used one.
    mutating func use(_ key: Key) -> Value? {
        guard let node = entries[key] else { return nil }
        unlink(key, node)
        link(key, node.value, node.cost)
        return node.value
    }

    /// Puts a value in as the most recently used one and returns the keys that had to go; nothing changes when it is larger than the limit.
    mutating func put(_ value: Value, for key: Key, cost: Int) -> [Key] {
        guard cost <= limit else { return [] }
        remove(key)
        link(key, value, cost)
        self.cost += cost
        var gone: [Key] = []
        while self.cost > limit, let last = oldest {
            remove(last)
            gone.append(last)
        }
        return gone
    }

    /// Takes a value out.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let node = entries.removeValue(forKey: key) else { return nil }
        unlink(key, node)
        cost -= node.cost
        return node.value
    }

    /// Takes everything out.
    mutating func removeAll() {
        self = LeastRecentlyUsed(limit: limit)
    }

    private mutating func link(_ key: Key, _ value: Value, _ cost: Int) {
        entries[key] = Node(value: value, cost: cost, newer: nil, older: newest)
        if let newest { entries[newest]?.newer = key } else { oldest = key }
        newest = key
    }

    private mutating func unlink(_ key: Key, _ node: Node) {
        if let newer = node.newer { entries[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { entries[older]?.newer = node.newer } else { oldest = node.newer }
    }
}
