internal import Model

/// Numbers and spans of time as people read them.
enum NumberText {
    /// With one digit after the point.
    static func tenths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// `0.4 ms`, `34 ms`, `3.2 s`, `2 min 05 s`, `1 h 07 min`.
    static func seconds(_ seconds: Double) -> String { TimeSpan(seconds).text }

    /// `12.3` for a moment in the log; longer ones as `1:02:03.4`.
    static func moment(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "–" }
        let tenth = Int((max(0, seconds) * 10).rounded())
        let whole = tenth / 10
        let rest = "\(twoDigits(whole / 60 % 60)):\(twoDigits(whole % 60)).\(tenth % 10)"
        return whole >= 3600 ? "\(whole / 3600):\(rest)" : rest
    }

    /// `61 %`.
    static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "–" }
        return "\(Int((min(max(0, fraction), 1) * 100).rounded(.down))) %"
    }

    /// `1,234`.
    static func grouped(_ number: Int) -> String {
        let digits = String(abs(number))
        let grouped = digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
        return number < 0 ? "-" + grouped : grouped
    }

    /// `1 request`, `3 requests`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A limit of time as the workspace's files have it: `500ms`, `10s`, `1.5s`, `2m`.
    static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000)m" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        return "\(milliseconds)ms"
    }

    /// Reads what ``duration(_:)`` writes; nil for anything else.
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

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
