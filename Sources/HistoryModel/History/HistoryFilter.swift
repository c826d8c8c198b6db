internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

package import struct FoundationEssentials.Date

/// Selects exchanges of the history: `status:5xx service:shop method:post since:1h body:text`.
///
/// Terms about the same field are alternatives; negated ones must not match. All words must match.
package struct HistoryFilter: Hashable, Sendable {
    /// The searched field of words.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        /// The URL, the header fields and the bodies.
        case anywhere
        case url, header, body
        /// Anywhere, and in what a row of the workbench displays besides the URL: endpoint, method, status, environment, run, tags and note.
        case row
    }

    /// Whether an exchange succeeded.
    package enum Success: String, Hashable, Sendable, CaseIterable {
        /// A response with a status below 400.
        case ok
        /// A failure, or a response with a status of 400 or above.
        case error
    }

    /// The test of one term.
    package enum Test: Hashable, Sendable {
        /// Every word is the beginning of a word of the field; words in double quotes must occur in sequence (``HistoryFilter/phrases(of:)``).
        case words(String, Place)
        /// The status is in this range; 0 means none.
        case status(ClosedRange<Int>)
        /// The service's folder begins with this text.
        case service(String)
        /// The endpoint's name contains this text.
        case target(String)
        /// The environment is this one.
        case environment(String)
        /// The method is this one.
        case method(String)
        /// A tag begins with this text.
        case tag(String)
        /// The exchange was a step of this run.
        case run(String)
        /// The exchange had this outcome.
        case outcome(HistoryItem.Outcome)
        /// The exchange succeeded or failed.
        case success(Success)
        /// The exchange was of this kind.
        case kind(Endpoint.Kind)
        /// The exchange is pinned.
        case pinned
        /// The exchange began at this time or later.
        case since(Date)
        /// The exchange began before this time.
        case until(Date)
        /// The exchange belongs to the workspace in this folder; with `none`, to no workspace, as a URL of the command line.
        case workspace(String)
    }

    /// One term.
    package struct Term: Hashable, Sendable {
        /// The test.
        package var test: Test
        /// Whether the test is negated: `-status:200`.
        package var isNegated: Bool

        /// Creates a term.
        package init(_ test: Test, isNegated: Bool = false) {
            (self.test, self.isNegated) = (test, isNegated)
        }
    }

    /// The terms; an empty list selects everything.
    package var terms: [Term]

    /// Creates a filter.
    package init(_ terms: [Term] = []) {
        self.terms = terms
    }
}

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

extension HistoryFilter: CustomStringConvertible {
    /// The filter as text that parses as the same filter, with times in UTC and to the second.
    package var description: String { terms.map(\.description).joined(separator: " ") }
}

extension HistoryFilter.Term: CustomStringConvertible {
    /// The term in the user's notation.
    package var description: String { (isNegated ? "-" : "") + test.description }
}

extension HistoryFilter.Test: CustomStringConvertible {
    /// The term in the user's notation, without the sign of a negation.
    package var description: String {
        switch self {
        case .words(let text, .anywhere), .words(let text, .row): text
        case .words(let text, let place):
            HistoryFilter.phrases(of: text).map { "\(place.rawValue):\(Self.quoted($0))" }.joined(separator: " ")
        case .status(0...0): "status:none"
        case .status(let range): "status:\(Self.text(of: range))"
        case .service(let text): "service:\(Self.quoted(text))"
        case .target(let text): "target:\(Self.quoted(text))"
        case .environment(let text): "env:\(Self.quoted(text))"
        case .method(let text): "method:\(Self.quoted(text))"
        case .tag(let text): "tag:\(Self.quoted(text))"
        case .run(let text): "run:\(Self.quoted(text))"
        case .outcome(let outcome): "is:\(outcome.rawValue)"
        case .success(let success): "is:\(success.rawValue)"
        case .kind(let kind): "is:\(kind.rawValue)"
        case .pinned: "is:pinned"
        case .since(let date): "since:\(Self.text(of: date))"
        case .until(let date): "until:\(Self.text(of: date))"
        case .workspace(let folder): "workspace:\(Self.quoted(folder))"
        }
    }

    private static func text(of range: ClosedRange<Int>) -> String {
        if range.count == 1 { return "\(range.lowerBound)" }
        let isClass = range.lowerBound % 100 == 0 && range.count == 100
        return isClass ? "\(range.lowerBound / 100)xx" : "\(range.lowerBound)-\(range.upperBound)"
    }

    private static func text(of date: Date) -> String { CalendarTime(secondsSince1970: date.timeIntervalSince1970).iso8601 }

    private static func quoted(_ text: String) -> String { text.contains(where: \.isWhitespace) ? "\"\(text)\"" : text }
}

/// Parses the terms of a filter's text.
struct HistoryFilterReader {
    /// The fields of terms.
    enum Field: String, CaseIterable {
        case status, service, target, endpoint, env, environment, method, tag, run, `is`, since, until, url, header, body, workspace

