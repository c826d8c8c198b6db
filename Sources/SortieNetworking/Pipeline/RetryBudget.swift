internal import Synchronization

/// Limits the retries of a service, so that they do not overload a failing server.
///
/// It starts with twenty; every call that may be retried adds a fifth, and each retry takes one.
final class RetryBudget: Sendable {
    private static let most = 20.0
    private let tokens = Mutex(RetryBudget.most)

    /// Adds the share of a call.
    func deposit() {
        tokens.withLock { $0 = min(Self.most, $0 + 0.2) }
    }

    /// Takes one retry; false where none is left.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }
}
