internal import SortieHTTP

/// The servers of a service in one environment, of which one is in use, with the results of its last requests.
///
/// It is not stored: a new client starts with the first server.
struct ServerRing: Hashable, Sendable {
    /// The number of servers.
    private(set) var count: Int
    /// The index of the server in use.
    private(set) var index = 0
    /// The number of changes; results of requests of an earlier generation are not counted.
    private(set) var generation = 0
    /// Whether each of the last requests failed, as a ring buffer.
    private var failed: [Bool] = []
    private var oldest = 0
    /// The number of failures among them.
    private(set) var failures = 0

    init(count: Int) {
        self.count = count
    }

    /// The number of counted requests.
    var completions: Int { failed.count }
    /// The server in use and its generation.
    var turn: ServerTurn { ServerTurn(index: index, generation: generation) }

    /// Starts with the first of other servers.
    mutating func begin(count: Int) {
        self.count = count
        index = 0
        generation += 1
        forget()
    }

    /// Switches to the next server; the first one follows the last.
    mutating func advance() {
        use(index + 1)
    }

    /// Switches to the server with this number, modulo the number of servers, and resets the counted results.
    mutating func use(_ number: Int) {
        guard count > 0 else { return }
        forget()
        let wanted = (number % count + count) % count
        guard wanted != index else { return }
        index = wanted
        generation += 1
    }

    /// Counts the result of a request of a generation; switches to the next server when too many of the last ones failed.
    ///
    /// - Returns: The number of failures, when it causes a switch; the counts are then reset, so that one outage causes one switch.
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
