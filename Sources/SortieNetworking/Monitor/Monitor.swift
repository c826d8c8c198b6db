internal import DequeModule
internal import FoundationEssentials
internal import Histogram
public import SortieHTTP
internal import Synchronization

/// Counts the attempts of a client by service, server and address, and records where its requests moved and why.
///
/// Memory is bounded: the places that were used least recently and the oldest events are removed.
public final class Monitor: Sendable {
    /// The destination of an attempt.
    fileprivate struct Place: Hashable {
        var service: String?
        var scheme: HTTPURL.Scheme
        var host: String
        var port: UInt16
        var address: String?
    }

    fileprivate struct State {
        var tallies: [Place: Tally] = [:]
        var recent: [String?: RecentCounts] = [:]
        var timeline = Deque<MonitorEvent>()
        var rings: [RingReport] = []
        /// The number of places added so far, for their order.
        var places = 0
        /// The place of the last attempt and where its counts are, because most attempts have the place of the one before.
        var latest: (place: Place, tally: Dictionary<Place, Tally>.Index, recent: Dictionary<String?, RecentCounts>.Index)?
        /// Whether anything changed since the last snapshot.
        var hasNews = false
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
        var observation: Reachability.Observation?
        var wasOnline = true
    }

    /// The largest number of places; the least recently used one is removed first.
    static let mostPlaces = 500
    /// The largest number of events; the oldest one is removed first.
    static let mostEvents = 500

    private let scores: AddressScores
    private let reachability: @Sendable () -> Reachability
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(
        scores: AddressScores, reachability: @escaping @Sendable () -> Reachability = { .system },
        now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        (self.scores, self.reachability, self.now) = (scores, reachability, now)
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { reachability().end(observation) }
    }

    // MARK: Counting

    /// Counts an attempt that has ended.
    func note(_ attempt: Attempt, of service: String?) {
        let place = Place(
            service: service, scheme: attempt.url.scheme, host: attempt.url.host, port: attempt.url.port, address: attempt.address)
        let now = now()
        update { state in
            guard let (tally, recent) = state.counts(of: place) else { return }
            state.tallies.values[tally].note(attempt, at: now)
            state.recent.values[recent].note(at: now)
        }
    }

    /// Records a change of the route of requests.
    func note(_ kind: MonitorEvent.Kind, _ text: String) {
        let event = MonitorEvent(time: Date(), kind: kind, text: text)
        update { state in
            if state.timeline.count >= Self.mostEvents { state.timeline.removeFirst() }
            state.timeline.append(event)
        }
    }

    /// Records the server of a ring that is in use from now on.
    func note(_ ring: RingReport) {
        update { state in
            state.rings.removeAll { $0.service == ring.service && $0.environment == ring.environment }
            state.rings.append(ring)
        }
    }

    /// Changes the state and notifies the listeners at most once until the next snapshot.
    private func update(_ change: (inout State) -> Void) {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            change(&state)
            guard !state.hasNews else { return [] }
            state.hasNews = true
            return state.listeners.isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    // MARK: Reading

    /// A stream with an element when anything changed since the last ``snapshot()``.
    ///
    /// Many changes give one element, so the reader determines the rate.
    public func changes() -> AsyncStream<Void> {
        watchNetwork()
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, hasNews) = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return (state.lastListener, state.hasNews)
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        if hasNews { continuation.yield() }
        return stream
    }

    /// The counts up to now.
    ///
    /// Resets the notification of ``changes()``.
    public func snapshot() -> MonitorReport {
        watchNetwork()
        let now = now()
        let (tallies, recent, timeline, rings) = state.withLock { state in
            state.hasNews = false
            return (state.tallies, state.recent, Array(state.timeline), state.rings)
        }
        var services: [String?: [Place: Tally]] = [:]
        for (place, tally) in tallies { services[place.service, default: [:]][place] = tally }
        let reports = services.map { name, places in
            ServiceReport(
                name: name, traffic: Tally.sum(places.values).report, recent: recent[name]?.lastMinute(at: now) ?? [], servers: servers(places))
        }
        let reachability = reachability()
        return MonitorReport(
            services: reports.sorted { left, right in
                guard let name = left.name else { return false }
                return right.name.map { name < $0 } ?? true
            }, timeline: timeline, isOnline: reachability.status == .online, networks: reachability.kinds, rings: rings)
    }

    private func servers(_ places: [Place: Tally]) -> [ServerReport] {
        var servers: [Place: [(Place, Tally)]] = [:]
        for (place, tally) in places {
            var server = place
            server.address = nil
            servers[server, default: []].append((place, tally))
        }
        let ordered = servers.map { server, places in (server, places.sorted { $0.1.number < $1.1.number }) }
            .sorted { ($0.1.first?.1.number ?? 0) < ($1.1.first?.1.number ?? 0) }
        return ordered.map { server, places in
            let host = scores[AddressScores.Host(name: server.host, port: server.port)]
            return ServerReport(
                origin: server.origin, traffic: Tally.sum(places.map(\.1)).report, addresses: places.map { report($0.0, $0.1, host) })
        }
    }

    private func report(_ place: Place, _ tally: Tally, _ host: HostScores?) -> AddressReport {
        var report = AddressReport(address: place.address, traffic: tally.report)
        guard let host, let address = place.address.flatMap({ IPAddress($0) }) else { return report }
        report.standing = host.score(of: address).standing
        report.isInUse = host.current == address
        report.reason = host.reason(of: address)
        return report
    }

