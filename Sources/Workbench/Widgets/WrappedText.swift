internal import SortieTerminal

/// Text wrapping.
enum WrappedText {
    /// Wraps a text between words to lines of at most `width` cells; a longer word is split.
    static func lines(_ text: String, width: Int) -> [String] {
        guard width > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { wrap($0, width) }
    }

    private static func wrap(_ line: Substring, _ width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: true) {
            let wanted = CellWidth.width(of: word)
            if used > 0, used + 1 + wanted <= width {
                current += " " + word
                used += 1 + wanted
                continue
            }
            if used > 0 { lines.append(current) }
            let pieces = ColumnText.pieces(String(word), width: width)
            lines += pieces.dropLast()
            current = pieces.last ?? ""
            used = CellWidth.width(of: current)
        }
        lines.append(current)
        return lines
    }
}

/// The visible part of a line that is wider than its area.
///
/// It depends only on the line and the cursor, and moves by half of the width, so that the cursor can move within it.
struct TextWindow {
    /// The first visible character.
    let start: Int
    /// The column of ``start`` in the area; 1 after a mark.
    let inset: Int
    /// Whether text continues before the area.
    let continuesBefore: Bool
    /// Whether text continues after the area.
    let continuesAfter: Bool

    /// The window of a line that shows a cell.
    init(_ line: [Character], showing cell: Int, width: Int, hasCursor: Bool = true) {
        // Only what the window needs to know is measured of a line of a megabyte.
        let limit = cell + 3 * max(0, width) + 4
        var total = 0
        for character in line {
            total += EditableText.width(of: character)
            if total > limit { break }
        }
        let first = Self.firstCell(total: total + (hasCursor ? 1 : 0), showing: cell, width: width)
        var start = 0
        var skipped = 0
        while start < line.count, skipped < first {
            skipped += EditableText.width(of: line[start])
            start += 1
        }
        self.start = start
        continuesBefore = skipped > 0
        // A wide character that is cut at the start leaves one cell more.
        inset = continuesBefore && width > 2 ? 1 + skipped - first : skipped - first
        continuesAfter = total - skipped > width - inset
    }

    /// The first visible cell: 0, or a multiple of half of the width.
    private static func firstCell(total: Int, showing cell: Int, width: Int) -> Int {
        guard total > width else { return 0 }
        guard width > 2 else { return max(0, cell - width + 1) }
        guard cell > width - 2 else { return 0 }
        let step = max(1, (width - 2) / 2)
        return (cell - width + 3 + step - 1) / step * step
    }

    /// Draws the visible part of a line with marks where it continues, and its selected characters.
    ///
    /// - Parameter styles: The styles of the characters; nil for those of a field.
    func draw(_ line: [Character], styles: LineStyles? = nil, selected: Range<Int>, on canvas: inout Canvas, at point: Point, width: Int) {
        var spans: [Span] = []
        var column = inset
        var selection: Range<Int>?
        for index in start..<line.count where column < width {
            let character = line[index]
            let style = styles?[index] ?? .input
            let text = character == "\t" ? String(repeating: " ", count: EditableText.tabWidth) : String(character)
            if spans.last?.style == style { spans[spans.count - 1].text += text } else { spans.append(Span(text, style)) }
            let next = column + EditableText.width(of: character)
            if selected.contains(index) { selection = (selection?.lowerBound ?? column)..<min(next, width) }
            column = next
        }
        var used = inset
        for span in spans where used < width {
            used += canvas.write(span.text, at: point.moved(columns: used), style: span.style, width: width - used)
        }
        if let selection {
            let cells = Rect(column: point.column + selection.lowerBound, row: point.row, width: selection.count, height: 1)
            canvas.restyle(cells) { $0.isSelected = true }
        }
        guard width > 2 else { return }
        if continuesBefore { canvas.write("‹", at: point, style: .accent) }
        if continuesAfter { canvas.write("›", at: point.moved(columns: width - 1), style: .accent) }
    }

    /// The column of a position of the line in the area.
    func column(of index: Int, in line: [Character]) -> Int {
        inset + (start..<max(start, index)).reduce(0) { $0 + EditableText.width(of: line[$1]) }
    }

    /// The position in the line at a column of the area.
    func index(at column: Int, in line: [Character]) -> Int {
        var left = column - inset
        // Left of the visible part, for a selection that is dragged out of the area.
        if left < 0 { return max(0, start - 1) }
        var index = start
        while index < line.count, left >= EditableText.width(of: line[index]) {
            left -= EditableText.width(of: line[index])
            index += 1
        }
        return index
    }
}

extension EditableText {
    /// The selected characters of a row.
    func selectedColumns(ofRow row: Int) -> Range<Int> {
        guard let selection, selection.lowerBound.row <= row, row <= selection.upperBound.row else { return 0..<0 }
        let first = selection.lowerBound.row == row ? selection.lowerBound.column : 0
        let last = selection.upperBound.row == row ? selection.upperBound.column : lines[row].count
        return first..<max(first, last)
    }
}
