import FoundationEssentials
import Support
import Testing

@testable import SortieNetworking

/// Tests the monitoring data of a client (S3.3): counts, times, connections, and the reasons for address and server selection.
@Suite(.fewAtOnce)
struct MonitorTests {
    private func request(_ url: String, service: String? = nil) throws -> Request {
        var request = try Request.to(url)
        request.service = service
        return request
    }

    @Test func `S3.3 attempts are counted by service, server and address`() async throws {
        let (one, two) = (try ScriptedServer(answering: .ok("12345")), try ScriptedServer(answering: .ok()))
        let dead = try DeadPort(.refusing)
        let caller = try Caller()
        for _ in 0..<10 { _ = try await caller.exchange(request("\(one.url)/", service: "shop")) }
        _ = try await caller.exchange(request("\(dead.url)/", service: "shop"))
        _ = try await caller.exchange(request("\(two.url)/"))
        let report = caller.client.monitor.snapshot()
        #expect(report.services.map(\.name) == ["shop", nil])
        let shop = report.services[0]
        #expect(shop.traffic.requests == 11 && shop.traffic.errors == 1)
        #expect(shop.traffic.successRate == 10.0 / 11)
        #expect(shop.traffic.bytesReceived == 50)
        #expect(shop.traffic.connectionsOpened == 1 && shop.traffic.connectionsReused == 9)
        #expect(shop.traffic.p50 > 0 && shop.traffic.p50 <= shop.traffic.p95 && shop.traffic.p95 <= shop.traffic.p99)
        #expect(shop.servers.map(\.origin) == [one.url, dead.url])
        #expect(shop.servers[0].addresses.map(\.address) == ["127.0.0.1"])
        #expect(shop.servers[0].traffic.requests == 10 && shop.servers[0].traffic.errors == 0)
        #expect(shop.recent.count == 60 && shop.recent.reduce(0, +) == 11)
        #expect(report.services[1].servers.map(\.origin) == [two.url])
    }

    @Test func `a cancelled request and a response with 500 are not errors`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 500, reason: "No"))
        let gate = Gate()
        let slow = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let caller = try Caller()
        _ = try await caller.get("\(server.url)/")
        let call = caller.begin(try .to("\(slow.url)/"))
        try await gate.waitUntilReached()
        await call.cancel()
        _ = try await call.end()
        let traffic = try #require(caller.client.monitor.snapshot().services.first).traffic
        #expect(traffic.requests == 2 && traffic.errors == 0)
        gate.open()
    }

    @Test func `S3.3 the report contains the address in use, its numbers and the reason, and the timeline its changes`() async throws {
        let (good, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(.ok("good")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let caller = try Caller()
        for _ in 0..<3 {
            let exchange = try await caller.get("http://shop.test:\(good.port)/") {
                $0.addresses = ["127.0.0.2", "127.0.0.3"].compactMap { IPAddress($0) }
            }
            #expect(exchange.text == "good")
        }
        let report = caller.client.monitor.snapshot()
        let addresses = try #require(report.services.first?.servers.first).addresses
        #expect(addresses.map(\.address) == ["127.0.0.2", "127.0.0.3"])
        #expect(addresses.map(\.isInUse) == [false, true])
        #expect(addresses[0].standing?.requests == 1 && addresses[0].standing?.successes == 0)
        #expect(addresses[1].standing?.requests == 3 && addresses[1].standing?.successes == 3)
        #expect(
            addresses[0].reason
                == "replaced: the score of the other address is better by 0.1 or more; at that time score 0.13: 0 of the last 1 succeeded")
        #expect(
            addresses[1].reason
                == "used instead of 127.0.0.2 (score 0.13: 0 of the last 1 succeeded): the score of the other address is better by 0.1 or more")
        #expect(report.timeline.map(\.kind) == [.address])
        #expect(report.timeline.first?.text.hasPrefix("shop.test: switched from 127.0.0.2 (") == true)
        let text = report.record.text
        #expect(text.contains("\"inUse\"") && text.contains("used instead of 127.0.0.2"))
        withExtendedLifetime(dead) {}
    }

    @Test func `many changes cause one signal until the report is read`() async throws {
        let monitor = Monitor(scores: AddressScores(), reachability: { Reachability { .online } })
        var signs = monitor.changes().makeAsyncIterator()
        for number in 0..<100 { monitor.note(.server, "\(number)") }
        #expect(await signs.next() != nil)
        #expect(monitor.snapshot().timeline.count == 100)
        monitor.note(.server, "one more")
        #expect(await signs.next() != nil)
        #expect(monitor.snapshot().timeline.count == 101)
    }

    @Test func `changes of the network are in the timeline`() async throws {
        let status = Watched(Reachability.Reading.online)
        let reachability = Reachability { status.current }
        let monitor = Monitor(scores: AddressScores(), reachability: { reachability })
        #expect(monitor.snapshot().isOnline)
        status.change { $0 = .offline }
        reachability.refresh()
        reachability.refresh()
        #expect(!monitor.snapshot().isOnline)
        #expect(monitor.snapshot().timeline.map(\.text) == ["this machine has no network except loopback"])
    }

    @Test func `the stored data is limited`() throws {
        let now = Watched<UInt64>(0)
        let monitor = Monitor(scores: AddressScores(), reachability: { Reachability { .online } }, now: { now.current })
        for number in 0..<Monitor.mostPlaces + 10 {
            now.change { $0 += 1 }
            var attempt = Attempt(url: try HTTPURL(parsing: "http://host\(number).test/"), method: .get, startedAt: .distantPast)
            attempt.address = "127.0.0.1"
            monitor.note(attempt, of: nil)
        }
        for number in 0..<Monitor.mostEvents + 10 { monitor.note(.server, "\(number)") }
        let report = monitor.snapshot()
        #expect(report.services.first?.servers.count == Monitor.mostPlaces)
        #expect(report.services.first?.servers.first?.origin == "http://host10.test")
        #expect(report.timeline.first?.text == "10" && report.timeline.count == Monitor.mostEvents)
    }

    @Test func `the last minute is counted by seconds`() {
        var counts = RecentCounts()
        func at(_ second: UInt64) -> UInt64 { second * 1_000_000_000 }
        counts.note(at: at(100))
        counts.note(at: at(101))
        counts.note(at: at(101))
        #expect(counts.lastMinute(at: at(103)).suffix(4) == [1, 2, 0, 0])
        #expect(counts.lastMinute(at: at(160)).reduce(0, +) == 2)
        #expect(counts.lastMinute(at: at(400)).reduce(0, +) == 0)
        counts.note(at: at(161))
        #expect(counts.lastMinute(at: at(161)) == Array(repeating: 0, count: 59) + [1])
    }
}
