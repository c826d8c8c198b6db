internal import SortieBase

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
        guard let pattern = BytePattern(search.needle, ignoringCase: search.isCaseInsensitive, encoding: encoding) else { return nil }
        self.bytes = bytes
        self.pattern = pattern
        self.layout = layout
        part = layout.flatMap { layout in
            let parts = search.needle.unicodeScalars.split { type(of: layout).mayAdd($0) }
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
