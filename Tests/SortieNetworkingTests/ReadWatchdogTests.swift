import Support
import Testing

@testable import SortieNetworking

@Suite struct ReadWatchdogTests {
    /// Frames that nghttp2 accepts without end; it ends connections with too many pings and settings itself.
    private static let endless: [(name: String, first: HTTP2Frame, frame: HTTP2Frame)] = [
        ("empty data", .response(length: nil), HTTP2Frame(.data, stream: 1)),
        ("priorities", HTTP2Frame(.settings), HTTP2Frame(.priority, stream: 3, [0, 0, 0, 0, 16])),
    ]

    // Later versions of libcurl return from reading, and the call ends at its time limit.
    @Test func `frames without end fail their call with libcurl 7, and a call of another server ends meanwhile`() async {
        // In a separate process, because the calls of other tests would wait for a second.
        await #expect(processExitsWith: .success) {
            let caller = try Caller()
            let other = try ScriptedServer([.answering { .ok($0.target) }])
            for (name, first, frame) in Self.endless {
                let frames = [HTTP2Frame](repeating: frame, count: 1000).bytes
                let server = try ScriptedServer([
                    [.readHTTP2Request, .sendBytes([HTTP2Frame(.settings), first].bytes), .sendForever(frames)]
                ])
                let request = try Request.to(server.url) {
                    $0.version = .http2
                    $0.timeouts = Timeouts(connect: .seconds(300), idle: .seconds(300), total: .seconds(300))
                }
                async let endless = caller.exchange(request)
                _ = try await server.waitForRequests(1)
                let next = try await caller.get("\(other.url)/next")
                #expect(next.text == "/next", "\(name): \(next.error.debugDescription)")
                guard Libcurl.isVersion7 else { continue }
                let error = try await endless.error
                #expect(error?.code == .connectionLost, "\(name): \(error.debugDescription)")
                #expect(error?.message.contains("sent without end") == true, "\(name): \(error.debugDescription)")
            }
        }
    }

    /// The connections that are closed after observations of a connection, in units of 2 MiB that were read of it; `steps` are the calls, that of the first one for ever.
    private static func closed(_ read: [Int64], unit: Int64 = 2 << 20, steps: [UInt64] = []) -> [Int32] {
        var observation = ReadWatchdog.Observation()
        _ = observation.add(step: 7, read: [:])
        var closed: Set<Int32> = []
        for (index, count) in read.enumerated() {
            let step: UInt64 = steps.isEmpty ? 7 : steps[index]
            let counts: [Int32: Int64] = [3: count * unit, 4: 0]
            closed.formUnion(observation.add(step: step, read: counts))
        }
        return closed.sorted()
    }

    @Test func `a connection that one call reads in four intervals is closed`() {
        #expect(Self.closed([0, 1, 2, 3]).isEmpty)
        #expect(Self.closed([0, 1, 2, 3, 4]) == [3])
    }

    @Test func `a connection that different calls read stays open`() {
        #expect(Self.closed([0, 1, 2, 3, 4, 5], steps: [7, 7, 7, 9, 9, 9]).isEmpty)
    }

    @Test func `a connection that is not read in one of the intervals stays open`() {
        #expect(Self.closed([0, 1, 2, 2, 3, 4, 5, 6, 7]).isEmpty)
    }

    @Test func `a connection of which little is read stays open, such as an endless line of a head`() {
        #expect(Self.closed([0, 1, 2, 3, 4, 5, 6, 7, 8], unit: 150_000).isEmpty)
    }

    @Test func `a connection whose bytes are not counted stays open`() {
        #expect(Self.closed([-1, -1, -1, -1, -1, -1, -1], unit: 1).isEmpty)
    }
}
