import Support
import Testing

@testable import SortieNetworking

/// Tests retries (field, S3.3): their number, their delays, and the retried requests.
@Suite(.fewAtOnce)
struct RetryTests {
    /// The longest random delay, and a fixed time of day.
    private static let slowest = Retry.Source(random: { $0.upperBound }, now: { 784_111_777 })
    /// The shortest random delay.
    private static let quick = Retry.Source(random: { $0.lowerBound }, now: { 784_111_777 })

    private func retry(_ source: Retry.Source = Self.slowest, limit: Int = 3, _ method: HTTPMethod = .get, headers: Headers = []) throws -> Retry {
        var request = try Request.to("http://127.0.0.1/", method, headers)
        request.options.retry = RetryPolicy(limit: limit)
        return Retry(request, budget: RetryBudget(), source: source)
    }

    private func delays(_ retry: Retry, _ count: Int) -> [Double] {
        var retry = retry
        return (0..<count).compactMap { _ in
            guard case .again(let delay, _) = retry.decision(after: nil, Response(status: 503), secondsLeft: nil) else { return nil }
            return delay
        }
    }

    // MARK: The rule

    @Test func `the delay doubles up to half a minute, and is random up to that limit`() throws {
        let slowest = try retry(limit: 100)
        #expect(delays(slowest, 9) == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30])
        let quick = try retry(Self.quick)
        #expect(delays(quick, 3) == [0, 0, 0])
    }

    @Test(arguments: [408, 429, 502, 503, 504])
    func `statuses of a temporary failure are retried`(_ status: Int) throws {
        var retry = try retry()
        let words = "the server responded with \(status); retry 1 of 3 in 250 ms"
        let decision = retry.decision(after: nil, Response(status: status), secondsLeft: nil)
        #expect(decision == .again(after: 0.25, words))
    }

    @Test func `a policy has its own delays and statuses`() throws {
        var request = try Request.to("http://127.0.0.1/")
        var policy = RetryPolicy(limit: 9)
        (policy.base, policy.cap, policy.statuses) = (.seconds(1), .seconds(3), [503])
        request.options.retry = policy
        var retry = Retry(request, budget: RetryBudget(), source: Self.slowest)
        #expect(delays(retry, 4) == [1, 2, 3, 3])
        #expect(retry.decision(after: nil, Response(status: 502), secondsLeft: nil) == .end(nil))
    }

