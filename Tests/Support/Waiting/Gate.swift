/// A point at which a scripted server stops until the test lets it go on.
///
/// The test waits for the server to arrive, does what has to happen at exactly that moment, and opens the gate.
public final class Gate: Sendable {
    struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }

    let state = Watched(State())

    /// A closed gate.
    public init() {}

    /// Lets everybody through, those who wait now and those who arrive later.
    public func open() { state.change { $0.isOpen = true } }

    /// How many connections have arrived here so far.
    public var arrivals: Int { state.current.arrivals }

    /// Waits until `count` connections have arrived here.
    public func waitUntilReached(_ count: Int = 1, within limit: Duration = .seconds(10)) async throws {
        try await state.wait("\(count) connections to reach the gate", within: limit) { $0.arrivals >= count ? () : nil }
    }

    /// Blocks the calling thread until the gate is open or `isGivenUp` says so; `nudge` makes it ask again.
    func pass(unless isGivenUp: () -> Bool) {
        state.change { $0.arrivals += 1 }
        state.block { $0.isOpen || isGivenUp() }
    }
}
