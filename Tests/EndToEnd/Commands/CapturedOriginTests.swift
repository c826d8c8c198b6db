import Foundation
import Support
import Testing

/// Tests that captured values which may depend on secrets are sent to other origins with permission only (`Security.md`, Captured values).
@Suite struct CapturedOriginTests {
    /// A workspace that logs in at one server with a secret, and a second server.
    private struct Trial {
        let first: ScriptedServer
        let second: ScriptedServer
        let sortie: Sortie

        /// - Parameter secret: the header fields of the login.
        init(secret: String = "headers: {X-Pw: \"{{pw}}\"}\n", hosts: String = "", _ files: [String: String] = [:]) throws {
            first = try ScriptedServer { request in
                .json("{\"token\": \"token-number-1\", \"items\": [\"item-number-1\"], \"echo\": \"<\(request["X-Pw"] ?? "")>\"}")
            }
            second = try ScriptedServer(answering: .json("{\"token\": \"token-number-2\"}"))
            sortie = try Sortie(permitsOwn: false)
            try write([
                "ws/workspace.yaml": """
                name: W
                environments: {dev: {variables: {host: "{first}"}}}
                secrets: {pw: {env: SECRET_PW\(hosts)}}

                """,
                "ws/a/service.yaml": "servers: {dev: [\"{first}\"]}\n",
                "ws/a/login.yaml": "path: /login\ncapture: {tok: $.token, items: $.items, echo: $.echo}\n" + secret,
                "ws/a/use.yaml": "path: /use\nheaders: {X-Token: \"{{login.tok}}\"}\n", "ws/b/service.yaml": "servers: {dev: [\"{second}\"]}\n",
            ])
            try write(files)
        }

        func write(_ files: [String: String]) throws {
            for (name, text) in files {
                try sortie.write(
                    name, text.replacingOccurrences(of: "{first}", with: first.url).replacingOccurrences(of: "{second}", with: second.url))
            }
        }

        func run(_ arguments: String...) async throws -> ProcessRun {
            try await sortie.run(arguments + ["-w", "ws"], environment: ["SECRET_PW": "geheimgeheim"])
        }

        func list() async throws -> String { try await sortie.run("trust", "ws", "--list").output }
    }

