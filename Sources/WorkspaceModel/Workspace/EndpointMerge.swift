/// A merge of an edited endpoint with changes in its file, by key; rows, variables and lines of a body are merged individually.
package struct EndpointMerge: Hashable, Sendable {
    /// The endpoint with the changes of both sides; `ours` takes precedence where they overlap.
    package private(set) var endpoint: Endpoint
    /// The keys of the file that both sides changed in different ways.
    package private(set) var conflicts: [String] = []

    /// - Parameters:
    ///   - base: The common version of both sides.
    ///   - ours: The version edited in this program.
    ///   - theirs: The current version of the file.
    package init(base: Endpoint, ours: Endpoint, theirs: Endpoint) {
        endpoint = theirs
        func mergeRows(of property: WritableKeyPath<Endpoint, [Parameter]>, _ name: String) {
            let merge = RowMerge(base: base[keyPath: property], ours: ours[keyPath: property], theirs: theirs[keyPath: property], name: \.name)
            endpoint[keyPath: property] = merge.merged
            if merge.hasConflict { conflicts.append(name) }
        }
        func take(_ key: EndpointKey) {
            guard !key.isSame(ours, base) else { return }
            if !key.isSame(theirs, base), !key.isSame(theirs, ours) {
                let name = key.name(in: theirs)
                if !conflicts.contains(name) { conflicts.append(name) }
            }
            key.copy(ours, &endpoint)
        }
        take(EndpointKey("target", \.target))
        for key in EndpointKey.all {
            switch key.name {
            case "query": mergeRows(of: \.query, key.name)
            case "headers":
                mergeRows(of: \.headers, key.name)
                take(EndpointKey("removed headers", \.removedHeaders))
            case "body":
                let body = Self.body(base.body, ours.body, theirs.body)
                endpoint.body = body.merged
                if body.hasConflict { conflicts.append(key.name) }
                take(EndpointKey(key.name, \.bodyFileEdit))
                // The edited text belongs to the file at its new path, too; saving compares what that file has.
                if ours.body == base.body, case .file(let old, _) = base.body, case .file(let new, _) = theirs.body,
                    endpoint.bodyFileEdit?.path == old
                {
                    endpoint.bodyFileEdit?.path = new
                }
            case "variables":
                for name in Set(base.variables.keys).union(ours.variables.keys).union(theirs.variables.keys).sorted() {
                    take(EndpointKey("variables.\(name)", \.variables[name]))
                }
            default: take(key)
            }
        }
        for section in EndpointSection.allCases { take(EndpointKey(section.rawValue, \.unreadableSections[section])) }
    }

    private static func body(
        _ base: BodyTemplate, _ ours: BodyTemplate, _ theirs: BodyTemplate
    ) -> (merged: BodyTemplate, hasConflict: Bool) {
        switch (base, ours, theirs) {
        case (.json(let old), .json(let our), .json(let their)):
            let merge = text(old, our, their)
            return (.json(merge.merged), merge.hasConflict)
        case (.plist(let old), .plist(let our), .plist(let their)):
            let merge = text(old, our, their)
            return (.plist(merge.merged), merge.hasConflict)
        case (.text(let old, let type), .text(let our, let ourType), .text(let their, let theirType)) where type == ourType && type == theirType:
            let merge = text(old, our, their)
            return (.text(merge.merged, contentType: type), merge.hasConflict)
        case (.graphQL(let old), .graphQL(let our), .graphQL(let their)):
            let (query, variables) = (text(old.query, our.query, their.query), text(old.variables, our.variables, their.variables))
            let operation = our.operation == old.operation ? their.operation : our.operation
            let hasConflict = operation != their.operation && their.operation != old.operation
            return (
                .graphQL(GraphQLTemplate(query: query.merged, variables: variables.merged, operation: operation)),
                query.hasConflict || variables.hasConflict || hasConflict
            )
        case (.form(let old), .form(let our), .form(let their)):
            let merge = RowMerge(base: old, ours: our, theirs: their, name: \.name)
            return (.form(merge.merged), merge.hasConflict)
        case (.multipart(let old), .multipart(let our), .multipart(let their)):
            let merge = RowMerge(base: old, ours: our, theirs: their, name: \.name)
            return (.multipart(merge.merged), merge.hasConflict)
        default:
            if ours == base { return (theirs, false) }
            return (ours, theirs != base && theirs != ours)
        }
    }

    /// Merges a text by lines.
    private static func text(_ base: String, _ ours: String, _ theirs: String) -> (merged: String, hasConflict: Bool) {
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let merge = ThreeWayMerge(base: lines(base), ours: lines(ours), theirs: lines(theirs))
        return (merge.merged.joined(separator: "\n"), merge.hasConflict)
    }
}

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
