/// Formatting of byte counts.
enum ByteText {
    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// A size such as `17 B`, `1.2 kB` or `312 MB`, in decimal units.
    static func amount(_ bytes: Int64) -> String {
        let (value, unit) = scaled(Double(max(0, bytes)))
        return "\(number(value, unit)) \(units[unit])"
    }

    /// A part of a total such as `1.2/2.0 GB`, or `66 MB/2.0 GB` while the part has a smaller unit.
    static func share(_ bytes: Int64, of total: Int64) -> String {
        let unit = scaled(Double(max(0, total))).unit
        guard scaled(Double(max(0, bytes))).unit == unit || bytes <= 0 else { return "\(amount(bytes))/\(amount(total))" }
        var scale = 1.0
        for _ in 0..<unit { scale *= 1000 }
        return "\(number(Double(max(0, bytes)) / scale, unit))/\(number(Double(max(0, total)) / scale, unit)) \(units[unit])"
    }

    /// A rate such as `312 MB/s`.
    static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite else { return "– B/s" }
        return amount(Int64(min(max(0, bytesPerSecond), 1e18))) + "/s"
    }

    private static func scaled(_ value: Double) -> (value: Double, unit: Int) {
        var value = value
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return (value, unit)
    }

    private static func number(_ value: Double, _ unit: Int) -> String {
        unit == 0 || value >= 99.95 ? String(Int(value.rounded())) : NumberText.tenths(value)
    }
}
