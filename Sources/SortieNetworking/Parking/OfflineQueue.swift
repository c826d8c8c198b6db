internal import SortieHTTP
internal import Synchronization

/// The requests that wait because their server cannot be reached.
///
/// Each service has a first-in, first-out queue with one request in flight. The oldest is sent when the kernel
/// reports a network change and, while this machine has a network, after increasing pauses. After a success the
/// others follow, each after a short random pause. A request in flight keeps its place until it completes and
/// leaves it before the next request of its service is sent.
public final class OfflineQueue: Sendable {
    /// The limits.
    public let rules: ParkingRules
    /// The store for parked requests; nil where none is used.
    let keeper: (any ParkedRequestArchive)?
    private let reachability: Reachability
    private let chance: @Sendable () -> Double
    private let state = Mutex<[String: ParkingLane]>([:])

    /// Creates an empty queue.
    public convenience init(_ rules: ParkingRules = ParkingRules(), keeper: (any ParkedRequestArchive)? = nil) {
        self.init(rules, keeper: keeper, reachability: .system) { .random(in: 0..<1) }
    }

    /// Creates a queue that observes `reachability` and randomises its pauses with `chance`, from 0 to 1.
    init(
        _ rules: ParkingRules, keeper: (any ParkedRequestArchive)? = nil, reachability: Reachability, chance: @escaping @Sendable () -> Double
    ) {
        self.rules = rules
        self.keeper = keeper
        self.reachability = reachability
        self.chance = chance
        _ = reachability.observe { [weak self] change in
            if change.cameOnline { self?.tryNow() }
        }
    }

    /// Whether requests wait in `lane`; a new request goes behind them.
    func isOccupied(_ lane: String) -> Bool {
        state.withLock { $0[lane]?.isEmpty == false }
    }

    /// Appends a request to its lane.
    ///
    /// - Throws: `offline` when a limit of ``rules`` is reached.
    func enter(_ id: RequestID, lane: String, bytes: Int64) throws(NetworkError) {
        let refusal: String? = state.withLock { lanes in
            let count = lanes.values.reduce(0) { $0 + $1.places.count }
            guard count < rules.mostRequests else { return "\(count) requests already wait for the network" }
            let sum = lanes.values.reduce(bytes) { $0 + $1.bytes }
            guard sum <= rules.mostBytes else {
                return "the bodies of waiting requests would have \(ByteCount(sum).text)"
            }
            lanes[lane, default: ParkingLane()].append(.init(id: id, bytes: bytes))
            return nil
        }
        if let refusal {
            throw NetworkError(
                .offline, "the request cannot wait for the network: \(refusal)", hint: "send or cancel some of the waiting requests first")
        }
    }

    /// Calls `go` at the request's turn.
    ///
    /// - Parameter failure: The error of the attempt that just failed; it lengthens the pause.
    func wait(_ id: RequestID, lane: String, after failure: NetworkError?, go: @escaping @Sendable () -> Void) {
        state.withLock { lanes in
            guard lanes[lane]?.index(of: id) != nil else { return }
            lanes[lane]?.wait(id, go: go)
            if lanes[lane]?.head == id, let failure {
                lanes[lane]?.failures += 1
                // A refused connection proves a route to the server, even where this machine has no network besides
                // the loopback.
                lanes[lane]?.needsNetwork = failure.code == .offline || failure.code == .hostNotFound
            }
            if let pause = probePause(lanes[lane]) { schedule(lane, after: pause, in: &lanes) }
        }
    }

    /// Removes a request that received a response, expired or was cancelled.
    func leave(_ id: RequestID, lane: String) {
        state.withLock { lanes in
            guard lanes[lane]?.remove(id) == true else { return }
            lanes[lane]?.failures = 0
            if lanes[lane]?.isEmpty == true { lanes[lane] = nil } else { schedule(lane, after: rules.drainPause * chance(), in: &lanes) }
        }
    }

    /// Whether a later attempt may succeed: nothing was sent, and the route to the server failed.
    func isWorthWaiting(_ error: NetworkError) -> Bool {
        error.code == .offline || error.blamesAddress || error.code == .hostNotFound && reachability.status == .offline
    }

    /// The state of a request as text.
    func situation(of id: RequestID, lane: String) -> String {
        let (index, isOffline) = state.withLock { ($0[lane]?.index(of: id) ?? 0, $0[lane].map(needsNetwork) ?? false) }
        let before = index == 0 ? "" : ", queue position \(index + 1)"
        return isOffline
            ? "waits until this machine has a network\(before)" : "waits until the server can be reached\(before)"
    }

    /// Sends the oldest request of every lane soon: at the user's command, or when the network is back.
    public func tryNow() {
        state.withLock { lanes in
            for lane in lanes.keys {
                lanes[lane]?.failures = 0
                schedule(lane, after: rules.drainPause * chance(), in: &lanes)
            }
        }
    }

    /// Sends the oldest request of one lane soon.
    func tryNow(_ lane: String) {
        state.withLock { lanes in
            guard let waiting = lanes[lane], !needsNetwork(waiting) else { return }
            lanes[lane]?.failures = 0
            schedule(lane, after: rules.drainPause * chance(), in: &lanes)
        }
    }

    /// Whether an attempt is pointless before the kernel reports a change.
    private func needsNetwork(_ lane: ParkingLane) -> Bool { lane.needsNetwork && reachability.status == .offline }

    /// The pause before the next attempt without a network change; nil while this machine is offline, or when an
    /// attempt is scheduled already.
    private func probePause(_ lane: ParkingLane?) -> Duration? {
        guard let lane, lane.alarm == nil, !needsNetwork(lane) else { return nil }
        return lane.failures == 0 ? rules.drainPause * chance() : rules.probePause(failures: lane.failures, chance: chance())
    }

    private func schedule(_ lane: String, after pause: Duration, in lanes: inout [String: ParkingLane]) {
        let alarm = TimerQueue.ID()
        let earlier = lanes[lane]?.alarm
        lanes[lane]?.alarm = alarm
        let time = MonotonicClock.now &+ pause.nanoseconds
        Engine.post {
            if let earlier { TimerQueue.shared.cancel(earlier) }
            TimerQueue.shared.set(alarm, at: time) { [weak self] in self?.ring(lane, alarm) }
        }
    }

    private func ring(_ lane: String, _ alarm: TimerQueue.ID) {
        let go = state.withLock { lanes -> (@Sendable () -> Void)? in
            guard lanes[lane]?.alarm == alarm else { return nil }
            lanes[lane]?.alarm = nil
            return lanes[lane]?.takeTurn()
        }
        // Outside the lock, because the callback is foreign code.
        go?()
    }
}
