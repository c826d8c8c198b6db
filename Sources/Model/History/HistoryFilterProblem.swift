/// Why a text is no filter of the history: which term is wrong, and the way out.
public struct HistoryFilterProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The term as it was typed.
    public var term: String
    /// What is wrong with it, and what to write.
    public var message: String

    /// A problem of a term.
    public init(_ term: String, _ message: String) {
        self.term = term
        self.message = message
    }

    /// The whole sentence, with the term.
    public var description: String { "“\(term)” is not a valid filter term: \(message)" }
}
