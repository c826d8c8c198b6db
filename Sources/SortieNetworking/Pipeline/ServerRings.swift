internal import SortieHTTP
internal import Synchronization

/// The server rings of a client.
final class ServerRings: Sendable {
    /// Identifies a ring.
    struct RingKey: Hashable {
        var service: String
        var environment: String?
    }

    private let monitor: Monitor
    private let rings = Mutex<[RingKey: ServerRing]>([:])

    init(monitor: Monitor) {
        self.monitor = monitor
    }

    /// The server of a ring that is in use; a ring whose number of servers has changed starts again with the first one.
    func turn(of key: RingKey, count: Int) -> ServerTurn {
        change(key, count: count) { $0.turn }
    }

    /// The number of servers of a ring that requests have used; nil for an unknown ring.
    func count(of key: RingKey) -> Int? {
        rings.withLock { $0[key]?.count }
    }

    /// Changes a ring.
    func change<Value: Sendable>(_ key: RingKey, count: Int, _ change: (inout ServerRing) -> Value) -> Value {
        let (value, before, after) = rings.withLock { rings in
            let before = rings[key]?.index ?? 0
            var ring = rings[key] ?? ServerRing(count: count)
            if ring.count != count { ring.begin(count: count) }
            let value = change(&ring)
            rings[key] = ring
            return (value, before, ring.index)
        }
        if before != after { report(key, index: after) }
        return value
    }

    /// Counts a result for the server in use.
    ///
    /// A request that started when the ring had another number of servers is not counted.
    ///
    /// - Returns: The number of failures, when the ring changed to the next server because of them.
    func note(isFailure: Bool, of generation: Int, in key: RingKey, count: Int, _ rule: ServerSwitchRule) -> Int? {
        let (failures, index) = rings.withLock { rings -> (Int?, Int) in
            guard rings[key]?.count == count else { return (nil, 0) }
            return (rings[key]?.note(isFailure: isFailure, of: generation, rule), rings[key]?.index ?? 0)
        }
        if failures != nil { report(key, index: index) }
        return failures
    }

    private func report(_ key: RingKey, index: Int) {
        monitor.note(RingReport(service: key.service, environment: key.environment, index: index))
    }
}
