public import SortieHTTP
internal import Synchronization

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

/// The destination of typed endpoints: a base URL and the settings that all requests to it share.
///
/// An environment is another value of this type. ``Client/server(of:)`` creates the servers of declared services.
public struct Server: Hashable, Sendable {
    /// The base URL; paths are joined to it with exactly one `/`.
    public var base: String
    /// The service whose request queue and configuration apply; those of the origin where nil.
    public var service: String?
    /// Header fields of every request; those of an endpoint take precedence.
    public var headers: Headers
    /// The options of its requests, above those of the client and below those of the endpoint.
    public var options: RequestOptions {
        _read { yield sharedOptions.wrappedValue }
        _modify { yield &sharedOptions.wrappedValue }
    }
    private var sharedOptions: CopyOnWrite<RequestOptions>
    /// The environment of the service.
    package internal(set) var environment: String?
    /// The generation of the service's server ring when the URL was chosen; nil without a ring.
    package internal(set) var generation: Int?
    /// The base URLs of the other servers of the ring, the next one first.
    package internal(set) var others: [String] = []

    /// Creates a server.
    public init(
        _ base: String, service: String? = nil, headers: Headers = [], credential: Auth = .inherit, options: RequestOptions = RequestOptions()
    ) {
        (self.base, self.service, self.headers) = (base, service, headers)
        var options = options
        if credential != .inherit { options.credential = credential }
        sharedOptions = CopyOnWrite(wrappedValue: options)
    }

    /// Creates a request to this server; a request that bypasses plugins takes only the base URL.
    func request(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)], headers: Headers, body: RequestBody, options: RequestOptions
    ) throws(NetworkError) -> Request {
        var request = try Request(
            method, path, on: base, query: query, headers: options.bypassesPlugins ? headers : self.headers.overlaid(with: headers),
            body: body)
        request.sharedOptions = sharedOptions.overlaid(with: CopyOnWrite(wrappedValue: options))
        request.service = service
        request.environment = environment
        request.serverGeneration = generation
        if !others.isEmpty, !HTTPURL.isAbsolute(path) {
            request.otherServers = try others.map { base throws(NetworkError) in
                try Request(method, path, on: base, query: query, headers: [], body: .none).url
            }
        }
        if !request.options.bypassesPlugins { request.placeCredentialsOfURL() }
        return request
    }
}

extension Request {
    /// Creates a request for a path on a base URL, or for an absolute URL.
    init(
        _ method: HTTPMethod, _ path: String, on base: String?, query: [(name: String, value: String)], headers: Headers, body: RequestBody
    ) throws(NetworkError) {
        let url: HTTPURL
        do { url = try HTTPURL.joining(base: base, path: path) } catch { throw NetworkError(.invalidURL, error.description) }
        self.init(method: method, url: url.appending(query: query), headers: headers, body: body)
    }
}

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
