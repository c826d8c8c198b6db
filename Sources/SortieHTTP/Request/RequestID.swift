/// The identity of one call, unique on this machine and increasing within a process.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Tells processes apart.
    public let high: UInt64
    /// Counts within a process.
    public let low: UInt64

    /// An identity of two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads what ``description`` wrote.
    public init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else { return nil }
        self.init(high: high, low: low)
    }

    /// Both halves in hexadecimal, with a hyphen between them.
    public var description: String { String(high, radix: 16) + "-" + String(low, radix: 16) }

    /// The order of the values themselves.
    public static func < (left: RequestID, right: RequestID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
