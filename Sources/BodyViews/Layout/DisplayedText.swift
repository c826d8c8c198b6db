internal import SortieBase

/// A part of a body in the form in which its rows show it, in UTF-8, with the source range of each piece.
///
/// A line feed separates lines; a row that continues a line follows without one.
struct DisplayedText {
    /// A piece from the source; the layout added the text between pieces.
    private struct Piece {
        var text: Range<Int>
        var source: Range<Int>

        /// Whether each byte of the text is a byte of the source.
        var isVerbatim: Bool { text.count == source.count }
    }

    /// The text.
    private(set) var text: [UInt8] = []
    /// The source offset before which every row is complete.
    private(set) var covered: Int?
    private var countAtCovered = 0
    private var pieces: [Piece] = []

    private let end: Int
    private let longest: Int

    /// Creates a text that ends `longest` bytes after the first row that begins at `end` or later.
    init(end: Int, longest: Int) {
        (self.end, self.longest) = (end, longest)
    }

    /// Begins a row; returns false when the text is long enough.
    mutating func beginRow(at offset: Int, continues: Bool) -> Bool {
        if offset >= end {
            if covered == nil { (covered, countAtCovered) = (offset, text.count) }
            if text.count - countAtCovered >= longest { return false }
        }
        if !continues, !text.isEmpty { text.append(0x0A) }
        return true
    }

    /// Adds spaces that are not in the source.
    mutating func addBlanks(_ count: Int) {
        text.append(contentsOf: repeatElement(0x20, count: count))
    }

    /// Adds source bytes unchanged.
    mutating func add(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard !range.isEmpty else { return }
        let start = text.count
        text.append(contentsOf: bytes[range])
        pieces.append(Piece(text: start..<text.count, source: range))
    }

    /// Adds spaces for a byte of the source.
    mutating func addBlanks(_ count: Int, for offset: Int) {
        pieces.append(Piece(text: text.count..<text.count + count, source: offset..<offset + 1))
        addBlanks(count)
    }

    /// The source bytes of a range of the text; nil where the layout added all of it.
    func source(of range: Range<Int>) -> Range<Int>? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].text.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        guard low < pieces.count, pieces[low].text.lowerBound < range.upperBound else { return nil }
        let first = pieces[low]
        let skipped = first.isVerbatim ? max(0, range.lowerBound - first.text.lowerBound) : 0
        var last = low
        while last + 1 < pieces.count, pieces[last + 1].text.lowerBound < range.upperBound { last += 1 }
        let left = pieces[last].isVerbatim ? max(0, pieces[last].text.upperBound - range.upperBound) : 0
        return first.source.lowerBound + skipped..<pieces[last].source.upperBound - left
    }
}

/// A layout whose rows can be searched as they are displayed.
protocol DisplayedTextLayout: BodyLayout {
    /// The text of the rows from the one that shows `start`, or an earlier one, up to the first row that begins at `end` or later, and `longest`
    /// further bytes.
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText

    /// Whether a row can display the character where the source differs.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool
}
