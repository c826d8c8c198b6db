internal import FoundationEssentials
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

/// The entries of an HTTP Archive 1.2 as routes of a stub transport (`http://www.softwareishard.com/blog/har-12-spec/`).
struct HARFixture {
    private struct Entry {
        let method: HTTPMethod
        let url: HTTPURL
        let response: StubResponse
    }

    private let entries: [Entry]

    static func bytes(of path: String) throws(StubProblem) -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(filePath: path))) } catch { throw StubProblem("\(path) cannot be read: \(error)") }
    }

    init(_ bytes: [UInt8], name: String) throws(StubProblem) {
        let archive: JSONValue
        do { archive = try JSONValue(parsing: bytes) } catch { throw StubProblem("\(name) is not JSON: \(error)") }
        guard case .array(let entries)? = archive["log"]?["entries"] else {
            throw StubProblem("\(name) is not an HTTP Archive: log.entries is missing")
        }
        var all: [Entry] = []
        for (index, entry) in entries.enumerated() {
            all.append(try Self.entry(entry, at: "\(name): log.entries[\(index)]"))
        }
        self.entries = all
    }

    /// The routes, one for each method and URL in the order of the archive.
    func routes(anyHost: Bool) -> [StubRoute] {
        var order: [String] = []
        var groups: [String: [Entry]] = [:]
        for entry in entries {
            let place = entry.url.query.map { "\(entry.url.path)?\($0)" } ?? entry.url.path
            let key = "\(entry.method) \(anyHost ? place : entry.url.origin + place)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(entry)
        }
        return order.compactMap { key in
            guard let group = groups[key], let first = group.first else { return nil }
            return StubRoute(
                method: first.method, pattern: String(key.dropFirst(first.method.rawValue.count + 1)),
                replies: group.map { entry -> StubTransport.Reply in { _ in entry.response } })
        }
    }

    // MARK: Entries

    private static func entry(_ entry: JSONValue, at place: String) throws(StubProblem) -> Entry {
        guard let name = entry["request"]?["method"]?.stringValue, let method = HTTPMethod(name) else {
            throw StubProblem("\(place).request.method is missing or is no method")
        }
        guard let text = entry["request"]?["url"]?.stringValue else { throw StubProblem("\(place).request.url is missing") }
        let url: HTTPURL
        do { url = try HTTPURL(parsing: text) } catch { throw StubProblem("\(place).request.url: \(error)") }
        guard let response = entry["response"], let status = response["status"]?.integerValue.flatMap({ Int(exactly: $0) }) else {
            throw StubProblem("\(place).response.status is missing or is no number")
        }
        return Entry(method: method, url: url, response: try self.response(response, status, of: entry, at: place))
    }

    private static func response(_ value: JSONValue, _ status: Int, of entry: JSONValue, at place: String) throws(StubProblem) -> StubResponse {
        guard status >= 200 else {
            // Browsers write the status 0 for an attempt without a response; Sortie adds the error.
            let code = entry["_error"]?["code"]?.stringValue.flatMap(NetworkError.Code.init(rawValue:)) ?? .connectionLost
            return .failure(code, entry["_error"]?["message"]?.stringValue ?? value["comment"]?.stringValue)
        }
        var response = StubResponse(status: status, headers: headers(value), body: try body(value, at: place))
        response.reason = value["statusText"]?.stringValue ?? ""
        return response
    }

    /// The recorded fields without those that describe the coding of the recorded bytes, because an archive has the decoded body.
    private static func headers(_ value: JSONValue) -> Headers {
        guard case .array(let fields)? = value["headers"] else { return [] }
        let coding = ["content-encoding", "content-length", "transfer-encoding"]
        return Headers(
            fields.compactMap { field in
                guard let name = field["name"]?.stringValue, let value = field["value"]?.stringValue else { return nil }
                // HTTP/2 fields of the head begin with a colon in archives of some browsers.
                return coding.contains(name.lowercased()) || name.hasPrefix(":") ? nil : HeaderField(name, value)
            })
    }

    private static func body(_ value: JSONValue, at place: String) throws(StubProblem) -> [UInt8] {
        guard let content = value["content"], let text = content["text"]?.stringValue else { return [] }
        guard content["encoding"]?.stringValue == "base64" else { return Array(text.utf8) }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw StubProblem("\(place).response.content.text is not Base64")
        }
        return Array(data)
    }
}

/// Writes one stub response.
struct StubDelivery {
    let request: TransportRequest
    let writer: TransportResponseWriter
    let waiting: StubTransport.Waiting
    /// The sum of all virtual delays.
    private var elapsed = Duration.zero
    private var timing = TransportTiming()

