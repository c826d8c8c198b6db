/// A regular expression as a tree.
indirect enum PatternNode {
    case empty
    case scalar(Unicode.Scalar, ignoresCase: Bool)
    /// Any character; a line break only with the flag `s`.
    case any(matchesLineBreak: Bool)
    case set(PatternSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// A repetition; without a maximum where that is nil. A lazy one finds the shortest text.
    case repeated(PatternNode, minimum: Int, maximum: Int?, isLazy: Bool)
}

/// A condition of a place between two characters.
enum PatternAssertion {
    case textStart, textEnd, textEndOrLastLineBreak
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary

    /// Whether it holds between two characters, nil at the ends of the text.
    ///
    /// - Parameter isLast: whether `next` is the last character.
    package func holds(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?, isLast: Bool) -> Bool {
        switch self {
        case .textStart: previous == nil
        case .textEnd: next == nil
        case .textEndOrLastLineBreak: next == nil || (isLast && next == "\n")
        case .lineStart: previous == nil || previous == "\n"
        case .lineEnd: next == nil || next == "\n"
        case .wordBoundary: isBoundary(previous, next)
        case .noWordBoundary: !isBoundary(previous, next)
        }
    }

    private func isBoundary(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        (previous.map(PatternClass.word.contains) ?? false) != (next.map(PatternClass.word.contains) ?? false)
    }
}
