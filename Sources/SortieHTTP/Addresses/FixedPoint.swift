internal import SortieBase

/// Formats numbers with a fixed count of decimals, for display.
package enum FixedPoint {
    /// `value` rounded to `digits` decimals.
    package static func text(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(scaled) }
        return sign + "\(scaled / scale).\((scaled % scale).padded(to: digits))"
    }
}
