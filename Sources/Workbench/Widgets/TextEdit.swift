/// A movement of the cursor in a text.
enum TextMovement: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, start, end, up, down, textStart, textEnd
}

/// An editing command of a text.
enum TextEdit: Hashable, Sendable {
    case move(TextMovement)
    /// Moves the cursor and selects up to it.
    case select(TextMovement)
    case selectAll
    case deleteBefore, deleteAfter, deleteWordBefore, deleteWordAfter, deleteToStart, deleteToEnd
    case undo, redo

    static let left = TextEdit.move(.left)
    static let right = TextEdit.move(.right)
    static let wordLeft = TextEdit.move(.wordLeft)
    static let wordRight = TextEdit.move(.wordRight)
    static let start = TextEdit.move(.start)
    static let end = TextEdit.move(.end)
}
