internal import GRDB
internal import HistoryModel

/// Search words as an FTS5 query.
struct HistoryWords {
    /// The FTS5 query.
    ///
    /// Every word is quoted, so that nothing the user types is syntax.
    let question: String
    /// Words that contain separators, such as `orders/77`.
    ///
    /// The full-text index finds their parts; these texts are compared in addition to match them as a whole.
    let passages: [String]
    private let place: HistoryFilter.Place

    /// Splits a text as the `unicode61` tokenizer does; nil when it contains no word.
    init?(_ text: String, _ place: HistoryFilter.Place) {
        var words: [String] = []
        var passages: [String] = []
        for word in HistoryFilter.phrases(of: text).prefix(20) {
            let parts = word.prefix(100).unicodeScalars.split { !Self.isInWord($0) }.map { String(Substring($0)) }
            words += parts
            if parts.count > 1 { passages.append(String(word.prefix(100))) }
        }
        guard !words.isEmpty else { return nil }
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        question =
            switch place {
            case .anywhere: "(\(all))"
            case .url: "{url} : (\(all))"
            case .header: "{headers} : (\(all))"
            case .body: "{body} : (\(all))"
            }
        self.place = place
        self.passages = passages
    }

    /// A condition on a row of `search` in addition to the query.
    var passageCondition: String {
        let column =
            switch place {
            case .anywhere: "search.url || char(10) || search.headers || char(10) || search.body"
            case .url: "search.url"
            case .header: "search.headers"
            case .body: "search.body"
            }
        return passages.isEmpty ? "1" : passages.map { _ in "(\(column)) LIKE ? ESCAPE '\\'" }.joined(separator: " AND ")
    }

    /// The arguments of ``passageCondition``.
    var passageArguments: StatementArguments { StatementArguments(passages.map { "%\(HistorySelection.escaped($0))%" }) }

    /// Whether the `unicode61` tokenizer treats a character as part of a word.
    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
            .privateUse:
            true
        // The accents that the tokenizer removes.
        case .nonspacingMark: (0x300...0x331).contains(scalar.value)
        default: false
        }
    }
}
