/// A date of `-z`, as curl_getdate reads it, in the notation of header fields (RFC 9110 §5.6.7).
enum CurlDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

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
            } else if let index = months.firstIndex(where: { token.lowercased().hasPrefix($0.lowercased()) }), token.count >= 3 {
                month = index
            } else if !["gmt", "utc", "z"].contains(token.lowercased()), !weekdays.contains(where: { token.lowercased().hasPrefix($0.lowercased()) })
            {
                return nil
            }
        }
        guard let day, let month, let year, (1970...9999).contains(year), (0...60).contains(time.2) else { return nil }
        let weekday = weekdays[daysSince1970(year, month + 1, day) % 7]
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(weekday), \(padded(day)) \(months[month]) \(year) \(padded(time.0)):\(padded(time.1)):\(padded(time.2)) GMT"
    }

    /// The days of a date of the Gregorian calendar, counted with years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let era = year / 400
        let yearOfEra = year - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
