/// The identity of one call, unique on this machine and increasing within a process.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Identifies the process.
    package let high: UInt64
    /// The counter within the process.
    package let low: UInt64

    /// Creates an identity of two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the format of ``description``.
    public init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else { return nil }
        self.init(high: high, low: low)
    }

    /// Both halves in hexadecimal, with a hyphen between them.
    public var description: String { String(high, radix: 16) + "-" + String(low, radix: 16) }

    /// Compares the high halves, then the low halves.
    public static func < (left: RequestID, right: RequestID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
