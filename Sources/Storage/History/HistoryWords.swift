internal import GRDB
internal import Model

/// Words that are looked for, as a question to the full text.
struct HistoryWords {
    /// The question; every word in it is quoted, so that nothing a person writes is syntax.
    let question: String
    /// Words with signs in them, such as `orders/77`: the full text finds their parts, and these say that they stand together.
    let passages: [String]
    private let place: HistoryFilter.Place

    /// Takes a text apart as the full text does; nil when there is no word in it.
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

    /// What must hold of a row of `search` beside the question.
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

    /// The values of ``passageCondition``.
    var passageArguments: StatementArguments { StatementArguments(passages.map { "%\(HistorySelection.escaped($0))%" }) }

    /// Whether a character belongs to a word, as the `unicode61` tokenizer has it.
    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
            .privateUse:
            true
        // The accents that it takes off.
        case .nonspacingMark: (0x300...0x331).contains(scalar.value)
        default: false
        }
    }
}
