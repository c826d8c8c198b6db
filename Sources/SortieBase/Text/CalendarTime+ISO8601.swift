extension CalendarTime {
    /// The seconds since 1970-01-01T00:00:00Z of a day or a time in ISO 8601; nil for other text, and for a day or a time that does not exist.
    ///
    /// Accepted are `2027-01-31` (the beginning of the day in UTC) and `2027-01-31T12:00:00.5Z` with `Z` or an offset such as `+01:00` (RFC 3339
    /// §5.6).
    public static func seconds(ofISO8601 text: String) -> Double? {
        guard let day = CalendarTime(date: String(text.prefix(10))) else { return nil }
        var rest = text.dropFirst(10)
        guard let separator = rest.popFirst() else { return day.secondsSince1970 }
        guard separator == "T" || separator == "t" || separator == " " else { return nil }
        let clock = rest.prefix(8).split(separator: ":", omittingEmptySubsequences: false)
        let parts = clock.compactMap(twoDigits)
        guard clock.count == 3, parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return nil }
        rest = rest.dropFirst(8)
        var seconds = day.secondsSince1970 + Double(parts[0] * 3600 + parts[1] * 60 + parts[2])
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard (1...18).contains(digits.count), let fraction = Double("0.\(digits)") else { return nil }
            seconds += fraction
            rest = rest.dropFirst(digits.count + 1)
        }
        return offset(rest).map { seconds - $0 }
    }

    /// The seconds that an offset is ahead of UTC.
    private static func offset(_ text: Substring) -> Double? {
        if text == "Z" || text == "z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).compactMap(twoDigits)
        guard text.count == 6, parts.count == 2, parts[0] < 24, parts[1] < 60 else { return nil }
        let seconds = Double(parts[0] * 3600 + parts[1] * 60)
        switch text.first {
        case "+": return seconds
        case "-": return -seconds
        default: return nil
        }
    }

    private static func twoDigits(_ text: Substring) -> Int? {
        text.utf8.count == 2 && text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
    }
}
