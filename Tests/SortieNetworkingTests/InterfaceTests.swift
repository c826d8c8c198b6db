import Foundation
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

    @Test(arguments: [
        ("eth0", "eth0/device/vendor", "", "", NetworkKind.wired, false), ("wlan0", "wlan0/wireless/x", "", "", .wireless, false),
        ("wwan0", "wwan0/uevent", "DEVTYPE=wwan\n", "", .cellular, true), ("bnep0", "bnep0/uevent", "DEVTYPE=bluetooth\n", "", .other, true),
        ("usb0", "usb0/device/x", "", "../../../bus/usb/drivers/rndis_host", .wired, true),
        ("usb1", "usb1/device/x", "", "../../../bus/usb/drivers/cdc_ether", .wired, false),
    ])
    func `S2.14 modems, and phones over USB and Bluetooth, are metered`(
        _ name: String, _ file: String, _ text: String, _ driver: String, _ kind: NetworkKind, _ isMetered: Bool
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write(file, text)
        if !driver.isEmpty {
            try FileManager.default.createSymbolicLink(atPath: folder.path("\(name)/device/driver"), withDestinationPath: driver)
        }
        let interface = NetworkInterface(name, in: folder.path)
        #expect(interface.kind == kind && interface.isMetered == isMetered)
        #expect(interface.excluded(by: [.cellular]) == (kind == .cellular ? .cellular : nil))
        #expect(interface.excluded(by: [.metered]) == (isMetered ? .metered : nil))
        #expect(interface.excluded(by: [.interface(name)]) == .interface(name))
        #expect(interface.excluded(by: [.interface("other")]) == nil)
    }

    @Test func `S2.14 the interface of a route is that of the kernel, or of the request`() throws {
        let here = try #require(IPAddress("127.0.0.1"))
        #expect(NetworkInterface.ofRoute(here, nil)?.name == "lo")
        #expect(NetworkInterface.ofRoute(here, "127.0.0.1")?.name == "lo")
        #expect(NetworkInterface.ofRoute(here, "wlan9")?.name == "wlan9")
    }

    /// A client on a machine whose only route has a modem.
    private func mobile(parking: OfflineQueue? = nil, isMobile: @escaping @Sendable () -> Bool = { true }) throws -> (Client, TemporaryFolder) {
        let folder = try TemporaryFolder()
        try folder.write("wwan0/uevent", "DEVTYPE=wwan\n")
        var configuration = ClientConfiguration(spoolFolder: folder.path, parking: parking)
        configuration.interface = { [path = folder.path] _, _ in NetworkInterface(isMobile() ? "wwan0" : "eth0", in: path) }
        return (Client(configuration), folder)
    }

    @Test func `S2.14 S3.1 a request that excludes the network of its route is refused before it is sent, and others are sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, folder) = try mobile()
        defer { withExtendedLifetime(folder) {} }
        for network in [ExcludedNetwork.cellular, .metered, .interface("wwan0")] {
            var request = try Request(server.url)
            request.options.excludedNetworks = [network]
            let exchange = await client.exchange(request)
            #expect(exchange.error?.code == .offline)
            #expect(exchange.error?.message.contains("(wwan0), which the request excludes; nothing was sent") == (network != .interface("wwan0")))
            #expect(exchange.error?.remedy == .excludedNetwork)
        }
        #expect(server.requests.isEmpty)
        var request = try Request(server.url)
        request.options.excludedNetworks = [.interface("wlan0")]
        #expect(await client.exchange(request).error == nil)
    }

    @Test func `S2.14 a request that may wait is sent when its route has another network`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let rules = ParkingRules(drainPause: .milliseconds(2), firstProbe: .milliseconds(10), longestProbe: .milliseconds(20))
        let isMobile = Watched(true)
        let queue = OfflineQueue(rules, reachability: Reachability { .online }) { 0.5 }
        let (client, folder) = try mobile(parking: queue) { isMobile.current }
        defer { withExtendedLifetime(folder) {} }
        var request = try Request(server.url)
        request.options.excludedNetworks = [.metered]
        request.options.retry = RetryPolicy(parksWhenOffline: true)
        let call = RunningCall(client: client, request: request)
        try await call.wait(for: "the request to wait") { if case .parked(let notice) = $0 { !notice.isOut } else { false } }
        #expect(server.requests.isEmpty)
        isMobile.change { $0 = false }
        #expect(try await call.end().end?.error == nil)
        #expect(server.requests.count == 1)
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
