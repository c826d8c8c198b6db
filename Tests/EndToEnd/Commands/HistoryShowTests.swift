import Foundation
import Support
import Testing

/// Tests `sortie history show`, `diff` and `export`.
@Suite(.serialized)
struct HistoryShowTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            switch request.target {
            case "/a": .json(#"{"id": 1, "at": 100, "items": [1, 2, 3]}"#, headers: [("ETag", "a")])
            case "/b": .json(#"{"at": 200, "items": [0, 1, 2, 3], "id": 1.0}"#, headers: [("ETag", "b")])
            case "/token": .json(#"{"access_token": "abcdefghijklmnop"}"#)
            case "/from": HTTPAnswer.redirect(302, to: "/a")
            case "/bytes": .ok(String(decoding: [0x00, 0x01], as: UTF8.self), headers: [("Content-Type", "application/octet-stream")])
            default: .ok("grüße", headers: [("Content-Type", "text/plain")])
            }
        }
    }

    private func send(_ path: String, _ more: String...) async throws {
        _ = try await sortie.run(["send", server.url + path] + more)
    }

    // MARK: show

    @Test func `a pipe receives the exact body, and with -i the header before it`() async throws {
        try await send("/text")
        let run = try await sortie.run("history", "show", "last")
        #expect(run.succeeded && run.output == "grüße" && run.errorOutput.isEmpty, "\(run)")
        let whole = try await sortie.run("history", "show", "1", "-i")
        #expect(whole.output.hasPrefix("HTTP/1.1 200 OK\n") && whole.output.hasSuffix("\n\ngrüße"), "\(whole)")
    }

    @Test func `a terminal displays request and response, with formatted JSON`() async throws {
        try await send("/a", "-H", "Authorization: Bearer s3cret", "-d", "x=1")
        let terminal = try await sortie.open("history", "show", "last", size: (80, 40))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let screen = terminal.screen
        #expect(screen.contains("POST \(server.url)/a") && screen.contains("x=1") && screen.contains("HTTP/1.1 200 OK"), "\(screen)")
        #expect(screen.contains("  \"items\": [\n    1,") && screen.contains("Authorization: ••••") && !screen.contains("s3cret"), "\(screen)")
    }

    @Test func `the record contains the keys of the contract and more`() async throws {
        try await send("/a")
        let run = try await sortie.run("history", "show", "last", "--json")
        let record = try ExchangeRecord(run)
        #expect(record.response?.status == 200 && record.response?.body?.contains("items") == true && record.request.url == server.url + "/a")
        let more = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(more["number"] as? Int == 1 && more["pinned"] as? Bool == false && more["note"] as? String == "" && more["tags"] as? [String] == [])
        #expect((more["startedAt"] as? String)?.hasSuffix("Z") == true)
        #expect(try await ExchangeRecord(sortie.run("history", "show", record.id, "--json")).id == record.id)
    }

    @Test func `the length of a masked body is that of the response`() async throws {
        try await send("/token")
        let run = try await sortie.run("history", "show", "last", "--json")
        #expect(run.output.contains(#""bodyBytes": 36, "body": "{\"access_token\": \"••••\"}""#), "\(run)")
    }

    @Test func `a failed exchange is printed with its reason`() async throws {
        let port = try DeadPort(.refusing)
        _ = try await sortie.run("send", port.url)
        let run = try await sortie.run("history", "show", "last")
        #expect(run.succeeded && run.output.isEmpty && run.errorOutput.contains("connectionRefused"), "\(run)")
        #expect(try await ExchangeRecord(sortie.run("history", "show", "last", "--json")).error?.code == "connectionRefused")
    }

    @Test(arguments: ["1", "last", "last-1", "nonsense", "1-1"]) func `an unknown exchange is rejected`(reference: String) async throws {
        let run = try await sortie.run("history", "show", reference)
        #expect(run.failed(2, "unknownExchange") && run.errorOutput.contains(reference), "\(run)")
    }

    @Test func `a body that was written to a file is not in the history, and this is reported`() async throws {
        _ = try await sortie.run("download", server.url + "/text", "-o", "got.txt")
        let run = try await sortie.run("history", "show", "last")
        #expect(run.failed(3, "missingBody") && run.errorOutput.contains("got.txt"), "\(run)")
    }

    // MARK: diff

    @Test func `different responses are compared line by line, and the command ends with 1`() async throws {
        try await send("/a")
        try await send("/b")
        let run = try await sortie.run("history", "diff", "1", "2")
        #expect(run.status == .exited(1) && run.errorOutput.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("--- 1  ") && lines[1].hasPrefix("+++ 2  ") && lines.last == "The responses differ.")
        #expect(lines.contains("- ETag: a") && lines.contains("+ ETag: b"))
        #expect(lines.contains("-   \"at\": 100") && lines.contains("+   \"at\": 200") && lines.contains("+     0"))
        #expect(!run.output.contains("\u{1b}") && lines.contains("    \"id\": 1.0"), "\(run)")
    }

    @Test func `responses that differ only in ignored parts end with 0`() async throws {
        try await send("/a")
        try await send("/b")
        let run = try await sortie.run("history", "diff", "1", "2", "--ignore", "$.at", "--ignore", "$.items", "--ignore", "header:etag")
        #expect(run.succeeded && run.output.hasSuffix("The responses are equal.\n"), "\(run)")
        let same = try await sortie.run("history", "diff", "last", "last")
        #expect(same.succeeded, "\(same)")
        let bad = try await sortie.run("history", "diff", "1", "2", "--ignore", "at")
        #expect(bad.failed(2, "ignore"), "\(bad)")
    }

