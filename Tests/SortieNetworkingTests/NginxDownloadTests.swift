import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests downloads over several connections from nginx with compression enabled.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable)) struct NginxDownloadTests {
    static let file = ServedFile(12 << 20)
    static let other = ServedFile(12 << 20, seed: 5)

    /// - Parameter rate: The bytes a second of each connection.
    private func nginx(rate: Int = 3_000_000) throws -> Nginx {
        var options = Nginx.Options()
        // Per connection, so that all of them transfer data.
        options.directives = "limit_rate \(rate);"
        return try Nginx.start(files: ["big.txt": Self.file.bytes], options)
    }

    @Test func `four connections to nginx download its file`() async throws {
        try await growing(from: .seconds(1)) { duration -> Void? in
            // A quarter of the file takes this time.
            let nginx = try nginx(rate: Int(Double(Self.file.bytes.count / 4) / (duration / .seconds(1))))
            let bench = try DownloadBench()
            let run = try await bench.run(nginx.httpURL + "/files/big.txt") {
                $0.connections = 4
                $0.wantsDigest = true
            }
            #expect(run.result.error == nil)
            #expect(run.result.digest?.hexadecimal == Self.file.sha256)
            // On a busy machine a connection may begin when others have ended, whose segments are merged.
            return run.segments.contains { $0.count == 4 } ? () : nil
        }
    }

    @Test(arguments: [1, 4]) func `a file that changes between downloads restarts the download`(connections: Int) async throws {
        let nginx = try nginx()
        let home = try TemporaryFolder()
        let bench = try DownloadBench()
        let url = nginx.httpURL + "/files/big.txt"
        let running = bench.downloads.start(
            try bench.download(url, to: .file(home.path("f"))) {
                $0.connections = connections
                // Slow enough not to end before it is cancelled: a complete file is not requested again.
                $0.rateLimit = 300_000
            })
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received > 500_000 { running.cancel(keepsPart: true) }
        }
        #expect(await running.result.bytes > 0)
        let path = nginx.filesFolder + "/big.txt"
        try Data(Self.other.bytes).write(to: URL(fileURLWithPath: path))
        // nginx computes its tag from the modification time and the length.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
        let run = try await DownloadBench().run(url, to: .file(home.path("f"))) { $0.connections = connections }
        #expect(run.result.error == nil)
        #expect(run.restarts == [.changed])
        #expect(try home.read("f") == Self.other.bytes, "never a mixture")
    }
}
