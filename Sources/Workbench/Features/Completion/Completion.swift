/// A text that can be inserted while typing.
struct Completion: Hashable, Sendable {
    /// The name in the list, which is matched with what was typed.
    var label: String
    /// The value or the description.
    var detail = ""
    /// Where the value comes from.
    var source = ""
    /// The text that is inserted.
    var text: String
    /// The number of characters of ``text`` after which the cursor is placed; nil for its end.
    var cursor: Int?

    init(_ label: String, detail: String = "", source: String = "", text: String? = nil, cursor: Int? = nil) {
        self.label = label
        self.detail = detail
        self.source = source
        self.text = text ?? label
        self.cursor = cursor
    }

    /// The maximum number of listed completions.
    private static let limit = 60

    /// The completions that match a typed text, the best first.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the user asked for them. Otherwise the text must be part of a name, or consist of the starts of its words.
    ///   - hidesComplete: Whether a text that is complete already has no completions unless the user asked for them.
    static func ranked(_ completions: [Completion], typed: String, isAsked: Bool, hidesComplete: Bool) -> [Completion] {
        let plain = typed.lowercased()
        if !isAsked, hidesComplete, completions.contains(where: { $0.label.lowercased() == plain }) { return [] }
        let scored = completions.enumerated().compactMap { index, completion -> (score: Int, index: Int)? in
            guard let score = FuzzyMatch.score(of: typed, in: completion.label) else { return nil }
            let isClose = completion.label.lowercased().contains(plain) || FuzzyMatch.isMadeOfWordStarts(typed, in: completion.label)
            return isAsked || isClose ? (score, index) : nil
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.prefix(limit).map { completions[$0.index] }
    }
}