    init(request: TransportRequest, writer: TransportResponseWriter, waiting: StubTransport.Waiting) {
        (self.request, self.writer, self.waiting) = (request, writer, waiting)
    }

    mutating func write(_ response: StubResponse) async throws {
        if response.isWithheld {
            // Ends when the task is cancelled.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
        try await wait(response.delay)
        if let failure = response.failure, failure.afterBytes == nil { throw failure.error }
        try await writer.begin(Response(status: response.status, reason: response.reason, headers: headers(of: response)))
        var rest = request.method == .head ? [] : response.body[...]
        if let count = response.failure?.afterBytes { rest = rest.prefix(max(0, count)) }
        while !rest.isEmpty {
            try await wait(response.chunkDelay)
            let chunk = rest.prefix(max(1, response.chunkSize))
            rest = rest.dropFirst(chunk.count)
            try await writer.write(Array(chunk))
        }
        if let failure = response.failure { throw failure.error }
        if !response.trailers.fields.isEmpty { try await writer.write(trailers: response.trailers) }
    }

    private func headers(of response: StubResponse) -> Headers {
        var headers = response.headers
        let hasLength = headers.contains("Content-Length") || headers.contains("Transfer-Encoding") || [204, 304].contains(response.status)
        if !hasLength { headers.append("Content-Length", String(response.body.count)) }
        return headers
    }

    /// Waits, or adds the time to the timing of the attempt.
    ///
    /// - Throws: `timedOut` for a virtual delay that reaches a time limit.
    private mutating func wait(_ time: Duration) async throws {
        guard time > .zero else { return }
        guard waiting == .virtual else { return try await Task.sleep(for: time) }
        let idle = request.idleLimit
        let isIdle = time >= idle
        elapsed += isIdle ? idle : time
        let isLate = request.timeLeft.map { elapsed >= $0 } ?? false
        if timing.firstByte == nil { timing.firstByte = elapsed }
        timing.total = isLate ? request.timeLeft : elapsed
        await writer.record(timing)
        if isLate { throw NetworkError(.timedOut, "no complete response within the time limit (virtual delay)", timeLimit: .total) }
        if isIdle { throw NetworkError(.timedOut, "no data arrived for \(idle) (virtual delay)", timeLimit: .idle) }
    }
}

/// Why a check of a ``StubTransport`` failed, or why a fixture cannot be used.
public struct StubProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as sentences.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A route of a stub transport: the requests that it matches and its responses.
struct StubRoute: Sendable {
    let method: HTTPMethod?
    private let pattern: String
    /// The scheme, host and port; nil for any.
    private let origin: String?
    private let segments: [Substring]
    /// The query; nil for any.
    private let query: Substring?
    private let replies: [StubTransport.Reply]
    /// The number of requests that it matched.
    private(set) var uses = 0

    init(method: HTTPMethod?, pattern: String, replies: [StubTransport.Reply]) {
        (self.method, self.pattern, self.replies) = (method, pattern, replies)
        var rest = pattern[...]
        var origin: String?
        if let scheme = rest.firstRange(of: "://") {
            let path = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            origin = rest[..<path].lowercased()
            rest = rest[path...]
        }
        self.origin = origin.map(Self.normalized)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = Self.segments(of: parts.first ?? "")
        query = parts.count > 1 ? parts[1] : nil
    }

    /// The origin without a default port; an invalid one, which matches nothing, is left unchanged.
    private static func normalized(_ origin: String) -> String {
        HTTPURL(ifValid: origin)?.origin ?? origin
    }

    private static func segments(of path: Substring) -> [Substring] {
        var path = path
        if path.first == "/" { path = path.dropFirst() }
        return path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The route as it is written in messages.
    var text: String { "\(method?.rawValue ?? "any method") \(pattern)" }

    func matches(_ method: HTTPMethod, _ url: HTTPURL) -> Bool {
        guard self.method == nil || self.method == method, origin == nil || origin == url.origin else { return false }
        if let query, query != url.query ?? "" { return false }
        let path = Self.segments(of: url.path[...])
        for (index, segment) in segments.enumerated() {
            if segment == "**" { return true }
            guard path.indices.contains(index), segment == "*" || segment == path[index] else { return false }
        }
        return path.count == segments.count
    }

    /// The response to the next request; the last one is repeated.
    mutating func next() -> StubTransport.Reply? {
        defer { uses += 1 }
        return replies.isEmpty ? nil : replies[min(uses, replies.count - 1)]
    }
}
