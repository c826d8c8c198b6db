/// The reason why a text is not a filter of the history: the invalid term and the remedy.
package struct HistoryFilterProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The term as typed.
    package var term: String
    /// The description of the mistake and the correct form.
    package var message: String

    /// Creates a problem of a term.
    package init(_ term: String, _ message: String) {
        self.term = term
        self.message = message
    }

    /// The complete message with the term.
    package var description: String { "“\(term)” is not a valid filter term: \(message)" }
}
