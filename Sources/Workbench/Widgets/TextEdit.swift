/// An editing command of a text field.
enum TextEdit: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, start, end
    case deleteBefore, deleteAfter, deleteWordBefore, deleteWordAfter, deleteToStart, deleteToEnd
}
