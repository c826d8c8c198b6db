public import struct FoundationEssentials.Date

extension HistoryFilter {
    /// Reads a filter as a person writes it: `status:5xx service:shop "two words" -tag:seen since:1h`.
    ///
    /// - Parameters:
    ///   - now: the moment that `since:1h` and `today` count from.
    ///   - utcOffset: how many seconds the clock on the wall is ahead of UTC, for days and times of the day.
    /// - Throws: a ``HistoryFilterProblem`` for the first term that says nothing.
    public init(parsing text: String, now: Date, utcOffset: Int = 0) throws(HistoryFilterProblem) {
        let (filter, problem) = Self.read(text, HistoryFilterReader(now: now, utcOffset: utcOffset))
        if let problem { throw problem }
        self = filter
    }

    /// The filter of a text that somebody is typing: terms that say nothing yet are left out, so that `status:` does not hide everything.
    ///
    /// - Returns: the filter of the other terms, and what is wrong with the first that was left out.
    public static func typed(_ text: String, now: Date, utcOffset: Int = 0) -> (filter: HistoryFilter, problem: HistoryFilterProblem?) {
        read(text, HistoryFilterReader(now: now, utcOffset: utcOffset, isTyping: true))
    }

    /// The words and the quoted phrases of a text that ``Test/words(_:_:)`` holds, without their quotes.
    public static func phrases(of text: String) -> [String] {
        HistoryFilterWord.words(of: text).map { ($0.field.map { "\($0):" } ?? "") + $0.text }.filter { !$0.isEmpty }
    }

    private static func read(_ text: String, _ reader: HistoryFilterReader) -> (HistoryFilter, HistoryFilterProblem?) {
        var filter = HistoryFilter()
        var firstProblem: HistoryFilterProblem?
        for word in HistoryFilterWord.words(of: text) {
            do throws(HistoryFilterProblem) {
                if !word.isClosed, !reader.isTyping { throw HistoryFilterProblem(word.source, "its quote \" is not closed") }
                for term in try reader.terms(of: word) { filter.add(term) }
            } catch {
                firstProblem = firstProblem ?? error
            }
        }
        return (filter, firstProblem)
    }

    /// Adds a term; words of one place become one term, and of several moments the narrowest holds.
    private mutating func add(_ term: Term) {
        guard !term.isNegated else { return terms.append(term) }
        for index in terms.indices where !terms[index].isNegated {
            switch (terms[index].test, term.test) {
            case (.words(let old, let place), .words(let new, let newPlace)) where place == newPlace:
                terms[index].test = .words("\(old) \(new)", place)
            case (.since(let old), .since(let new)): terms[index].test = .since(max(old, new))
            case (.until(let old), .until(let new)): terms[index].test = .until(min(old, new))
            default: continue
            }
            return
        }
        if !terms.contains(term) { terms.append(term) }
    }
}
