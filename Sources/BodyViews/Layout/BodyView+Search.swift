package import SortieBase

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

    /// The matches that a row shows, as ranges of source bytes; a match may begin or end on another row.
    package func matches(of search: BodySearch, in row: BodyRow) -> [Range<Int>] {
        matches(of: search, touching: row.sourceRange)
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
        return search.needle.unicodeScalars.contains { type(of: layout).mayAdd($0) }
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
