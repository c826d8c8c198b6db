import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests rings that switch automatically, and failover from an address to a server to waiting (S1.14–S1.17, X7), with real servers.
@Suite(.fewAtOnce)
struct ServerSwitchTests {
    private func client(_ servers: [String], parking: OfflineQueue? = nil, _ rule: ServerSwitchRule = .init()) throws -> (Client, TemporaryFolder) {
        let folder = try TemporaryFolder()
        var service = ServiceConfiguration(servers: ["develop": servers])
        service.serverSwitch = rule
        return (Client(.init(spoolFolder: folder.path, services: ["shop": service], environment: "develop", parking: parking)), folder)
    }

    /// Responds to all requests except those for `/bad`, after which the connection is closed.
    private func flaky() throws -> ScriptedServer {
        try ScriptedServer(
            Script(
                .readRequest, .respond { $0.target == "/bad" ? [] : HTTPAnswer.ok("a", headers: [("Connection", "close")]).bytes }, .closeGracefully))
    }

    @Test func `S1.14 S1.15 forty requests with five failures cause one switch, and the client reports the reason`() async throws {
        let (first, second) = (try flaky(), try ScriptedServer(answering: .ok("b")))
        let (client, folder) = try client([first.url, second.url])
        let late = try client.request("/bad", through: "shop")
        for number in 1...40 {
            let exchange = await client.exchange(try client.request(number % 8 == 0 ? "/bad" : "/good", through: "shop"))
            #expect((exchange.error == nil) == (number % 8 != 0))
        }
        #expect(try client.server(of: "shop").base == second.url)
        // Late failures of the previous server do not count.
        for _ in 0..<40 { _ = await client.exchange(late) }
        for _ in 0..<40 { #expect(try await client.send(try client.request("/", through: "shop")).status == 200) }
        #expect(try client.server(of: "shop").generation == 1)
        #expect(
            client.monitor.snapshot().timeline.map(\.text)
                == ["shop switches from \(first.url) to \(second.url): 5 of the last 40 requests got no response"])
        withExtendedLifetime(folder) {}
    }

