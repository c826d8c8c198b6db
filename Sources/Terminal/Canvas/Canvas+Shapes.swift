/// The edges at which a box shares its border with a neighbour.
package struct BoxJoints: OptionSet, Hashable, Sendable {
    /// The edges as bits.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The top edge is also the bottom edge of a box above.
    package static let above = BoxJoints(rawValue: 1)
    /// The bottom edge is also the top edge of a box below.
    package static let below = BoxJoints(rawValue: 2)
    /// The left edge is also the right edge of a box at the left.
    package static let left = BoxJoints(rawValue: 4)
    /// The right edge is also the left edge of a box at the right.
    package static let right = BoxJoints(rawValue: 8)
}

/// Boxes.
extension Canvas {
    /// Draws a border along the inside of `rect`, with a title in its top edge.
    ///
    /// The interior does not change. The titles are surrounded by spaces next to the two corners; without room for
    /// both, `trailing` is omitted. At a joint the corners become tees, so that two boxes that overlap by one row (or
    /// column) share an edge. A rectangle with fewer than two rows or columns gets only the part of its top edge that
    /// fits.
    package mutating func box(
        _ rect: Rect, title: [Span] = [], trailing: [Span] = [], style: Style = .border, joints: BoxJoints = []
    ) {
        guard !rect.intersection(bounds).isEmpty else { return }
        let visibleRows = rect.intersection(bounds).rows
        let right = rect.endColumn - 1
        let bottom = rect.endRow - 1
        edge(rect, row: rect.row, style: style)
        if rect.height > 1 { edge(rect, row: bottom, style: style) }
        for row in visibleRows where row != rect.row && row != bottom {
            write("│", at: Point(column: rect.column, row: row), style: style)
            if rect.width > 1 { write("│", at: Point(column: right, row: row), style: style) }
        }
        guard rect.width > 1, rect.height > 1 else { return }
        let corners = BoxCorners(joints)
        write(corners.topLeft, at: rect.origin, style: style)
        write(corners.topRight, at: Point(column: right, row: rect.row), style: style)
        write(corners.bottomLeft, at: Point(column: rect.column, row: bottom), style: style)
        write(corners.bottomRight, at: Point(column: right, row: bottom), style: style)
        titles(rect, title, trailing, style)
    }

    private mutating func edge(_ rect: Rect, row: Int, style: Style) {
        let visible = rect.intersection(bounds)
        write(String(repeating: "─", count: visible.width), at: Point(column: visible.column, row: row), style: style)
    }

    private mutating func titles(_ rect: Rect, _ title: [Span], _ trailing: [Span], _ style: Style) {
        let room = rect.width - 4
        guard room > 0 else { return }
        let titleWidth = min(room, title.reduce(0) { $0 + CellWidth.width(of: $1.text) })
        if titleWidth > 0 {
            let start = Point(column: rect.column.addingClamped(1), row: rect.row)
            write(" ", at: start, style: style)
            let used = write(title, at: start.moved(columns: 1), width: room)
            write(" ", at: start.moved(columns: 1 + used), style: style)
        }
        let trailingWidth = trailing.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        let left = titleWidth > 0 ? room - titleWidth - 3 : room
        guard trailingWidth > 0, trailingWidth <= left else { return }
        let start = Point(column: rect.endColumn - 3 - trailingWidth, row: rect.row)
        write(" ", at: start, style: style)
        write(trailing, at: start.moved(columns: 1), width: trailingWidth)
        write(" ", at: start.moved(columns: 1 + trailingWidth), style: style)
    }
}
