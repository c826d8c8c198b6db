internal import SortieBase
internal import Synchronization

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
    private let generator: Mutex<SplitMix64>

    /// Creates faults of a share of the requests, from 0 to 1; the same seed gives the same sequence.
    init(_ kind: Kind, share: Double, seed: UInt64) {
        (self.kind, self.share) = (kind, share)
        generator = Mutex(SplitMix64(seed: seed))
    }

    /// The fault of the next request; nil for none.
    func next() -> Kind? {
        let bits = generator.withLock { $0.next() }
        return Double(bits >> 11) / Double(1 << 53) < share ? kind : nil
    }

    /// Parses `10%` or `0.1`; nil when it is not a share from 0 to 1.
    static func share(_ text: String) -> Double? {
        let number = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
        return number.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
