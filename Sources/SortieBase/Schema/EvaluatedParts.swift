/// The members and the items of a value to which schemas apply, for `unevaluatedProperties` and `unevaluatedItems`.
struct EvaluatedParts {
    private var names: Set<String> = []
    private var hasAllMembers = false
    private var indexes: Set<Int> = []
    /// The number of items from the first one on.
    private var leading = 0

    mutating func insert(_ name: String) { names.insert(name) }

    mutating func insert(_ index: Int) { indexes.insert(index) }

    mutating func insertItems(upTo count: Int) { leading = max(leading, count) }

    mutating func insertAllMembers() { hasAllMembers = true }

    mutating func formUnion(_ other: EvaluatedParts) {
        hasAllMembers = hasAllMembers || other.hasAllMembers
        leading = max(leading, other.leading)
        if names.isEmpty { names = other.names } else { names.formUnion(other.names) }
        if indexes.isEmpty { indexes = other.indexes } else { indexes.formUnion(other.indexes) }
    }

    /// The number of members and items, in proportion to which joining takes time.
    var count: Int { names.count + indexes.count }

    func contains(_ name: String) -> Bool { hasAllMembers || names.contains(name) }

    func contains(_ index: Int) -> Bool { index < leading || indexes.contains(index) }
}
