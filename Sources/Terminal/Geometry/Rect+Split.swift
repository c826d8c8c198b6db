/// Splits a rectangle into two parts, which lie inside of it and together cover it.
extension Rect {
    /// A left part of at most `leftWidth` columns, and the rest.
    package func split(leftWidth: Int) -> (left: Rect, right: Rect) {
        let cut = leftWidth.clamped(to: 0...max(0, width))
        return (
            Rect(column: column, row: row, width: cut, height: height),
            Rect(column: column.addingClamped(cut), row: row, width: width - cut, height: height)
        )
    }

    /// A right part of at most `rightWidth` columns, and the rest.
    package func split(rightWidth: Int) -> (left: Rect, right: Rect) {
        split(leftWidth: max(0, width) - rightWidth.clamped(to: 0...max(0, width)))
    }

    /// A top part of at most `topHeight` rows, and the rest.
    package func split(topHeight: Int) -> (top: Rect, bottom: Rect) {
        let cut = topHeight.clamped(to: 0...max(0, height))
        return (
            Rect(column: column, row: row, width: width, height: cut),
            Rect(column: column, row: row.addingClamped(cut), width: width, height: height - cut)
        )
    }

    /// A bottom part of at most `bottomHeight` rows, and the rest.
    package func split(bottomHeight: Int) -> (top: Rect, bottom: Rect) {
        split(topHeight: max(0, height) - bottomHeight.clamped(to: 0...max(0, height)))
    }
}
