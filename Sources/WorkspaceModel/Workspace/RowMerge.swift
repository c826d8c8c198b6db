/// A merge of two changed versions of a list of named rows, by row.
struct RowMerge<Element: Equatable> {
    /// The rows with the changes of both sides; `ours` takes precedence where both changed a row.
    private(set) var merged: [Element]
    /// Whether both sides changed the same row, or the order of rows, in different ways.
    private(set) var hasConflict = false

    init(base: [Element], ours: [Element], theirs: [Element], name: (Element) -> String) {
        guard let baseRows = Self.byName(base, name), let ourRows = Self.byName(ours, name), let theirRows = Self.byName(theirs, name) else {
            // Rows of the same name can only be distinguished by their positions.
            let merge = ThreeWayMerge(base: base, ours: ours, theirs: theirs)
            merged = merge.merged
            hasConflict = merge.hasConflict
            return
        }
        merged = []
        var hasConflict = false
        func row(_ name: String) -> Element? {
            let (old, our, their) = (baseRows[name], ourRows[name], theirRows[name])
            if our == old { return their }
            if their != old, their != our { hasConflict = true }
            return our
        }
        let kept = base.map(name).filter { ourRows[$0] != nil && theirRows[$0] != nil }
        let ourOrder = ours.map(name)
        let theirOrder = theirs.map(name)
        let haveWeMoved = ourOrder.filter(kept.contains) != kept
        let haveTheyMoved = theirOrder.filter(kept.contains) != kept
        if haveWeMoved, haveTheyMoved, ourOrder.filter(kept.contains) != theirOrder.filter(kept.contains) { hasConflict = true }
        var names = haveWeMoved ? ourOrder : theirOrder
        let others = haveWeMoved ? theirOrder : ourOrder
        for (index, name) in others.enumerated() where !names.contains(name) {
            // After the row that precedes it on its own side.
            let before = others[..<index].last { names.contains($0) }
            names.insert(name, at: before.flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        merged = names.compactMap(row)
        self.hasConflict = hasConflict
    }

    /// The rows by name; nil where two have the same name.
    private static func byName(_ rows: [Element], _ name: (Element) -> String) -> [String: Element]? {
        let byName = Dictionary(rows.map { (name($0), $0) }) { first, _ in first }
        return byName.count == rows.count ? byName : nil
    }
}
