internal import DequeModule
internal import FoundationEssentials
public import Model
internal import Synchronization

/// Counts what a client does, by service, server and address, and remembers where its requests moved and why (S3.3).
///
/// What it keeps has bounds, whatever is asked for how long: the places that were asked longest ago, and the oldest events, are forgotten.
public final class Monitor: Sendable {
    /// Where an attempt went.
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
        /// Counts places, for their order.
        var places = 0
        /// Whether something happened since the last snapshot.
        var hasNews = false
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
        var observation: Reachability.Observation?
        var wasOnline = true
    }

    /// Of more places the one that was asked longest ago is forgotten.
    static let mostPlaces = 500
    /// Of more events the oldest is.
    static let mostEvents = 500

    private let scores: AddressScores
    private let reachability: @Sendable () -> Reachability
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(
        scores: AddressScores, reachability: @escaping @Sendable () -> Reachability = { .system },
        now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        self.scores = scores
        self.reachability = reachability
        self.now = now
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { reachability().end(observation) }
    }

    // MARK: Counting

    /// Counts an attempt that has ended.
    func note(_ attempt: Attempt, of service: String?, sent: Int64, received: Int64) {
        let place = Place(
            service: service, scheme: attempt.url.scheme, host: attempt.url.host, port: attempt.url.port, address: attempt.address)
        let now = now()
        tell { state in
            if state.tallies[place] == nil { state.add(place) }
            state.tallies[place]?.note(attempt, sent: sent, received: received, at: now)
            state.recent[service, default: RecentCounts()].note(at: now)
        }
    }

    /// Remembers that something changed where requests go.
    func note(_ kind: MonitorEvent.Kind, _ text: String) {
        let event = MonitorEvent(time: Date(), kind: kind, text: text)
        tell { state in
            if state.timeline.count >= Self.mostEvents { state.timeline.removeFirst() }
            state.timeline.append(event)
        }
    }

    /// Remembers which server of a ring is in use from now on.
    func note(_ ring: RingReport) {
        tell { state in
            state.rings.removeAll { $0.service == ring.service && $0.environment == ring.environment }
            state.rings.append(ring)
        }
    }

    /// Changes the state, and tells the listeners once until somebody looks.
    private func tell(_ change: (inout State) -> Void) {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            change(&state)
            guard !state.hasNews else { return [] }
            state.hasNews = true
            return state.listeners.isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    // MARK: Looking

    /// Gives a sign when there is something new since the last ``snapshot()``; many changes make one sign, so whoever looks says how often.
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

    /// What was counted up to now.
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
        return MonitorReport(
            services: reports.sorted { left, right in
                guard let name = left.name else { return false }
                return right.name.map { name < $0 } ?? true
            }, timeline: timeline, isOnline: reachability().status == .online, rings: rings)
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

    /// Listens for changes of the network from the first look on: a client that nobody looks at needs no ear.
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
        let isNews = state.withLock { state in
            defer { state.wasOnline = isOnline }
            return state.wasOnline != isOnline
        }
        if isNews { note(.network, isOnline ? "this machine has a network" : "this machine has no network but itself") }
    }
}

extension Monitor.State {
    /// Makes room for a place and gives it its number.
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
