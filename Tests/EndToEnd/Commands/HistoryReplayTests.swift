import Foundation
import Support
import Testing

/// Tests `sortie history replay`: the server receives the same request as before.
@Suite(.serialized)
struct HistoryReplayTests {
    /// A request as received by a server, without the random boundary of its parts.
    private struct Seen: Equatable {
        let method: String
        let target: String
        let headers: [String]
        let body: [UInt8]

        init(_ request: ReceivedRequest) {
            method = request.method
            target = request.target
            let boundary = request["Content-Type"].flatMap { $0.split(separator: "boundary=").dropFirst().first.map(String.init) } ?? "none"
            headers = request.headers.map { "\($0.name): \($0.value.replacing(boundary, with: "BOUNDARY"))" }
            let text = String(String.UnicodeScalarView(request.body.map { Unicode.Scalar($0) }))
            body = text.replacing(boundary, with: "BOUNDARY").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }

    @Test func `a POST with parts and a file is replayed unchanged, also from another folder`() async throws {
        let server = try ScriptedServer(answering: .ok("taken"))
        let sortie = try Sortie()
        try sortie.write("data.bin", Array(SharedNginx.big.prefix(100_000)))
        let first = try await sortie.run("send", "\(server.url)/up?x=1", "-F", "title=样本", "-F", "f=@data.bin;type=image/png", "-H", "X-Trace: 7")
        #expect(first.status == .exited(0), "\(first)")
        let second = try await sortie.shell("cd / && $SORTIE history replay last")
        #expect(second.status == .exited(0), "\(second)")
        #expect(second.output == "taken")
        #expect(second.errorOutput.contains("unchanged, except: the boundary of its parts"))
        let requests = server.requests.map(Seen.init)
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
    }

    @Test func `a changed file is reported, and a missing file prevents the replay`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        try sortie.write("note.txt", "one")
        _ = try await sortie.run("upload", "\(server.url)/note", "note.txt")
        try sortie.write("note.txt", "longer")
        let changed = try await sortie.run("history", "replay", "last")
        #expect(changed.status == .exited(0), "\(changed)")
        #expect(changed.errorOutput.contains("note.txt has changed"))
        #expect(server.requests.map(\.bodyText) == ["one", "longer"])
        try FileManager.default.removeItem(atPath: "\(sortie.work)/note.txt")
        let gone = try await sortie.run("history", "replay", "last")
        #expect(gone.failed(2, "incomplete"), "\(gone)")
        #expect(gone.errorOutput.contains("note.txt can no longer be read"))
        #expect(server.requests.count == 2)
    }

