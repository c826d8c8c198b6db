import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A time in HTTP format (RFC 9110 §5.6.7), independent of the program's locale.
struct HTTPDate: CustomStringConvertible {
    let secondsSince1970: Int

    init(_ date: Date) {
        secondsSince1970 = Int(date.timeIntervalSince1970)
    }

    init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    var description: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = fields
        let clock = "\(pad(time.tm_hour)):\(pad(time.tm_min)):\(pad(time.tm_sec))"
        let day = "\(pad(time.tm_mday)) \(months[Int(time.tm_mon) % 12]) \(Int(time.tm_year) + 1900)"
        return "\(weekdays[Int(time.tm_wday) % 7]), \(day) \(clock) GMT"
    }

    /// The time in ISO 8601 format.
    var iso8601: String {
        let time = fields
        let day = "\(Int(time.tm_year) + 1900)-\(pad(time.tm_mon + 1))-\(pad(time.tm_mday))"
        return "\(day)T\(pad(time.tm_hour)):\(pad(time.tm_min)):\(pad(time.tm_sec))Z"
    }

    private var fields: tm {
        var seconds = time_t(secondsSince1970)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return fields
    }

    private func pad(_ value: Int32) -> String {
        value < 10 ? "0\(value)" : String(value)
    }
}
