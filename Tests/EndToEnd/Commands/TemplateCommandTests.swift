import Foundation
import Support
import Testing

/// Tests on the wire how a template value can and cannot change a request.
@Suite(.serialized)
struct TemplateCommandTests {
    private func workspace(_ server: ScriptedServer, _ files: [String: String]) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {}, other: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        for (name, text) in files { try sortie.write(name, text) }
        return sortie
    }

    @Test func `a value from a server cannot add a member to JSON or lead to another path`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/login" ? .json(#"{"name": "a\",\"admin\":true,\"z\":\"b", "id": "7/../../admin?x=1#f"}"#) : .ok()
        }
        let sortie = try workspace(
            server,
            [
                "api/login.yaml": "path: /login\ncapture: {name: $.name, id: $.id}\n",
                "api/save.yaml": "method: POST\npath: \"/orders/{{login.id}}\"\nbody: {json: {name: \"{{login.name}}\", n: 1.50}}\n",
                "runs/r.yaml": "chain: [{send: api/login}, {send: api/save}]\n",
            ])
        let run = try await sortie.run("run", "r")
        #expect(run.status == .exited(0), "\(run)")
        let request = try #require(server.requests.last)
        #expect(request.target == "/orders/7%2F..%2F..%2Fadmin%3Fx%3D1%23f")
        #expect(request.bodyText == "{\n  \"name\": \"a\\\",\\\"admin\\\":true,\\\"z\\\":\\\"b\",\n  \"n\": 1.50\n}")
    }

    @Test func `a password with quotes, backslashes and line breaks is sent unchanged`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, ["api/login.yaml": "method: POST\npath: /login\nbody: {json: {password: \"{{p}}\"}}\n"])
        let password = "a\"b\\c\nd"
        let run = try await sortie.run("send", "api/login", "--var", "p=\(password)")
        #expect(run.status == .exited(0), "\(run)")
        let sent = try JSONDecoder().decode([String: String].self, from: Data(try #require(server.requests.first).body))
        #expect(sent == ["password": password])
    }

    @Test func `a dry run prints what is sent, and a number is inserted raw`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, ["api/a.yaml": "method: POST\npath: \"/{{v}}\"\nbody: {json: {n: \"{{n|raw}}\", t: \"{{n}}\"}}\n"])
        let run = try await sortie.run("send", "api/a", "--var", "v=a/b", "--var", "n=7", "--dry-run")
        #expect(run.output.hasPrefix("POST \(server.url)/a%2Fb\n"), "\(run)")
        #expect(run.output.contains("\"n\": 7,\n  \"t\": \"7\""), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `unclosed braces are a problem of the file, and nothing is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, ["api/a.yaml": "path: /a\nheaders: {X-A: \"{{oops\"}\n"])
        let check = try await sortie.run("check")
        #expect(check.status == .exited(3))
        #expect(check.output == "api/a.yaml:2:16: “{{oops” is not closed; write }} after the name, or {{$braces}} for {{ itself\n")
        let send = try await sortie.run("send", "api/a")
        #expect(send.failed(3, "workspace"), "\(send)")
        let url = try await sortie.run("send", "\(server.url)/{{oops")
        #expect(url.failed(2, "usage"), "\(url)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a service without servers for one environment is a problem only when a request is sent there`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, ["api/a.yaml": "path: /a\n"])
        #expect(try await sortie.run("check").status == .exited(0))
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        let other = try await sortie.run("send", "api/a", "-e", "other")
        #expect(other.failed(3, "workspace"), "\(other)")
        #expect(other.errorOutput.contains("has no server for the environment other"))
    }

    @Test func `a parameter in a typed path replaces the row of its name, and -q replaces both`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, ["api/a.yaml": "path: /a?page=4&x=1\nquery: {page: 1, size: 20}\n"])
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        #expect(try await sortie.run("send", "api/a", "-q", "page=9").status == .exited(0))
        #expect(try await sortie.run("send", "\(server.url)/b?page=4&page=5&x=1", "-q", "page=9").status == .exited(0))
        #expect(server.requests.map(\.target) == ["/a?page=4&x=1&size=20", "/a?x=1&size=20&page=9", "/b?x=1&page=9"])
    }

    @Test func `debugLog prints the blocks of its service's calls once, with secrets masked`() async throws {
        let server = try ScriptedServer(answering: .ok("hi"))
        let sortie = try workspace(server, ["api/a.yaml": "path: /a\nauth: {bearer: s3cret}\n", "runs/r.yaml": "batch: [{send: api/a}]\n"])
        func blocks(_ arguments: String...) async throws -> Int {
            let run = try await sortie.run(arguments)
            #expect(run.status == .exited(0) && !run.errorOutput.contains("s3cret"), "\(run)")
            return run.errorLines.count { $0.contains("Request Start") }
        }
        #expect(try await blocks("send", "api/a") == 0)
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\nplugins: [debugLog]\n")
        #expect(try await blocks("send", "api/a") == 1)
        #expect(try await blocks("send", "api/a", "-v") == 1)
        #expect(try await blocks("run", "r") == 1)
        #expect(try await blocks("run", "r", "-v") == 1)
        #expect(try await blocks("download", "api/a", "-o", "file") == 1)
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\nplugins: [debugLog: false]\n")
        #expect(try await blocks("send", "api/a") == 0)
    }

    @Test func `S0.39 debugLog prints the further lines of a service or an endpoint, with their values`() async throws {
        let server = try ScriptedServer(answering: .ok("hi"))
        let sortie = try workspace(
            server,
            [
                "api/a.yaml": "path: /a\nvariables: {order: A-17}\n",
                "api/b.yaml": "path: /b\nplugins: [debugLog: {lines: {Visit: home}}]\n",
            ])
        let plugin = "plugins: [debugLog: {lines: {Order: \"{{order}}\", token: s3cret}}]\n"
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n\(plugin)")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorLines.count { $0.contains("Order:") && $0.hasSuffix("A-17") } == 2, "\(run)")
        #expect(run.errorLines.count { $0.contains("token:") && $0.hasSuffix("••••") } == 2 && !run.errorOutput.contains("s3cret"), "\(run)")
        let other = try await sortie.run("send", "api/b")
        #expect(other.errorLines.count { $0.contains("Visit:") && $0.hasSuffix("home") } == 2 && !other.errorOutput.contains("Order:"), "\(other)")
    }

    @Test func `an encrypting service rejects files, encrypts parts, and encrypts the query where configured`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let plugin = "plugins: [encrypt: {aes-gcm: {key: 00112233445566778899aabbccddeeff, parameter: data}}]\n"
        let sortie = try workspace(server, ["api/a.yaml": "path: /a\nquery: {card: 4111}\n", "api/f.yaml": "method: POST\npath: /f\n"])
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n\(plugin)")
        try sortie.write("secret.txt", "secret")
        for body in [["-d", "@secret.txt"], ["-F", "a=@secret.txt"]] {
            let run = try await sortie.run(["send", "api/f"] + body)
            #expect(run.failed(2, "invalidOption"), "\(run)")
            #expect(run.errorOutput.contains("cannot be encrypted; nothing was sent"))
        }
        let upload = try await sortie.run("upload", "api/f", "secret.txt")
        #expect(upload.failed(2, "invalidOption"), "\(upload)")
        #expect(server.requests.isEmpty)
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        #expect(server.requests.first?.target.hasPrefix("/a?data=") == true)
        #expect(server.requests.first?.headText.contains("4111") == false)
        #expect(try await sortie.run("send", "api/f", "-F", "a=clear").status == .exited(0))
        #expect(server.requests.last?.bodyText.contains("clear") == false)
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n\(plugin.replacing("data}", with: "data, files: encrypted}"))")
        #expect(try await sortie.run("upload", "api/f", "secret.txt").status == .exited(0))
        #expect(server.requests.last?.body.count == "secret".utf8.count + 28)
    }
}
