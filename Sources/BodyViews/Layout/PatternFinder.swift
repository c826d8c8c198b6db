internal import SortieBase

/// Finds the matches of a regular expression in a body, line by line as its rows display it.
///
/// A match lies within one line. Of a line that is longer than ``window`` bytes, matches of up to ``reach`` bytes are found for certain.
struct PatternFinder: MatchFinder {
    /// The number of source bytes whose rows are converted to text at once.
    private static let window = 64 << 10

    private let bytes: BodyBytes
    private let layout: any DisplayedTextLayout
    private let search: PatternSearch
    /// The budget of steps for one range.
    private let steps: Int
    private let isStopped: @Sendable () -> Bool

    /// Creates a finder; nil for an invalid pattern.
    ///
    /// - Parameters:
    ///   - steps: The budget of a range; what exceeds it is not found.
    ///   - isStopped: Whether the search is to end.
    init?(_ search: BodySearch, in bytes: BodyBytes, layout: any DisplayedTextLayout, steps: Int, isStopped: @escaping @Sendable () -> Bool) {
        let pattern: TextPattern?
        // Invalid patterns are reported where they are typed.
        do throws(PatternError) { pattern = try search.pattern() } catch { return nil }
        guard let pattern else { return nil }
        self.search = PatternSearch(pattern)
        self.bytes = bytes
        self.layout = layout
        self.steps = steps
        self.isStopped = isStopped
    }

    var reach: Int { 4 << 10 }

    func forEachMatch(beginningIn range: Range<Int>, _ visit: (Range<Int>) -> Bool) {
        let range = range.clamped(to: 0..<bytes.count)
        var position = range.lowerBound
        var latest = range.lowerBound - 1
        var steps = steps
        // Starts with a small window, because the first match is often near.
        var window = Self.window / 16
        while position < range.upperBound, !isStopped() {
            let displayed = layout.text(from: position, to: min(position + window, bytes.count), longest: reach, of: bytes)
            var goesOn = true
            displayed.text.withUnsafeBytes { text in
                var start = 0
                while goesOn, start < text.count {
                    let end = text.firstIndex(of: 0x0A, in: start..<text.count) ?? text.count
                    goesOn = inLine(text, start..<end, displayed, &steps) { match in
                        guard match.lowerBound > latest else { return true }
                        guard match.lowerBound < range.upperBound else { return false }
                        latest = match.lowerBound
                        return visit(match)
                    }
                    start = end + 1
                }
            }
            guard goesOn else { return }
            window = min(2 * window, Self.window)
            position = max(position + 1, displayed.covered ?? bytes.count)
        }
    }

    /// Visits the matches of a line; false when the search is to end.
    private func inLine(
        _ text: UnsafeRawBufferPointer, _ line: Range<Int>, _ displayed: DisplayedText, _ steps: inout Int, _ visit: (Range<Int>) -> Bool
    ) -> Bool {
        var start = line.lowerBound
        while start < line.upperBound {
            let match: Range<Int>?
            // The budget is used up, or the search was cancelled.
            do throws(PatternError) { match = try search.first(in: text, line, from: start, steps: &steps, isStopped: isStopped) } catch {
                return false
            }
            guard let match else { return true }
            // A match of spaces that only the layout shows has no source.
            if let source = displayed.source(of: match), !visit(source) { return false }
            start = match.upperBound
        }
        return true
    }
}
