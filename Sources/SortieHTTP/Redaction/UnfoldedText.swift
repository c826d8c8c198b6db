internal import SortieBase

/// A text without the line breaks and blanks that a writer inserted into values, so that hidden values are found across them.
///
/// Base64 is written in lines of 76 or 64 characters (RFC 2045 §6.8, RFC 7468 §2), and the value of a header field may be folded (RFC 9112 §5.2).
struct UnfoldedText {
    /// Where values are broken.
    enum Folding {
        /// Line breaks between characters of Base64, also as escapes of JSON, with the blanks after them.
        case lines
        /// Blanks and line breaks of any number.
        case blanks
    }

    /// The bytes without the folds.
    private(set) var bytes: [UInt8] = []
    /// The offsets of the folds in ``bytes``, and the number of bytes that were removed up to there.
    private var folds: [(offset: Int, removed: Int)] = []

    /// The largest size of a fold of ``Folding/lines`` in bytes: an escaped line break, and blanks.
    static let largestFold = 12
    /// The number of bytes of a value from which on it is searched across folds, because shorter ones occur by chance.
    private static let shortest = 8
    /// The length of the lines in which a value is written at least.
    private static let shortestLine = 60

    /// The length of the longest spelling with the folds of its lines.
    static func longest(_ length: Int) -> Int { length + (length / shortestLine + 1) * largestFold }

    /// Removes the folds; nil where there is none.
    init?(_ text: UnsafeRawBufferPointer, _ folding: Folding) {
        var start = 0
        var removed = 0
        var search = FoldSearch(text, folding)
        while let fold = search.next() {
            if bytes.isEmpty { bytes.reserveCapacity(text.count) }
            bytes.append(contentsOf: text[rebased: start..<fold.lowerBound])
            removed += fold.count
            folds.append((bytes.count, removed))
            start = fold.upperBound
        }
        guard !folds.isEmpty else { return nil }
        bytes.append(contentsOf: text[rebased: start..<text.count])
    }

    /// The ranges in the original text of those of found values that have a fold within them.
    func ranges(of found: [Range<Int>]) -> [Range<Int>] {
        var next = 0
        return found.compactMap { range in
            while next < folds.count, folds[next].offset <= range.lowerBound { next += 1 }
            guard range.count >= Self.shortest, next < folds.count, folds[next].offset < range.upperBound else { return nil }
            let before = next > 0 ? folds[next - 1].removed : 0
            while next < folds.count, folds[next].offset < range.upperBound { next += 1 }
            return range.lowerBound + before..<range.upperBound + folds[next - 1].removed
        }
    }
}

/// Finds the folds of a text, in order.
private struct FoldSearch {
    private let text: UnsafeRawBufferPointer
    private let folding: UnfoldedText.Folding
    private var place = 0
    /// The next line feed and the next backslash from ``place`` on.
    private var feed = 0
    private var backslash = 0

    init(_ text: UnsafeRawBufferPointer, _ folding: UnfoldedText.Folding) {
        (self.text, self.folding) = (text, folding)
        feed = index(of: 0x0a)
        backslash = index(of: UInt8(ascii: "\\"))
    }

    private func index(of byte: UInt8) -> Int { text.firstIndex(of: byte, in: place..<text.count) ?? text.count }

    mutating func next() -> Range<Int>? {
        switch folding {
        case .lines: nextLineBreak()
        case .blanks: nextBlank()
        }
    }

    private mutating func nextBlank() -> Range<Int>? {
        while let start = text[place...].firstIndex(where: \.isSpaceOrLineBreak) {
            let end = text[start...].firstIndex { !$0.isSpaceOrLineBreak } ?? text.count
            place = end
            if start > 0, end < text.count { return start..<end }
        }
        return nil
    }

    private mutating func nextLineBreak() -> Range<Int>? {
        while place < text.count {
            if feed < place { feed = index(of: 0x0a) }
            if backslash < place { backslash = index(of: UInt8(ascii: "\\")) }
            var start = min(feed, backslash)
            guard start < text.count else { return nil }
            var end = start
            if feed < backslash {
                end += 1
                if start > place, text[start - 1] == 0x0d { start -= 1 }
            } else if start + 1 < text.count {
                // The character after a backslash belongs to it.
                end += 2
                let isReturn = text[start + 1] == UInt8(ascii: "r")
                if isReturn, text[end...].starts(with: #"\n"#.utf8) {
                    end += 2
                } else if isReturn || text[start + 1] != UInt8(ascii: "n") {
                    start = end
                }
            } else {
                return nil
            }
            place = end
            guard start < end, start > 0, Self.isBase64(text[start - 1]) else { continue }
            let limit = min(text.count, start + UnfoldedText.largestFold)
            while end < limit, text[end].isSpaceOrTab { end += 1 }
            place = end
            if end < text.count, Self.isBase64(text[end]) { return start..<end }
        }
        return nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
    }
}
