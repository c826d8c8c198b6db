import Foundation
import Support
import Testing

/// Tests files of other tools that are used in place: `send FILE#NAME`, `run FILE`, `list -w FILE`, folders, and permission.
struct InPlaceCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie(permitsOwn: false)
        server = try ScriptedServer { request in
            switch request.target {
            case "/login": .json("{\"token\": \"t1\"}")
            case "/me": .json("{\"id\": 42, \"auth\": \"\(request["Authorization"] ?? "")\"}")
            default: .ok("got \(request.method) \(request.target) \(request.bodyText)")
            }
        }
    }

    private func writeHTTPFile() throws {
        try sortie.write("http-client.env.json", "{\"dev\": {\"host\": \"\(server.url)\"}}")
        try sortie.write(
            "api.http",
            """
            ### login
            POST {{host}}/login

            ### who am I
            # @name me
            GET {{host}}/me
            Authorization: Bearer {{login.response.body.$.token}}

            ### old
            # @no-redirect
            GET {{host}}/old
            """)
    }

    @Test func `a request of a .http file is sent by its name, its title or its number, and earlier ones give their values`() async throws {
        try writeHTTPFile()
        for target in ["api.http#me", "api.http#who am I", "api.http#2"] {
            let run = try await sortie.run("send", target)
            #expect(run.status == .exited(0) && run.output.contains("Bearer t1"), "\(run)")
        }
        let none = try await sortie.run("send", "api.http#mee")
        #expect(none.status == .exited(2) && none.errorOutput.contains("did you mean api.http#me?"), "\(none)")
        let missing = try await sortie.run("send", "apis.http#me")
        #expect(missing.status == .exited(3) && missing.errorOutput.contains("there is no file apis.http"), "\(missing)")
        let all = try await sortie.run("send", "api.http")
        #expect(all.status == .exited(2) && all.errorOutput.contains("it has: login, me, old"), "\(all)")
    }

    @Test func `a .http file, and the folder with it, is run, listed and checked without workspace yaml`() async throws {
        try writeHTTPFile()
        let run = try await sortie.run("run", "api.http")
        #expect(run.status == .exited(0) && server.requests.map(\.target) == ["/login", "/me", "/old"], "\(run)")
        #expect(server.requests[1]["Authorization"] == "Bearer t1")
        let folder = try await sortie.run("run", ".", "-e", "dev", "--json")
        #expect(folder.status == .exited(0) && folder.output.contains("\"steps\""), "\(folder)")
        let list = try await sortie.run("list")
        #expect(list.output.contains("who am I") && list.output.contains("chain"), "\(list)")
        #expect(try await sortie.run("check", "api.http").status == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/workspace.yaml"))
    }

    @Test func `a Hurl file is run with its captures and asserts, and a failed assert is exit 1`() async throws {
        func file(_ id: Int) -> String {
            """
            POST \(server.url)/login
            [FormParams]
            user: toto
            HTTP 200
            [Captures]
            token: jsonpath "$.token"

            GET \(server.url)/me
            Authorization: Bearer {{token}}
            HTTP 200
            [Asserts]
            jsonpath "$.id" == \(id)
            jsonpath "$.auth" == "Bearer t1"
            body contains "1"
            sha256 == hex,00;
            """
        }
        try sortie.write("a.hurl", file(42))
        let good = try await sortie.run("run", "a.hurl")
        #expect(good.status == .exited(0), "\(good)")
        #expect(good.errorOutput.contains("a.hurl:15") && good.errorOutput.contains("sha256 has no counterpart"), "\(good)")
        #expect(server.requests[0].bodyText == "user=toto")
        try sortie.write("a.hurl", file(43))
        let bad = try await sortie.run("run", "a.hurl")
        #expect(bad.status == .exited(1) && bad.output.contains("$.id"), "\(bad)")
        let export = try await sortie.run("export", "a", "-w", "a.hurl", "--as", "hurl")
        #expect(export.status == .exited(0) && export.output.contains("token: jsonpath \"$.token\""), "\(export)")
        #expect(export.output.contains("Authorization: Bearer {{token}}") && export.output.contains("[Form]\nuser: toto"), "\(export)")
    }

    @Test func `a folder of Bruno is run in its order`() async throws {
        try sortie.write("shop/bruno.json", "{\"version\": \"1\", \"name\": \"Shop\", \"type\": \"collection\"}")
        try sortie.write("shop/b.bru", "meta {\n  name: first\n  type: http\n  seq: 1\n}\n\nget {\n  url: \(server.url)/one\n}\n")
        try sortie.write("shop/a.bru", "meta {\n  name: second\n  type: http\n  seq: 2\n}\n\nget {\n  url: \(server.url)/two\n}\n")
        let run = try await sortie.run("run", "shop")
        #expect(run.status == .exited(0) && server.requests.map(\.target) == ["/one", "/two"], "\(run)")
    }

    @Test func `a folder with too many files to be searched is reported`() async throws {
        let run = try await sortie.shell(
            "mkdir -p many/deep && echo 'GET \(server.url)/' > many/deep/a.http && (cd many && seq 20000 | xargs touch); \"$SORTIE\" run many; echo $?"
        )
        #expect(run.output == "3\n" && run.errorOutput.contains("many has more than 20000 files"), "\(run)")
    }

    @Test func `a file outside of the folder is sent only with permission`() async throws {
        try sortie.write("secret.txt", "hidden")
        try sortie.write("inside.txt", "shown")
        try sortie.write("sub/api.http", "### out\nPOST \(server.url)/x\n\n< ../secret.txt\n")
        try sortie.write("api.http", "### in\nPOST \(server.url)/x\n\n< inside.txt\n")
        #expect(try await sortie.run("send", "api.http#in").output.contains("shown"))
        let refused = try await sortie.run("send", "sub/api.http#out")
        #expect(
            refused.status == .exited(3) && refused.errorOutput.contains("secret.txt") && refused.errorOutput.contains("sub/api.http"), "\(refused)")
        #expect(server.requests.count == 1)
        #expect(try await sortie.run("send", "sub/api.http#out", "--trust").output.contains("hidden"))
    }
}
