import Support
import Testing

@testable import SortieNetworking

/// Tests that host names are resolved by the client and never inside libcurl (`EngineFacts.md`, headline 3).
@Suite(.fewAtOnce)
struct ResolverTests {
    private func addresses(_ texts: String...) -> [IPAddress] { texts.compactMap { IPAddress($0) } }

    @Test func `an unknown host is not found, with the remedy`() async throws {
        let exchange = try await Caller().get("http://no-such-host.invalid/")
        #expect(exchange.error?.code == .hostNotFound)
        #expect(exchange.error?.message == "the host no-such-host.invalid was not found")
        #expect(exchange.error?.remedy == .spellingOrAddress(host: "no-such-host.invalid"))
        #expect(exchange.error?.documentNumber == 102)
        #expect(exchange.attempts.isEmpty)
    }

    @Test(arguments: ["localhost", "my.localhost"])
    func `localhost is this machine without a query`(_ host: String) async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("here"))
        let exchange = try await Caller(resolver: system.resolver).get("http://\(host):\(server.port)/")
        #expect(exchange.text == "here")
        #expect(server.requests.first?["Host"] == "\(host):\(server.port)")
        #expect(system.questions.current.isEmpty)
    }

    @Test func `a name that the system resolves is connected to under its own name`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("found"))
        let caller = try Caller(resolver: system.resolver)
        let call = caller.begin(try .to("http://shop.test:\(server.port)/"))
        try await system.waitForQuestions(1)
        #expect(system.questions.current[0].host == "shop.test")
        system.answer(0, "127.0.0.1")
        #expect(try await call.end().end?.text == "found")
        #expect(server.requests.first?["Host"] == "shop.test:\(server.port)")
    }

    @Test func `many requests for one name send one query, and later ones none`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(server.port)/"
        let calls = try (0..<10).map { _ in caller.begin(try .to(url)) }
        try await system.waitForQuestions(1)
        // Cancelling a caller does not cancel the shared query.
        await calls[0].cancel()
        #expect(try await calls[0].end().end?.error?.code == .cancelled)
        system.answer(0, "127.0.0.1")
        for call in calls.dropFirst() { #expect(try await call.end().end?.response?.status == 200) }
        #expect(try await caller.get(url).response?.status == 200)
        #expect(system.questions.current.count == 1)
    }

    @Test func `a response without remaining waiters is cached for the next request`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("kept"))
        let caller = try Caller(resolver: system.resolver)
        let call = caller.begin(try .to("http://shop.test:\(server.port)/"))
        try await system.waitForQuestions(1)
        await call.cancel()
        _ = try await call.end()
        system.answer(0, "127.0.0.1")
        #expect(try await caller.get("http://shop.test:\(server.port)/").text == "kept")
        #expect(system.questions.current.count == 1)
    }

    @Test func `a failed name is not queried again immediately, and is after three seconds`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("now"))
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(server.port)/"
        let first = caller.begin(try .to(url))
        try await system.waitForQuestions(1)
        system.questions.current[0].answer(.failed("Name or service not known"))
        let error = try #require(try await first.end().end?.error)
        #expect(error.code == .hostNotFound)
        #expect(error.underlying == "Name or service not known")
        system.advance(seconds: 2)
        #expect(try await caller.get(url).error == error)
        #expect(system.questions.current.count == 1)
        system.advance(seconds: 2)
        let second = caller.begin(try .to(url))
        try await system.waitForQuestions(2)
        system.answer(1, "127.0.0.1")
        #expect(try await second.end().end?.text == "now")
    }

    @Test func `a lookup that could not start says nothing about the name, and is repeated at once`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("found"))
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(server.port)/"
        let first = caller.begin(try .to(url))
        try await system.waitForQuestions(1)
        system.questions.current[0].answer(.notStarted("no thread"))
        let error = try #require(try await first.end().end?.error)
        #expect(error.code == .internalFailure && error.message == "the lookup of shop.test could not start: no thread")
        let second = caller.begin(try .to(url))
        try await system.waitForQuestions(2)
        system.answer(1, "127.0.0.1")
        #expect(try await second.end().end?.text == "found")
    }

    @Test func `a lookup of a name that was not found a moment ago fails without a further lookup`() async throws {
        let system = FakeSystem()
        let resolver = system.resolver
        let failures = Watched(0)
        let count: @Sendable (Result<Resolver.Answer, NetworkError>) -> Void = { result in
            if case .failure(let error) = result, error.code == .hostNotFound { failures.change { $0 += 1 } }
        }
        resolver.lookUp("shop.test", answer: count)
        try await system.waitForQuestions(1)
        system.questions.current[0].answer(.failed("Name or service not known"))
        resolver.lookUp("shop.test", answer: count)
        #expect(failures.current == 2 && system.questions.current.count == 1)
    }

    @Test func `S3.12 a thousand requests for one uncached name cause one lookup`() async {
        // In a separate process, because their connections would push those of other tests out of the pool.
        await #expect(processExitsWith: .success) {
            let system = FakeSystem()
            let server = try ScriptedServer(answering: .ok())
            let caller = try Caller(limits: ["http://shop.test:\(server.port)": 1000], resolver: system.resolver)
            let request = try Request.to("http://shop.test:\(server.port)/")
            let statuses = try await withDeadline(.seconds(300), "a thousand requests to end") {
                await withTaskGroup(of: Int?.self) { group in
                    for _ in 0..<1000 { group.addTask { await caller.client.exchange(request).response?.status } }
                    group.addTask {
                        do { try await system.waitForQuestions(1) } catch { return nil }
                        system.answer(0, "127.0.0.1")
                        return 200
                    }
                    return await group.reduce(into: [Int?]()) { $0.append($1) }
                }
            }
            #expect(statuses.count == 1001 && statuses.allSatisfy { $0 == 200 })
            #expect(system.questions.current.count == 1)
        }
    }

    @Test func `S3.12 an expired result is used immediately, and refreshed in the background`() async throws {
        let system = FakeSystem()
        let (old, new) = try onOnePort(ScriptedServer(address: "127.0.0.2", .answering(.ok("old")))) {
            try ScriptedServer(address: "127.0.0.3", port: $0, .answering(.ok("new")))
        }
        let caller = try Caller(resolver: system.resolver)
        let request = try Request.to("http://shop.test:\(old.port)/")
        let first = caller.begin(request)
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.2")
        #expect(try await first.end().end?.text == "old")
        system.advance(seconds: 61)
        let events = try await caller.events(request)
        #expect(events.end?.text == "old")
        #expect(events.decisions(.address).first == "127.0.0.2: resolved 61 s ago, refreshed in the background")
        try await system.waitForQuestions(2)
        // While the query is in progress, no other one is sent.
        #expect(try await caller.exchange(request).text == "old")
        #expect(system.questions.current.count == 2)
        system.answer(1, "127.0.0.3")
        #expect(try await caller.exchange(request).text == "new")
        withExtendedLifetime((old, new)) {}
    }

    @Test func `when expired addresses fail, the new result is waited for`() async throws {
        let system = FakeSystem()
        let (new, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(.ok("new")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(new.port)/"
        let first = caller.begin(try .to(url))
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.2")
        #expect(try await first.end().end?.error?.code == .connectionRefused)
        system.advance(seconds: 61)
        let second = caller.begin(try .to(url))
        try await system.waitForQuestions(2)
        system.answer(1, "127.0.0.3")
        #expect(try await second.end().end?.text == "new")
        withExtendedLifetime(dead) {}
    }

    @Test func `a resolver that hangs delays no other request, and its requests keep their limits`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("fast"))
        let caller = try Caller(resolver: system.resolver)
        let hanging = caller.begin(try .to("http://slow.test:\(server.port)/") { $0.timeouts.connect = .seconds(3600) })
        try await system.waitForQuestions(1)
        #expect(try await caller.get("\(server.url)/").text == "fast")
        let other = caller.begin(try .to("http://quick.test:\(server.port)/"))
        try await system.waitForQuestions(2)
        system.answer(1, "127.0.0.1")
        #expect(try await other.end().end?.text == "fast")
        let limited = try await caller.get("http://slow.test:\(server.port)/") { $0.timeouts.connect = .milliseconds(20) }
        #expect(limited.error?.code == .timedOut)
        #expect(limited.error?.message == "no response to the lookup of slow.test within 20 ms")
        await hanging.cancel()
        #expect(try await hanging.end().end?.error?.code == .cancelled)
        #expect(system.questions.current.count == 2)
    }

    @Test func `at most 32 queries run at once, and the others follow`() async throws {
        let system = FakeSystem()
        let resolver = system.resolver
        let found = Watched<Int>(0)
        for number in 0..<40 { resolver.lookUp("host\(number).test") { _ in found.change { $0 += 1 } } }
        #expect(system.questions.current.count == 32)
        system.answer(0, "127.0.0.1")
        #expect(system.questions.current.count == 33)
        for index in 1..<40 { system.answer(index, "127.0.0.1") }
        #expect(found.current == 40)
    }

    @Test func `a change of the network clears all names, and resolves those in advance again`() async throws {
        let system = FakeSystem()
        let resolver = system.resolver
        resolver.resolveAhead([.init(host: "ahead.test"), .init(host: "127.0.0.1"), .init(host: "localhost")])
        resolver.lookUp("shop.test") { _ in }
        #expect(system.questions.current.map(\.host) == ["ahead.test", "shop.test"])
        system.answer(0, "127.0.0.2")
        system.answer(1, "127.0.0.3")
        #expect(try resolver.known("ahead.test")?.get().addresses == addresses("127.0.0.2"))
        system.changeNetwork()
        #expect(resolver.known("shop.test") == nil)
        #expect(system.questions.current.map(\.host) == ["ahead.test", "shop.test", "ahead.test"])
    }

    @Test func `a response to a query from before the change of the network is not cached`() async throws {
        let system = FakeSystem()
        let resolver = system.resolver
        let answers = Watched<Int>(0)
        resolver.lookUp("shop.test") { _ in answers.change { $0 += 1 } }
        system.changeNetwork()
        system.answer(0, "127.0.0.2")
        #expect(answers.current == 1)
        #expect(resolver.known("shop.test") == nil)
    }

    /// An in-memory store.
    private final class Kept: AddressArchive {
        struct Broken: Error, CustomStringConvertible { var description: String { "the file is broken" } }
        let names = Watched<[ResolvedName]>([])
        let isBroken: Bool
        init(isBroken: Bool = false) { self.isBroken = isBroken }
        func load() throws -> [ResolvedName] {
            if isBroken { throw Broken() }
            return names.current
        }
        func keep(_ names: [ResolvedName]) throws { self.names.change { $0 = names } }
    }

    @Test func `names resolved by one program are used by the next without waiting`() async throws {
        let kept = Kept()
        let first = FakeSystem()
        let resolver = first.resolver(keeper: kept)
        resolver.lookUp("shop.test") { _ in }
        first.answer(0, "127.0.0.2", "127.0.0.3")
        #expect(kept.names.current.map(\.host) == ["shop.test"])
        let next = FakeSystem()
        let answer = try next.resolver(keeper: kept).known("shop.test")?.get()
        #expect(answer?.addresses == addresses("127.0.0.2", "127.0.0.3"))
        #expect(answer?.source == "resolved by an earlier program")
        #expect(next.questions.current.isEmpty)
    }

    @Test func `unreadable stored addresses are ignored, and the request reports it`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("found"))
        let caller = try Caller(resolver: system.resolver(keeper: Kept(isBroken: true)))
        let call = caller.begin(try .to("http://shop.test:\(server.port)/"))
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.1")
        let events = try await call.end()
        #expect(events.end?.text == "found")
        #expect(events.decisions(.address).contains("the addresses of earlier programs are not used: the file is broken"))
    }

    @Test func `both address families alternate, beginning with that of the first address (S3.8)`() {
        #expect(addresses("::1", "::2", "::3", "127.0.0.1", "127.0.0.2").interleaved == addresses("::1", "127.0.0.1", "::2", "127.0.0.2", "::3"))
        #expect(addresses("127.0.0.1", "127.0.0.2").interleaved == addresses("127.0.0.1", "127.0.0.2"))
        #expect([IPAddress]().interleaved.isEmpty)
    }

    @Test func `when the first address refuses, the second is tried, and comes first the next time`() async throws {
        let system = FakeSystem()
        let (server, dead) = try onOnePort(ScriptedServer(address: "127.0.0.1", .answering(.ok("second")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(server.port)/"
        let call = caller.begin(try .to(url))
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.2", "127.0.0.1")
        let events = try await call.end()
        #expect(events.end?.text == "second")
        #expect(events.end?.attempts.map(\.address) == ["127.0.0.2", "127.0.0.1"])
        #expect(events.end?.attempts.first?.error?.code == .connectionRefused)
        #expect(events.decisions(.address).contains { $0.contains("127.0.0.2 failed") && $0.contains("trying 127.0.0.1") })
        let again = try await caller.get(url)
        #expect(again.attempts.map(\.address) == ["127.0.0.1"])
        withExtendedLifetime(dead) {}
    }

    @Test func `a silent address does not use up the time of later ones`() async throws {
        let (dead, server) = try onOnePort(DeadPort(.silent, address: "127.0.0.2")) {
            try ScriptedServer(address: "127.0.0.1", port: $0, .answering(.ok("second")))
        }
        try await growing(from: .seconds(2)) { limit -> Void? in
            let exchange = try await Caller().get("http://shop.test:\(server.port)/") {
                $0.addresses = addresses("127.0.0.2", "127.0.0.1")
                $0.timeouts.connect = limit
            }
            // The first address had its share, and connecting to the second one took longer than the rest.
            let hadShare = exchange.attempts.first?.error?.message.hasSuffix("within \((limit / 2).spoken)") == true
            if hadShare, exchange.error?.timeLimit == .connect { return nil }
            #expect(exchange.text == "second")
            #expect(exchange.attempts.map(\.error?.code) == [.timedOut, nil])
            return ()
        }
        withExtendedLifetime(dead) {}
    }

    @Test func `addresses of the request are used without a lookup`() async throws {
        let system = FakeSystem()
        let (server, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(.ok("direct")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let request = try Request.to("http://shop.test:\(server.port)/") { $0.addresses = addresses("127.0.0.2", "127.0.0.3") }
        let events = try await Caller(resolver: system.resolver).events(request)
        #expect(events.end?.text == "direct")
        #expect(events.end?.response?.remoteAddress == "127.0.0.3:\(server.port)")
        #expect(server.requests.first?["Host"] == "shop.test:\(server.port)")
        #expect(events.decisions(.address).first == "127.0.0.2, 127.0.0.3, from the request")
        #expect(system.questions.current.isEmpty)
        withExtendedLifetime(dead) {}
    }

    @Test func `two addresses of a name do not share a connection`() async {
        // In a separate process, because connections of other tests would push these out of the pool.
        await #expect(processExitsWith: .success) {
            let (one, two) = try onOnePort(ScriptedServer(address: "127.0.0.2", .answering(.ok("one")))) {
                try ScriptedServer(address: "127.0.0.3", port: $0, .answering(.ok("two")))
            }
            let caller = try Caller()
            let url = "http://shop.test:\(one.port)/"
            for _ in 0..<2 {
                #expect(try await caller.get(url) { $0.addresses = [IPAddress("127.0.0.2")].compactMap { $0 } }.text == "one")
                #expect(try await caller.get(url) { $0.addresses = [IPAddress("127.0.0.3")].compactMap { $0 } }.text == "two")
            }
            #expect(one.acceptedConnections == 1)
            #expect(two.acceptedConnections == 1)
        }
    }

    @Test func `the failure of the last address is reported when all fail`() async throws {
        let (port, other) = try onOnePort(DeadPort(.refusing, address: "127.0.0.3")) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let exchange = try await Caller().get("http://shop.test:\(port.port)/") {
            $0.addresses = addresses("127.0.0.2", "127.0.0.3")
        }
        #expect(exchange.error?.code == .connectionRefused)
        #expect(exchange.error?.message == "shop.test:\(port.port) (127.0.0.3) refused the connection")
        #expect(exchange.attempts.count == 2)
        withExtendedLifetime(other) {}
    }

    @Test func `a Unix socket replaces the host and needs no lookup`() async throws {
        let exchange = try await Caller().get("http://anything.test/") { $0.unixSocket = "/no/such/socket" }
        #expect(exchange.error?.errorClass == .transport)
        #expect(exchange.error?.message.contains("/no/such/socket") == true)
        #expect(exchange.error?.hint == "check the path of the socket, and that the server is running")
    }
}
