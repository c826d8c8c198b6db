internal import SortieBase

/// The texts of `google.protobuf.Timestamp` and `google.protobuf.Duration`.
enum ProtobufTime {
    /// The seconds of valid timestamps: the years 1 to 9999.
    static let timestamps: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// The seconds of valid durations.
    static let durations: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

    static func text(timestamp seconds: Int64, _ nanoseconds: Int32) -> String {
        "\(CalendarTime(secondsSince1970: Double(seconds)).iso8601.dropLast())\(fraction(nanoseconds))Z"
    }

    static func text(duration seconds: Int64, _ nanoseconds: Int32) -> String {
        "\(seconds < 0 || nanoseconds < 0 ? "-" : "")\(abs(seconds))\(fraction(abs(nanoseconds)))s"
    }

    /// The fraction of a second with 3, 6 or 9 digits; empty for none.
    private static func fraction(_ nanoseconds: Int32) -> String {
        guard nanoseconds != 0 else { return "" }
        var digits = nanoseconds.padded(to: 9)
        while digits.hasSuffix("000") { digits.removeLast(3) }
        return ".\(digits)"
    }

    /// The seconds and nanoseconds of a time such as `2027-01-31T12:00:00.5Z`; nil for other text.
    static func timestamp(_ text: String) -> (seconds: Int64, nanoseconds: Int32)? {
        guard text.utf8.count >= 20, let last = text.firstIndex(where: { $0 == "." }) ?? text.dropFirst(19).firstIndex(where: { _ in true }) else {
            return nil
        }
        let zone = text[last...].drop { $0 == "." || $0.isASCII && $0.isNumber }
        let digits = text[last...].hasPrefix(".") ? text[last...].dropFirst().prefix { $0.isASCII && $0.isNumber } : ""
        guard !text[last...].hasPrefix(".") || (1...9).contains(digits.count),
            let nanoseconds = Int32("\(digits)" + String(repeating: "0", count: 9 - digits.count)),
            let seconds = CalendarTime.seconds(ofISO8601: "\(text[..<last])\(zone)"), timestamps.contains(Int64(seconds))
        else { return nil }
        return (Int64(seconds), nanoseconds)
    }

    /// The seconds and nanoseconds of a duration such as `1.5s`; nil for other text.
    static func duration(_ text: String) -> (seconds: Int64, nanoseconds: Int32)? {
        guard text.hasSuffix("s") else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }), let seconds = Int64(parts[0]),
            durations.contains(seconds)
        else { return nil }
        let digits = parts.count == 2 ? parts[1] : ""
        guard digits.count <= 9, let nanoseconds = Int32(digits + String(repeating: "0", count: 9 - digits.count)) else { return nil }
        return isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds)
    }
}
