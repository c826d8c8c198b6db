import Foundation
import Support
import Testing

/// Tests `sortie history list`, and the commands that change its rows.
@Suite(.serialized)
struct HistoryListTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() async throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            switch request.target {
            case "/missing": HTTPAnswer.status(404, "{\"why\": \"gone\"}", headers: [("Content-Type", "application/json")])
            default: .json("{\"path\": \"\(request.target)\"}")
            }
        }
        try await send("/one")
        try await send("/missing", "-d", "word=needle")
        try await send("/three")
    }

    private func send(_ path: String, _ more: String...) async throws {
        let run = try await sortie.run(["send", server.url + path] + more)
        try #require(run.succeeded, "\(run)")
    }

    private func numbers(_ filter: String...) async throws -> [Int] {
        let run = try await sortie.run(["history", "list", "--json"] + filter)
        try #require(run.succeeded, "\(run)")
        return try JSONDecoder().decode([Row].self, from: Data(run.outputBytes)).map(\.number)
    }

    private struct Row: Decodable {
        let number: Int
        let id: String
        let startedAt: String
        let kind: String
        let method: String
        let url: String
        let outcome: String
        let status: Int?
        let duration: Double
        let sentBytes: Int
        let receivedBytes: Int
        let attempts: Int
        let tags: [String]
        let note: String
        let pinned: Bool
    }

    @Test func `exchanges are listed newest first, one per line, with tabs in a pipe`() async throws {
        let run = try await sortie.run("history")
        #expect(run.succeeded && run.errorOutput.isEmpty, "\(run)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.map { $0[0] } == ["3", "2", "1"])
        #expect(rows.map { $0[3] } == ["GET", "POST", "GET"] && rows.map { $0[5] } == ["200", "404", "200"])
        #expect(rows[1][4] == server.url + "/missing")
    }

    @Test func `a record has every key`() async throws {
        let run = try await sortie.run("history", "list", "--json", "status:404")
        let rows = try JSONDecoder().decode([Row].self, from: Data(run.outputBytes))
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.number == 2 && row.method == "POST" && row.url == server.url + "/missing" && row.status == 404)
        #expect(row.outcome == "answered" && row.kind == "data" && row.sentBytes == 11 && row.receivedBytes == 15 && row.attempts == 1)
        #expect(row.tags.isEmpty && row.note.isEmpty && !row.pinned && row.id.contains("-"))
        let date = try Date(row.startedAt, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(abs(date.timeIntervalSinceNow) < 120)
    }

    @Test func `words and terms select exchanges, and a minus negates them`() async throws {
        #expect(try await numbers("status:4xx") == [2])
        #expect(try await numbers("-status:404") == [3, 1])
        #expect(try await numbers("-method:get", "is:error") == [2])
        #expect(try await numbers("-service:shop", "-env:v", "-header:nothing", "--", "-is:failed") == [3, 2, 1])
        #expect(try await numbers("needle") == [2])
        #expect(try await numbers("url:three") == [3])
        #expect(try await numbers("body:gone") == [2])
        #expect(try await numbers("since:1h", "until:today") == [3, 2, 1])
        #expect(try await numbers("until:1h") == [])
        #expect(try await numbers("--limit", "2") == [3, 2])
    }

    @Test func `an invalid term is rejected with the remedy`() async throws {
        let status = try await sortie.run("history", "list", "status:abc")
        #expect(status.failed(2, "filter") && status.errorOutput.contains("takes a number, a class like 5xx"), "\(status)")
        let field = try await sortie.run("history", "list", "sevrice:x")
        #expect(field.failed(2, "filter") && field.errorOutput.contains("did you mean service:?"), "\(field)")
        let option = try await sortie.run("history", "list", "--jsn")
        #expect(option.failed(2, "usage") && option.errorOutput.contains("--jsn"), "\(option)")
        let short = try await sortie.run("history", "list", "-Z", "folder")
        #expect(short.failed(2, "usage") && short.errorOutput.contains("-Z"), "\(short)")
        let limit = try await sortie.run("history", "list", "--limit", "0")
        #expect(limit.failed(2, "usage"), "\(limit)")
    }

    @Test func `on a terminal no line is wider than the terminal`() async throws {
        try await send("/" + String(repeating: "long/", count: 60))
        let terminal = try await sortie.open("history", size: (60, 24))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let lines = terminal.screen.split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 60 }, "\(terminal.screen)")
        #expect(lines[0].hasPrefix("4  ") && lines[0].contains("…"))
    }

    @Test func `tags, notes and pins are stored and can be searched`() async throws {
        #expect(try await sortie.run("history", "tag", "2", "slow", "odd").succeeded)
        #expect(try await sortie.run("history", "note", "2", "ask", "about this").succeeded)
        #expect(try await sortie.run("history", "pin", "last-2", "2").succeeded)
        #expect(try await numbers("tag:slow") == [2])
        #expect(try await numbers("is:pinned") == [2, 1])
        #expect(try await sortie.run("history", "unpin", "1").succeeded)
        #expect(try await sortie.run("history", "tag", "2", "slow", "--remove").succeeded)
        #expect(try await numbers("is:pinned") == [2])
        #expect(try await numbers("tag:slow") == [])
        let run = try await sortie.run("history", "list", "--json", "tag:odd")
        let row = try #require(try JSONDecoder().decode([Row].self, from: Data(run.outputBytes)).first)
        #expect(row.tags == ["odd"] && row.note == "ask about this" && row.pinned)
    }

    @Test func `a deleted exchange is gone, and an unknown number changes nothing`() async throws {
        let bad = try await sortie.run("history", "delete", "1", "99")
        #expect(bad.failed(2, "unknownExchange"), "\(bad)")
        #expect(try await numbers() == [3, 2, 1])
        #expect(try await sortie.run("history", "delete", "1", "last").succeeded)
        #expect(try await numbers() == [2])
    }

    @Test func `pruning keeps the specified number of exchanges and the pinned ones`() async throws {
        #expect(try await sortie.run("history", "pin", "1").succeeded)
        let nothing = try await sortie.run("history", "prune")
        #expect(nothing.output == "0 exchanges and 0 files of bodies (0 B) removed\n", "\(nothing)")
        let run = try await sortie.run("history", "prune", "--keep", "1", "--json")
        #expect(run.succeeded && run.output.contains("\"exchanges\": 1"), "\(run)")
        #expect(try await numbers() == [3, 1], "what is pinned does not count")
        let bad = try await sortie.run("history", "prune", "--older-than", "soon")
        #expect(bad.failed(2, "usage") && bad.hint.contains("30d"), "\(bad)")
    }

    @Test func `pruning by age deletes older exchanges`() async throws {
        #expect(try await sortie.run("history", "prune", "--older-than", "1h").succeeded)
        #expect(try await numbers() == [3, 2, 1])
        #expect(try await sortie.run("history", "prune", "--older-than", "0s").succeeded)
        #expect(try await numbers() == [])
    }

    @Test func `pruning by a day keeps the exchanges of that day`() async throws {
        // The current day, except shortly after midnight, when the exchanges may be from the previous day.
        let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        let run = try await sortie.run("history", "prune", "--older-than", Date(timeIntervalSinceNow: -3600).formatted(style))
        #expect(run.succeeded && run.output.hasPrefix("0 exchanges"), "\(run)")
        #expect(try await numbers() == [3, 2, 1])
        let both = try await sortie.run("history", "prune", "--older-than", "1h since:2h")
        #expect(both.failed(2, "usage"), "\(both)")
    }

    @Test func `an argument with blanks is one term, or one phrase`() async throws {
        try await send("/four", "-d", "two words here")
        try await send("/five", "-d", "words of two")
        #expect(try await numbers("two words") == [4])
        #expect(try await numbers("-two words", "method:post") == [5, 2])
        #expect(try await numbers("body:words of two") == [5])
        #expect(try await numbers("workspace:/no/such project") == [])
        #expect(try await numbers("url:four method:post") == [4])
    }

    @Test func `an unreadable history is reported and not changed`() async throws {
        let path = sortie.home.path("state/sortie/history.sqlite")
        // Otherwise the write-ahead log would repair the file.
        for ending in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        // Another file, because an earlier command in this process may still close the old one.
        try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path), options: .atomic)
        let run = try await sortie.run("history")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(repeating: 0x41, count: 5000))
    }

    @Test(arguments: [
        ["list"], ["list", "--json"], ["list", "status:404"], ["show", "last"], ["show", "1", "--json"], ["diff", "1", "2"],
        ["diff", "last", "last-1", "--json"], ["export", "--har", "all.har"],
    ])
    func `every command reports a history file that is not a database`(arguments: [String]) async throws {
        let path = sortie.home.path("state/sortie/history.sqlite")
        for ending in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        let text = Data("not a database".utf8)
        try text.write(to: URL(fileURLWithPath: path), options: .atomic)
        let run = try await sortie.run(["history"] + arguments)
        #expect(run.failed(3, "workspace") && run.output.isEmpty && run.errorOutput.contains("history.sqlite"), "\(run)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }
}
