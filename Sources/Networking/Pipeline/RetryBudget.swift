internal import Synchronization

/// How many requests of a service may be repeated: repetitions must not bury a server that is in trouble.
///
/// It begins with twenty; every call that may be repeated adds a fifth of one, and each repetition takes one.
final class RetryBudget: Sendable {
    private static let most = 20.0
    private let tokens = Mutex(RetryBudget.most)

    /// A call begins.
    func deposit() {
        tokens.withLock { $0 = min(Self.most, $0 + 0.2) }
    }

    /// A call is repeated; false when that would be too much.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }
}
