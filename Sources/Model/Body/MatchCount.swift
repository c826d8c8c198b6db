/// How many matches a search has in a body, counted in steps.
public struct MatchCount: Hashable, Sendable {
    /// Source bytes between two marks: what finding the place of a match has to count again.
    private static let spacing = 64 << 10

    /// What is counted.
    public let search: BodySearch
    /// The way the body is displayed.
    public let mode: BodyView.Mode
    /// The bytes of the body when the count began.
    public let size: Int
    /// The matches found so far.
    public private(set) var total = 0
    /// Whether these are all matches of these bytes.
    public private(set) var isComplete = false

    /// The matches that begin before are counted.
    private var examined = 0
    /// The matches before every ``spacing`` bytes.
    private var marks: [Int] = []

    /// A count that has not begun.
    public init(_ search: BodySearch, in view: BodyView) {
        self.search = search
        mode = view.mode
        size = view.bytes.count
    }

    /// Whether the count is one of the same matches as in a view.
    public func isOf(_ search: BodySearch, in view: BodyView) -> Bool {
        self.search == search && mode == view.mode && size == view.bytes.count
    }

    /// Counts the matches that begin in the next `budget` bytes.
    public mutating func advance(over view: BodyView, budget: Int) {
        guard !isComplete else { return }
        let end = examined + budget
        view.forEachMatch(of: search, beginningIn: examined..<end) { match in
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

    /// The place of a match among all, from 1; nil when the count or the index of the view has not come so far.
    public func ordinal(of match: Range<Int>, in view: BodyView) -> Int? {
        guard match.lowerBound < examined, view.isIndexed(for: search, through: match.lowerBound) else { return nil }
        let block = match.lowerBound / Self.spacing
        var place = (block < marks.count ? marks[block] : total) + 1
        view.forEachMatch(of: search, beginningIn: block * Self.spacing..<match.lowerBound) { _ in
            place += 1
            return true
        }
        return place
    }

    /// Where the next step begins.
    public var position: Int { examined }
}
