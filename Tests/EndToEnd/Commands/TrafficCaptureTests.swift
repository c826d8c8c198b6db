import Foundation
import Support
import Testing

/// Tests `--capture FILE`, which records the exchanges in a file for other tools (S3.3).
@Suite(.serialized)
struct TrafficCaptureTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            switch request.target {
            case "/from": HTTPAnswer.redirect(302, to: "/to?token=s3cret")
            case "/bytes": .ok(String(decoding: [0x00, 0x01], as: UTF8.self), headers: [("Content-Type", "application/octet-stream")])
            default: .ok("grüße", headers: [("Content-Type", "text/plain")])
            }
        }
    }

    private var path: String { sortie.work + "/all.har" }

    @Test(.enabled(if: Haralyzer.isAvailable, "haralyzer is not installed; .ci/setup test does that"))
    func `haralyzer finds the same entries, times and bodies`() async throws {
        let before = Date().timeIntervalSince1970
        let record = try await sortie.run("send", "\(server.url)/from", "-d", "a=1", "--capture", "all.har", "--json", "--show-secrets")
        #expect(record.succeeded, "\(record)")
        _ = try await sortie.run("send", "\(server.url)/bytes", "-H", "Authorization: Bearer s3cret", "--capture", "all.har")
        let port = try DeadPort(.refusing)
        _ = try await sortie.run("send", "\(port.url)/", "--capture", "all.har")
        let entries = try await Haralyzer.entries(of: path)
        #expect(entries.map(\.method) == ["POST", "GET", "GET", "GET"])
        #expect(entries.map { $0.url.replacingOccurrences(of: server.url, with: "") } == ["/from", "/to?token=s3cret", "/bytes", "\(port.url)/"])
        #expect(entries.map(\.status) == [302, 200, 200, 0])
        #expect(entries[1].text == "grüße" && entries[1].mimeType == "text/plain")
        #expect(entries[2].requestHeaders["Authorization"] == "••••")
        #expect(entries.prefix(3).allSatisfy { $0.address == "127.0.0.1" })
        for entry in entries {
            #expect(entry.startedAt >= before - 0.01 && entry.startedAt <= Date().timeIntervalSince1970)
            let parts = entry.timings.filter { $0.key != "ssl" && $0.value >= 0 }.values.reduce(0, +)
            #expect(abs(parts - entry.time) < 0.01)
        }
        // The record of the same call has the same times.
        let exchange = try #require(try JSONSerialization.jsonObject(with: Data(record.outputBytes)) as? [String: Any])
        let timing = try #require(exchange["timing"] as? [String: Double])
        let last = entries[1].timings
        let total = try #require(timing["total"])
        let phases: [Double] = ["connect", "send", "wait", "receive"].compactMap { last[$0] }
        #expect(abs(phases.filter { $0 >= 0 }.reduce(0, +) - total * 1000) < 0.01)
    }

    @Test func `the export of the history has the same entries as the recording, those of redirects and failures included`() async throws {
        let sent = try await sortie.run("send", "\(server.url)/from", "-d", "a=1", "--capture", "all.har")
        #expect(sent.succeeded, "\(sent)")
        let port = try DeadPort(.refusing)
        _ = try await sortie.run("send", "\(port.url)/", "--capture", "all.har")
        let export = try await sortie.run("history", "export", "--har", "past.har")
        #expect(export.succeeded, "\(export)")
        let (recorded, exported) = (try entries(of: "all.har"), try entries(of: "past.har"))
        #expect(recorded.count == 3)
        for (recorded, exported) in zip(recorded, exported) { #expect(recorded == exported) }
        #expect(exported.count == 3)
    }

    /// The entries of an archive, each as text with sorted keys.
    private func entries(of file: String) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(sortie.work)/\(file)"))
        let archive = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let entries = try #require((archive["log"] as? [String: Any])?["entries"] as? [Any])
        return try entries.map { String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self) }
    }

    @Test func `secrets are masked unless they are asked for`() async throws {
        _ = try await sortie.run("send", "\(server.url)/from", "-H", "X-Api-Key: s3cret", "--capture", "all.har")
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("s3cret"))
        _ = try await sortie.run("send", "\(server.url)/from", "-H", "X-Api-Key: s3cret", "--capture", "whole.har", "--show-secrets")
        #expect(try String(contentsOfFile: sortie.work + "/whole.har", encoding: .utf8).contains("s3cret"))
    }

    @Test func `downloads and uploads are recorded, and the files that they move are not in it`() async throws {
        let download = try await sortie.run("download", "\(server.url)/file", "-o", "got.txt", "--capture", "all.har")
        #expect(download.succeeded, "\(download)")
        try sortie.write("mine.txt", "of mine")
        let upload = try await sortie.run("upload", "\(server.url)/take", "mine.txt", "--capture", "all.har")
        #expect(upload.succeeded, "\(upload)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("the body was saved to a file") && text.contains("mine.txt was sent"))
        #expect(!text.contains("of mine"))
    }

    @Test func `a dry run records nothing`() async throws {
        let run = try await sortie.run("send", "\(server.url)/", "--capture", "all.har", "--dry-run")
        #expect(run.succeeded && !FileManager.default.fileExists(atPath: path), "\(run)")
    }

    @Test func `a file of another program is left alone, and nothing is sent`() async throws {
        try sortie.write("all.har", "mine")
        let run = try await sortie.run("send", "\(server.url)/", "--capture", "all.har")
        #expect(run.status == .exited(3) && run.errorOutput.contains("choose another name"), "\(run)")
        #expect(server.acceptedConnections == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
}
