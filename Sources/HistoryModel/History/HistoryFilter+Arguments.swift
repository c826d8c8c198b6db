extension HistoryFilter {
    /// The text of a filter that came as arguments of a command: the shell took its quotes away, so one with blanks in it gets them back.
    ///
    /// `workspace:/home/me/My Project` is one term and `two words` one phrase. Left as they are: an argument with quotes of its own, and one with
    /// a field at a later word, which is a filter of several terms.
    public static func text(ofArguments arguments: some Sequence<String>) -> String { arguments.map(quoted).joined(separator: " ") }

    private static func quoted(_ argument: String) -> String {
        guard argument.contains(where: \.isWhitespace), !argument.contains("\"") else { return argument }
        let words = HistoryFilterWord.words(of: argument)
        guard let first = words.first, !words.dropFirst().contains(where: isOfField) else { return argument }
        let start = (first.isNegated ? "-" : "") + (first.field.map { $0 + ":" } ?? "")
        let text = argument.drop(while: \.isWhitespace).dropFirst(start.count).drop(while: \.isWhitespace)
        return "\(start)\"\(text)\""
    }

    private static func isOfField(_ word: HistoryFilterWord) -> Bool {
        word.field.map { HistoryFilterReader.Field(rawValue: $0.lowercased()) != nil } ?? false
    }
}
