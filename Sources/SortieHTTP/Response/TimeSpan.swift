/// A duration in a form for display.
package struct TimeSpan: Hashable, Sendable {
    /// The duration in seconds.
    package let seconds: Double

    /// Creates a duration of `seconds`.
    package init(_ seconds: Double) {
        self.seconds = seconds
    }

    /// The duration as text: `0.4 ms`, `34 ms`, `3.2 s`, `2 min 05 s`, `1 h 07 min`.
    package var text: String {
        guard seconds.isFinite, seconds < 1e9 else { return "–" }
        let seconds = max(0, seconds)
        if seconds < 0.00995 { return Self.tenths(seconds * 1000) + " ms" }
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 59.95 { return Self.tenths(seconds) + " s" }
        let whole = Int(seconds.rounded())
        if whole < 3600 { return "\(whole / 60) min \(Self.twoDigits(whole % 60)) s" }
        return "\(whole / 3600) h \(Self.twoDigits(whole / 60 % 60)) min"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
