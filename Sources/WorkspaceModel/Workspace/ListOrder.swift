/// The order in which the services of a workspace, or the endpoints of a service, are listed (`order:`).
package struct ListOrder {
    /// The first position that names a path, or something inside it.
    private var positions: [String: Int] = [:]

    /// - Parameter names: Paths such as `login`, `orders` for all of a folder, or `orders/list`; what they do not name follows by name.
    package init(_ names: [String]) {
        for (position, name) in names.enumerated() {
            let parts = name.split(separator: "/")
            for last in parts.indices {
                let path = parts[...last].joined(separator: "/")
                if positions[path] == nil { positions[path] = position }
            }
        }
    }

    /// The items by the order of their paths.
    package func sorted<Item>(_ items: [Item], by path: (Item) -> String) -> [Item] {
        guard !positions.isEmpty else { return items.sorted { path($0) < path($1) } }
        return items.map { (item: $0, path: path($0), positions: positions(in: path($0))) }
            .sorted { $0.positions == $1.positions ? $0.path < $1.path : $0.positions.lexicographicallyPrecedes($1.positions) }
            .map(\.item)
    }

    /// The positions of a path, level by level, so that the items of a folder stay together; the last number for a level that is not named.
    private func positions(in path: String) -> [Int] {
        let parts = path.split(separator: "/")
        return parts.indices.map { positions[parts[...$0].joined(separator: "/")] ?? .max }
    }
}

extension Service {
    /// Items of the service in the order in which they are listed.
    ///
    /// - Parameter target: The target of an item, which begins with the folder of the service.
    package func sorted<Item>(_ items: [Item], by target: (Item) -> String) -> [Item] {
        ListOrder(order.map { "\(folder)/\($0)" }).sorted(items, by: target)
    }
}
