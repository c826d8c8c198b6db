internal import SortieBase

/// A date of `-z`, as curl_getdate reads it, in the notation of header fields (RFC 9110 §5.6.7).
enum CurlDate {
    /// The date in UTC; nil for a text that has no day, month and year, and for another time zone.
    static func field(_ text: String) -> String? {
        var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
        var time = (0, 0, 0)
        for token in text.split(whereSeparator: { " ,-".contains($0) }) {
            let parts = token.split(separator: ":").map { Int($0) }
            if parts.count >= 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour), (0...59).contains(minute) {
                time = (hour, minute, parts.count > 2 ? parts[2] ?? 0 : 0)
            } else if let number = Int(token) {
                if day == nil, (1...31).contains(number) {
                    day = number
                } else if year == nil {
                    year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
                }
            } else if let index = CalendarTime.months.firstIndex(where: { token.lowercased().hasPrefix($0.lowercased()) }), token.count >= 3 {
                month = index
            } else if !["gmt", "utc", "z"].contains(token.lowercased()),
                !CalendarTime.weekdays.contains(where: { token.lowercased().hasPrefix($0.lowercased()) })
            {
                return nil
            }
        }
        guard let day, let month, let year, (1970...9999).contains(year), (0...60).contains(time.2) else { return nil }
        return CalendarTime(year: year, month: month + 1, day: day, hour: time.0, minute: time.1, second: time.2).httpDate
    }
}
