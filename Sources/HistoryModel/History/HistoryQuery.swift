/// A query for a section of the history's list, newest first.
package struct HistoryQuery: Hashable, Sendable {
    /// The position of the section.
    package enum Place: Hashable, Sendable {
        /// The newest exchanges.
        case newest
        /// The oldest exchanges.
        case oldest
        /// The nearest exchanges older than this number.
        case olderThan(Int64)
        /// The nearest exchanges newer than this number.
        case newerThan(Int64)
    }

    /// The filter.
    package var filter: HistoryFilter
    /// The position in the list.
    package var place: Place
    /// The maximum number of rows.
    package var limit: Int

    /// Creates a query.
    package init(_ filter: HistoryFilter = HistoryFilter(), at place: Place = .newest, limit: Int = 200) {
        (self.filter, self.place, self.limit) = (filter, place, limit)
    }
}

/// The result of a query.
package struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first for every position.
    package var items: [HistoryItem]
    /// Whether newer exchanges match the filter.
    package var hasNewer: Bool
    /// Whether older exchanges match the filter.
    package var hasOlder: Bool

    /// Creates a result.
    package init(items: [HistoryItem] = [], hasNewer: Bool = false, hasOlder: Bool = false) {
        (self.items, self.hasNewer, self.hasOlder) = (items, hasNewer, hasOlder)
    }
}

/// The reason why a text is not a filter of the history: the invalid term and the remedy.
package struct HistoryFilterProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The term as typed.
    package var term: String
    /// The description of the mistake and the correct form.
    package var message: String

    /// Creates a problem of a term.
    package init(_ term: String, _ message: String) {
        (self.term, self.message) = (term, message)
    }

    /// The complete message with the term.
    package var description: String { "“\(term)” is not a valid filter term: \(message)" }
}

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
