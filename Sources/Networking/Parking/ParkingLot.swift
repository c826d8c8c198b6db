internal import Model
internal import Synchronization

/// Where requests wait that could not reach their server, until they can (S3.16, X7).
///
/// First in, first out for each service, and one at a time: the oldest is tried when the kernel tells of a change of the network, and, while this
/// machine has one, after pauses that grow. When it got through, the others follow, each after a short random pause. Nothing is ever in two places:
/// a request that is out keeps its place until it is answered, and gives it up before anything else of its service goes out.
public final class ParkingLot: Sendable {
    /// What is allowed.
    public let rules: ParkingRules
    /// Who keeps what waits over the end of the program; nil where nobody does.
    let keeper: (any ParkingKeeper)?
    private let reachability: Reachability
    private let chance: @Sendable () -> Double
    private let state = Mutex<[String: ParkingLane]>([:])

    /// An empty lot.
    public convenience init(_ rules: ParkingRules = ParkingRules(), keeper: (any ParkingKeeper)? = nil) {
        self.init(rules, keeper: keeper, reachability: .system) { .random(in: 0..<1) }
    }

    /// A lot that hears of the network from `reachability` and draws its pauses with `chance`, from 0 to 1.
    init(
        _ rules: ParkingRules, keeper: (any ParkingKeeper)? = nil, reachability: Reachability, chance: @escaping @Sendable () -> Double
    ) {
        self.rules = rules
        self.keeper = keeper
        self.reachability = reachability
        self.chance = chance
        _ = reachability.observe { [weak self] change in
            if change.cameOnline { self?.tryNow() }
        }
    }

    /// Whether requests of `lane` wait; a new one goes behind them.
    func isOccupied(_ lane: String) -> Bool {
        state.withLock { $0[lane]?.isEmpty == false }
    }

    /// Gives a request its place at the end of its lane.
    ///
    /// - Throws: `offline` when the lot is full.
    func enter(_ id: RequestID, lane: String, bytes: Int64) throws(NetworkError) {
        let refusal: String? = state.withLock { lanes in
            let count = lanes.values.reduce(0) { $0 + $1.places.count }
            guard count < rules.mostRequests else { return "\(count) requests wait for the network already" }
            let sum = lanes.values.reduce(bytes) { $0 + $1.bytes }
            guard sum <= rules.mostBytes else {
                return "with it the requests that wait for the network would have bodies of \(ByteCount(sum).text)"
            }
            lanes[lane, default: ParkingLane()].append(.init(id: id, bytes: bytes))
            return nil
        }
        if let refusal {
            throw NetworkError(.offline, "the request was not kept: \(refusal)", hint: "send or cancel some of them first")
        }
    }

    /// Calls `go` when it is the request's turn.
    ///
    /// - Parameter failure: why it came back, where it was out; it then waits longer than before.
    func wait(_ id: RequestID, lane: String, after failure: NetworkError?, go: @escaping @Sendable () -> Void) {
        state.withLock { lanes in
            guard lanes[lane]?.index(of: id) != nil else { return }
            lanes[lane]?.wait(id, go: go)
            if lanes[lane]?.head == id, let failure {
                lanes[lane]?.failures += 1
                // Whoever was refused has a way to the server, even where this machine has no network but itself.
                lanes[lane]?.needsNetwork = failure.code == .offline || failure.code == .hostNotFound
            }
            if let pause = probePause(lanes[lane]) { schedule(lane, after: pause, in: &lanes) }
        }
    }

    /// Takes a request out: it was answered, given up, or cancelled.
    func leave(_ id: RequestID, lane: String) {
        state.withLock { lanes in
            guard lanes[lane]?.remove(id) == true else { return }
            lanes[lane]?.failures = 0
            if lanes[lane]?.isEmpty == true { lanes[lane] = nil } else { schedule(lane, after: rules.drainPause * chance(), in: &lanes) }
        }
    }

    /// Whether another moment may make good what failed: nothing was sent, and the way to the server is to blame.
    func isWorthWaiting(_ error: NetworkError) -> Bool {
        error.code == .offline || error.blamesAddress || error.code == .hostNotFound && reachability.status == .offline
    }

    /// How things stand for a request, in words.
    func situation(of id: RequestID, lane: String) -> String {
        let (index, isOffline) = state.withLock { ($0[lane]?.index(of: id) ?? 0, $0[lane].map(needsNetwork) ?? false) }
        let before = index == 0 ? "" : ", behind \(index) of its service"
        return isOffline
            ? "waits until this machine has a network\(before)" : "waits until the server can be reached\(before)"
    }

    /// Tries the oldest request of every lane now: a person asked for it, or this machine has a network again.
    public func tryNow() {
        state.withLock { lanes in
            for lane in lanes.keys {
                lanes[lane]?.failures = 0
                schedule(lane, after: rules.drainPause * chance(), in: &lanes)
            }
        }
    }

    /// Tries the oldest request of one lane now.
    func tryNow(_ lane: String) {
        state.withLock { lanes in
            guard let waiting = lanes[lane], !needsNetwork(waiting) else { return }
            lanes[lane]?.failures = 0
            schedule(lane, after: rules.drainPause * chance(), in: &lanes)
        }
    }

    /// Whether trying is of no use before the kernel tells of a change.
    private func needsNetwork(_ lane: ParkingLane) -> Bool { lane.needsNetwork && reachability.status == .offline }

    /// How long until the oldest one is tried without a word from the kernel; nil while only the kernel can tell, or a try is planned already.
    private func probePause(_ lane: ParkingLane?) -> Duration? {
        guard let lane, lane.alarm == nil, !needsNetwork(lane) else { return nil }
        return lane.failures == 0 ? rules.drainPause * chance() : rules.probePause(failures: lane.failures, chance: chance())
    }

    private func schedule(_ lane: String, after pause: Duration, in lanes: inout [String: ParkingLane]) {
        let alarm = Alarms.ID()
        let earlier = lanes[lane]?.alarm
        lanes[lane]?.alarm = alarm
        let time = MonotonicClock.now &+ pause.nanoseconds
        Engine.post {
            if let earlier { Alarms.shared.cancel(earlier) }
            Alarms.shared.set(alarm, at: time) { [weak self] in self?.ring(lane, alarm) }
        }
    }

    private func ring(_ lane: String, _ alarm: Alarms.ID) {
        let go = state.withLock { lanes -> (@Sendable () -> Void)? in
            guard lanes[lane]?.alarm == alarm else { return nil }
            lanes[lane]?.alarm = nil
            return lanes[lane]?.takeTurn()
        }
        // Outside the lock, because it runs somebody else's code.
        go?()
    }
}
