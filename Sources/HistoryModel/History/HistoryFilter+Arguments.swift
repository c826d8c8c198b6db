extension HistoryFilter {
    /// The text of a filter in the arguments of a command.
    ///
    /// The shell has removed the quotes, so arguments with blanks are quoted again.
    ///
    /// `workspace:/home/me/My Project` is one term and `two words` one phrase. Two kinds of arguments are unchanged: those that contain quotes,
    /// and those with a field at a later word, which are filters of several terms.
    package static func text(ofArguments arguments: some Sequence<String>) -> String { arguments.map(quoted).joined(separator: " ") }

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
