import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests name resolution by a DNS over HTTPS server (RFC 8484, S3.12), here with plain HTTP on this machine.
@Suite(.fewAtOnce)
struct DNSOverHTTPSTests {
    /// The queried type of records, 1 or 28.
    private static func type(of message: [UInt8]) -> UInt8 { message.count > 4 ? message[message.count - 3] : 0 }

    private static func message(in request: ReceivedRequest) -> [UInt8] {
        guard request.method == "GET" else { return request.body }
        var text = request.target.split(separator: "dns=").last.map(String.init) ?? ""
        text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(Data(base64Encoded: text) ?? Data())
    }

    private static func answer(_ message: DNSMessage, _ headers: [(String, String)] = []) -> HTTPAnswer {
        .ok(bytes: message.bytes, headers: [("Content-Type", "application/dns-message")] + headers)
    }

    /// A server that knows one name.
    private static func server(
        address: [UInt8] = [127, 0, 0, 3], lifetime: UInt32 = 300, headers: [(String, String)] = [], takes method: String = "GET"
    ) throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.method == method else { return HTTPAnswer(status: 405, reason: "Method Not Allowed") }
            let type = Self.type(of: Self.message(in: request))
            let records: [DNSMessage.Record] = type == 1 ? [.address("shop.test", address, lifetime: lifetime)] : []
            return Self.answer(DNSMessage("shop.test", type, records), headers)
        }
    }

    /// A caller whose system resolver answers only when the test does, and a request for `shop.test` that uses `server`.
    private func setUp(_ server: ScriptedServer, port: UInt16) throws -> (Caller, FakeSystem, Request) {
        let system = FakeSystem()
        let folder = try TemporaryFolder()
        let servers = DNSOverHTTPS(spoolFolder: folder.path, patience: .seconds(300))
        let caller = try Caller(resolver: system.resolver(askingServers: { servers.start($0, $1, $2) }))
        let url = try HTTPURL(parsing: "\(server.url)/dns-query")
        return (caller, system, try .to("http://shop.test:\(port)/") { $0.resolution.server = url })
    }

    @Test(arguments: ["GET", "POST"])
    func `a name is queried by GET, and by POST where only that is accepted`(_ method: String) async throws {
        let target = try ScriptedServer(address: "127.0.0.3", .answering(.ok("there")))
        let dns = try Self.server(takes: method)
        let (caller, system, request) = try setUp(dns, port: target.port)
        let events = try await caller.events(request)
        #expect(events.end?.text == "there")
        #expect(target.requests.first?["Host"] == "shop.test:\(target.port)")
        #expect(events.decisions(.address).first?.hasPrefix("127.0.0.3: resolved at \(dns.url) in ") == true)
        #expect(system.questions.current.isEmpty)
        let asked = dns.requests.filter { $0.method == method }
        #expect(asked.count == 2)
        #expect(asked.allSatisfy { $0["Accept"] == "application/dns-message" && $0["Cookie"] == nil })
        #expect(Set(asked.map { Self.type(of: Self.message(in: $0)) }) == [1, 28])
        if method == "POST" { #expect(asked.allSatisfy { $0["Content-Type"] == "application/dns-message" }) }
        // The record's lifetime is 300 s, within which no query is sent.
        system.advance(seconds: 299)
        #expect(try await caller.exchange(request).text == "there")
        #expect(dns.requests.filter { $0.method == method }.count == 2)
    }

    @Test func `the age of a cached response is subtracted`() async throws {
        let target = try ScriptedServer(address: "127.0.0.3", .answering(.ok("there")))
        let dns = try Self.server(lifetime: 300, headers: [("Age", "280")])
        let (caller, system, request) = try setUp(dns, port: target.port)
        _ = try await caller.exchange(request)
        system.advance(seconds: 21)
        #expect(try await caller.events(request).decisions(.address).first?.contains("refreshed in the background") == true)
        _ = try await dns.waitForRequests(4)
    }

    @Test func `a name that the server reports as missing is not found, and the system is not queried`() async throws {
        let dns = try ScriptedServer { Self.answer(DNSMessage("shop.test", Self.type(of: Self.message(in: $0)), [], code: 3)) }
        let (caller, system, request) = try setUp(dns, port: 1)
        let error = try #require(try await caller.exchange(request).error)
        #expect(error.code == .hostNotFound)
        #expect(error.underlying == "\(dns.url): the name does not exist")
        #expect(system.questions.current.isEmpty)
    }

    enum Fault: String, CaseIterable, Sendable {
        case status = "the DNS server responded with 500"
        case type = "the DNS server responded with text/html, not a DNS message"
        case broken = "the DNS message ends in the middle, at byte 3"
        case failed = "the DNS server failed (SERVFAIL)"

        var answer: HTTPAnswer {
            switch self {
            case .status: HTTPAnswer(status: 500, reason: "No")
            case .type: .ok("<p>", headers: [("Content-Type", "text/html")])
            case .broken: .ok("abc", headers: [("Content-Type", "application/dns-message")])
            case .failed: .ok(bytes: DNSMessage("shop.test", 1, [], code: 2).bytes, headers: [("Content-Type", "application/dns-message")])
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `without a valid response of the server the system is queried, and the request reports the reason`(_ fault: Fault) async throws {
        let target = try ScriptedServer(address: "127.0.0.3", .answering(.ok("there")))
        let dns = try ScriptedServer { request in
            guard fault == .failed else { return fault.answer }
            return Self.answer(DNSMessage("shop.test", Self.type(of: Self.message(in: request)), [], code: 2))
        }
        let (caller, system, request) = try setUp(dns, port: target.port)
        let call = caller.begin(request)
        try await system.waitForQuestions(1)
        system.answer(0, "127.0.0.3")
        let events = try await call.end()
        #expect(events.end?.text == "there")
        #expect(
            events.decisions(.address).first?.hasPrefix("127.0.0.3: resolved by the system, because \(dns.url): \(fault.rawValue) in ") == true,
            "\(events.decisions(.address))")
    }
}
