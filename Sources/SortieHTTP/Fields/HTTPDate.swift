internal import SortieBase

/// A date of a header field: `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete forms (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64

    /// Creates a date.
    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Parses a field value; nil for other text.
    package init?(_ text: some StringProtocol) {
        let words = String(text).split { " ,-".contains($0) }.map { String($0) }
        let (day, month, yearText, time): (String, String, String, String)
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC": (day, month, yearText, time) = (words[1], words[2], words[3], words[4])
        case 5: (day, month, yearText, time) = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0) }
        guard let index = CalendarTime.months.firstIndex(of: month), let day = Self.number(day[...]), (1...31).contains(day), clock.count == 3,
            let hour = clock[0], hour < 24, let minute = clock[1], minute < 60, let second = clock[2], second <= 60,
            var full = Self.number(yearText[...])
        else { return nil }
        // The form of RFC 850 has a two-digit year; a server that still sends it does not mean a date before 1970.
        if yearText.utf8.count == 2 { full += full < 70 ? 2000 : 1900 }
        guard (1970...9999).contains(full) else { return nil }
        let parsed = CalendarTime(year: full, month: index + 1, day: day, hour: hour, minute: minute, second: second)
        seconds = Int64(parsed.secondsSince1970)
    }

    /// The chronological order.
    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text)
    }
}
