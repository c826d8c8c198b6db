internal import SortieBase
internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// Parses the terms of a filter's text.
struct HistoryFilterReader {
    /// The fields of terms.
    enum Field: String, CaseIterable {
        case status, service, target, env, environment, method, tag, run, `is`, since, until, url, header, body, workspace
    }

    let now: Date
    let utcOffset: Int
    /// Whether the text is being typed, so that a word may be incomplete.
    var isTyping = false

    /// The terms of a word; several where it lists values.
    func terms(of word: HistoryFilterWord) throws(HistoryFilterProblem) -> [HistoryFilter.Term] {
        guard let name = word.field else { return try words(word, in: .anywhere, value: word.text) }
        guard let field = Field(rawValue: name.lowercased()) else {
            // Not every colon follows a field: localhost:8080, http://…
            guard !word.text.hasPrefix("//"), let nearest = Suggestion.nearest(to: name, in: Field.allCases.map(\.rawValue)) else {
                return try words(word, in: .anywhere, value: "\(name):\(word.text)")
            }
            throw HistoryFilterProblem(
                word.source, "there is no field \(name); did you mean \(nearest):? Put it in quotes to search for the text")
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
        case .service, .target, .env, .environment, .tag, .run, .workspace:
            guard let test = test(field, word.text) else { throw problem(word, field, word.text) }
            return [HistoryFilter.Term(test, isNegated: word.isNegated)]
        }
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
        case .target: "takes a part of an endpoint's name"
        case .env, .environment: "takes the name of an environment"
        case .method: "takes a method like POST"
        case .tag: "takes the beginning of a tag"
        case .run: "takes the name of a run"
        case .is: "takes one of \(states.map(\.name).joined(separator: ", "))"
        case .since, .until: "takes a time ago (30m, 1h, 2d, 1w), a day (2026-11-21), a day and a time (2026-11-21T10:00), a time, today or yesterday"
        case .url, .header, .body: "takes words to search for"
        case .workspace: "takes the folder of a workspace"
        }
    }

    // MARK: Values

    private func test(_ field: Field, _ value: String) -> HistoryFilter.Test? {
        switch field {
        case .status: Self.statuses(value).map { .status($0) }
        case .method: method(value).map { .method($0) }
        case .is: Self.states.first { $0.name == value.lowercased() }?.test
        case .service: .service(value)
        case .target: .target(value)
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
