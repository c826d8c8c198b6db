/// A request of the history, ready to be sent once more as it was, and what about it is not as it was.
public struct ReplayPlan: Hashable, Sendable {
    /// What is sent; what plugins and the cookie jar add comes to it on the way, as always.
    public var request: Request
    /// What is made or fetched anew, because it was never kept or is good only once: `signature`, `Authorization`.
    public var fresh: [String] = []
    /// What is not what it was, and is sent all the same: a file that changed since.
    public var changed: [String] = []
    /// What cannot be had, with the reason; nothing may be sent while there is something.
    public var missing: [String] = []

    /// A request that is sent as it is.
    public init(_ request: Request) {
        self.request = request
    }

    /// Why it cannot be sent, in a sentence; nil when it can.
    public var refusal: String? {
        guard !missing.isEmpty else { return nil }
        return "it cannot be sent as it was: \(missing.joined(separator: "; "))"
    }
}