    /// A workspace whose endpoint has a secret in its header, query and body, and values that change with each request.
    private func workspace(_ server: ScriptedServer, _ sortie: Sortie) throws {
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: {env: THE_KEY}}\nenvironments: {develop: {variables: {who: ann}}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {develop: [\"\(server.url)\"]}\nheaders: {X-Service: \"1\"}\n")
        try sortie.write(
            "ws/api/post.yaml",
            """
            name: Post
            method: POST
            path: /post
            query: {q: "{{key}}", id: "{{$uuid}}"}
            headers: {X-Mine: "Key {{key}}"}
            auth: {bearer: "{{key}}"}
            body: {json: {"password": "{{key}}", "at": "{{$uuid}}", "who": "{{who}}"}}

            """)
    }

    @Test func `secrets are resolved again, everything else is unchanged, and no file contains the secret`() async throws {
        let server = try ScriptedServer(answering: .ok("the key is sesame-1, and that of tomorrow"))
        let sortie = try Sortie()
        try workspace(server, sortie)
        let first = try await sortie.run("send", "api/post", "-w", "ws", environment: ["THE_KEY": "sesame-1"])
        #expect(first.status == .exited(0), "\(first)")
        #expect(first.output.contains("sesame-1"), "the response itself is printed as it is")
        #expect(try sortie.files(telling: "sesame-1") == [])

        // The service's header fields and the current variables do not affect a replay.
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: {env: THE_KEY}}\nenvironments: {develop: {variables: {who: bob}}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {develop: [\"http://127.0.0.1:1\"]}\nheaders: {X-Service: \"2\"}\n")
        let second = try await sortie.run("history", "replay", "last", environment: ["THE_KEY": "sesame-1"])
        #expect(second.status == .exited(0), "\(second)")
        let requests = server.requests.map(Seen.init)
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
        for name in ["Authorization", "X-Mine", "the parameter q", "a secret in the body"] { #expect(second.errorOutput.contains(name), "\(second)") }

        let third = try await sortie.run("history", "replay", "last", environment: ["THE_KEY": "another key"])
        #expect(third.status == .exited(0), "\(third)")
        #expect(server.requests.last?["Authorization"] == "Bearer another key")
        #expect(server.requests.last?["X-Mine"] == "Key another key")
        #expect(server.requests.last?.bodyText == server.requests[0].bodyText.replacing("sesame-1", with: "another key"))
        #expect(try sortie.files(telling: "another key") == [])
    }

    @Test func `a secret of the command line is not stored, and can be entered again`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        _ = try await sortie.run("send", server.url, "--bearer", "from-the-line", "-H", "X-Api-Key: also-mine")
        #expect(try sortie.files(telling: "from-the-line") == [])
        #expect(try sortie.files(telling: "also-mine") == [])
        let refused = try await sortie.run("history", "replay", "last")
        #expect(refused.failed(2, "incomplete"), "\(refused)")
        #expect(refused.errorOutput.contains("Authorization was a secret") && refused.errorOutput.contains("X-Api-Key was a secret"))
        let again = try await sortie.run("history", "replay", "last", "-H", "Authorization: Bearer from-the-line", "-H", "X-Api-Key: also-mine")
        #expect(again.status == .exited(0), "\(again)")
        let requests = server.requests.map(Seen.init)
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
    }

    @Test func `the text of a mask that the user sent is sent again`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        let first = try await sortie.run("send", "\(server.url)/••••?note=••••", "-H", "X-Note: ••••", "-d", "password=••••&note=••••")
        #expect(first.status == .exited(0), "\(first)")
        let second = try await sortie.run("history", "replay", "last")
        #expect(second.status == .exited(0), "\(second)")
        let requests = server.requests.map(Seen.init)
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
    }

    @Test(arguments: ["gateway/golden", "gateway/form", "gateway/json"])
    func `a signed call is signed again and accepted`(target: String) async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        let first = try await sortie.run("send", target, "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "--json")
        #expect(try ExchangeRecord(first).response?.status == 200, "\(first)")
        let second = try await sortie.run("history", "replay", "last", "--json", "--var", "host=\(demo.authority)")
        #expect(try ExchangeRecord(second).response?.status == 200, "\(second)")
        #expect(second.errorOutput.contains("the signature"))
        #expect(try sortie.files(telling: "eiifs9wesdfsjes") == [])
    }

    @Test func `a replayed download is written to a file beside the first one`() async throws {
        let body = Array(SharedNginx.big.prefix(300_000))
        let server = try ScriptedServer(answering: HTTPAnswer(headers: [("ETag", "\"one\"")], body: body))
        let sortie = try Sortie()
        let first = try await sortie.run("download", "\(server.url)/file.bin?v=1", "-H", "X-Trace: 7")
        #expect(first.status == .exited(0), "\(first)")
        let second = try await sortie.run("history", "replay", "last")
        #expect(second.status == .exited(0), "\(second)")
        let requests = server.requests.map(Seen.init)
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
        #expect(try sortie.read("file.bin") == body)
        #expect(try sortie.read("file (1).bin") == body)
    }

    @Test func `with --no-history nothing is stored`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        _ = try await sortie.run("send", server.url, "--no-history")
        #expect(!FileManager.default.fileExists(atPath: sortie.home.path("state/sortie/history.sqlite")))
        let replay = try await sortie.run("history", "replay", "last")
        #expect(replay.failed(2, "unknownExchange"), "\(replay)")
    }
}