        /// The field for a name that no field has; nil without a similar one.
        init?(similarTo name: String) {
            guard let field = Self.others[name] ?? Suggestion.nearest(to: name, in: Self.allCases.map(\.rawValue)).flatMap({ Field(rawValue: $0) })
            else { return nil }
            self = field
        }

        private static let others: [String: Field] = [
            "host": .url, "path": .url, "query": .url, "server": .url, "name": .target, "date": .since, "after": .since, "before": .until,
            "error": .is,
            "reason": .is, "kind": .is, "state": .is, "result": .is, "code": .status, "text": .body, "response": .body, "request": .body,
            "folder": .service,
        ]
    }

    let now: Date
    let utcOffset: Int
    /// Whether the text is being typed, so that a word may be incomplete.
    var isTyping = false

    /// The terms of a word; several where it lists values.
    func terms(of word: HistoryFilterWord) throws(HistoryFilterProblem) -> [HistoryFilter.Term] {
        // What is typed in the workbench is searched where it is displayed.
        let place: HistoryFilter.Place = isTyping ? .row : .anywhere
        guard let name = word.field else { return try words(word, in: place, value: word.text) }
        guard let field = Field(rawValue: name.lowercased()) else {
            let similar = Field(similarTo: name.lowercased())
            guard !isAddress(word, isSimilar: similar != nil) else { return try words(word, in: place, value: "\(name):\(word.text)") }
            let fields =
                similar.map { "did you mean \($0.rawValue):?" }
                ?? "the fields are \(Field.allCases.map { "\($0.rawValue):" }.joined(separator: ", "))."
            throw HistoryFilterProblem(word.source, "there is no field \(name); \(fields) Put it in quotes to search for the text")
        }
        if word.text.isEmpty { throw HistoryFilterProblem(word.source, "\(field.rawValue): \(Self.form(of: field))") }
        switch field {
        case .url: return try words(word, in: .url, value: word.text)
        case .header: return try words(word, in: .header, value: word.text)
        case .body: return try words(word, in: .body, value: word.text)
        case .since, .until: return [try moment(word, field)]
        case .status, .method, .is:
            var terms: [HistoryFilter.Term] = []
            for part in word.text.split(separator: ",") {
                guard let test = test(field, String(part)) else { throw problem(word, field, String(part)) }
                terms.append(HistoryFilter.Term(test, isNegated: word.isNegated))
            }
            guard !terms.isEmpty else { throw problem(word, field, word.text) }
            return terms
        case .service, .target, .endpoint, .env, .environment, .tag, .run, .workspace:
            guard let test = test(field, word.text) else { throw problem(word, field, word.text) }
            return [HistoryFilter.Term(test, isNegated: word.isNegated)]
        }
    }

    /// Whether the colon of a word does not follow a field: `http://…`, `localhost:8080`, also while it is typed.
    ///
    /// A negated word that is searched by mistake would select everything.
    private func isAddress(_ word: HistoryFilterWord, isSimilar: Bool) -> Bool {
        if word.text.hasPrefix("//") { return true }
        guard !isSimilar, !word.isNegated else { return false }
        if word.text.isEmpty || word.text == "/" { return isTyping }
        let port = word.text.prefix { $0 != "/" }
        return port.utf8.allSatisfy(ASCII.isDigit) && UInt16(port) != nil
    }

    private func words(_ word: HistoryFilterWord, in place: HistoryFilter.Place, value: String) throws(HistoryFilterProblem) -> [HistoryFilter.Term] {
        guard value.contains(where: { $0.isLetter || $0.isNumber }) else {
            if isTyping, value.isEmpty { return [] }
            throw HistoryFilterProblem(word.source, "it contains no letter or digit to search for")
        }
        return [HistoryFilter.Term(.words(word.isQuoted ? "\"\(value)\"" : value, place), isNegated: word.isNegated)]
    }

    private func problem(_ word: HistoryFilterWord, _ field: Field, _ value: String) -> HistoryFilterProblem {
        let nearest = field == .is ? Suggestion.nearest(to: value, in: Self.states.map(\.name)).map { "did you mean is:\($0)? " } ?? "" : ""
        return HistoryFilterProblem(word.source, "\(nearest)\(field.rawValue) \(Self.form(of: field))")
    }

    /// The valid values of a field, for messages.
    private static func form(of field: Field) -> String {
        switch field {
        case .status: "takes a number, a class like 5xx, a range or a comparison like 400-499 or >=400, or none"
        case .service: "takes the beginning of a service's folder"
        case .target, .endpoint: "takes a part of an endpoint's name"
        case .env, .environment: "takes the name of an environment"
        case .method: "takes a method like POST"
        case .tag: "takes the beginning of a tag"
        case .run: "takes the name of a run"
        case .is: "takes one of \(states.map(\.name).joined(separator: ", "))"
        case .since, .until: "takes a time ago (30m, 1h, 2d, 1w), a day (2026-11-21), a day and a time (2026-11-21T10:00), a time, today or yesterday"
        case .url, .header, .body: "takes words to search for"
        case .workspace: "takes the folder of a workspace, or none"
        }
    }

    // MARK: Values

