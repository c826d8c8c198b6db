package import SortieBase
internal import SortieHTTP

/// Search in the rows as they are displayed.
extension BodyView {
    /// An offset beyond the end of any body, from which a backward search starts.
    package static let endOfBody = Int.max / 2

    /// Searches for a match in at most about `budget` bytes.
    ///
    /// The displayed text of the rows is searched; in the hexadecimal view, the bytes.
    ///
    /// - Parameters:
    ///   - offset: A forward search finds a match that begins here or later, a backward search one that begins before.
    ///   - isStopped: Whether the result is not needed any more, which a regular expression asks in between.
    package func find(
        _ search: BodySearch, from offset: Int, forward: Bool = true, budget: Int = 16 << 20,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) -> SearchStep {
        guard needsRows(search) || search.isPattern else {
            return search.step(in: searchedBytes, shownEncoding, from: offset, forward: forward, budget: budget)
        }
        let budget = max(budget, BytePattern.block)
        let view = indexed(for: search, through: forward ? offset + budget : offset)
        guard view.mode == mode else { return view.find(search, from: offset, forward: forward, budget: budget, isStopped: isStopped) }
        guard let finder = view.finder(search, in: view.searchedBytes, isStopped: isStopped) else { return .notFound }
        let count = view.searchedCount
        if forward {
            let start = max(0, offset)
            guard start < count else { return .notFound }
            let end = min(count, start + budget)
            if let match = finder.first(in: start..<end) { return .found(match) }
            return end == count ? .notFound : .continueFrom(end)
        }
        let end = max(0, min(count, offset))
        let start = max(0, end - budget)
        if let match = finder.last(in: start..<end) { return .found(match) }
        return start == 0 ? .notFound : .continueFrom(start)
    }

    /// Continues the index where a search of the bytes before `offset` needs it; returns false when it does not.
    ///
    /// A search in steps calls this before each step, so that ``find(_:from:forward:budget:isStopped:)`` does not index the same bytes each time.
    package mutating func advanceIndex(for search: BodySearch, through offset: Int, budget: Int) -> Bool {
        guard !isIndexed(for: search, through: offset) else { return false }
        advance(budget: budget)
        return true
    }

    /// Whether the index is sufficient for a search of the bytes before `offset`.
    func isIndexed(for search: BodySearch, through offset: Int) -> Bool {
        !needsRows(search) || examined >= offset + BodyFinder.overlap || !canAdvance
    }

    /// The matches that touch a range, in order and without overlaps; at most a thousand.
    func matches(of search: BodySearch, touching range: Range<Int>) -> [Range<Int>] {
        guard let finder = finder(search, in: shown, steps: Self.stepsPerScreen) else { return [] }
        var found: [Range<Int>] = []
        finder.forEachMatch(beginningIn: max(0, range.lowerBound - finder.reach + 1)..<max(range.upperBound, 1)) { match in
            if match.lowerBound >= (found.last?.upperBound ?? 0), match.overlaps(range) { found.append(match) }
            return found.count < 1000
        }
        return found
    }

    /// Calls `visit` with each match that begins in a range, in order, until it returns false.
    func forEachMatch(
        of search: BodySearch, beginningIn range: Range<Int>, isStopped: @escaping @Sendable () -> Bool = { false }, _ visit: (Range<Int>) -> Bool
    ) {
        let view = indexed(for: search, through: range.upperBound)
        view.finder(search, in: view.searchedBytes, isStopped: isStopped)?.forEachMatch(beginningIn: range, visit)
    }

    /// The number of bytes that can be searched in this mode.
    var searchedCount: Int { searchedBytes.count }

    /// Whether rows can display the search text where the source differs from it.
    private func needsRows(_ search: BodySearch) -> Bool {
        guard shownEncoding == .utf8, let layout = layout as? any DisplayedTextLayout else { return false }
        return search.searchTerm.unicodeScalars.contains { type(of: layout).mayAdd($0) }
    }

    /// The steps of a regular expression for the rows of a screen, which one draw may take.
    private static let stepsPerScreen = 1_000_000

    private func finder(
        _ search: BodySearch, in bytes: BodyBytes, steps: Int = .max, isStopped: @escaping @Sendable () -> Bool = { false }
    ) -> (any MatchFinder)? {
        guard search.isPattern else {
            return BodyFinder(search, in: bytes, shownEncoding, layout: needsRows(search) ? layout as? any DisplayedTextLayout : nil)
        }
        // The hexadecimal view and other encodings have no text that a pattern can be compared with.
        guard shownEncoding == .utf8, let layout = layout as? any DisplayedTextLayout else { return nil }
        return PatternFinder(search, in: bytes, layout: layout, steps: steps, isStopped: isStopped)
    }

