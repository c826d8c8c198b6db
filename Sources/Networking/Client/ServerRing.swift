/// The servers of a service in one environment, of which one is in use (S1.8).
///
/// It is not kept: a new client begins with the first one.
struct ServerRing: Hashable, Sendable {
    /// How many there are.
    private(set) var count: Int
    /// Which one is in use.
    private(set) var index = 0
    /// How often the server was changed: what was asked of an earlier one says nothing about this one (S1.15).
    private(set) var generation = 0

    init(count: Int) {
        self.count = count
    }

    /// Begins with the first of other servers.
    mutating func begin(count: Int) {
        self.count = count
        index = 0
        generation += 1
    }

    /// Goes on to the next server, after the last to the first.
    mutating func advance() {
        use(index + 1)
    }

    /// Uses the server with this number, counted round the ring in both directions.
    mutating func use(_ number: Int) {
        guard count > 0 else { return }
        let wanted = (number % count + count) % count
        guard wanted != index else { return }
        index = wanted
        generation += 1
    }
}
