import Model
import Support
import Testing

@testable import Networking

/// Names become addresses here and never inside libcurl (`engine.md`, headline 3).
@Suite(.fewAtOnce)
struct ResolverTests {
    /// A system that is asked and answers when the test says so.
    private final class FakeSystem: Sendable {
        typealias Answer = @Sendable (NameLookup.Answer) -> Void
        let questions = Watched<[(host: String, answer: Answer)]>([])

        var resolver: Resolver {
            Resolver { [questions] host, answer in questions.change { $0.append((host, answer)) } }
        }

        func waitForQuestions(_ count: Int) async throws {
            try await questions.wait("\(count) questions", within: .seconds(10), describe: { "\($0.count)" }) {
                $0.count >= count ? () : nil
            }
        }

        func answer(_ index: Int, _ texts: String...) {
            questions.current[index].answer(.addresses(texts.compactMap { IPAddress($0) }))
        }
    }

    private func addresses(_ texts: String...) -> [IPAddress] { texts.compactMap { IPAddress($0) } }

    @Test func `a host that does not exist is not found, with a way out`() async throws {
        let exchange = try await Caller().get("http://no-such-host.invalid/")
        #expect(exchange.error?.code == .hostNotFound)
        #expect(exchange.error?.message == "the host no-such-host.invalid was not found")
        #expect(exchange.error?.hint?.contains("--resolve no-such-host.invalid:ADDRESS") == true)
        #expect(exchange.error?.legacyCode == 102)
        #expect(exchange.attempts.isEmpty)
    }

    @Test(arguments: ["localhost", "my.localhost"])
    func `localhost is this machine without asking anybody`(_ host: String) async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("here"))
        let exchange = try await Caller(resolver: system.resolver).get("http://\(host):\(server.port)/")
        #expect(exchange.text == "here")
        #expect(server.requests.first?["Host"] == "\(host):\(server.port)")
        #expect(system.questions.current.isEmpty)
    }

    @Test func `a name that the system knows is connected to under its own name`() async throws {
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

    @Test func `many requests for one name ask once, and later ones not at all`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller(resolver: system.resolver)
        let url = "http://shop.test:\(server.port)/"
        let calls = try (0..<10).map { _ in caller.begin(try .to(url)) }
        try await system.waitForQuestions(1)
        // A cancelled caller does not take the question with it.
        await calls[0].cancel()
        #expect(try await calls[0].end().end?.error?.code == .cancelled)
        system.answer(0, "127.0.0.1")
        for call in calls.dropFirst() { #expect(try await call.end().end?.response?.status == 200) }
        #expect(try await caller.get(url).response?.status == 200)
        #expect(system.questions.current.count == 1)
    }

    @Test func `an answer that comes when nobody waits any more is kept for the next`() async throws {
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

    @Test func `a name that was not found is asked for again by the next request`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(answering: .ok("now"))
        let caller = try Caller(resolver: system.resolver)
        let first = caller.begin(try .to("http://shop.test:\(server.port)/"))
        try await system.waitForQuestions(1)
        system.questions.current[0].answer(.failed("Name or service not known"))
        let error = try #require(try await first.end().end?.error)
        #expect(error.code == .hostNotFound)
        #expect(error.underlying == "Name or service not known")
        let second = caller.begin(try .to("http://shop.test:\(server.port)/"))
        try await system.waitForQuestions(2)
        system.answer(1, "127.0.0.1")
        #expect(try await second.end().end?.text == "now")
    }

    @Test func `when the first address refuses, the second is tried, and is first the next time`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(address: "127.0.0.1", .answering(.ok("second")))
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
    }

    @Test func `a silent address does not use up the time of those after it`() async throws {
        let dead = try DeadPort(.silent, address: "127.0.0.2")
        let server = try ScriptedServer(address: "127.0.0.1", port: dead.port, .answering(.ok("second")))
        let exchange = try await Caller().get("http://shop.test:\(server.port)/") {
            $0.addresses = addresses("127.0.0.2", "127.0.0.1")
            $0.timeouts.connect = .seconds(2)
        }
        #expect(exchange.text == "second")
        #expect(exchange.attempts.map(\.error?.code) == [.timedOut, nil])
    }

    @Test func `addresses of the request are used as they are, without a lookup`() async throws {
        let system = FakeSystem()
        let server = try ScriptedServer(address: "127.0.0.3", .answering(.ok("direct")))
        let request = try Request.to("http://shop.test:\(server.port)/") { $0.addresses = addresses("127.0.0.2", "127.0.0.3") }
        let events = try await Caller(resolver: system.resolver).events(request)
        #expect(events.end?.text == "direct")
        #expect(events.end?.response?.remoteAddress == "127.0.0.3:\(server.port)")
        #expect(server.requests.first?["Host"] == "shop.test:\(server.port)")
        #expect(events.decisions(.address).first == "127.0.0.2, 127.0.0.3, as the request says")
        #expect(system.questions.current.isEmpty)
    }

    @Test func `two addresses of a name do not share a connection`() async throws {
        let one = try ScriptedServer(address: "127.0.0.2", .answering(.ok("one")))
        let two = try ScriptedServer(address: "127.0.0.3", port: one.port, .answering(.ok("two")))
        let caller = try Caller()
        let url = "http://shop.test:\(one.port)/"
        for _ in 0..<2 {
            #expect(try await caller.get(url) { $0.addresses = addresses("127.0.0.2") }.text == "one")
            #expect(try await caller.get(url) { $0.addresses = addresses("127.0.0.3") }.text == "two")
        }
        #expect(one.acceptedConnections == 1)
        #expect(two.acceptedConnections == 1)
    }

    @Test func `all addresses failing is the failure of the last`() async throws {
        let port = try DeadPort(.refusing)
        let exchange = try await Caller().get("http://shop.test:\(port.port)/") {
            $0.addresses = addresses("127.0.0.1", "127.0.0.1")
        }
        #expect(exchange.error?.code == .connectionRefused)
        #expect(exchange.error?.message == "shop.test:\(port.port) (127.0.0.1) refused the connection")
        #expect(exchange.attempts.count == 2)
    }

    @Test func `a Unix socket stands instead of the host and needs no lookup`() async throws {
        let exchange = try await Caller().get("http://anything.test/") { $0.unixSocket = "/no/such/socket" }
        #expect(exchange.error?.errorClass == .transport)
        #expect(exchange.error?.message.contains("/no/such/socket") == true)
    }
}
