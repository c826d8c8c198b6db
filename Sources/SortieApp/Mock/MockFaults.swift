internal import Foundation
internal import SortieBase
internal import Synchronization

/// The time before a response of `sortie mock`.
enum MockDelay: Hashable {
    case constant(Duration)
    /// A log-normal distribution, which latencies of servers often have, by two of its percentiles.
    case distribution(p50: Duration, p99: Duration)

    static let form = "\(DurationText.form), or two percentiles of a distribution: p50=20ms,p99=2s"

    /// Parses `200ms` or `p50=20ms,p99=2s`; nil for another text.
    init?(_ text: String) {
        func time(_ name: String, _ text: Substring) -> Duration? {
            text.hasPrefix(name) ? DurationText.parse(String(text.dropFirst(name.count))) : nil
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if let time = DurationText.parse(text) {
            self = .constant(time)
        } else if parts.count == 2, let p50 = time("p50=", parts[0]), let p99 = time("p99=", parts[1]), .zero < p50, p50 <= p99 {
            self = .distribution(p50: p50, p99: p99)
        } else {
            return nil
        }
    }

    /// The time before the next response, at most ten times the 99th percentile.
    func next(_ generator: inout SplitMix64) -> Duration {
        switch self {
        case .constant(let time): return time
        case .distribution(let p50, let p99):
            func uniform() -> Double { Double(generator.next() >> 11 | 1) / Double(1 << 53) }
            // A normal variable (Box and Muller), whose 99th percentile is 2.3263.
            let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
            return p50 * min(pow(p99 / p50, normal / 2.3263), p99 / p50 * 10)
        }
    }
}

/// The faults of `sortie mock`: which requests fail, and how.
final class MockFaults: Sendable {
    /// How a request fails.
    enum Kind: Hashable {
        case status(Int)
        /// The connection is closed without a response.
        case reset
        /// The response is correct, after ten times the delay and at least 5 s.
        case slow

        /// Parses `status:N`, `reset` or `slow`.
        init?(_ text: String) {
            switch text {
            case "reset": self = .reset
            case "slow": self = .slow
            default:
                guard text.hasPrefix("status:"), let status = Int(text.dropFirst(7)), (200...599).contains(status) else { return nil }
                self = .status(status)
            }
        }
    }

    private let kind: Kind
    private let share: Double
    private let delay: MockDelay
    private let generator: Mutex<SplitMix64>
    private let delays: Mutex<SplitMix64>

    /// Creates faults of a share of the requests, from 0 to 1; the same seed gives the same sequence.
    init(_ kind: Kind, share: Double, delay: MockDelay = .constant(.zero), seed: UInt64) {
        (self.kind, self.share, self.delay) = (kind, share, delay)
        generator = Mutex(SplitMix64(seed: seed))
        delays = Mutex(SplitMix64(seed: seed))
    }

    /// The time before the next response.
    func nextDelay() -> Duration { delays.withLock { delay.next(&$0) } }

    /// The fault of the next request; nil for none.
    func next() -> Kind? {
        let bits = generator.withLock { $0.next() }
        return Double(bits >> 11) / Double(1 << 53) < share ? kind : nil
    }

    /// Parses `10%` or `0.1`; nil when it is not a share from 0 to 1.
    static func share(_ text: String) -> Double? {
        let (digits, scale) = text.hasSuffix("%") ? (text.dropLast(), 100.0) : (text[...], 1.0)
        // Double also reads hexadecimal numbers.
        guard digits.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }), let number = Double(digits) else { return nil }
        return (0...1).contains(number / scale) ? number / scale : nil
    }
}
