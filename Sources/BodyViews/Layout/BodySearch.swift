package import SortieBase

/// A text or a regular expression to search for in a body as it is displayed; in the hexadecimal view, a text in the bytes.
package struct BodySearch: Hashable, Sendable {
    /// The text to search for, or the text of the regular expression.
    package var searchTerm: String

    /// Whether `a` matches `A`; other letters are folded one to one, as far as Unicode pairs them.
    package var isCaseInsensitive: Bool

    /// Whether the text is a regular expression, which is compared with each line as it is displayed.
    package var isPattern: Bool

    /// Creates a search; by default, a text without uppercase letters ignores case ("smart case").
    package init(_ searchTerm: String, caseInsensitive: Bool? = nil, isPattern: Bool = false) {
        (self.searchTerm, self.isPattern) = (searchTerm, isPattern)
        isCaseInsensitive = caseInsensitive ?? !Self.hasUppercase(searchTerm, isPattern: isPattern)
    }

    /// The regular expression; nil for a text.
    ///
    /// - Throws: a ``PatternError`` for a text that is no regular expression.
    package func pattern() throws(PatternError) -> TextPattern? {
        isPattern ? try TextPattern(searchTerm, ignoringCase: isCaseInsensitive) : nil
    }

    /// Whether a text has an uppercase letter; the names of classes such as `\S` are none.
    private static func hasUppercase(_ searchTerm: String, isPattern: Bool) -> Bool {
        var isEscaped = false
        for scalar in searchTerm.unicodeScalars {
            if isPattern, !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, scalar.properties.isUppercase { return true }
            isEscaped = false
        }
        return false
    }
}

extension BodySearch {
    /// Performs one step of a search in the source bytes; see `BodyView.find`.
    func step(in bytes: BodyBytes, _ encoding: TextEncoding, from offset: Int, forward: Bool, budget: Int) -> SearchStep {
        let pattern = BytePattern(searchTerm, ignoringCase: isCaseInsensitive, encoding: encoding)
        let budget = max(budget, BytePattern.block)
        return bytes.withUnsafeBytes { buffer in
            guard let pattern else { return .notFound }
            return forward
                ? pattern.after(offset, in: buffer, budget: budget) : pattern.before(offset, in: buffer, budget: budget)
        }
    }
}

/// Finds a text in a body in the form in which its rows display it.
///
/// A match is a range of source bytes. Spaces that the layout adds can be part of a match, but not a whole match.
struct BodyFinder: MatchFinder {
    /// The number of source bytes whose rows are converted to text at once.
    private static let window = 64 << 10

    /// The number of source bytes after a range in which a match that begins in the range may end, because spaces may separate two tokens.
    static let overlap = 16 << 10

    private let bytes: BodyBytes
    private let pattern: BytePattern
    /// Nil where the source is searched, because the search text is displayed as in the source.
    private let layout: (any DisplayedTextLayout)?
    /// A part of the search text that the source contains literally; nil where there is none.
    private let part: BytePattern?

    /// Creates a finder; nil when there is nothing to search for.
    init?(_ search: BodySearch, in bytes: BodyBytes, _ encoding: TextEncoding, layout: (any DisplayedTextLayout)?) {
        guard let pattern = BytePattern(search.searchTerm, ignoringCase: search.isCaseInsensitive, encoding: encoding) else { return nil }
        (self.bytes, self.pattern, self.layout) = (bytes, pattern, layout)
        part = layout.flatMap { layout in
            let parts = search.searchTerm.unicodeScalars.split { type(of: layout).mayAdd($0) }
            let longest = parts.max { $0.count < $1.count }
            return longest.flatMap { BytePattern(String($0), ignoringCase: search.isCaseInsensitive, encoding: encoding) }
        }
    }

    /// The maximum distance, in source bytes, from the start of a match to a range that it touches.
    var reach: Int { pattern.longest }

    /// Calls `visit` with each match that begins in a range, in order, until it returns false; matches may overlap.
    func forEachMatch(beginningIn range: Range<Int>, _ visit: (Range<Int>) -> Bool) {
        let range = range.clamped(to: 0..<bytes.count)
        guard !range.isEmpty else { return }
        bytes.withUnsafeBytes { buffer in
            if let layout, !(layout is LineLayout) || buffer.firstIndex(of: 0x09, in: range.lowerBound..<end(of: range, pattern.longest)) != nil {
                inRows(of: layout, buffer, range, visit)
            } else {
                inSource(buffer, range, visit)
            }
        }
    }

    private func end(of range: Range<Int>, _ overlap: Int) -> Int {
        min(bytes.count, range.upperBound + overlap)
    }

    private func inSource(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, _ visit: (Range<Int>) -> Bool) {
        var start = range.lowerBound
        let end = end(of: range, pattern.longest - 1)
        while start < range.upperBound, let match = pattern.first(in: buffer, start..<end), match.lowerBound < range.upperBound {
            guard visit(match) else { return }
            start = match.lowerBound + 1
        }
    }

    private func inRows(
        of layout: any DisplayedTextLayout, _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, _ visit: (Range<Int>) -> Bool
    ) {
        var position = range.lowerBound
        var latest = range.lowerBound - 1
        // Starts with a small window, because the first match is often near.
        var window = Self.window / 16
        while position < range.upperBound {
            var candidate = position
            if let part {
                guard let found = part.first(in: buffer, position..<end(of: range, Self.overlap)) else { return }
                candidate = found.lowerBound
            }
            let displayed = layout.text(
                from: max(0, candidate - pattern.longest), to: min(candidate + window, end(of: range, Self.overlap)),
                longest: pattern.longest, of: bytes)
            let goesOn = displayed.text.withUnsafeBytes { text in
                var start = 0
                while let match = pattern.first(in: text, start..<text.count) {
                    start = match.lowerBound + 1
                    guard let source = displayed.source(of: match), source.lowerBound > latest else { continue }
                    guard source.lowerBound < range.upperBound else { return false }
                    latest = source.lowerBound
                    guard visit(source) else { return false }
                }
                return true
            }
            guard goesOn else { return }
            window = min(2 * window, Self.window)
            position = max(candidate + 1, displayed.covered ?? bytes.count)
        }
    }
}

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
        (self.bytes, self.layout, self.steps, self.isStopped) = (bytes, layout, steps, isStopped)
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
