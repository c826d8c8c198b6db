/// The notation of expected statuses: `204`, `200-299`, `2xx`.
package enum StatusRange {
    /// The statuses of a notation; nil for another text.
    package static func parse(_ text: String) -> ClosedRange<Int>? {
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let digit = text.first?.wholeNumberValue, 1...5 ~= digit {
            return digit * 100...digit * 100 + 99
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 100, first <= last, last <= 599
        else {
            return nil
        }
        return first...last
    }

    /// The notation of several statuses, for a message.
    package static func text(_ ranges: [ClosedRange<Int>]) -> String { ranges.map(text).joined(separator: ", ") }

    /// The notation of statuses.
    package static func text(_ range: ClosedRange<Int>) -> String {
        if range.count == 1 { return String(range.lowerBound) }
        let isClass = range.count == 100 && range.lowerBound % 100 == 0
        return isClass ? "\(range.lowerBound / 100)xx" : "\(range.lowerBound)-\(range.upperBound)"
    }
}