    private func indexed(for search: BodySearch, through offset: Int) -> BodyView {
        var view = self
        while view.advanceIndex(for: search, through: offset, budget: 1 << 20) {}
        return view
    }
}

/// Folding of formatted JSON, XML and HTML, and what their rows belong to.
extension BodyView {
    /// Whether containers can be folded.
    package var canFold: Bool { folding != nil }

    /// Whether formatted JSON is shown.
    package var showsJSON: Bool { formatted != nil }

    /// The value or the element of a row; that of the container for the row that closes it.
    package func place(inRow row: Int) -> BodyPlace? {
        guard let folding, let offset = rows(row..<row + 1).first?.sourceRange.lowerBound else { return nil }
        return place(folding.bodyPlace(at: offset, of: shown))
    }

    /// The value or the element that contains a byte.
    package func place(at offset: Int) -> BodyPlace? { place(folding?.bodyPlace(at: offset, of: shown)) }

    /// The place with the strings that contain it.
    private func place(_ place: BodyPlace?) -> BodyPlace? {
        guard let unfolded, case .value(var value)? = place else { return place }
        let contents = Set(unfolded.entries.map(\.offset))
        value.strings = value.levels.indices.dropLast().filter { value.levels[$0].value.map(contents.contains) ?? false }
        return .value(value)
    }

    /// The string of the body whose JSON is shown at a place, with its quotes; nil for another value.
    package func stringLiteral(at place: JSONPlace) -> String? {
        unfolded?.entries.first { $0.offset == place.start }.map { String(decoding: $0.literal, as: UTF8.self) }
    }

    /// Whether it is an array or an object that is not empty, or an element with content in other rows.
    package func isContainer(_ place: BodyPlace) -> Bool {
        switch place {
        case .element(let place): place.row == nil
        case .value(let place): shown.withUnsafeBytes { Self.isContainer(place.start, $0) }
        }
    }

    private static func isContainer(_ start: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "{") else { return false }
        var next = start + 1
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        return next < bytes.count && bytes[next] | 0x20 != UInt8(ascii: "}")
    }

    /// Whether the value or the element is folded.
    package func isFolded(_ place: BodyPlace) -> Bool { folds.contains(place.start, depth: place.depth) && isContainer(place) }

    /// Folds or unfolds a value or an element.
    package mutating func fold(_ place: BodyPlace, _ isFolded: Bool = true) {
        var folds = folds
        folds.set(place.start, depth: place.depth, isFolded: isFolded)
        change(folds, from: place.start)
    }

    /// Folds all values in the top value, or each value of a sequence; of XML and HTML, all elements in the root.
    package mutating func foldAll() { change(formatted?.hasManyValues == true ? .top : BodyFolds(level: 1), from: 0) }

    /// Unfolds everything.
    package mutating func unfoldAll() { change(.none, from: 0) }

    /// Unfolds the containers of a byte, so that its row is displayed; false when nothing hides it.
    @discardableResult
    package mutating func reveal(_ offset: Int) -> Bool {
        guard !folds.isEmpty, let place = place(at: offset) else { return false }
        var folds = folds
        for (depth, start) in place.containers.enumerated() { folds.set(start, depth: depth, isFolded: false) }
        guard folds != self.folds else { return false }
        change(folds, from: place.containers.first ?? 0)
        return true
    }

    /// Whether a filter can be applied, perhaps in another mode.
    package var canFilter: Bool { (kind == .json || stream == .events) && modes.contains(.pretty) }

    /// The bytes that a filter of formatted JSON reads, in UTF-8.
    package var filteredBytes: BodyBytes { convertedBytes }

    /// Whether the body is a sequence of JSON values.
    package var hasManyValues: Bool { formatted?.hasManyValues == true }

    private mutating func change(_ folds: BodyFolds, from offset: Int) {
        guard folds != self.folds else { return }
        changeFormatted { $0.fold(folds, from: offset) }
    }

    /// The text of a value or an element as it is in the body; nil where it is larger than `limit` bytes.
    package func sourceText(of place: BodyPlace, limit: Int) -> String? {
        shown.withUnsafeBytes { bytes in
            let range =
                switch place {
                case .value(let value): JSONText.range(ofValueAt: value.start, in: bytes, limit: limit)
                case .element(let element): (folding as? MarkupLayout)?.range(of: element, in: shown, limit: limit)
                }
            return range.map { String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0]), as: UTF8.self) }
        }
    }
}
