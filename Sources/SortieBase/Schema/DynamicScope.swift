/// A schema of a `$dynamicAnchor`.
struct DynamicAnchor: Hashable, Sendable {
    let name: String
    /// The number of the part that is or has the schema; nil for the document itself.
    let part: Int?
    let node: Int
}

/// The dynamic anchors of the resources that are evaluated, of each name the outermost one (JSON Schema 2020-12, 8.2.3.2).
struct DynamicScope: Hashable, Sendable {
    private var anchors: [DynamicAnchor] = []

    var count: Int { anchors.count }

    /// Adds the anchors of a resource that the evaluation enters.
    mutating func enter(_ resource: [DynamicAnchor]) {
        for anchor in resource where !anchors.contains(where: { $0.name == anchor.name }) { anchors.append(anchor) }
    }

    /// Removes what was added since there were `count` anchors.
    mutating func leave(to count: Int) { if anchors.count > count { anchors.removeLast(anchors.count - count) } }

    /// The schema to which a `$dynamicRef` leads.
    ///
    /// - Parameter anchor: The schema of the resource of the reference.
    func target(of anchor: DynamicAnchor) -> DynamicAnchor { anchors.first { $0.name == anchor.name } ?? anchor }
}
