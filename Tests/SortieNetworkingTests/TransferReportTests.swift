import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests the sink of one transfer and its reports, without a server.
@Suite(.fewAtOnce)
struct TransferReportTests {
    private let folder: TemporaryFolder
    private let request: TransferRequest

    init() throws {
        folder = try TemporaryFolder()
        request = TransferRequest(
            request: try .to("http://127.0.0.1/"), address: nil, connectTimeout: 1_000_000_000, deadline: nil, isObserved: true)
    }

    private func sink(resume: @escaping @Sendable () -> Void = {}, clockStarts: @escaping () -> Void = {}) throws -> TransferSink {
        TransferSink(
            spec: request, body: BodyBuffer(folder: folder.path, limit: nil), supply: try BodySupply(request), resume: resume,
            report: { if case .clockStarts = $0 { clockStarts() } })
    }

    /// Passes bytes to the sink like libcurl; returns its result for libcurl.
    private func feed(_ sink: TransferSink, _ bytes: [UInt8]) -> Int {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) {
                TransferSink.onBody($0.baseAddress, 1, $0.count, Unmanaged.passUnretained(sink).toOpaque())
            }
        }
    }

    @Test @Engine func `a body that moves from memory to the disk never displays fewer bytes than before`() throws {
        let sink = try sink()
        let shown = Watched<[Int]>([])
        let transfer = Transfer(spec: request, handle: try #require(EasyHandle()), sink: sink) { event in
            if case .grew(let view) = event { shown.change { $0.append(view.count) } }
        } finish: { _ in
        }
        var now: UInt64 = 1 << 40
        #expect(feed(sink, [UInt8](repeating: 1, count: BodyBuffer.memoryLimit)) == BodyBuffer.memoryLimit)
        for _ in 0..<8 {
            transfer.report(now: now)
            now += Transfer.reportInterval
            #expect(feed(sink, [UInt8](repeating: 2, count: 300_000)) == 300_000)
        }
        #expect(shown.current.first == BodyBuffer.memoryLimit)
        #expect(shown.current == shown.current.sorted())
    }

    @Test @Engine func `reports of one transfer are coalesced`() throws {
        let sink = try sink()
        let events = Watched(0)
        let transfer = Transfer(spec: request, handle: try #require(EasyHandle()), sink: sink) { _ in
            events.change { $0 += 1 }
        } finish: { _ in
        }
        let start: UInt64 = 1 << 40
        for step in 0..<40 {
            _ = feed(sink, [1])
            transfer.report(now: start + UInt64(step) * 1_000_000)
        }
        // One event each for progress and growth in 40 ms.
        #expect(events.current == 2)
        _ = feed(sink, [1])
        transfer.report(now: start + Transfer.reportInterval)
        #expect(events.current == 4)
    }

    @Test @Engine func `the idle limit of a transfer begins with its connection, which libcurl may hold back for long`() throws {
        let sink = try sink()
        let transfer = Transfer(spec: request, handle: try #require(EasyHandle()), sink: sink, observer: nil) { _ in }
        let later = MonotonicClock.now &+ request.idleLimit.nanoseconds
        #expect(transfer.expiry(at: later &+ 1) == nil)
        let address = "127.0.0.1"
        _ = address.withCString { text in
            let text = UnsafeMutablePointer(mutating: text)
            return TransferSink.onPrerequest(Unmanaged.passUnretained(sink).toOpaque(), text, text, 80, 1)
        }
        #expect(transfer.expiry(at: sink.lastActivity) == nil)
        #expect(transfer.expiry(at: sink.lastActivity &+ request.idleLimit.nanoseconds)?.timeLimit == .idle)
    }

    @Test @Engine func `the recorded fields are those that were sent, also with a line separator of Unicode in a value`() throws {
        let sink = try sink()
        Array("GET / HTTP/1.1\r\nHost: a.test\r\nX-Note: one\u{2028}two: three\r\nX-Empty:\r\n\r\n".utf8).withUnsafeBytes { sink.noteSentHeader($0) }
        #expect(sink.sentHeaders == ["Host": "a.test", "X-Note": "one\u{2028}two: three", "X-Empty": ""])
    }

    @Test @Engine func `every pause that ends has the time limits evaluated again`() throws {
        var starts = 0
        let sink = try sink(clockStarts: { starts += 1 })
        for path in [\TransferSink.isPaused, \.isSendingPaused, \.isHeld] {
            sink[keyPath: path] = true
            #expect(starts == 0)
            sink[keyPath: path] = false
            sink[keyPath: path] = false
            #expect(starts == 1)
            starts = 0
        }
    }

    @Test @Engine func `a sink that is ahead of the disk suspends libcurl, and is resumed once`() async throws {
        let resumed = Watched(0)
        let sink = try sink(resume: { resumed.change { $0 += 1 } })
        let size = SpoolFile.highWater + BodyBuffer.memoryLimit
        #expect(feed(sink, [UInt8](repeating: 1, count: size)) == size)
        #expect(sink.isPaused)
        // The bytes are not accepted, so libcurl passes them again.
        #expect(feed(sink, [2]) == Int(0x10000001), "CURL_WRITEFUNC_PAUSE")
        #expect(sink.body.count == size)
        try await resumed.wait("the disk to catch up", within: .seconds(300)) { $0 == 1 ? () : nil }
        sink.isPaused = false
        #expect(feed(sink, [2]) == 1)
        #expect(sink.body.count == size + 1)
    }
}