    @Test func `S1.16 a field of a response switches to the server that it names, modulo their number`() async throws {
        let (second, third) = (try ScriptedServer(answering: .ok("b")), try ScriptedServer(answering: .ok("c")))
        let numbers = ["/two": "2", "/three": "6", "/bad": "-1"]
        let first = try ScriptedServer { request in .ok("a").with("X-Use-Server", numbers[request.target] ?? "") }
        let servers = [first.url, second.url, third.url]
        for (path, expected) in [("/two", second.url), ("/three", third.url), ("/bad", first.url)] {
            let (client, folder) = try client(servers, .init(field: "X-Use-Server"))
            #expect(try await client.send(try client.request(path, through: "shop")).status == 200)
            #expect(try client.server(of: "shop").base == expected)
            let timeline = client.monitor.snapshot().timeline.map(\.text)
            let number = (servers.firstIndex(of: expected) ?? 0) + 1
            let text = "shop switches from its server 1 to its server \(number), as X-Use-Server of the response requests"
            #expect(timeline == (number == 1 ? [] : [text]))
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `S1.16 the field has no effect without the setting, and from the target of a redirect`() async throws {
        let stranger = try ScriptedServer(answering: HTTPAnswer.ok("x").with("X-Use-Server", "2"))
        let first = try ScriptedServer { request in
            request.target == "/away" ? .redirect(302, to: stranger.url) : .ok("a").with("X-Use-Server", "2")
        }
        let second = try ScriptedServer(answering: .ok("b"))
        for (rule, path) in [(ServerSwitchRule(), "/"), (ServerSwitchRule(field: "X-Use-Server"), "/away")] {
            let (client, folder) = try client([first.url, second.url], rule)
            #expect(try await client.send(try client.request(path, through: "shop")).status == 200)
            #expect(try client.server(of: "shop").base == first.url)
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `S1.8 a server is chosen before the first request of a service`() throws {
        let client = Client(.init())
        client.switchServer(of: "shop", to: 1, in: "develop", count: 3)
        #expect(client.serverTurn(of: "shop", in: "develop", count: 3).index == 1)
        #expect(client.monitor.snapshot().serverIndex(of: "shop", in: "develop") == 1)
    }

    @Test func `cancelled requests and responses with 500 are not failures of a server, unless the service specifies it`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 500, reason: "No"))
        for (counts, generation) in [(false, 0), (true, 1)] {
            let (client, folder) = try client([server.url, server.url], .init(after: 4, errorRate: 0.5, countsServerErrors: counts))
            for _ in 0..<4 { #expect(try await client.send(try client.request("/", through: "shop")).status == 500) }
            #expect(try client.server(of: "shop").generation == generation)
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `a POST with a response is not sent to the next server because its redirect failed`() async throws {
        let dead = try DeadPort(.refusing)
        let (first, second) = (try ScriptedServer(answering: .redirect(303, to: dead.url + "/done")), try ScriptedServer(answering: .ok("b")))
        let (client, folder) = try client([first.url, second.url])
        var request = try client.request("/orders", through: "shop")
        request.method = .post
        request.options.retry = RetryPolicy(limit: 2)
        let exchange = await client.exchange(request)
        #expect(exchange.error?.code == .connectionRefused)
        #expect(first.requests.count == 1 && second.requests.isEmpty)
        // Requests that may be sent twice are.
        request.method = .get
        #expect(await client.exchange(request).response?.status == 200)
        withExtendedLifetime(folder) {}
    }

    @Test func `S1.16 a switch requested by the server applies immediately`() async throws {
        let (first, second) = (try ScriptedServer(answering: .ok("a")), try ScriptedServer(answering: .ok("b")))
        let (client, folder) = try client([first.url, second.url])
        client.switchServer(of: "shop", to: 1)
        #expect(try await client.send(try client.request("/", through: "shop")).body.all == Array("b".utf8))
        #expect(client.monitor.snapshot().timeline.map(\.text) == ["shop switches from its server 1 to its server 2, as requested"])
        withExtendedLifetime(folder) {}
    }

    @Test func `S1.17 missing routes, cancellations and trust failures do not count for the server`() throws {
        let request = try Request.to("http://shop.test/")
        var exchange = Exchange(id: RequestID(high: 0, low: 0), request: request, startedAt: .distantPast)
        var attempt = Attempt(url: request.url, method: .get, startedAt: .distantPast)
        attempt.address = "127.0.0.1"
        exchange.attempts = [attempt]
        func health(_ code: NetworkError.Code) -> ServerHealth? {
            ServerHealth(of: request, exchange, since: 0, error: NetworkError(code, ""), ServerSwitchRule())
        }
        for code in [NetworkError.Code.offline, .cancelled, .untrustedCertificate, .pinMismatch, .bodyTooLarge] { #expect(health(code) == nil) }
        for code in [NetworkError.Code.timedOut, .connectionRefused, .emptyResponse, .connectionLost] { #expect(health(code) == .failure) }
        #expect(health(.tooManyRedirects) == .success)
        // A failure after a redirect to another server does not count for the redirecting server.
        exchange.attempts[0].response = Response(status: 302)
        exchange.attempts.append(Attempt(url: try HTTPURL(parsing: "http://else.test/"), method: .get, startedAt: .distantPast))
        #expect(health(.connectionRefused) == .success)
    }

    @Test func `X7 failover tries another address of the same server first, then the next server`() async throws {
        let (good, refusing) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(.ok("other address")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let next = try ScriptedServer(answering: .ok("next server"))
        let (client, folder) = try client(["http://shop.test:\(good.port)", next.url])
        func ask(_ addresses: String...) async throws -> [CallEvent] {
            var options = RequestOptions()
            options.addresses = addresses.compactMap { IPAddress($0) }
            // The address belongs to the name; the next server has its own.
            var events: [CallEvent] = []
            for await event in client.events(try client.request("/x?a=1", options: options, through: "shop")) { events.append(event) }
            return events
        }
        let byAddress = try await ask("127.0.0.2", "127.0.0.3")
        #expect(byAddress.end?.text == "other address")
        #expect(next.requests.isEmpty)
        let dead = try DeadPort(.refusing)
        let (lost, second) = try self.client([dead.url, next.url])
        var events: [CallEvent] = []
        for await event in lost.events(try lost.request("/x?a=1", through: "shop")) { events.append(event) }
        #expect(events.end?.text == "next server")
        #expect(events.end?.attempts.map(\.error?.code) == [.connectionRefused, nil])
        #expect(next.requests.map(\.target) == ["/x?a=1"])
        #expect(events.decisions(.server) == ["127.0.0.1:\(dead.port) refused the connection; trying \(next.url), the next server"])
        withExtendedLifetime((refusing, folder, second)) {}
    }

    @Test func `the exchange contains the server that was used, and the monitor the one in use`() async throws {
        let dead = try DeadPort(.refusing)
        let next = try ScriptedServer(answering: .ok("next server"))
        let (client, folder) = try client([dead.url, next.url], .init(after: 2, errorRate: 0.5))
        let request = try client.request("/x", query: [("a", "1")], through: "shop")
        let exchange = await client.exchange(request)
        #expect(exchange.request.url.description == next.url + "/x?a=1")
        #expect(exchange.attempts.last?.url.authority == next.authority)
        #expect(client.monitor.snapshot().serverIndex(of: "shop", in: "develop") == 0)
        _ = await client.exchange(request)
        #expect(client.monitor.snapshot().serverIndex(of: "shop", in: "develop") == 1)
        client.switchServer(of: "shop", to: 0)
        #expect(client.monitor.snapshot().serverIndex(of: "shop", in: "develop") == 0)
        #expect(client.monitor.snapshot().serverIndex(of: "shop", in: "release") == 0)
        withExtendedLifetime(folder) {}
    }

    @Test func `X7 a request waits only when no server of the ring is reachable, and is sent to the first reachable one`() async throws {
        let first = try DeadPort(.refusing)
        let dead = try DeadPort(.refusing)
        let rules = ParkingRules(drainPause: .milliseconds(2), firstProbe: .milliseconds(10), longestProbe: .milliseconds(20))
        let queue = OfflineQueue(rules, reachability: Reachability { .online }) { 0.5 }
        let (client, folder) = try client([first.url, "http://127.0.0.1:\(dead.port)"], parking: queue)
        var request = try client.request("/x", method: .post, through: "shop")
        request.options.retry = RetryPolicy(parksWhenOffline: true)
        let call = RunningCall(client: client, request: request)
        try await call.wait(for: "the request to wait") { if case .parked = $0 { true } else { false } }
        let back = try dead.open(.answering(.ok("taken")))
        #expect(try await call.end().end?.text == "taken")
        #expect(back.requests.count == 1)
        withExtendedLifetime((folder, first)) {}
    }
}
