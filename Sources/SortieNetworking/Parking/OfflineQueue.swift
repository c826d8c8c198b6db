internal import DequeModule
package import SortieHTTP
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
    public convenience init(_ rules: ParkingRules = ParkingRules()) {
        self.init(rules, keeper: nil)
    }

    /// Creates an empty queue whose requests are also stored in `keeper`.
    package convenience init(_ rules: ParkingRules = ParkingRules(), keeper: (any ParkedRequestArchive)?) {
        self.init(rules, keeper: keeper, reachability: .system) { .random(in: 0..<1) }
    }

    /// Creates a queue that observes `reachability` and randomises its pauses with `chance`, from 0 to 1.
    init(
        _ rules: ParkingRules, keeper: (any ParkedRequestArchive)? = nil, reachability: Reachability, chance: @escaping @Sendable () -> Double
    ) {
        (self.rules, self.keeper, self.reachability, self.chance) = (rules, keeper, reachability, chance)
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

/// Stores parked requests so that they survive the end of the program.
///
/// Each change must be durable when the method returns. Then no request is lost and none is sent twice, even if the
/// program is killed.
package protocol ParkedRequestArchive: Sendable {
    /// Records that a request waits, for the first time or again.
    func keep(_ id: RequestID, _ notice: ParkingNotice) async throws

    /// Records that a waiting request is about to be sent.
    func willSend(_ id: RequestID) async throws

    /// Removes a request that no longer waits because it received a response, expired or was cancelled.
    func forget(_ id: RequestID) async throws
}

/// The parked requests of one service, oldest first.
///
/// Only the oldest is ever in flight.
struct ParkingLane {
    struct Place {
        let id: RequestID
        let bytes: Int64
        /// Called at the request's turn; nil while it is in flight and before it waits.
        var go: (@Sendable () -> Void)?
    }

    private(set) var places: Deque<Place> = []
    /// The number of consecutive failures of the oldest request.
    var failures = 0
    /// Whether the oldest request failed because this machine has no route to its server.
    var needsNetwork = false
    /// The timer of the next attempt of the oldest request.
    var alarm: TimerQueue.ID?

    var isEmpty: Bool { places.isEmpty }
    var bytes: Int64 { places.reduce(0) { $0 + $1.bytes } }
    var head: RequestID? { places.first?.id }

    /// The position of `id`, from 0.
    func index(of id: RequestID) -> Int? {
        places.firstIndex { $0.id == id }
    }

    /// Appends a request.
    mutating func append(_ place: Place) {
        places.append(place)
    }

    /// Sets the callback of a request that waits for its turn.
    mutating func wait(_ id: RequestID, go: @escaping @Sendable () -> Void) {
        if let index = index(of: id) { places[index].go = go }
    }

    /// Takes the callback of the oldest request; nil if it does not wait.
    mutating func takeTurn() -> (@Sendable () -> Void)? {
        guard !places.isEmpty else { return nil }
        defer { places[0].go = nil }
        return places[0].go
    }

    /// Removes a request; returns whether it was the oldest.
    mutating func remove(_ id: RequestID) -> Bool {
        guard let index = index(of: id) else { return false }
        places.remove(at: index)
        return index == 0
    }
}

/// The limits of requests that wait for the network.
public struct ParkingRules: Hashable, Sendable {
    /// The time after which a waiting request fails.
    public var lifetime: Duration
    /// The largest number of waiting requests.
    public var mostRequests: Int
    /// The largest total size of the bodies of waiting requests, in bytes.
    public var mostBytes: Int64
    /// The longest random pause before each request that is sent again, so that a recovered server is not overloaded.
    public var drainPause: Duration
    /// The first pause before the oldest request of a service is retried while this machine has a network.
    ///
    /// It doubles with every failure.
    public var firstProbe: Duration
    /// The longest such pause.
    public var longestProbe: Duration

    /// Creates rules.
    ///
    /// The defaults are a day, 1,000 requests and 16 MiB.
    public init(
        lifetime: Duration = .seconds(86_400), mostRequests: Int = 1000, mostBytes: Int64 = 16 << 20,
        drainPause: Duration = .milliseconds(250), firstProbe: Duration = .seconds(2), longestProbe: Duration = .seconds(60)
    ) {
        (self.lifetime, self.mostRequests, self.mostBytes, self.drainPause) = (lifetime, mostRequests, mostBytes, drainPause)
        (self.firstProbe, self.longestProbe) = (firstProbe, longestProbe)
    }

    /// The pause before the next attempt after `failures` consecutive failures.
    ///
    /// `chance` from 0 to 1 shortens it by up to half.
    func probePause(failures: Int, chance: Double) -> Duration {
        let doubled = firstProbe * (1 << min(max(0, failures - 1), 20))
        return min(doubled, longestProbe) * (1 - chance / 2)
    }
}