    private func test(_ field: Field, _ value: String) -> HistoryFilter.Test? {
        switch field {
        case .status: Self.statuses(value).map { .status($0) }
        case .method: method(value).map { .method($0) }
        case .is: Self.states.first { $0.name == value.lowercased() }?.test
        case .service: .service(value)
        case .target, .endpoint: .target(value)
        case .env, .environment: .environment(value)
        case .tag: .tag(value)
        case .run: .run(value)
        case .workspace: .workspace(value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value)
        case .since, .until, .url, .header, .body: nil
        }
    }

    /// The values of `is:`.
    static let states: [(name: String, test: HistoryFilter.Test)] =
        HistoryItem.Outcome.allCases.map { ($0.rawValue, .outcome($0)) }
        + [("ok", .success(.ok)), ("error", .success(.error)), ("pinned", .pinned), ("download", .kind(.download)), ("upload", .kind(.upload))]

    private static func statuses(_ text: String) -> ClosedRange<Int>? {
        let text = text.lowercased()
        if text == "none" { return 0...0 }
        for (sign, range) in comparisons where text.hasPrefix(sign) {
            return status(text.dropFirst(sign.count)).flatMap(range)
        }
        if text.count == 3, text.hasSuffix("xx") {
            return text.first.flatMap { Int(String($0)) }.flatMap { (1...5).contains($0) ? $0 * 100...$0 * 100 + 99 : nil }
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(status)
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else { return nil }
        return first...last
    }

    /// The operators, longer ones first, with the statuses that they select; nil for one that selects none.
    private static let comparisons: [(String, @Sendable (Int) -> ClosedRange<Int>?)] = [
        (">=", { $0...999 }), ("<=", { 100...$0 }), (">", { $0 < 999 ? $0 + 1...999 : nil }), ("<", { $0 > 100 ? 100...$0 - 1 : nil }),
        ("=", { $0...$0 }),
    ]

    private static func status(_ text: Substring) -> Int? {
        guard text.count == 3, text.utf8.allSatisfy(ASCII.isDigit), let status = Int(text), status >= 100 else { return nil }
        return status
    }

    private func method(_ text: String) -> String? {
        guard let method = HTTPMethod(text.uppercased()) else { return nil }
        let isBeginning = HTTPMethod.common.contains { $0 != method && $0.rawValue.hasPrefix(method.rawValue) }
        return isTyping && isBeginning ? nil : method.rawValue
    }

    // MARK: Moments

    private func moment(_ word: HistoryFilterWord, _ field: Field) throws(HistoryFilterProblem) -> HistoryFilter.Term {
        guard let span = span(word.text.lowercased()) else { throw problem(word, field, word.text) }
        // The negation of since is until; since a day means from its beginning, and until a day to its end.
        let isSince = field == .since
        let date = isSince ? span.lowerBound : span.upperBound
        return HistoryFilter.Term(isSince != word.isNegated ? .since(date) : .until(date))
    }

    /// The time that a text denotes, or the range of a day.
    private func span(_ text: String) -> ClosedRange<Date>? {
        if let seconds = Self.ago(text) {
            let date = now.addingTimeInterval(-seconds)
            return date...date
        }
        let today = CalendarTime(secondsSince1970: now.timeIntervalSince1970, utcOffset: utcOffset)
        var midnight = CalendarTime(year: today.year, month: today.month, day: today.day)
        if text == "today" { return day(midnight) }
        if text == "yesterday" { return day(CalendarTime(secondsSince1970: midnight.secondsSince1970 - 43_200)) }
        if let date = CalendarTime(date: text) { return day(date) }
        var time = Substring(text)
        if let mark = text.firstIndex(where: { $0 == "t" || $0 == "_" }) {
            guard let date = CalendarTime(date: String(text[..<mark])) else { return nil }
            midnight = date
            time = text[text.index(after: mark)...]
        }
        let isUTC = time.hasSuffix("z")
        guard let seconds = Self.secondsOfDay(isUTC ? time.dropLast() : time) else { return nil }
        let date = Date(timeIntervalSince1970: midnight.secondsSince1970 + seconds - (isUTC ? 0 : Double(utcOffset)))
        return date...date
    }

    private func day(_ time: CalendarTime) -> ClosedRange<Date> {
        let midnight = CalendarTime(year: time.year, month: time.month, day: time.day)
        let first = Date(timeIntervalSince1970: midnight.secondsSince1970 - Double(utcOffset))
        return first...first.addingTimeInterval(86_400)
    }

    /// The seconds of `90s`, `30m`, `1h`, `2d` and `1w`.
    private static func ago(_ text: String) -> Double? {
        guard let unit = text.last.flatMap({ unitSeconds[$0] }), let number = Int(text.dropLast()), (0...100_000).contains(number) else { return nil }
        return Double(number) * unit
    }

    private static let unitSeconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// The seconds since midnight of `10:00` and `10:00:30`.
    private static func secondsOfDay(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in (1...2).contains(part.count) && part.utf8.allSatisfy(ASCII.isDigit) ? Int(part) : nil }
        guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            return nil
        }
        return Double(numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0))
    }
}
