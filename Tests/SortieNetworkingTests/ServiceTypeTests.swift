import Foundation
import Glibc
import Support
import Testing

@testable import SortieNetworking

/// Tests that the service type reaches the socket, and the priority the frames of HTTP/2.
@Suite(.fewAtOnce)
struct ServiceTypeTests {
    /// The traffic classes of this process's sockets that are connected to a port of a numeric address, read from the kernel.
    ///
    /// Another test may have a connection to the same port of another address.
    private static func trafficClasses(ofConnectionsTo address: String, port: UInt16) -> [Int32] {
        let isIPv6 = address.contains(":")
        var wanted = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, address, &wanted) == 1 else { return [] }
        let (expected, place) = (wanted, isIPv6 ? 8 : 4)
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap { Int32($0) }.compactMap { descriptor in
            var bytes = [UInt8](repeating: 0, count: 128)
            var length = socklen_t(bytes.count)
            let result = bytes.withUnsafeMutableBytes { raw in
                raw.baseAddress.map { getpeername(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length) } ?? -1
            }
            // Both address families have the port at byte 2, in network order.
            guard result == 0, length >= 4, UInt16(bytes[2]) << 8 | UInt16(bytes[3]) == port else { return nil }
            let family = Int32(bytes[0])
            guard family == (isIPv6 ? AF_INET6 : AF_INET), bytes[place..<place + expected.count].elementsEqual(expected) else { return nil }
            let (level, option) = family == AF_INET6 ? (Int32(IPPROTO_IPV6), IPV6_TCLASS) : (Int32(IPPROTO_IP), IP_TOS)
            var value: Int32 = -1
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, option, &value, &size) == 0 ? value : nil
        }
    }

    /// A server that records the traffic classes of its clients' sockets while a request is in progress.
    private func observing(_ seen: Watched<[[Int32]]>, address: String = "127.0.0.1") throws -> ScriptedServer {
        try ScriptedServer(
            address: address,
            .answering { request in
                let port = request["Host"].flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) } ?? 0
                seen.change { $0.append(Self.trafficClasses(ofConnectionsTo: address, port: port)) }
                return .ok()
            })
    }

    @Test(arguments: ServiceType.allCases)
    func `S2.13 the socket of a request has the traffic class of its service type`(_ type: ServiceType) async throws {
        let seen = Watched<[[Int32]]>([])
        let server = try observing(seen)
        #expect(try await Caller().get(server.url) { $0.serviceType = type }.error == nil)
        #expect(seen.current == [[Int32(type.trafficClass)]])
    }

    @Test func `S2.13 a socket of IPv6 has the traffic class as well`() async throws {
        let seen = Watched<[[Int32]]>([])
        let server = try observing(seen, address: "::1")
        #expect(try await Caller().get("http://[::1]:\(server.port)/") { $0.serviceType = .voice }.error == nil)
        #expect(seen.current == [[0xb8]])
    }

    @Test func `S2.13 requests of different types share no connection, those of one type do`() async {
        // In a separate process, because connections of other tests would push these out of the pool.
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(answering: .ok())
            let caller = try Caller()
            for type in [ServiceType.standard, .video, .standard, .video, .background, .video] {
                #expect(try await caller.get(server.url) { $0.serviceType = type }.error == nil)
            }
            #expect(server.acceptedConnections == 3)
        }
    }

    @Test func `the synthetic host name of a separate connection is set for every request, because libcurl forgets it`() throws {
        func options(_ configure: (inout RequestOptions) -> Void) throws -> HandleOptions? {
            HandleOptions(
                TransferRequest(request: try .to("http://127.0.0.1/", configure), address: nil, connectTimeout: 1, deadline: nil, isObserved: false))
        }
        #expect(try options { _ in } != nil)
        #expect(try options { $0.serviceType = .video } == nil && options { $0.interface = "lo" } == nil)
        // Pins that expire are an option only until then.
        #expect(try options { $0.trust = TrustPolicy(pins: ["sha256//x"]) } != nil && options { $0.trust.pinsExpire = 1 } == nil)
    }

    @Test(arguments: [(RequestOptions.Priority.low, Int?.some(1)), (.normal, nil), (.high, 256)])
    func `S2.62 the frame that opens an HTTP/2 stream has the weight of the priority`(_ priority: RequestOptions.Priority, _ weight: Int?)
        async throws
    {
        // The client sends its preface, two frames and the header before it waits; the rest of the preface is the body of the first head.
        let server = try ScriptedServer(Script(.readHead, .readBytes(100), .closeGracefully))
        let exchange = try await Caller().get("\(server.url)/") {
            $0.version = .http2
            $0.priority = priority
        }
        #expect(exchange.error != nil)
        let frames = try #require(server.requests.first).body.dropFirst("SM\r\n\r\n".utf8.count)
        #expect(try Self.weight(ofFirstStreamIn: Array(frames)) == weight)
    }

    /// The weight in the first HEADERS frame (RFC 7540 §6.2); nil for a frame without a priority.
    private static func weight(ofFirstStreamIn frames: [UInt8]) throws -> Int? {
        var rest = frames[...]
        while rest.count >= 9 {
            let length = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            let (type, flags) = (rest[rest.startIndex + 3], rest[rest.startIndex + 4])
            let payload = rest.dropFirst(9)
            if type == 1 {
                guard flags & 0x20 != 0 else { return nil }
                return Int(try #require(payload.dropFirst(4).first)) + 1
            }
            rest = payload.dropFirst(length)
        }
        Issue.record("there is no HEADERS frame in \(frames)")
        return nil
    }
}
