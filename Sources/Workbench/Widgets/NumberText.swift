internal import SortieBase
internal import SortieHTTP

/// Formatting of numbers and durations.
enum NumberText {
    /// A number with one digit after the decimal point.
    static func tenths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// A duration such as `0.4 ms`, `34 ms`, `3.2 s`, `2 min 05 s` or `1 h 07 min`.
    static func seconds(_ seconds: Double) -> String { TimeSpan(seconds).text }

    /// A time in the log, such as `00:12.3` or `1:02:03.4`.
    static func moment(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "–" }
        let tenth = Int((max(0, seconds) * 10).rounded())
        let whole = tenth / 10
        let rest = "\((whole / 60 % 60).padded(to: 2)):\((whole % 60).padded(to: 2)).\(tenth % 10)"
        return whole >= 3600 ? "\(whole / 3600):\(rest)" : rest
    }

    /// A percentage such as `61 %`.
    static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "–" }
        return "\(Int((min(max(0, fraction), 1) * 100).rounded(.down))) %"
    }

    /// A number with separators such as `1,234`.
    static func grouped(_ number: Int) -> String {
        let digits = String(abs(number))
        let grouped = digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
        return number < 0 ? "-" + grouped : grouped
    }

    /// A time limit in the format of the workspace's files: `500ms`, `10s`, `2m`.
    static func duration(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000)m" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        return "\(milliseconds)ms"
    }

    /// Parses a time limit with the unit `ms`, `s` (the default), `m`, `min` or `h`; nil for other text.
    static func duration(_ text: String) -> Duration? {
        let text = text.filter { $0 != " " }
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let value = Double(digits), value >= 0, value < 1e7 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(Int64((value).rounded()))
        case "", "s": return .milliseconds(Int64((value * 1000).rounded()))
        case "m", "min": return .milliseconds(Int64((value * 60_000).rounded()))
        case "h": return .milliseconds(Int64((value * 3_600_000).rounded()))
        default: return nil
        }
    }
}
