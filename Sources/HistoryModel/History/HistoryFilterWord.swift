/// One word of a filter's text: words are separated by blanks outside of double quotes.
struct HistoryFilterWord {
    /// The word as typed.
    var source = ""
    /// The field before the colon, as typed; nil where there is none.
    var field: String?
    /// The text after the field, without quotes.
    var text = ""
    /// Whether the text or a part of it is quoted.
    var isQuoted = false
    /// Whether a `-` precedes the word.
    var isNegated = false
    /// Whether its quotes are closed.
    var isClosed = true

    /// The words of a text.
    static func words(of text: String) -> [HistoryFilterWord] {
        var words: [HistoryFilterWord] = []
        var word = HistoryFilterWord()
        func end() {
            if !word.source.isEmpty { words.append(word) }
            word = HistoryFilterWord()
        }
        for character in text {
            if character.isWhitespace, word.isClosed {
                end()
                continue
            }
            word.source.append(character)
            switch character {
            case "\"":
                word.isClosed.toggle()
                word.isQuoted = true
            case "-" where word.source == "-": word.isNegated = true
            case ":" where word.field == nil && !word.isQuoted && isField(word.text):
                word.field = word.text
                word.text = ""
            default: word.text.append(character)
            }
        }
        end()
        return words
    }

    private static func isField(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter } }
}