    /// Files that send a captured value to the second server, and the command that sends them.
    struct Elsewhere: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        var command = ["send", "b/steal"]
    }

    static let elsewhere = [
        Elsewhere(testDescription: "an endpoint", files: ["ws/b/steal.yaml": "path: /s?t={{a/login.tok}}\n"]),
        Elsewhere(
            testDescription: "a variable of an endpoint", files: ["ws/b/steal.yaml": "path: /s?t={{t}}\nvariables: {t: \"x{{a/login.tok}}\"}\n"]),
        Elsewhere(
            testDescription: "an absolute URL in the same service", files: ["ws/a/steal.yaml": "path: \"{second}/s?t={{login.tok}}\"\n"],
            command: ["send", "a/steal"]),
        Elsewhere(
            testDescription: "an endpoint between them",
            files: [
                "ws/a/middle.yaml": "path: /m?t={{login.tok}}\ncapture: {tok: $.token}\n", "ws/b/steal.yaml": "path: /s?t={{a/middle.tok}}\n",
            ]),
        Elsewhere(
            testDescription: "a value of a step",
            files: [
                "ws/b/steal.yaml": "path: /s?t={{t}}\n",
                "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/steal, with: {t: \"{{login.echo}}\"}}]\n",
            ], command: ["run", "r"]),
        Elsewhere(
            testDescription: "a name of a step",
            files: [
                "ws/b/steal.yaml": "path: /s\nbody: {text: \"{{l.tok}}\"}\nmethod: POST\n",
                "ws/runs/r.yaml": "chain: [{send: a/login, as: l}, {send: b/steal}]\n",
            ], command: ["run", "r"]),
        Elsewhere(
            testDescription: "a token of the service's plugin",
            files: [
                "ws/b/service.yaml": "servers: {dev: [\"{second}\"]}\nplugins: [{token: {refresh: {endpoint: a/login, token: $.token}}}]\n",
                "ws/b/steal.yaml": "path: /s\n",
            ]),
        Elsewhere(
            testDescription: "a value that a hook captured",
            files: [
                "ws/a/login.yaml": """
                path: /login
                headers: {X-Pw: "{{pw}}"}
                hooks: [{timeout: 300s, stage: process, run: [sh, -c, 'read l; echo "{\\"capture\\":{\\"hk\\":\\"hooked\\"}}"']}]

                """, "ws/b/steal.yaml": "path: /s?t={{t}}\n",
                "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/steal, with: {t: \"{{login.hk}}\"}}]\n",
            ], command: ["run", "r"]),
        Elsewhere(
            testDescription: "an item of a captured list",
            files: [
                "ws/b/steal.yaml": "path: /s?t={{t}}\n",
                "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/steal, forEach: {t: \"{{login.items}}\"}}]\n",
            ], command: ["run", "r"]),
        Elsewhere(
            testDescription: "an item of a list in a variable of a step",
            files: [
                "ws/b/steal.yaml": "path: /s?t={{u}}\n",
                "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/steal, forEach: {t: \"{{login.items}}\"}, with: {u: \"{{t}}\"}}]\n",
            ], command: ["run", "r"]),
    ]

    @Test(arguments: elsewhere) func `a captured value is sent to another origin with permission only`(_ elsewhere: Elsewhere) async throws {
        let trial = try Trial()
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        try trial.write(elsewhere.files)
        let refused = try await trial.sortie.run(elsewhere.command + ["-w", "ws"], environment: ["SECRET_PW": "geheimgeheim"])
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("send captured values of a/"), "\(refused)")
        #expect(refused.errorOutput.contains("to \(trial.second.url)"), "\(refused)")
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
        #expect(try await trial.list().contains("NEW  send captured values of a/"))

        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let permitted = try await trial.sortie.run(elsewhere.command + ["-w", "ws"], environment: ["SECRET_PW": "geheimgeheim"])
        #expect(permitted.succeeded && trial.second.requests.count == 1, "\(permitted)")
    }

    @Test func `a captured value is used at its own origin without a further permission`() async throws {
        let trial = try Trial([
            "ws/runs/r.yaml":
                "chain: [{send: a/login}, {send: a/use}, {send: a/item, forEach: {t: \"{{login.items}}\"}}, {send: a/item, as: other, with: {t: \"{{login.tok}}\"}}]\n",
            "ws/a/item.yaml": "path: /item/{{t}}\n",
        ])
        #expect(!(try await trial.list().contains("captured")))
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("run", "r")
        #expect(run.succeeded, "\(run)")
        let sent = try await trial.run("send", "a/use")
        #expect(sent.succeeded, "\(sent)")
        #expect(trial.first.requests.map(\.target) == ["/login", "/use", "/item/item-number-1", "/item/token-number-1", "/login", "/use"])
    }

    @Test func `in a workspace without secrets captured values need no permission`() async throws {
        let trial = try Trial(
            secret: "", ["ws/workspace.yaml": "name: W\nenvironments: {dev: {}}\n", "ws/b/next.yaml": "path: /n?t={{a/login.tok}}\n"])
        #expect(try await trial.list().contains("captured") == false)
        let run = try await trial.run("send", "b/next")
        #expect(run.succeeded && trial.second.requests.count == 1, "\(run)")
    }

    @Test(arguments: [
        "path: /login?p={{$promptSecret PIN}}\n", "path: /login\nauth: {basic: {user: me, password: \"{{password}}\"}}\n",
        "path: /login\nauth: {oauth2: {grant: deviceCode, tokenURL: \"{first}/t\", deviceURL: \"{first}/d\", clientID: c}}\n",
    ])
    func `a typed secret and a sign-in protect captured values, too`(login: String) async throws {
        let trial = try Trial([
            "ws/workspace.yaml": "name: W\nenvironments: {dev: {}}\n", "ws/b/steal.yaml": "path: /s?t={{a/login.tok}}\n",
        ])
        try trial.write(["ws/a/login.yaml": login + "capture: {tok: $.token}\n"])
        #expect(try await trial.list().contains("send captured values of a/login to \(trial.second.url)"))
        #expect(try await trial.run("send", "b/steal").status == .exited(3))
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
    }

    // MARK: While requests are built

    private static let diverted = [
        "ws/a/use.yaml": "path: \"{{host}}/use\"\nheaders: {X-Token: \"{{login.tok}}\"}\n",
        "ws/runs/r.yaml": "chain: [{send: a/login}, {send: a/use}]\n", "rows.csv": "host\n{second}\n",
    ]

    @Test func `a row of data does not lead a captured value to another origin`() async throws {
        let trial = try Trial(Self.diverted)
        #expect(!(try await trial.list().contains("captured")))
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("run", "r", "--data", "rows.csv")
        #expect(
            run.status != .exited(0) && run.errorOutput.contains("not permitted to send captured values of a/login to \(trial.second.url)"), "\(run)")
        #expect(trial.first.requests.count == 1 && trial.second.requests.isEmpty)
        #expect(try await trial.run("run", "r", "--data", "rows.csv", "--trust").succeeded)
    }

    @Test func `a list in a variable of the endpoint keeps its source where a row of data leads elsewhere`() async throws {
        let trial = try Trial([
            "ws/b/steal.yaml": "path: \"{{host}}/s?t={{t}}\"\nvariables: {v: \"{{login.items}}\"}\n", "rows.csv": "host\n{second}\n",
            "ws/b/service.yaml": "servers: {dev: [\"{first}\"]}\n",
            "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/steal, forEach: {t: \"{{v}}\"}}]\n",
        ])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("run", "r", "--data", "rows.csv")
        #expect(run.errorOutput.contains("not permitted to send captured values of a/login to \(trial.second.url)"), "\(run)")
        #expect(trial.second.requests.isEmpty)
    }

    @Test func `a server of the service that may not receive the secret is another origin`() async throws {
        let trial = try Trial(hosts: ", hosts: [localhost]")
        let localhost = trial.first.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        try trial.write([
            "ws/a/service.yaml": "servers: {dev: [\"\(localhost)\", \"{second}\"]}\n", "ws/b/steal.yaml": "path: /s?t={{a/login.tok}}\n",
        ])
        #expect(try await trial.list().contains("send captured values of a/login to \(trial.second.url)"))
        #expect(try await trial.run("send", "b/steal").status == .exited(3))
        #expect(trial.second.requests.isEmpty)
    }

    @Test func `the servers of a service are one source`() async throws {
        let trial = try Trial([
            "ws/a/service.yaml": "servers: {dev: [\"{first}\", \"{second}\"]}\n",
            "ws/a/login.yaml": "path: /login\nheaders: {X-Pw: \"{{pw}}\"}\ncapture: {tok: $.token}\n",
        ])
        #expect(!(try await trial.list().contains("captured")))
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("send", "a/use", "--server", "2")
        #expect(run.succeeded && trial.second.requests.last?["X-Token"] != nil, "\(run)")
    }

    @Test func `a value from the target of a redirect belongs to that origin`() async throws {
        let trial = try Trial()
        let target = trial.first.url
        let redirecting = try ScriptedServer { request in
            request.target == "/hop" ? .redirect(302, to: "\(target)/login") : .json("{}")
        }
        try trial.write([
            "ws/b/service.yaml": "servers: {dev: [\"\(redirecting.url)\"]}\n", "ws/b/hop.yaml": "path: /hop\ncapture: {key: $.token}\n",
            "ws/b/steal.yaml": "path: /s?t={{hop.key}}\n",
        ])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("send", "b/steal")
        #expect(run.errorOutput.contains("not permitted to send captured values of b/hop to \(redirecting.url)"), "\(run)")
        #expect(redirecting.requests.map(\.target) == ["/hop"])
    }

    @Test func `a run that logs in at the origin of each row needs no further permission`() async throws {
        let trial = try Trial(
            secret: "",
            [
                "ws/a/service.yaml": "servers: {dev: [\"{{host}}\"]}\n", "ws/a/login.yaml": "path: /login?p={{pw}}\ncapture: {tok: $.token}\n",
                "ws/runs/r.yaml": "chain: [{send: a/login}, {send: a/use}]\ndata: rows.csv\n", "ws/runs/rows.csv": "host\n{first}\n{second}\n",
            ])
        let list = try await trial.list()
        #expect(list.contains("send {{pw}} to {{any value of host}}") && !list.contains("captured"), "\(list)")
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("run", "r")
        #expect(run.succeeded && trial.first.requests.count == 2 && trial.second.requests.count == 2, "\(run)")
        #expect(trial.second.requests.last?["X-Token"] == "token-number-2")
    }

    @Test func `a run that is continued sends its captured values to their configured origin`() async throws {
        let trial = try Trial([
            "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/plain}, {send: a/use}]\n", "ws/b/plain.yaml": "path: /p\nexpect: {status: 500}\n",
        ])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        #expect(try await trial.run("run", "r").status == .exited(1))
        try trial.write(["ws/b/plain.yaml": "path: /p\n"])
        let run = try await trial.run("run", "r", "--resume")
        #expect(run.succeeded && trial.first.requests.map(\.target) == ["/login", "/use"], "\(run)")
    }

    @Test func `changed files do not lead the values of a continued run to another origin`() async throws {
        let trial = try Trial([
            "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/plain}, {send: a/use}]\n", "ws/b/plain.yaml": "path: /p\nexpect: {status: 500}\n",
        ])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        #expect(try await trial.run("run", "r").status == .exited(1))
        try trial.write([
            "ws/b/plain.yaml": "path: /p\n", "ws/a/service.yaml": "servers: {dev: [\"{second}\"]}\n",
            "ws/a/login.yaml": "path: /login\ncapture: {tok: $.token}\n",
        ])
        let run = try await trial.run("run", "r", "--resume")
        #expect(run.errorOutput.contains("not permitted to send captured values of a/login to \(trial.second.url)"), "\(run)")
        #expect(!trial.second.requests.contains { $0.target == "/use" })
    }

    @Test func `permission for a host that begins with a value ends with its name`() async throws {
        let trial = try Trial(["ws/a/use.yaml": "path: http://{{a/login.tok}}.localhost:1/x\nheaders: {X-Pw: \"{{pw}}\"}\n"])
        #expect(try await trial.list().contains("send {{pw}} to http://{{any value of a/login.tok}}.localhost:1\n"))
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        try trial.write(["ws/a/use.yaml": "path: http://{{a/login.tok}}.other.localhost:1/x\nheaders: {X-Pw: \"{{pw}}\"}\n"])
        let run = try await trial.run("send", "a/use")
        #expect(
            run.status == .exited(3) && run.errorOutput.contains("send {{pw}} to http://{{any value of a/login.tok}}.other.localhost:1"), "\(run)")
    }

    @Test func `a typed origin may receive a captured value`() async throws {
        let trial = try Trial(Self.diverted)
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("send", "a/use", "--var", "host=\(trial.second.url)")
        #expect(run.succeeded && trial.second.requests.map { $0["X-Token"] } == ["token-number-1"], "\(run)")
    }

    @Test func `hosts of a secret apply to a response that contains it`() async throws {
        let trial = try Trial(hosts: ", hosts: [127.0.0.1]", ["ws/b/service.yaml": "servers: {dev: [\"http://localhost:1\"]}\n"])
        try trial.write([
            "ws/b/steal.yaml": "path: /s?t={{a/login.echo}}\n", "ws/b/token.yaml": "path: /s?t={{a/login.tok}}\n",
            "ws/runs/r.yaml": "chain: [{send: a/login}, {send: b/value, with: {x: \"{{login.echo}}\"}}]\n", "ws/b/value.yaml": "path: /s?t={{x}}\n",
        ])
        for command in [["send", "b/steal"], ["run", "r"]] {
            let run = try await trial.sortie.run(command + ["-w", "ws", "--trust"], environment: ["SECRET_PW": "geheimgeheim"])
            #expect(run.status != .exited(0) && run.errorOutput.contains("a captured value contains the secret pw"), "\(run)")
            #expect(!run.errorOutput.contains("geheimgeheim"))
        }
        let token = try await trial.run("send", "b/token", "--trust")
        #expect(token.errorOutput.contains("connectionRefused"), "\(token)")
    }

    // MARK: A list with a secret

    @Test func `items of a list from a secret are sent to the origins listed for the secret`() async throws {
        let trial = try Trial([
            "ws/b/value.yaml": "path: /s?t={{t}}\n", "ws/runs/r.yaml": "chain: [{send: b/value, forEach: {t: \"{{pw}}\"}}]\n",
        ])
        #expect(try await trial.list().contains("send {{pw}} to \(trial.second.url)"))
    }
}
