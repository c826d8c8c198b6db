internal import Model

/// The servers of a service in one environment, of which one is in use (S1.8), and how its last requests came out (S1.14, S1.15).
///
/// It is not kept: a new client begins with the first one.
struct ServerRing: Hashable, Sendable {
    /// How many there are.
    private(set) var count: Int
    /// Which one is in use.
    private(set) var index = 0
    /// How often the server was changed: what was asked of an earlier one says nothing about this one (S1.15).
    private(set) var generation = 0
    /// Whether each of the last requests failed, as a circle.
    private var failed: [Bool] = []
    private var oldest = 0
    /// How many of them failed.
    private(set) var failures = 0

    init(count: Int) {
        self.count = count
    }

    /// How many requests are counted.
    var completions: Int { failed.count }
    /// The one that is in use, and since how many changes.
    var turn: ServerTurn { ServerTurn(index: index, generation: generation) }

    /// Begins with the first of other servers.
    mutating func begin(count: Int) {
        self.count = count
        index = 0
        generation += 1
        forget()
    }

    /// Goes on to the next server, after the last to the first.
    mutating func advance() {
        use(index + 1)
    }

    /// Uses the server with this number, counted round the ring in both directions; what was counted before is forgotten (S1.16).
    mutating func use(_ number: Int) {
        guard count > 0 else { return }
        forget()
        let wanted = (number % count + count) % count
        guard wanted != index else { return }
        index = wanted
        generation += 1
    }

    /// Notes how a request came out that was made in a certain generation; goes on to the next server when too many of the last ones failed.
    ///
    /// - Returns: how many failed, when that was too many; the counting then begins anew, so that one outage switches once.
    mutating func note(isFailure: Bool, of generation: Int, _ rule: ServerSwitchRule) -> Int? {
        guard generation == self.generation, count > 1, rule.after > 0 else { return nil }
        if failed.count > rule.after { forget() }
        if failed.count < rule.after {
            failed.append(isFailure)
        } else {
            if failed[oldest] { failures -= 1 }
            failed[oldest] = isFailure
            oldest = (oldest + 1) % rule.after
        }
        if isFailure { failures += 1 }
        guard failed.count == rule.after, rule.isReached(failures: failures) else { return nil }
        defer { advance() }
        return failures
    }

    private mutating func forget() {
        failed.removeAll(keepingCapacity: true)
        oldest = 0
        failures = 0
    }
}
