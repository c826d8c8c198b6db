/// A number of bytes in a form for display, in powers of 1000.
package struct ByteCount: Hashable, Sendable {
    /// The number of bytes.
    package let bytes: Int64

    /// Creates a number of bytes.
    package init(_ bytes: some BinaryInteger) {
        self.bytes = Int64(clamping: bytes)
    }

    /// The number as text: `0 B`, `999 B`, `1.2 kB`, `34 MB`; two digits where the first is small.
    package var text: String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5, unit < Self.units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(Self.digits(value)) \(Self.units[unit])"
    }

    /// Parses `10`, `5kB`, `1.5 GB`, `64K`, `2MiB`; nil for other text.
    ///
    /// A single letter means a power of 1024, as in curl.
    package init?(parsing text: String) {
        let text = text.lowercased().filter { $0 != " " }
        let number = text.prefix { $0.isNumber || $0 == "." }
        guard let value = Double(number), value >= 0, let factor = Self.factors[String(text.dropFirst(number.count))] else {
            return nil
        }
        let product = value * factor
        guard product < Double(Int64.max) else { return nil }
        bytes = Int64(product)
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    private static let factors: [String: Double] = [
        "": 1, "b": 1, "k": 1024, "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776, "kb": 1e3, "mb": 1e6, "gb": 1e9,
        "tb": 1e12, "pb": 1e15, "eb": 1e18,
        "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
    ]

    private static func digits(_ value: Double) -> String {
        guard value < 9.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// A number of things in a form for display.
package enum ItemCount {
    /// A number with its noun, whose plural ends in s: `1 request`, `3 requests`.
    package static func text(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
