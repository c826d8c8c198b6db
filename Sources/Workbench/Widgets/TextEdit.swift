/// What a key does to the text of a field.
enum TextEdit: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, start, end
    case deleteBefore, deleteAfter, deleteWordBefore, deleteWordAfter, deleteToStart, deleteToEnd
}
