/// A three-way merge of two changed versions of a list (diff3).
struct ThreeWayMerge<Element: Equatable> {
    /// The list with the changes of both sides; `ours` takes precedence where they overlap.
    private(set) var merged: [Element] = []
    /// Whether both sides changed the same or adjacent elements in different ways.
    private(set) var hasConflict = false

    /// The maximum length of lists that are compared by element; for longer ones, changes on both sides are a conflict.
    static var longest: Int { 20_000 }

    init(base: [Element], ours: [Element], theirs: [Element]) {
        if ours == base || ours == theirs {
            merged = theirs
        } else if theirs == base {
            merged = ours
        } else if max(base.count, ours.count, theirs.count) > Self.longest {
            merged = ours
            hasConflict = true
        } else {
            merge(base, ours, theirs)
        }
    }

    private mutating func merge(_ base: [Element], _ ours: [Element], _ theirs: [Element]) {
        let inOurs = Self.places(of: base, in: ours)
        let inTheirs = Self.places(of: base, in: theirs)
        var (start, ourStart, theirStart) = (0, 0, 0)
        while start < base.count || ourStart < ours.count || theirStart < theirs.count {
            // Up to the next element that both sides kept.
            let end = (start..<base.count).first { inOurs[$0] != nil && inTheirs[$0] != nil } ?? base.count
            let ourEnd = end < base.count ? inOurs[end] ?? ours.count : ours.count
            let theirEnd = end < base.count ? inTheirs[end] ?? theirs.count : theirs.count
            take(base[start..<end], ours[ourStart..<ourEnd], theirs[theirStart..<theirEnd])
            guard end < base.count else { return }
            merged.append(base[end])
            (start, ourStart, theirStart) = (end + 1, ourEnd + 1, theirEnd + 1)
        }
    }

    private mutating func take(_ base: ArraySlice<Element>, _ ours: ArraySlice<Element>, _ theirs: ArraySlice<Element>) {
        if ours.elementsEqual(base) {
            merged += theirs
        } else {
            merged += ours
            if !theirs.elementsEqual(base), !theirs.elementsEqual(ours) { hasConflict = true }
        }
    }

    /// The index of each element of `base` in `other`; nil for a removed element.
    private static func places(of base: [Element], in other: [Element]) -> [Int?] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in other.difference(from: base) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var place = 0
        return base.indices.map { index in
            if removed.contains(index) { return nil }
            while inserted.contains(place) { place += 1 }
            defer { place += 1 }
            return place
        }
    }
}
