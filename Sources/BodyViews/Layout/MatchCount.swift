internal import SortieBase

/// The number of matches of a search in a body, counted in steps.
package struct MatchCount: Hashable, Sendable {
    /// The number of source bytes between two marks, which ``ordinal(of:in:)`` has to count again.
    private static let spacing = 64 << 10

    /// The search.
    package let search: BodySearch
    /// The display mode of the body.
    package let mode: BodyView.Mode
    /// The number of body bytes when the count began.
    package let size: Int
    /// The number of matches found so far.
    package private(set) var total = 0
    /// Whether all matches in these bytes are counted.
    package private(set) var isComplete = false

    /// The offset before which matches have been counted.
    private var examined = 0
    /// The number of matches before each multiple of ``spacing``.
    private var marks: [Int] = []

    /// Creates a count that has not started.
    package init(_ search: BodySearch, in view: BodyView) {
        self.search = search
        mode = view.mode
        size = view.bytes.count
    }

    /// Whether the count applies to a search in a view.
    package func isOf(_ search: BodySearch, in view: BodyView) -> Bool {
        self.search == search && mode == view.mode && size == view.bytes.count
    }

    /// Counts the matches that begin in the next `budget` bytes.
    ///
    /// - Parameter isStopped: Whether the count is not needed any more, which a regular expression asks in between.
    package mutating func advance(over view: BodyView, budget: Int, isStopped: @escaping @Sendable () -> Bool = { false }) {
        guard !isComplete else { return }
        let end = examined + budget
        view.forEachMatch(of: search, beginningIn: examined..<end, isStopped: isStopped) { match in
            note(match)
            return true
        }
        examined = end
        isComplete = end >= view.searchedCount
    }

    private mutating func note(_ match: Range<Int>) {
        let block = match.lowerBound / Self.spacing
        while marks.count <= block { marks.append(total) }
        total += 1
    }

    /// The number of a match among all, from 1; nil when the count or the index of the view has not reached it.
    package func ordinal(of match: Range<Int>, in view: BodyView) -> Int? {
        guard match.lowerBound < examined, view.isIndexed(for: search, through: match.lowerBound) else { return nil }
        let block = match.lowerBound / Self.spacing
        var place = (block < marks.count ? marks[block] : total) + 1
        view.forEachMatch(of: search, beginningIn: block * Self.spacing..<match.lowerBound) { _ in
            place += 1
            return true
        }
        return place
    }

    /// The offset at which the next step begins.
    package var position: Int { examined }
}
