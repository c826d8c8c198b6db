import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests destinations that depend on the response (S2.37).
@Suite(.fewAtOnce) struct DownloadDestinationTests {
    private static let file = ServedFile(300_000)

    private func run(_ bench: DownloadBench, _ url: String, _ destination: @escaping DownloadDestination) async throws -> DownloadResult {
        let running = bench.downloads.start(try bench.download(url, to: .folder(bench.folder.path)), destination: destination)
        return try await withDeadline(.seconds(300), "the download to end") { await running.result }
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] { try folder.names.filter { $0 != "spool" } }

    @Test func `S2.37 the destination is a function of the location and the response`() async throws {
        let bench = try DownloadBench()
        let target = try TemporaryFolder()
        let server = try ScriptedServer(answering: Self.file.whole.with("X-Name", "report"))
        let result = try await run(bench, server.url + "/a.bin") { location, response in
            target.path("\(FilePath.name(of: location))-\(response?.status ?? 0)-\(response?.headers["X-Name"] ?? "")")
        }
        #expect(result.error == nil, "\(result)")
        #expect(result.file == target.path("a.bin-200-report"))
        #expect(try target.read("a.bin-200-report") == Self.file.bytes)
        #expect(try names(bench.folder).isEmpty, "no part or manifest is left")
    }

    @Test func `S2.37 a relative path begins at the folder of the download, and an existing file is kept`() async throws {
        let bench = try DownloadBench()
        try bench.folder.write("x", Array("old".utf8))
        let server = try ScriptedServer(Self.file.honest)
        let result = try await run(bench, server.url + "/a") { _, _ in "x" }
        #expect(result.file == bench.folder.path("x (1)"))
        #expect(try bench.folder.read("x") == Array("old".utf8))
        #expect(try names(bench.folder) == ["x", "x (1)"])
    }

    @Test func `S2.37 a destination that throws or cannot be used keeps the bytes, which the next run needs no request for`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        struct Refused: Error {}
        let refused = try await run(bench, server.url + "/a") { _, _ in throw Refused() }
        #expect(refused.error?.code == .storage)
        let missing = try await run(bench, server.url + "/a") { _, _ in "/nowhere/at/all/f" }
        #expect(missing.error?.code == .storage)
        let responses = Watched<[Int?]>([])
        let done = try await run(bench, server.url + "/a") { _, response in
            responses.change { $0.append(response?.status) }
            return "named"
        }
        #expect(done.error == nil)
        #expect(responses.current == [nil])
        #expect(server.requests.count == 1)
        #expect(try bench.folder.read("named") == Self.file.bytes)
        #expect(try names(bench.folder) == ["named"])
    }
}