    @Test func `the choice of the program takes the place of the rules for errors and statuses, and not of the limit`() throws {
        var retry = try retry(limit: 1)
        #expect(
            retry.decision(after: nil, Response(status: 503), secondsLeft: nil, choice: false)
                == .end("not retried after the server responded with 503, as the program chose"))
        #expect(retry.decision(after: .cancelledByCaller, nil, secondsLeft: nil, choice: true) == .end(nil))
        let words = "the server responded with 500; retry 1 of 1 in 250 ms"
        #expect(retry.decision(after: nil, Response(status: 500), secondsLeft: nil, choice: true) == .again(after: 0.25, words))
        #expect(
            retry.decision(after: nil, Response(status: 500), secondsLeft: nil, choice: true)
                == .end("not retried after the server responded with 500: that was retry 1 of 1"))
    }

    @Test(arguments: [true, false]) func `a service, or else the client, chooses what is sent again`(isOfService: Bool) async throws {
        let server = try ScriptedServer([
            .answering(HTTPAnswer(status: 500, headers: [("X-Busy", "1"), ("Connection", "close")])), .answering(.status(503)),
        ])
        let choice: ServiceConfiguration.RetryChoice = { exchange, error in error == nil && exchange.response?.headers["X-Busy"] != nil }
        var shop = ServiceConfiguration()
        if isOfService { shop.retryChoice = choice }
        var configuration = ClientConfiguration(services: ["shop": shop])
        if !isOfService { configuration.retryChoice = choice }
        let client = Client(configuration, resolver: nil, retrySource: Self.quick)
        var request = try Request.to(server.url) { $0.retry = RetryPolicy(limit: 5) }
        request.service = "shop"
        let exchange = await client.exchange(request)
        #expect(exchange.attempts.map(\.status) == [500, 503])
    }

    @Test(arguments: [200, 304, 400, 401, 404, 500, 501])
    func `other statuses are responses`(_ status: Int) throws {
        var retry = try retry()
        let decision = retry.decision(after: nil, Response(status: status), secondsLeft: nil)
        #expect(decision == .end(nil))
    }

    @Test(arguments: NetworkError.Code.allCases)
    func `only transport failures are retried, and none caused by trust or the user`(_ code: NetworkError.Code) throws {
        var retry = try retry()
        let helps: Set<NetworkError.Code> = [
            .hostNotFound, .connectionRefused, .cannotConnect, .offline, .timedOut, .connectionLost, .emptyResponse, .truncatedBody, .proxyFailed,
            .ambiguousDelivery,
        ]
        let decision = retry.decision(after: NetworkError(code, ""), nil, secondsLeft: nil)
        if helps.contains(code) { #expect(retry.count == 1) } else { #expect(decision == .end(nil)) }
    }

    @Test func `an unsafe request is retried only where that is permitted`() throws {
        var post = try retry(.post)
        guard case .end(let reason) = post.decision(after: nil, Response(status: 503), secondsLeft: nil) else {
            Issue.record("a POST was tried again")
            return
        }
        #expect(reason?.contains("a POST may have been processed") == true)
        let keyed = try retry(.post, headers: [HeaderField("Idempotency-Key", "k1")])
        #expect(delays(keyed, 1) == [0.25])
        var request = try Request.to("http://127.0.0.1/", .post)
        request.options.retry = RetryPolicy(limit: 1, repeatsAnyMethod: true)
        let allowed = Retry(request, budget: RetryBudget(), source: Self.slowest)
        #expect(delays(allowed, 2) == [0.25])
    }

    @Test(arguments: [NetworkError.Code.connectionRefused, .cannotConnect, .hostNotFound, .offline])
    func `a POST that was not sent is retried`(_ code: NetworkError.Code) throws {
        var post = try retry(.post)
        guard case .again = post.decision(after: NetworkError(code, ""), nil, secondsLeft: nil) else {
            Issue.record("it was not tried again")
            return
        }
    }

    @Test func `a body that was read and cannot be rewound is not sent again`() throws {
        var put = try retry(.put)
        guard case .end(let reason) = put.decision(after: nil, Response(status: 503), secondsLeft: nil, isBodySpent: true) else {
            Issue.record("it was tried again")
            return
        }
        #expect(reason?.contains("cannot be read again") == true)
    }

    private func retry(_ method: HTTPMethod, headers: Headers = []) throws -> Retry {
        try retry(Self.slowest, limit: 3, method, headers: headers)
    }

    @Test(arguments: [("7", 7.0), ("0", 0.25), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:00 GMT", 0.25), ("soon", 0.25)])
    func `Retry-After is respected in seconds and as a date (RFC 9110 §10.2.3)`(_ field: String, _ delay: Double) throws {
        var retry = try retry()
        let response = Response(status: 429, headers: [HeaderField("Retry-After", field)])
        guard case .again(let waited, _) = retry.decision(after: nil, response, secondsLeft: nil) else {
            Issue.record("it was not tried again")
            return
        }
        #expect(waited == delay)
    }

    @Test func `a delay longer than the remaining time ends the call immediately`() throws {
        var retry = try retry()
        let response = Response(status: 503, headers: [HeaderField("Retry-After", "60")])
        guard case .end(let reason) = retry.decision(after: nil, response, secondsLeft: 20) else {
            Issue.record("it waits for longer than it may")
            return
        }
        #expect(
            reason == "not retried after the server responded with 503, with Retry-After 60 s: only 20 s are left")
    }

    @Test func `the budget of a service limits retries, and calls refill it`() throws {
        let budget = RetryBudget()
        #expect((0..<25).filter { _ in budget.withdraw() }.count == 20)
        for _ in 0..<6 { budget.deposit() }
        #expect(budget.withdraw())
        #expect(!budget.withdraw())
    }

    // MARK: Over connections

    @Test func `a call is retried until it succeeds, and every attempt is recorded with its delay`() async throws {
        let server = try ScriptedServer([
            Script(.readRequest, .send(HTTPAnswer.status(503)), .closeGracefully), Script(.readRequest, .closeGracefully), .answering(.ok("at last")),
        ])
        var request = try Request.to(server.url)
        request.options.retry = RetryPolicy(limit: 2)
        let exchange = try await Caller(retrySource: Retry.Source(random: { _ in 0.01 }, now: { 0 })).exchange(request)
        #expect(exchange.text == "at last")
        #expect(exchange.error == nil)
        #expect(exchange.attempts.map(\.status) == [503, nil, 200])
        #expect(exchange.attempts.map(\.delay) == [0, 0.01, 0.01])
        #expect(server.requests.count == 3)
    }

    @Test func `without a policy nothing is retried`() async throws {
        let server = try ScriptedServer(answering: .status(503))
        #expect(try await Caller(retrySource: Self.quick).get(server.url).response?.status == 503)
        #expect(server.requests.count == 1)
    }

    @Test func `after the last retry its response is the result, and a decision says that it was the last`() async throws {
        let server = try ScriptedServer(answering: .status(502, "broken"))
        let caller = try Caller(retrySource: Self.quick)
        let events = try await caller.events(.to(server.url) { $0.retry = RetryPolicy(limit: 2) })
        #expect(events.end?.response?.status == 502)
        #expect(events.end?.text == "broken")
        #expect(
            events.decisions(.retry) == [
                "the server responded with 502; retry 1 of 2 in 0 s", "the server responded with 502; retry 2 of 2 in 0 s",
                "not retried after the server responded with 502: that was retry 2 of 2",
            ])
        #expect(server.requests.count == 3)
    }

    @Test func `X3 the attempt stages of plugins are called for every retry`() async throws {
        struct Counter: Plugin {
            func prepare(_ request: inout Request, in context: PluginContext) { request.headers["X-Attempt"] = "\(context.attempt)" }
        }
        let server = try ScriptedServer(answering: .status(504))
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [Counter()]), resolver: Resolver(), retrySource: Self.quick)
        var request = try Request.to(server.url)
        request.options.retry = RetryPolicy(limit: 2)
        _ = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        #expect(server.requests.map { $0["X-Attempt"] } == ["1", "2", "3"])
    }

    @Test func `a call that waits for its retry frees its slot, can be suspended, and can be cancelled`() async throws {
        let server = try ScriptedServer { request in request.target == "/busy" ? .status(503) : .ok("other") }
        let caller = try Caller(limits: [server.url: 1], retrySource: Retry.Source(random: { _ in 250 }, now: { 0 }))
        let call = caller.begin(try .to("\(server.url)/busy") { $0.retry = RetryPolicy(limit: 1) })
        try await call.waitForDecision(.retry)
        #expect(try await caller.get("\(server.url)/other").text == "other")
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        #expect(caller.client.state(of: call.id) == .suspended)
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
        #expect(server.requests.map(\.target) == ["/busy", "/other"])
    }
}
