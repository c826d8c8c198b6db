/// A point at which a scripted server waits until the test opens it.
///
/// The test waits for the server to arrive, acts at exactly that moment, and opens the gate.
public final class Gate: Sendable {
    struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }

    let state = Watched(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate for current and later arrivals.
    public func open() { state.change { $0.isOpen = true } }

    /// The number of connections that have arrived.
    public var arrivals: Int { state.current.arrivals }

    /// Waits until `count` connections have arrived.
    public func waitUntilReached(_ count: Int = 1, within limit: Duration = .seconds(300)) async throws {
        try await state.wait("\(count) connections to reach the gate", within: limit) { $0.arrivals >= count ? () : nil }
    }

    /// Blocks the calling thread until the gate is open or `isGivenUp` returns true; `nudge` evaluates it again.
    func pass(unless isGivenUp: () -> Bool) {
        state.change { $0.arrivals += 1 }
        state.block { $0.isOpen || isGivenUp() }
    }
}
