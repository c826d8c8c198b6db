/// Brackets that replace underlines and colours.
extension Canvas {
    /// A copy in which the selected tabs, the focused titles and the focused fields are in brackets.
    ///
    /// For terminals that cannot underline or have no colours. A bracket replaces a blank or a border beside the text, so nothing moves and no text is lost.
    package var bracketed: Canvas {
        var canvas = self
        for row in 0..<size.height {
            var column = 0
            while column < size.width {
                guard let emphasis = emphasis(at: column, row) else {
                    column += 1
                    continue
                }
                var end = column
                while end < size.width, self.emphasis(at: end, row) == emphasis { end += 1 }
                if isBracketed(column..<end, row, emphasis) { canvas.bracket(column..<end, row) }
                column = end
            }
        }
        return canvas
    }

    private enum Emphasis { case tab, title, field }

    private func emphasis(at column: Int, _ row: Int) -> Emphasis? {
        switch cells[row * size.width + column].style.role {
        case .tabSelected: .tab
        case .titleFocused: .title
        case .input, .placeholder: .field
        default: nil
        }
    }

    private func isBracketed(_ columns: Range<Int>, _ row: Int, _ emphasis: Emphasis) -> Bool {
        switch emphasis {
        case .tab: return true
        case .title:
            // A title is in a border; the same role elsewhere is a heading.
            return (0..<size.width).contains { cells[row * size.width + $0].glyph == "─" }
        case .field:
            guard columns.contains(where: { cells[row * size.width + $0].style.role == .input }) else { return false }
            // A text with several rows has the cursor as its mark.
            return ![row - 1, row + 1].contains { (0..<size.height).contains($0) && self.emphasis(at: columns.lowerBound, $0) == .field }
        }
    }

    private mutating func bracket(_ columns: Range<Int>, _ row: Int) {
        setBlank("[", at: columns.lowerBound - 1, row, like: columns.lowerBound)
        // The mark of a tab with content stays beside its name.
        let end = columns.upperBound
        let isMarked = end < size.width && cells[row * size.width + end].glyph == "•"
        setBlank("]", at: isMarked ? end + 1 : end, row, like: columns.lowerBound)
    }

    private mutating func setBlank(_ glyph: String, at column: Int, _ row: Int, like other: Int) {
        guard (0..<size.width).contains(column), [" ", "─"].contains(cells[row * size.width + column].glyph) else { return }
        cells[row * size.width + column] = Cell(glyph: glyph, width: 1, style: cells[row * size.width + other].style)
    }
}
