import Support
import Testing

@testable import SortieNetworking

/// Tests the local interface and address of requests (S2.14).
@Suite(.fewAtOnce)
struct InterfaceTests {
    @Test(arguments: ["127.0.0.1", "127.0.0.2"])
    func `S2.14 the server receives the connection from the specified address`(_ address: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        #expect(try await Caller().get(server.url) { $0.interface = address }.error == nil)
        #expect(server.requests.map(\.peer) == [address])
    }

    @Test func `S2.14 a request of another address does not use the connection of the first one, also with a reused handle`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        for address in ["127.0.0.2", "127.0.0.3", nil, "127.0.0.2"] {
            #expect(try await caller.get(server.url) { $0.interface = address }.error == nil)
        }
        #expect(server.requests.map(\.peer) == ["127.0.0.2", "127.0.0.3", "127.0.0.1", "127.0.0.2"])
    }

    @Test func `a request can be sent from an interface by its name`() async throws {
        let server = try ScriptedServer(answering: .ok("from lo"))
        #expect(try await Caller().get(server.url) { $0.interface = "lo" }.text == "from lo")
    }

    @Test func `a local address determines the address family`() async throws {
        let server = try ScriptedServer(answering: .ok("v4"))
        let addresses = ["::1", "127.0.0.1"].compactMap { IPAddress($0) }
        let exchange = try await Caller().get("http://localhost:\(server.port)") {
            $0.interface = "127.0.0.2"
            $0.addresses = addresses
        }
        #expect(exchange.text == "v4")
        #expect(exchange.attempts.map(\.address) == ["127.0.0.1"])
    }

    @Test(arguments: ["nowhere0", "", "lo\u{0}", "127.0.0.1; rm"])
    func `an unknown interface is rejected before anything is sent`(_ name: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let error = try await Caller().get(server.url) { $0.interface = name }.error
        #expect(error?.code == .invalidOption)
        #expect(error?.message.contains("neither a network interface") == true)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: ["203.0.113.7", "::1"])
    func `an unavailable local address is one clear error`(_ address: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let error = try await Caller().get(server.url) { $0.interface = address }.error
        #expect(error?.code == .invalidOption)
        #expect(error?.message.contains("\(address) cannot be used to connect") == true)
        #expect(server.requests.isEmpty)
    }
}
