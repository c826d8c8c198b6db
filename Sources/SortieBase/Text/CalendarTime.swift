/// A date and time in the Gregorian calendar, without a time zone.
package struct CalendarTime: Hashable, Sendable {
    /// The year, such as 2020.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 0 to 60.
    package var second: Int

    /// Creates a time from its parts.
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
        self.second = second
    }

    /// Creates the time that is `seconds` after 1970-01-01T00:00:00Z, in a time zone `utcOffset` seconds ahead of UTC.
    ///
    /// Fractions are dropped. NaN becomes 1970-01-01T00:00:00, and a time outside the years 0 to 9999 becomes the nearest time within them.
    package init(secondsSince1970 seconds: Double, utcOffset: Int = 0) {
        let range = -62_167_219_200.0...253_402_300_799.0
        let clamped = seconds.isNaN ? 0 : min(max(seconds.rounded(.down) + Double(utcOffset), range.lowerBound), range.upperBound)
        let total = Int(clamped)
        let days = (total - Self.remainder(total, 86_400)) / 86_400
        let ofDay = Self.remainder(total, 86_400)
        (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
        // Years begin in March, so that the leap day is the last day; 400 of them always have 146097 days.
        let shifted = days + 719_468
        let dayOfEra = Self.remainder(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Parses a day in the form `yyyy-MM-dd`; nil for other text, and for a day that does not exist.
    package init?(date text: String) {
        guard let day = InternetTimeReader.read(text, { $0.date() }) else { return nil }
        self = day
    }

    /// The number of days of a month.
    static func days(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The seconds between 1970-01-01T00:00:00Z and this time, taken as UTC.
    package var secondsSince1970: Double {
        let (year, month) = month > 2 ? (self.year, self.month - 3) : (self.year - 1, self.month + 9)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * month + 2) / 5 + day - 1
        let days = era * 146_097 + dayOfEra - 719_468
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// `yyyy-MM-dd`.
    package var date: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    /// `HH:mm:ss`.
    package var clock: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))" }

    /// `yyyy-MM-ddTHH:mm:ssZ` (RFC 3339), valid when the time is in UTC.
    package var iso8601: String { "\(date)T\(clock)Z" }

    private static func remainder(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

extension CalendarTime {
    /// The names of the months in header fields.
    package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The names of the days of the week in header fields.
    package static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7), valid when the time is in UTC.
    package var httpDate: String {
        // 1970-01-01 was a Thursday.
        let weekday = Self.weekdays[Self.remainder(Int((secondsSince1970 / 86_400).rounded(.down)) + 4, 7)]
        return "\(weekday), \(day.padded(to: 2)) \(Self.months[month - 1]) \(year.padded(to: 4)) \(clock) GMT"
    }
}

extension CalendarTime {
    /// A time in UTC in the format of ISO 8601 with milliseconds, such as `2026-01-31T09:05:00.250Z`.
    package static func iso8601(millisecondsOf secondsSince1970: Double) -> String {
        let total = Int64((secondsSince1970 * 1000).rounded(.toNearestOrAwayFromZero))
        let (seconds, rest) = total.quotientAndRemainder(dividingBy: 1000)
        let text = CalendarTime(secondsSince1970: Double(rest < 0 ? seconds - 1 : seconds)).iso8601
        return "\(text.dropLast()).\((rest < 0 ? rest + 1000 : rest).padded(to: 3))Z"
    }
}

extension CalendarTime {
    /// The seconds since 1970-01-01T00:00:00Z of a day or a time in ISO 8601; nil for other text, and for a day or a time that does not exist.
    ///
    /// Accepted are `2027-01-31` (the beginning of the day in UTC) and `2027-01-31T12:00:00.5Z` with `Z` or an offset such as `+01:00` (RFC 3339
    /// §5.6).
    public static func seconds(ofISO8601 text: String) -> Double? {
        InternetTimeReader.read(text) { reader in
            guard let day = reader.date() else { return nil }
            if reader.isAtEnd { return day.secondsSince1970 }
            guard reader.skip("Tt "), let time = reader.time() else { return nil }
            return day.secondsSince1970 + Double(time.seconds) + reader.fraction(of: time)
        }
    }
}