    /// Observes network changes from the first use on, because a client without readers does not need them.
    private func watchNetwork() {
        let reachability = reachability()
        guard state.withLock({ $0.observation }) == nil else { return }
        let observation = reachability.observe { [weak self] change in self?.networkChanged(isOnline: change.status == .online) }
        let superfluous = state.withLock { state in
            guard state.observation == nil else { return true }
            state.observation = observation
            state.wasOnline = reachability.status == .online
            return false
        }
        if superfluous { reachability.end(observation) }
    }

    private func networkChanged(isOnline: Bool) {
        let hasChanged = state.withLock { state in
            defer { state.wasOnline = isOnline }
            return state.wasOnline != isOnline
        }
        if hasChanged { note(.network, isOnline ? "this machine has a network" : "this machine has no network except loopback") }
    }
}

extension Monitor.State {
    /// Where the counts of a place are; they are added for a new one.
    fileprivate mutating func counts(
        of place: Monitor.Place
    ) -> (Dictionary<Monitor.Place, Tally>.Index, Dictionary<String?, RecentCounts>.Index)? {
        if let latest, latest.place == place { return (latest.tally, latest.recent) }
        if tallies[place] == nil { add(place) }
        if recent[place.service] == nil { recent[place.service] = RecentCounts() }
        guard let tally = tallies.index(forKey: place), let own = recent.index(forKey: place.service) else { return nil }
        latest = (place, tally, own)
        return (tally, own)
    }

    /// Adds a place under the next number; removes the least recently used one when the limit is reached.
    fileprivate mutating func add(_ place: Monitor.Place) {
        if tallies.count >= Monitor.mostPlaces, let oldest = tallies.min(by: { $0.value.last < $1.value.last }) {
            tallies[oldest.key] = nil
            if !tallies.keys.contains(where: { $0.service == oldest.key.service }) { recent[oldest.key.service] = nil }
        }
        places += 1
        tallies[place] = Tally(number: places)
    }
}

extension Monitor.Place {
    fileprivate var origin: String { port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)" }
}

/// The number of attempts in each of the last sixty seconds.
struct RecentCounts {
    private static let length: UInt64 = 60

    private var counts = [UInt32](repeating: 0, count: Int(RecentCounts.length))
    /// The second of the last update.
    private var last: UInt64 = 0

    /// Counts one attempt at `now` (monotonic nanoseconds).
    mutating func note(at now: UInt64) {
        let second = now / 1_000_000_000
        forget(until: second)
        counts[Int(second % Self.length)] &+= 1
    }

    /// The counts in order; the last one is that of the current second.
    func lastMinute(at now: UInt64) -> [Int] {
        var copy = self
        let second = now / 1_000_000_000
        copy.forget(until: second)
        return (1...Self.length).map { Int(copy.counts[Int((second + $0) % Self.length)]) }
    }

    /// Resets the seconds without attempts.
    private mutating func forget(until second: UInt64) {
        guard second > last else { return }
        if second - last >= Self.length {
            for index in counts.indices { counts[index] = 0 }
        } else {
            for between in last + 1...second { counts[Int(between % Self.length)] = 0 }
        }
        last = second
    }
}

/// The counts of the attempts at one address.
struct Tally {
    /// The longest recorded latency: ten minutes in microseconds.
    ///
    /// Longer ones count as this value; the precision is two digits.
    private static let longest: UInt64 = 600_000_000

    /// The position in the order of first attempts.
    let number: Int
    /// When the last attempt ended (monotonic nanoseconds).
    private(set) var last: UInt64 = 0
    private var counts = TrafficReport()
    private var latencies = Histogram<UInt32>(
        lowestDiscernibleValue: 1, highestTrackableValue: Tally.longest, numberOfSignificantValueDigits: .two)

    init(number: Int) {
        self.number = number
    }

    mutating func note(_ attempt: Attempt, at now: UInt64) {
        last = now
        counts.requests += 1
        if attempt.error?.errorClass == .transport { counts.errors += 1 }
        counts.bytesSent += attempt.sentBodyBytes
        counts.bytesReceived += attempt.response?.wireBytes ?? 0
        if attempt.isConnectionReused {
            counts.connectionsReused += 1
        } else if attempt.timing.connect > 0 {
            counts.connectionsOpened += 1
        }
        if attempt.timing.firstByte > 0 {
            latencies.record(min(UInt64(attempt.timing.firstByte * 1e6), Self.longest))
        }
    }

    /// The sum of several tallies.
    static func sum(_ tallies: some Sequence<Tally>) -> Tally {
        var sum = Tally(number: 0)
        for tally in tallies {
            sum.counts.requests += tally.counts.requests
            sum.counts.errors += tally.counts.errors
            sum.counts.bytesSent += tally.counts.bytesSent
            sum.counts.bytesReceived += tally.counts.bytesReceived
            sum.counts.connectionsOpened += tally.counts.connectionsOpened
            sum.counts.connectionsReused += tally.counts.connectionsReused
            sum.latencies.add(tally.latencies)
        }
        return sum
    }

    /// The values for display.
    var report: TrafficReport {
        var report = counts
        guard latencies.totalCount > 0 else { return report }
        report.p50 = Double(latencies.valueAtPercentile(50)) / 1e6
        report.p95 = Double(latencies.valueAtPercentile(95)) / 1e6
        report.p99 = Double(latencies.valueAtPercentile(99)) / 1e6
        return report
    }
}
