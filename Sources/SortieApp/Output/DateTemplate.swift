internal import Foundation

/// The value of `{{$date FORMAT}}`.
enum DateTemplate {
    /// The text of a date: ISO 8601 without a format, else by the pattern of Unicode TR 35.
    static func text(_ date: Date, format: String) -> String {
        guard !format.isEmpty else { return date.formatted(.iso8601) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: date)
    }
}
