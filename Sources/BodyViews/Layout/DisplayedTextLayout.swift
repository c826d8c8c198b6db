internal import SortieBase

/// A layout whose rows can be searched as they are displayed.
protocol DisplayedTextLayout: BodyLayout {
    /// The text of the rows from the one that shows `start`, or an earlier one, up to the first row that begins at `end` or later, and `longest`
    /// further bytes.
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText

    /// Whether a row can display the character where the source differs.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool
}
