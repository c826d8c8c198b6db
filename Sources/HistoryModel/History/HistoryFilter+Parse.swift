package import struct FoundationEssentials.Date

extension HistoryFilter {
    /// Parses a filter in the user's notation: `status:5xx service:shop "two words" -tag:seen since:1h`.
    ///
    /// - Parameters:
    ///   - now: the time to which `since:1h` and `today` are relative.
    ///   - utcOffset: the offset of local time from UTC in seconds, for days and times of day.
    /// - Throws: A ``HistoryFilterProblem`` for the first invalid term.
    package init(parsing text: String, now: Date, utcOffset: Int = 0) throws(HistoryFilterProblem) {
        let (filter, problem) = Self.read(text, HistoryFilterReader(now: now, utcOffset: utcOffset))
        if let problem { throw problem }
        self = filter
    }

    /// Parses a filter while it is typed: incomplete terms are left out, so that `status:` does not hide everything.
    ///
    /// - Returns: The filter of the other terms, and the problem of the first one that was left out.
    package static func typed(_ text: String, now: Date, utcOffset: Int = 0) -> (filter: HistoryFilter, problem: HistoryFilterProblem?) {
        read(text, HistoryFilterReader(now: now, utcOffset: utcOffset, isTyping: true))
    }

    /// The words and the quoted phrases in the text of ``Test/words(_:_:)``, without quotes.
    package static func phrases(of text: String) -> [String] {
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

    /// Adds a term; words of one field become one term, and the narrowest of several times is used.
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
