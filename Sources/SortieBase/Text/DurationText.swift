/// The notation of durations in workspace files: `10s`, `500ms`, `2m`, `1h`, `7d`, and a bare number for seconds.
package enum DurationText {
    /// The hint in messages about an invalid duration.
    package static let form = "write a number and ms, s, m, h or d, as in 500ms or 10s"

    /// The nanoseconds of each unit; longer names first, because `ms` ends in `s`.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ms", 1_000_000), ("us", 1_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ]

    /// Parses a duration to the nanosecond; nil when it is invalid, negative or longer than ten years.
    package static func parse(_ text: String) -> Duration? {
        let unit = units.first { text.hasSuffix($0.name) }
        let number = text.dropLast(unit?.name.count ?? 0)
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
            let whole = Int64(parts[0]), whole <= 10 * 366 * 86_400_000
        else { return nil }
        let scale = unit?.nanoseconds ?? 1_000_000_000
        var (total, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow, total <= 10 * 366 * 86_400 * 1_000_000_000 else { return nil }
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].count <= 9 else { return nil }
            var place = scale
            for digit in parts[1].utf8 {
                place /= 10
                total += Int64(digit - 0x30) * place
            }
        }
        return .nanoseconds(total)
    }

    /// The shortest text that parses as the same duration.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = attoseconds / 1_000_000_000
        if nanoseconds == 0 { return "\(seconds)s" }
        if nanoseconds % 1_000_000 == 0 { return "\(seconds * 1000 + nanoseconds / 1_000_000)ms" }
        return "\(seconds).\(nanoseconds.padded(to: 9))s"
    }
}

extension Duration {
    /// The whole milliseconds.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
