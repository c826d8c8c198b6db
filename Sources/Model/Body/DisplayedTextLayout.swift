/// A layout whose rows can be searched as they are displayed.
protocol DisplayedTextLayout: BodyLayout {
    /// The text of the rows from the one that shows `start`, or from a row before it, to the first row that begins at `end` or later, and
    /// `longest` bytes more.
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText

    /// Whether a row can show the character where the source has something else.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool
}
