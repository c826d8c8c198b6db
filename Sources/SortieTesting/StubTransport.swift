internal import SortieBase
public import SortieNetworking
internal import Synchronization

/// A transport that sends nothing: it responds with canned responses and failures, and records the requests.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/orders", .json(#"[{"id": 7}]"#))
/// stub.on(.post, "/orders") { request in .json(request.text, status: 201) }
/// let client = Client(.init(transport: stub))
/// let orders: [[String: Int]] = try await client.get("https://shop.example/orders")
/// try await client.post("https://shop.example/orders", json: orders)
/// #expect(try stub.request(.post, "/orders")["Content-Type"] == "application/json")
/// try stub.verify()
/// ```
///
/// Redirects, retries, plugins, cookies, the cache, typed calls, downloads, streams and events work as with a server. A request that no route matches
/// fails with `internalFailure`, whose message lists the routes.
public final class StubTransport: Transport {
    /// Creates the response to a request.
    public typealias Reply = @Sendable (RecordedRequest) throws -> StubResponse

    /// How delays pass.
    public enum Waiting: Hashable, Sendable {
        /// Delays take no time; they appear in the timing of the attempt, and one that reaches a time limit of the request fails as `timedOut`.
        case virtual
        /// Delays take their time.
        case real
    }

    private struct State {
        var routes: [StubRoute] = []
        var requests: [RecordedRequest] = []
    }

    private let waiting: Waiting
    private let state = Mutex(State())

    /// Creates a transport without routes.
    ///
    /// - Parameter waiting: How delays pass.
    public init(waiting: Waiting = .virtual) {
        self.waiting = waiting
    }

    // MARK: Routes

    /// Adds a route with its responses in order; the last one is repeated.
    ///
    /// A route that is added later takes precedence over earlier ones.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - url: A path such as `/orders/*`, or a URL. `*` stands for one segment and `**` for the remaining ones. A query is compared where one is given.
    ///   - first: The first response.
    ///   - others: The responses to further requests.
    public func on(_ method: HTTPMethod?, _ url: String, _ first: StubResponse, _ others: StubResponse...) {
        add(StubRoute(method: method, pattern: url, replies: ([first] + others).map { response -> Reply in { _ in response } }))
    }

    /// Adds a route whose responses closures make of the requests, in order; the last one is repeated.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - url: A path or URL, as in ``on(_:_:_:_:)``.
    ///   - replies: The closures; a `NetworkError` that one throws becomes the error of the attempt.
    public func on(_ method: HTTPMethod?, _ url: String, replies: Reply...) {
        add(StubRoute(method: method, pattern: url, replies: replies))
    }

    /// Adds the responses of a recorded HTTP Archive 1.2, such as those that browsers and `sortie send --capture` write.
    ///
    /// The entries of one method and URL are a sequence in their order. A recorded failure fails again.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - anyHost: Whether only path and query of the recorded URLs are compared.
    /// - Throws: A ``StubProblem`` when the file cannot be read or is no archive.
    public func replay(har path: String, anyHost: Bool = false) throws(StubProblem) {
        try replay(har: try HARFixture.bytes(of: path), name: path, anyHost: anyHost)
    }

    /// Adds the responses of a recorded HTTP Archive 1.2 in memory; see ``replay(har:anyHost:)``.
    ///
    /// - Parameters:
    ///   - bytes: The archive.
    ///   - name: The name of the archive in errors.
    ///   - anyHost: Whether only path and query of the recorded URLs are compared.
    /// - Throws: A ``StubProblem`` when the bytes are no archive.
    public func replay(har bytes: [UInt8], name: String = "the archive", anyHost: Bool = false) throws(StubProblem) {
        for route in try HARFixture(bytes, name: name).routes(anyHost: anyHost) { add(route) }
    }

    private func add(_ route: StubRoute) {
        state.withLock { $0.routes.append(route) }
    }

    // MARK: Requests

    /// All requests in the order in which they were sent, also those that no route matched.
    public var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// The requests that a method and a URL match, in order.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - url: A path or URL, as in ``on(_:_:_:_:)``.
    public func requests(_ method: HTTPMethod?, _ url: String) -> [RecordedRequest] {
        let route = StubRoute(method: method, pattern: url, replies: [])
        return requests.filter { route.matches($0.method, $0.url) }
    }

    /// The only request that a method and a URL match.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - url: A path or URL, as in ``on(_:_:_:_:)``.
    /// - Throws: A ``StubProblem`` with all recorded requests when there is none, or more than one.
    public func request(_ method: HTTPMethod?, _ url: String) throws(StubProblem) -> RecordedRequest {
        let (found, all) = (requests(method, url), requests)
        guard found.count == 1 else {
            let route = StubRoute(method: method, pattern: url, replies: [])
            throw StubProblem("\(found.count) requests were sent to \(route.text) instead of one. \(Self.list("Requests", all.map(\.summary)))")
        }
        return found[0]
    }

    /// Checks that every request matched a route and every route was used.
    ///
    /// - Throws: A ``StubProblem`` that lists the requests without a route and the unused routes.
    public func verify() throws(StubProblem) {
        let (unmatched, unused) = state.withLock { state in
            (state.requests.filter { !$0.isMatched }.map(\.summary), state.routes.filter { $0.uses == 0 }.map(\.text))
        }
        var sentences: [String] = []
        if !unmatched.isEmpty { sentences.append(Self.list("Requests that no route matches", unmatched)) }
        if !unused.isEmpty { sentences.append(Self.list("Routes without a request", unused)) }
        if !sentences.isEmpty { throw StubProblem(sentences.joined(separator: " ")) }
    }

    private static func list(_ title: String, _ lines: [String]) -> String {
        "\(title): \(lines.isEmpty ? "none" : lines.joined(separator: ", "))."
    }

    // MARK: Transport

    /// Records a request and writes the response of its route.
    ///
    /// - Parameters:
    ///   - request: The request of the attempt.
    ///   - response: Receives the response.
    /// - Throws: The `NetworkError` of the response, `timedOut` for a virtual delay that reaches a time limit, and `internalFailure` where no route matches.
    public func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
        let body = try await request.body.collect()
        let (reply, recorded) = state.withLock { state -> (Reply?, RecordedRequest) in
            let index = state.routes.lastIndex { $0.matches(request.method, request.url) }
            let recorded = RecordedRequest(
                method: request.method, url: request.url, headers: request.headers, body: body, isMatched: index != nil)
            state.requests.append(recorded)
            return (index.flatMap { state.routes[$0].next() }, recorded)
        }
        guard let reply else {
            let routes = state.withLock { $0.routes.map(\.text) }
            throw NetworkError(
                .internalFailure, "no route of the stub transport matches \(recorded.summary). \(Self.list("Routes", routes))",
                hint: "add the route with stub.on(.\(recorded.method.rawValue.lowercased()), \"\(recorded.url.path)\", …)")
        }
        var delivery = StubDelivery(request: request, writer: response, waiting: waiting)
        try await delivery.write(try reply(recorded))
    }
}