    @Test func `the record of a comparison lists the paths that differ`() async throws {
        try await send("/a")
        try await send("/b")
        let run = try await sortie.run("history", "diff", "1", "2", "--json")
        #expect(run.status == .exited(1))
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(record["equal"] as? Bool == false)
        let body = try #require(record["body"] as? [String: Any])
        let changes = try #require(body["changes"] as? [[String: Any]])
        #expect(changes.map { $0["path"] as? String } == ["$.at", "$.items[0]"])
        #expect(changes[0]["left"] as? Int == 100 && changes[1]["left"] == nil && changes[1]["right"] as? Int == 0)
        #expect(body["form"] as? String == "json")
    }

    @Test func `colours are used only on a terminal`() async throws {
        try await send("/a")
        try await send("/b")
        let terminal = try await sortie.open("history", "diff", "1", "2", size: (80, 60))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(1))
        #expect(terminal.screen.contains("+ ETag: b"))
        let plain = try await sortie.open("history", "diff", "1", "2", "--no-color", size: (80, 60))
        #expect(try await plain.exitStatus(within: Sortie.patience) == .exited(1))
        #expect(plain.screen == terminal.screen)
    }

    @Test func `two downloads of the same size cannot be compared, and the command ends with 3`() async throws {
        _ = try await sortie.run("download", server.url + "/text", "-o", "one.txt")
        _ = try await sortie.run("download", server.url + "/other", "-o", "two.txt")
        let run = try await sortie.run("history", "diff", "1", "2")
        #expect(run.status == .exited(3) && run.output.contains("Status: 200") && run.output.contains("one.txt"), "\(run)")
        #expect(run.errorOutput.hasPrefix("sortie: missingBody: the responses of 1 and 2 cannot be compared completely\n"), "\(run)")
        #expect(!run.output.contains("equal") && run.output.contains("The result of the comparison is unknown."), "\(run)")
        let json = try await sortie.run("history", "diff", "1", "2", "--json")
        #expect(json.status == .exited(3) && json.errorOutput == run.errorOutput, "\(json)")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        #expect(record["equal"] is NSNull && (record["body"] as? [String: Any])?["different"] is NSNull)
        // Downloads are compared by size.
        _ = try await sortie.run("download", server.url + "/a", "-o", "three.txt")
        #expect(try await sortie.run("history", "diff", "1", "3").status == .exited(1))
    }

    // MARK: export

    @Test func `an exchange that an archive already contains is not added again`() async throws {
        try await send("/from", "-d", "a=1")
        try await send("/text", "-d", #"{"_call": "1-2", "_attempt": 1}"#)
        #expect(try await sortie.run("history", "export", "--har", "all.har", "url:from").succeeded)
        #expect(try await sortie.run("history", "export", "--har", "all.har").succeeded)
        let once = try sortie.read("all.har")
        let again = try await sortie.run("history", "export", "--har", "all.har")
        #expect(again.succeeded && again.errorOutput.contains("2 exchanges in all.har"), "\(again)")
        #expect(try sortie.read("all.har") == once)
        let archive = try #require(try JSONSerialization.jsonObject(with: Data(once)) as? [String: Any])
        let entries = try #require((archive["log"] as? [String: Any])?["entries"] as? [[String: Any]])
        #expect(entries.map { $0["_attempt"] as? Int } == [1, 2, 1])
    }

    @Test(.enabled(if: Haralyzer.isAvailable, "haralyzer is not installed; .ci/setup test does that"))
    func `haralyzer reads the exported exchanges, the oldest first`() async throws {
        try await send("/from", "-d", "a=1", "-H", "Authorization: Bearer s3cret")
        try await send("/text")
        try await send("/bytes")
        let run = try await sortie.run("history", "export", "--har", "all.har")
        #expect(run.succeeded && run.output.isEmpty, "\(run)")
        let path = sortie.work + "/all.har"
        let entries = try await Haralyzer.entries(of: path)
        #expect(entries.map { $0.url.replacingOccurrences(of: server.url, with: "") } == ["/from", "/a", "/text", "/bytes"])
        #expect(entries.map(\.status) == [302, 200, 200, 200] && entries.map(\.method) == ["POST", "GET", "GET", "GET"])
        #expect(entries[2].text == "grüße" && entries[1].text?.contains("items") == true)
        #expect(entries[1].requestHeaders["Authorization"] == "••••")
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("s3cret"))
        for entry in entries {
            let parts = entry.timings.filter { $0.key != "ssl" && $0.value >= 0 }.values.reduce(0, +)
            #expect(abs(parts - entry.time) < 0.01)
        }
        // The export of some exchanges on stdout.
        let some = try await sortie.run("history", "export", "--har", "-", "url:text")
        try sortie.write("some.har", some.outputBytes)
        #expect(try await Haralyzer.entries(of: sortie.work + "/some.har").map(\.text) == ["grüße"])
        let device = try await sortie.shell("\"$SORTIE\" history export --har /dev/stdout url:text | cat")
        #expect(device.output == some.output && device.errorOutput.isEmpty, "\(device)")
    }

    @Test func `an archive in another format is not changed`() async throws {
        try await send("/a")
        try sortie.write("all.har", "mine")
        let run = try await sortie.run("history", "export", "--har", "all.har")
        #expect(run.failed(3, "workspace") && run.errorOutput.contains("choose another name"), "\(run)")
        #expect(try sortie.read("all.har") == Array("mine".utf8))
    }
}
