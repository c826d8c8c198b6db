/// Finds the matches of a search in a body, as ranges of source bytes.
protocol MatchFinder {
    /// The maximum distance, in source bytes, from the start of a match to a range that it touches.
    var reach: Int { get }

    /// Calls `visit` with each match that begins in a range, in order, until it returns false.
    func forEachMatch(beginningIn range: Range<Int>, _ visit: (Range<Int>) -> Bool)
}

extension MatchFinder {
    /// The first match that begins in a range.
    func first(in range: Range<Int>) -> Range<Int>? {
        var found: Range<Int>?
        forEachMatch(beginningIn: range) {
            found = $0
            return false
        }
        return found
    }

    /// The last match that begins in a range.
    func last(in range: Range<Int>) -> Range<Int>? {
        var high = range.upperBound
        while high > range.lowerBound {
            let low = max(range.lowerBound, high - (64 << 10))
            var found: Range<Int>?
            forEachMatch(beginningIn: low..<high) {
                found = $0
                return true
            }
            if let found { return found }
            high = low
        }
        return nil
    }
}
