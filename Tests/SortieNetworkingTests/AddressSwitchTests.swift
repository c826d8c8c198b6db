import Support
import Testing

@testable import SortieNetworking

/// Tests several addresses of one name, with servers on several loopback addresses (S3.8–S3.10, S3.13).
@Suite(.fewAtOnce)
struct AddressSwitchTests {
    /// The addresses 127.0.0.2 and 127.0.0.3 of `shop.test`, as returned by the system's resolver.
    private struct Pair {
        let caller: Caller
        let system = FakeSystem()
        let url: String

        init(port: UInt16) throws {
            caller = try Caller(resolver: system.resolver)
            url = "http://shop.test:\(port)/"
        }

        /// Sends the first request, for which the name is resolved.
        func begin(_ addresses: String...) async throws -> Exchange {
            let call = caller.begin(try .to(url))
            try await system.waitForQuestions(1)
            system.questions.current[0].answer(.addresses(addresses.compactMap { IPAddress($0) }))
            return try #require(try await call.end().end)
        }
    }

    @Test func `S3.9 requests switch to the faster address after fifteen requests, and the report contains reason and numbers`() async throws {
        let pause = Script(.repeat([.readRequest, .pause(.milliseconds(450)), .send(HTTPAnswer.ok("slow"))]))
        let (slow, fast) = try onOnePort(ScriptedServer(address: "127.0.0.3", pause)) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok("fast")))
        }
        let pair = try Pair(port: slow.port)
        #expect(try await pair.begin("127.0.0.3", "127.0.0.2").text == "slow")
        var decisions: [String] = []
        for _ in 2...15 {
            let events = try await pair.caller.events(.to(pair.url))
            #expect(events.end?.text == "slow")
            #expect(events.end?.attempts.first?.addressChoice?.reason == .inUse)
            decisions = events.decisions(.address)
        }
        let change = try #require(decisions.last)
        #expect(change.hasPrefix("switched from 127.0.0.3 (score 0."))
        #expect(change.contains("15 of the last 15 succeeded) to 127.0.0.2 (score 0.70, not tried yet): its average latency of "))
        #expect(change.hasSuffix(" ms is above 200 ms"))
        for _ in 0..<5 { #expect(try await pair.caller.get(pair.url).text == "fast") }
        #expect(slow.requests.count == 15)
        #expect(fast.requests.allSatisfy { $0["Host"] == "shop.test:\(slow.port)" })
    }

    @Test func `S3.9 an address that closes without a response is left, and no request fails`() async throws {
        let (bad, good) = try onOnePort(ScriptedServer(address: "127.0.0.3", Script(.readRequest, .reset))) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok("good")))
        }
        let pair = try Pair(port: bad.port)
        let first = try await pair.begin("127.0.0.3", "127.0.0.2")
        #expect(first.text == "good")
        #expect(first.attempts.map(\.address) == ["127.0.0.3", "127.0.0.2"])
        #expect(first.attempts.map(\.addressChoice?.reason) == [.first, .next])
        for _ in 0..<5 { #expect(try await pair.caller.get(pair.url).attempts.map(\.address) == ["127.0.0.2"]) }
        #expect(bad.requests.count == 1)
        withExtendedLifetime(good) {}
    }

    @Test func `a request that may have been processed is sent to no other address`() async throws {
        let (bad, good) = try onOnePort(ScriptedServer(address: "127.0.0.3", Script(.readRequest, .reset))) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok("good")))
        }
        let caller = try Caller()
        var request = try Request.to("http://shop.test:\(bad.port)/", .post, body: .text("x", contentType: nil))
        request.options.addresses = ["127.0.0.3", "127.0.0.2"].compactMap { IPAddress($0) }
        let exchange = try await caller.exchange(request)
        #expect(exchange.attempts.count == 1)
        #expect(exchange.error?.errorClass == .transport)
        #expect(good.requests.isEmpty)
    }

    @Test func `a 500 is a response and not a failure of the address`() async throws {
        let (server, other) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(HTTPAnswer(status: 500, reason: "No")))) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok()))
        }
        let pair = try Pair(port: server.port)
        _ = try await pair.begin("127.0.0.3", "127.0.0.2")
        for _ in 0..<20 { #expect(try await pair.caller.get(pair.url).response?.status == 500) }
        #expect(other.requests.isEmpty)
    }

    @Test func `when one address closes and the next refuses, the first failure is reported`() async throws {
        let (bad, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", Script(.readRequest, .closeGracefully))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let exchange = try await Caller().get("http://shop.test:\(bad.port)/") {
            $0.addresses = ["127.0.0.3", "127.0.0.2"].compactMap { IPAddress($0) }
        }
        #expect(exchange.error?.code == .emptyResponse)
        #expect(exchange.attempts.map(\.error?.code) == [.emptyResponse, .connectionRefused])
        withExtendedLifetime(dead) {}
    }

    /// A request with two given addresses and a connect timeout.
    private func request(_ url: String, _ first: String, _ second: String, connect: Duration) throws -> Request {
        try .to(url) {
            $0.addresses = [first, second].compactMap { IPAddress($0) }
            $0.timeouts.connect = connect
        }
    }

    @Test func `a silent address uses only its share of the connect timeout, which is reported`() async throws {
        let (dead, server) = try onOnePort(DeadPort(.silent, address: "127.0.0.3")) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok("second")))
        }
        try await growing(from: .seconds(2)) { limit -> Void? in
            let exchange = try await Caller().exchange(request("http://shop.test:\(server.port)/", "127.0.0.3", "127.0.0.2", connect: limit))
            let share = "no connection to shop.test:\(server.port) within \((limit / 2).spoken)"
            // The first address had its share, and connecting to the second one took longer than the rest.
            if exchange.attempts.first?.error?.message == share, exchange.error?.timeLimit == .connect { return nil }
            #expect(exchange.text == "second")
            #expect(exchange.attempts.map(\.error?.message) == [share, nil])
            return ()
        }
        withExtendedLifetime(dead) {}
    }

    @Test func `a connected address has the full time for its TLS handshake, and its failure is reported`() async throws {
        try await growing(from: .seconds(1)) { limit -> Void? in
            let hello = Gate()
            let (silent, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", [.readBytes(1), .wait(for: hello)])) {
                try DeadPort(.refusing, address: "127.0.0.2", port: $0)
            }
            let exchange = try await Caller().exchange(request("https://shop.test:\(silent.port)/", "127.0.0.3", "127.0.0.2", connect: limit))
            // The client must have begun the handshake within the share of the address.
            guard hello.arrivals > 0 else { return nil }
            #expect(exchange.attempts.map(\.address) == ["127.0.0.3"])
            #expect(
                exchange.error?.message
                    == "no connection to shop.test:\(silent.port) within \(limit.spoken): "
                    + "the server accepted it, but did not finish the TLS handshake")
            withExtendedLifetime(dead) {}
            return ()
        }
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `a TLS handshake that takes longer than an address's share succeeds`() async throws {
        let nginx = try Nginx.start(Nginx.Options())
        try await growing(from: .seconds(2)) { limit -> Void? in
            let relay = Script(.pause(limit * 6 / 10), .relay(to: nginx.httpsPort))
            let (slow, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", relay)) {
                try DeadPort(.refusing, address: "127.0.0.2", port: $0)
            }
            var request = try request("https://example.test:\(slow.port)/echo", "127.0.0.3", "127.0.0.2", connect: limit)
            request.options.trust.certificateAuthorityFile = try Certificates.shared().certificateAuthority
            let exchange = try await Caller().exchange(request)
            withExtendedLifetime(dead) {}
            let first = exchange.attempts.first?.error?.message ?? ""
            let beganHandshake = first.isEmpty || first.hasSuffix("did not finish the TLS handshake")
            // Connecting took longer than the share of the address, or the handshake took longer than the complete limit.
            guard beganHandshake, exchange.attempts.count > 1 || exchange.error == nil else { return nil }
            #expect(exchange.error == nil)
            #expect(exchange.attempts.map(\.address) == ["127.0.0.3"])
            return ()
        }
    }

    @Test func `addresses of the service follow the resolved ones, and are used alone where nothing is resolved`() async throws {
        let (server, dead) = try onOnePort(ScriptedServer(address: "127.0.0.2", .answering(.ok("further")))) {
            try DeadPort(.refusing, address: "127.0.0.3", port: $0)
        }
        let system = FakeSystem()
        let caller = try Caller(resolver: system.resolver)
        let request = try Request.to("http://shop.test:\(server.port)/") {
            $0.resolution.further = ["127.0.0.2"].compactMap { IPAddress($0) }
        }
        let call = caller.begin(request)
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.3")
        #expect(try await call.end().end?.attempts.map(\.address) == ["127.0.0.3", "127.0.0.2"])
        let lost = try Caller(resolver: system.resolver)
        let second = lost.begin(request)
        try await system.waitForQuestions(2)
        system.questions.current[1].answer(.failed("no"))
        let events = try await second.end()
        #expect(events.end?.text == "further")
        #expect(events.decisions(.address).contains("127.0.0.2, from the service, because the host shop.test was not found"))
        withExtendedLifetime(dead) {}
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `S3.10 S3.13 TLS is verified against the name with every address`() async throws {
        let certificates = try Certificates.shared()
        let (nginx, dead) = try onOnePort(Nginx.start(Nginx.Options()), port: { $0.httpsPort }) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let caller = try Caller()
        func ask(_ host: String, _ path: String = "/echo") async throws -> Exchange {
            try await caller.get("https://\(host):\(nginx.httpsPort)\(path)") {
                $0.addresses = ["127.0.0.2", "127.0.0.1"].compactMap { IPAddress($0) }
                $0.trust.certificateAuthorityFile = certificates.certificateAuthority
            }
        }
        let right = try await ask("example.test")
        #expect(right.text?.hasSuffix("example.test") == true)
        #expect(right.attempts.map(\.address) == ["127.0.0.2", "127.0.0.1"])
        #expect(try await ask("example.test", "/name").text == "example.test", "the name in the TLS handshake (SNI)")
        #expect(try await ask("other.invalid").error?.code == .untrustedCertificate)
        withExtendedLifetime(dead) {}
    }
}
