package import SortieHTTP

/// A rebuilt request of the history, with its differences from the original.
package struct ReplayPlan: Hashable, Sendable {
    /// The request to send; plugins and the cookie jar add to it as usual.
    package var request: Request
    /// The parts that are generated or fetched again, because they were not stored or are valid only once: `signature`, `Authorization`.
    package var fresh: [String] = []
    /// The differences that do not prevent sending, such as a file that has changed.
    package var changed: [String] = []
    /// The parts that are not available, with the reason; the request must not be sent while there are any.
    package var missing: [String] = []

    /// Creates a plan without differences.
    package init(_ request: Request) {
        self.request = request
    }

    /// Why the request cannot be sent, as a sentence; nil when it can.
    package var refusal: String? {
        guard !missing.isEmpty else { return nil }
        return "it cannot be replayed: \(missing.joined(separator: "; "))"
    }
}
