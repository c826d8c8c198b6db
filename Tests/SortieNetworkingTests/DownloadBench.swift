import Foundation
import Support

@testable import SortieNetworking

/// A client with a folder for downloads.
struct DownloadBench: Sendable {
    let folder: TemporaryFolder
    let downloads: Downloads
    let client: Client

    init(plugins: [any Plugin] = [], probe: @escaping DiskProbe = { _ in 0 }, reachability: @escaping @Sendable () -> Reachability = { .system })
        throws
    {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path("spool"), plugins: plugins))
        downloads = Downloads(core: client.core, probe: probe, reachability: reachability)
    }

    /// The default destination of files.
    var place: String { folder.path("out") }

    /// A download to `out`, or to the destination, with retry delays that take no time, and time limits that a busy machine does not reach.
    func download(_ url: String, to destination: Download.Destination? = nil, _ configure: (inout Download) -> Void = { _ in }) throws -> Download {
        var request = Request(url: try HTTPURL(parsing: url))
        request.options.timeouts = Timeouts(connect: .seconds(300), idle: .seconds(300), total: nil)
        var download = Download(request, to: destination ?? .file(place))
        download.retryPause = .milliseconds(1)
        configure(&download)
        return download
    }

    /// Downloads and waits for the end.
    func run(_ url: String, to destination: Download.Destination? = nil, _ configure: (inout Download) -> Void = { _ in }) async throws -> DownloadRun
    {
        try await run(url, to: destination, onEvent: { _ in }, configure)
    }

    /// Downloads, calls `onEvent` with each event as it arrives, and waits for the end.
    func run(
        _ url: String, to destination: Download.Destination? = nil, onEvent: @escaping @Sendable (DownloadEvent) -> Void,
        _ configure: (inout Download) -> Void
    ) async throws -> DownloadRun {
        let download = try download(url, to: destination, configure)
        let running = downloads.start(download)
        return try await withDeadline(.seconds(300), "the download to end") {
            var events: [DownloadEvent] = []
            for await event in running.events {
                onEvent(event)
                events.append(event)
            }
            return DownloadRun(events: events, result: await running.result)
        }
    }
}

/// A finished download with all its events.
struct DownloadRun: Sendable {
    let events: [DownloadEvent]
    let result: DownloadResult

    /// The states in their order.
    var states: [TransferState] { events.compactMap { if case .changed(let state) = $0 { state } else { nil } } }
    /// The reasons of all restarts.
    var restarts: [RestartReason] { states.compactMap { if case .restarting(let reason) = $0 { reason } else { nil } } }
    /// The texts of all decisions.
    var decisions: String { events.compactMap { if case .decided(let decision) = $0 { decision.text } else { nil } }.joined(separator: "\n") }
    /// The code of the error.
    var code: NetworkError.Code? { result.error?.code }
}

/// A file as served by a correct server, and variants of incorrect responses.
struct ServedFile: Sendable {
    var bytes: [UInt8]
    var etag: String? = "\"v1\""
    var fields: [(String, String)] = [("Accept-Ranges", "bytes")]

    /// A file of this size without near repetitions.
    init(_ count: Int, seed: UInt64 = 1, etag: String? = "\"v1\"") {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        // Written by word, because a loop over 20 MB takes a second in a debug build.
        bytes = [UInt8](unsafeUninitializedCapacity: (count + 7) / 8 * 8) { buffer, used in
            for offset in stride(from: 0, to: count, by: 8) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                UnsafeMutableRawBufferPointer(buffer).storeBytes(of: state ^ state >> 32, toByteOffset: offset, as: UInt64.self)
            }
            used = count
        }
        self.etag = etag
    }

    var sha256: String { HexDigits.text(HashFunction.sha256.digest(of: bytes)) }

    private var common: [(String, String)] { (etag.map { [("ETag", $0)] } ?? []) + fields }

    /// The complete response.
    var whole: HTTPAnswer { HTTPAnswer(headers: common, body: bytes) }

    /// The part from `first` on, as a 206 response.
    func part(from first: Int, to end: Int? = nil, contentRange: String? = nil) -> HTTPAnswer {
        let end = end ?? bytes.count
        let range = contentRange ?? "bytes \(first)-\(end - 1)/\(bytes.count)"
        return HTTPAnswer(status: 206, reason: "Partial", headers: common + [("Content-Range", range)], body: Array(bytes[first..<end]))
    }

    /// The first requested byte.
    static func first(_ request: ReceivedRequest) -> Int? { range(request)?.first }

    /// The requested range: the first byte, and the byte after the last one where it is specified.
    static func range(_ request: ReceivedRequest) -> (first: Int, end: Int?)? {
        guard let words = request["Range"]?.dropFirst("bytes=".count).split(separator: "-"), let first = words.first.flatMap({ Int($0) })
        else { return nil }
        return (first, words.dropFirst().first.flatMap { Int($0) }.map { $0 + 1 })
    }

    /// The response required by RFC 9110.
    func answer(_ request: ReceivedRequest) -> HTTPAnswer {
        guard let range = Self.range(request), request["If-Range"] == nil || request["If-Range"] == etag else { return whole }
        guard range.first < bytes.count else {
            return HTTPAnswer(status: 416, reason: "No", headers: common + [("Content-Range", "bytes */\(bytes.count)")])
        }
        return part(from: range.first, to: range.end.map { min($0, bytes.count) })
    }

    /// A connection that breaks after `count` bytes of the complete response.
    func broken(after count: Int, reset: Bool = false) -> Script {
        Script(
            [.readRequest, .send(whole.headBytes), .send(Array(bytes.prefix(count)))]
                + (reset ? [.pause(.milliseconds(50)), .reset] : [.closeGracefully]))
    }

    /// A connection that responds correctly.
    var honest: Script { .answering { answer($0) } }
}
