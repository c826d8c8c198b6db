import Support

@testable import SortieNetworking

/// A client with a separate spool folder, whose calls must end before a deadline.
struct Caller: Sendable {
    let folder: TemporaryFolder
    let client: Client

    init(
        limits: [String: Int] = [:], connections: [String: Int] = [:], parking: OfflineQueue? = nil, resolver: Resolver? = nil,
        retrySource: Retry.Source = .init(), conditions: ConditionsTable = ConditionsTable(), clientKeyQuestion: ClientKeyQuestion.Asking? = nil,
        signIn: (any OAuth2SignInPresenter)? = nil, tokens: (any OAuth2TokenArchive)? = nil
    ) throws {
        folder = try TemporaryFolder()
        var configuration = ClientConfiguration(
            spoolFolder: folder.path, limits: limits.mapValues { RequestLimits(requests: $0) }, parking: parking)
        for (lane, count) in connections { configuration.limits[lane, default: RequestLimits()].connections = count }
        configuration.clientKeyQuestion = clientKeyQuestion
        (configuration.signIn, configuration.tokens) = (signIn, tokens)
        client = Client(configuration, resolver: resolver, retrySource: retrySource, conditions: conditions)
    }

    /// Sends a request and returns the complete exchange.
    func exchange(_ request: Request, id: RequestID? = nil, within limit: Duration = .seconds(300)) async throws -> Exchange {
        try await withDeadline(limit, "\(request.method) \(request.url) to end") { [client] in
            await client.exchange(request, id: id)
        }
    }

    /// Sends a GET with options changed by `configure`.
    func get(_ url: String, _ configure: (inout RequestOptions) -> Void = { _ in }) async throws -> Exchange {
        try await exchange(.to(url, configure))
    }

    /// Sends a request and returns all events.
    func events(_ request: Request, id: RequestID? = nil, within limit: Duration = .seconds(300)) async throws -> [CallEvent] {
        try await withDeadline(limit, "\(request.method) \(request.url) to end") { [client] in
            var all: [CallEvent] = []
            for await event in client.events(request, id: id) { all.append(event) }
            return all
        }
    }

    /// Starts a request, whose events are added to the result as they arrive.
    func begin(_ request: Request) -> RunningCall {
        RunningCall(client: client, request: request)
    }
}

/// A call in progress, observed from outside.
struct RunningCall: Sendable {
    let id: RequestID
    let events = Watched<[CallEvent]>([])
    private let client: Client
    private let task: Task<Void, Never>

    init(client: Client, request: Request, parked: ParkingNotice? = nil) {
        let id = client.makeID()
        self.id = id
        self.client = client
        let stream = client.events(request, id: id, parked: parked)
        task = Task { [events] in
            for await event in stream { events.change { $0.append(event) } }
        }
    }

    /// Waits until an event meets the condition.
    func wait(for what: String, _ condition: @escaping @Sendable (CallEvent) -> Bool) async throws {
        try await events.wait(what, within: .seconds(300), describe: { "\($0.count) events" }) {
            $0.contains(where: condition) ? () : nil
        }
    }

    /// Waits for a decision about `subject`.
    func waitForDecision(_ subject: Decision.Subject) async throws {
        try await wait(for: "a decision about \(subject)") {
            if case .decided(let decision) = $0 { decision.subject == subject } else { false }
        }
    }

    /// Cancels the call by its identity.
    func cancel() async { client.cancel(id) }

    /// Waits for the end of the stream and returns all events.
    func end() async throws -> [CallEvent] {
        try await withDeadline(.seconds(300), "the call to end") { [task] in await task.value }
        return events.current
    }
}

extension Request {
    /// A GET of a URL.
    static func to(_ url: String, _ configure: (inout RequestOptions) -> Void = { _ in }) throws -> Request {
        var request = try to(url, .get)
        configure(&request.options)
        return request
    }

    /// A request with a method and an optional body of bytes.
    ///
    /// Its time limits are those of the tests: a test may hold a response for longer than the default limits where the machine is busy.
    static func to(
        _ url: String, _ method: HTTPMethod, _ headers: Headers = [], body: RequestBody = .none
    ) throws -> Request {
        var request = Request(method: method, url: try HTTPURL(parsing: url), headers: headers, body: body)
        request.options.timeouts = Timeouts(connect: .seconds(300), idle: .seconds(300), total: .seconds(300))
        return request
    }
}

extension [CallEvent] {
    /// The exchanges of all `finished` events.
    var ends: [Exchange] {
        compactMap { if case .finished(let exchange) = $0 { exchange } else { nil } }
    }

    /// The terminal event; nil unless there is exactly one and it is the last event.
    var end: Exchange? {
        guard ends.count == 1, case .finished(let exchange) = last else { return nil }
        return exchange
    }

    /// The texts of the decisions about `subject`.
    func decisions(_ subject: Decision.Subject) -> [String] {
        compactMap {
            guard case .decided(let decision) = $0, decision.subject == subject else { return nil }
            return decision.text
        }
    }

    /// The views of the body in the events.
    var views: [BodyBytes] {
        compactMap { if case .grew(let bytes) = $0 { bytes } else { nil } }
    }

    /// The progress events.
    var progress: [CallProgress] {
        compactMap { if case .progressed(let progress) = $0 { progress } else { nil } }
    }
}

extension Exchange {
    /// The response's body as text.
    var text: String? { response.map { $0.body.string(in: 0..<$0.body.count) } }
}

extension BodyBytes {
    /// A copy of all bytes.
    var all: [UInt8] { bytes(in: 0..<count) }
}

/// The libcurl that the tests run with.
enum Libcurl {
    /// Whether it is a version before 8, as in Debian 12; later ones handle some faults of servers differently (`EngineFacts.md`, “Later versions”).
    static let isVersion7 = NetworkingVersion.libraries().libcurl.hasPrefix("7.")
}
