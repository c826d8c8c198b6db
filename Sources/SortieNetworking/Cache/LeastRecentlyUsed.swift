/// A map whose values have a cost.
///
/// When the total exceeds a limit, the least recently used values are removed.
///
/// Every operation takes constant time: the nodes form a linked list through `entries`.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Node {
        var value: Value
        var cost: Int
        /// The neighbour that was used more recently.
        var newer: Key?
        /// The neighbour that was used less recently.
        var older: Key?
    }

    private var entries: [Key: Node] = [:]
    private var newest: Key?
    private var oldest: Key?

    /// The largest total cost.
    let limit: Int
    /// The total cost.
    private(set) var cost = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of values.
    var count: Int { entries.count }

    /// The value of a key.
    ///
    /// The call does not count as a use.
    func peek(_ key: Key) -> Value? { entries[key]?.value }

    /// The value of a key.
    ///
    /// The key becomes the most recently used one.
    mutating func use(_ key: Key) -> Value? {
        guard let node = entries[key] else { return nil }
        unlink(key, node)
        link(key, node.value, node.cost)
        return node.value
    }

    /// Inserts a value as the most recently used one and returns the keys that were removed to make room.
    ///
    /// Does nothing when `cost` exceeds the limit.
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

    /// Removes and returns a value.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let node = entries.removeValue(forKey: key) else { return nil }
        unlink(key, node)
        cost -= node.cost
        return node.value
    }

    /// Removes all values.
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
