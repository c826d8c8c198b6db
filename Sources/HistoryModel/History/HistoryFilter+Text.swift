internal import SortieBase
internal import SortieHTTP

internal import struct FoundationEssentials.Date

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
        case .words(let text, .anywhere): text
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
