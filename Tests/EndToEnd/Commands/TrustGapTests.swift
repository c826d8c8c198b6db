import Foundation
import Support
import Testing

/// Tests that capabilities missing from the list of a workspace are refused while the request is built (`Security.md` 2 and 7).
@Suite struct TrustGapTests {
    /// An untrusted workspace with two servers; the permission covers only the first one.
    private struct Trial {
        let first: ScriptedServer
        let second: ScriptedServer
        let sortie: Sortie

        init(_ files: [String: String]) throws {
            second = try ScriptedServer(answering: .ok("body"))
            first = try ScriptedServer(answering: .json("{\"host\": \"\(second.url)\"}"))
            sortie = try Sortie(permitsOwn: false)
            let secrets = "secrets: {pw: {command: \"echo geheimgeheim\"}}\n"
            try write([
                "ws/workspace.yaml": "name: W\nenvironments: {dev: {}}\n" + secrets,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\n", "outside.txt": "file-canary", "outside.csv": "q\nrow-canary\n",
            ])
            try write(files)
        }

        func write(_ files: [String: String]) throws {
            for (name, text) in files {
                let authority = second.url.dropFirst("http://".count)
                try sortie.write(
                    name,
                    text.replacingOccurrences(of: "{first}", with: first.url).replacingOccurrences(of: "{second}", with: second.url)
                        .replacingOccurrences(of: "{authority}", with: authority))
            }
        }

        func run(_ arguments: String...) async throws -> ProcessRun {
            try await sortie.run(arguments + ["-w", "ws"], environment: ["CANARY": "variable-canary"])
        }
    }

    /// The files of a workspace without permissions, and the command that sends.
    struct Unlisted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        var command = ["send", "api/a"]
    }

    static let unlisted = [
        Unlisted(testDescription: "$env with a blank", files: ["ws/api/a.yaml": "name: A\npath: \"/?a={{$env CANARY}}\"\n"]),
        Unlisted(testDescription: "$env with a blank in a header", files: ["ws/api/a.yaml": "name: A\npath: /\nheaders: {Y: \"{{$env CANARY}}\"}\n"]),
        Unlisted(
            testDescription: "a variable of an endpoint in its server",
            files: [
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}/{{h}}\"]}\n",
                "ws/api/a.yaml": "name: A\npath: /x\nvariables: {h: \"{{$env.CANARY}}\"}\n",
            ]),
        Unlisted(
            testDescription: "a file in the variable of an endpoint",
            files: [
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}/{{h}}\"]}\n",
                "ws/api/a.yaml": "name: A\npath: /x\nvariables: {h: \"{{$file ../outside.txt}}\"}\n",
            ]),
        Unlisted(
            testDescription: "a run outside runs/",
            files: [
                "ws/api/a.yaml": "name: A\npath: \"/x?q={{q}}\"\nvariables: {q: none}\n",
                "ws/ci/smoke.yaml": "chain: [{send: api/a, with: {q: \"{{$env.CANARY}}{{$file ../outside.txt}}\"}}]\n",
            ], command: ["run", "ws/ci/smoke.yaml"]),
        Unlisted(
            testDescription: "data of a run outside runs/",
            files: [
                "ws/api/a.yaml": "name: A\npath: \"/x?q={{q}}\"\nvariables: {q: none}\n",
                "ws/ci/data.yaml": "batch: [{send: api/a}]\ndata: ../../outside.csv\n",
            ], command: ["run", "ws/ci/data.yaml"]),
    ]

    @Test(arguments: [
        "method: POST\nbody: {file: ~/x.json}", "expect: {schema: ~/x.json}", "grpc: {method: a.B/C, proto: ~/x.json}",
        "headers: {X-File: '{{$file ~/x.json}}'}",
    ])
    func `a path below the home folder is listed as the file that is read`(endpoint: String) async throws {
        let stranger = try Sortie(permitsOwn: false)
        try stranger.write("ws/workspace.yaml", "name: W\n")
        try stranger.write("ws/api/service.yaml", "name: Api\n")
        try stranger.write("ws/api/a.yaml", "path: http://127.0.0.1/a\n\(endpoint)\n")
        let list = try await stranger.run("trust", "ws", "--list")
        #expect(list.output.contains("read the file \(stranger.home.path)/x.json"), "\(list)")
    }

    @Test func `data of a run below the home folder is listed as the file that is read`() async throws {
        let stranger = try Sortie(permitsOwn: false)
        try stranger.write("ws/workspace.yaml", "name: W\n")
        try stranger.write("ws/api/service.yaml", "name: Api\n")
        try stranger.write("ws/api/a.yaml", "path: http://127.0.0.1/a\n")
        try stranger.write("ws/runs/all.yaml", "batch: [{send: api/a}]\ndata: ~/rows.csv\n")
        let list = try await stranger.run("trust", "ws", "--list")
        #expect(list.output.contains("read the file \(stranger.home.path)/rows.csv"), "\(list)")
    }

    @Test func `a file of a template is that of the home folder, also beside a folder with the name ~`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        try sortie.home.write("x.txt", "from home\n")
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/~/x.txt", "from the workspace\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/a\nheaders: {X-File: '{{$file ~/x.txt}}'}\n")
        let sent = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(sent.status == .exited(0) && server.requests.first?["X-File"] == "from home", "\(sent)")
        let typed = try await sortie.run("send", "\(server.url)/typed", "-H", "X-File: {{$file ~/x.txt}}")
        #expect(typed.status == .exited(0) && server.requests.last?["X-File"] == "from home", "\(typed)")
    }

    @Test(arguments: unlisted) func `nothing of the machine is read without permission`(_ unlisted: Unlisted) async throws {
        let trial = try Trial(unlisted.files)
        let run = try await trial.sortie.run(unlisted.command + ["-w", "ws"], environment: ["CANARY": "variable-canary"])
        #expect(run.status == .exited(3), "\(run)")
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
    }

    @Test func `an environment variable without a dot is reported by check`() async throws {
        let trial = try Trial(["ws/api/a.yaml": "name: A\npath: \"/?a={{$env CANARY}}\"\n"])
        let run = try await trial.sortie.run("check", "ws")
        #expect(run.output.contains("{{$env CANARY}} needs a dot: {{$env.CANARY}}"), "\(run)")
    }

    /// Files that name the first server, which the user permits, and send to the second one.
    static let diverted = [
        Unlisted(
            testDescription: "a raw variable that makes the path absolute",
            files: ["ws/api/a.yaml": "name: A\npath: \"h{{x|raw}}\"\nvariables: {x: \"ttp://{authority}/raw\"}\nheaders: {X-Foo: \"{{pw}}\"}\n"]),
        Unlisted(
            testDescription: "a row of data",
            files: [
                "ws/workspace.yaml": """
                name: W
                environments: {dev: {}}
                variables: {host: "{first}"}
                secrets: {pw: {command: "echo geheimgeheim"}}

                """,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{{host}}\"]}\n",
                "ws/api/a.yaml": "name: A\npath: /x\nheaders: {X-Foo: \"{{pw}}\"}\n", "ws/runs/rows.csv": "host\n{second}\n",
                "ws/runs/all.yaml": "batch: [{send: api/a}]\ndata: rows.csv\n",
            ], command: ["run", "all"]),
        Unlisted(
            testDescription: "a run outside runs/",
            files: [
                "ws/workspace.yaml": """
                name: W
                environments: {dev: {}}
                variables: {host: "{first}"}
                secrets: {pw: {command: "echo geheimgeheim"}}

                """,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{{host}}\"]}\n",
                "ws/api/a.yaml": "name: A\npath: /x\nheaders: {X-Foo: \"{{pw}}\"}\n",
                "ws/ci/x.yaml": "chain: [{send: api/a, with: {host: \"{second}\"}}]\n",
            ], command: ["run", "ws/ci/x.yaml"]),
        Unlisted(
            testDescription: "the token of a plugin and a raw variable",
            files: [
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\nplugins: [{token: {value: \"{{pw}}\"}}]\n",
                "ws/api/a.yaml": "name: A\npath: \"h{{x|raw}}\"\nvariables: {x: \"ttp://{authority}/raw\"}\n",
            ]),
        Unlisted(
            testDescription: "a public parameter and a raw variable",
            files: [
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\npublicParameters: {key: \"{{pw}}\"}\n",
                "ws/api/a.yaml": "name: A\npath: \"h{{x|raw}}\"\nvariables: {x: \"ttp://{authority}/raw\"}\n",
            ]),
        Unlisted(
            testDescription: "the token of a plugin and a row of data", files: row(service: "plugins: [{token: {value: \"{{pw}}\"}}]\n"),
            command: ["run", "all"]),
        Unlisted(
            testDescription: "a public parameter and a row of data", files: row(service: "publicParameters: {key: \"{{pw}}\"}\n"),
            command: ["run", "all"]),
        Unlisted(
            testDescription: "a value that a step captured",
            files: captured(service: "", endpoint: "headers: {X-Foo: \"{{pw}}\"}\n"), command: ["run", "ws/ci/x.yaml"]),
        Unlisted(
            testDescription: "the token of a plugin and a value that a step captured",
            files: captured(service: "plugins: [{token: {value: \"{{pw}}\"}}]\n", endpoint: ""), command: ["run", "ws/ci/x.yaml"]),
    ]

    /// A batch whose data names the server.
    private static func row(service: String) -> [String: String] {
        [
            "ws/workspace.yaml": """
            name: W
            environments: {dev: {}}
            variables: {host: "{first}"}
            secrets: {pw: {command: "echo geheimgeheim"}}

            """,
            "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{{host}}\"]}\n" + service, "ws/api/a.yaml": "name: A\npath: /x\n",
            "ws/runs/rows.csv": "host\n{second}\n", "ws/runs/all.yaml": "batch: [{send: api/a}]\ndata: rows.csv\n",
        ]
    }

    /// A chain whose first response names the server of the second step.
    private static func captured(service: String, endpoint: String) -> [String: String] {
        [
            "ws/workspace.yaml": """
            name: W
            environments: {dev: {}}
            variables: {host: "{first}"}
            secrets: {pw: {command: "echo geheimgeheim"}}

            """,
            "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{{host}}\"]}\n" + service,
            "ws/api/login.yaml": "name: Login\npath: /login\ncapture: {host: $.host}\n", "ws/api/a.yaml": "name: A\npath: /x\n" + endpoint,
            "ws/ci/x.yaml": "chain: [{send: api/login}, {send: api/a, with: {host: \"{{login.host}}\"}}]\n",
        ]
    }

    @Test func `a token of a plugin is sent to the origin that was permitted for it`() async throws {
        let trial = try Trial([
            "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\nplugins: [{token: {value: \"{{pw}}\"}}]\n",
            "ws/api/a.yaml": "name: A\npath: /x\n",
        ])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("send", "api/a")
        #expect(run.succeeded, "\(run)")
        #expect(trial.first.requests.map { $0["Authorization"] } == ["Bearer geheimgeheim"])
    }

    @Test(arguments: diverted) func `a secret is sent only to the origin permitted for it`(_ diverted: Unlisted) async throws {
        let trial = try Trial(diverted.files)
        // The permission of a workspace that sends the secret only to the first server.
        try await permitFirst(trial, diverted.files)
        let run = try await trial.sortie.run(diverted.command + ["-w", "ws", "--json"])
        #expect(run.status != .exited(0), "\(run)")
        #expect(trial.second.requests.isEmpty)
    }

    private func permitFirst(_ trial: Trial, _ files: [String: String]) async throws {
        // A run whose data names the origin lists any origin.
        let runs = trial.sortie.work + "/ws/runs"
        if FileManager.default.fileExists(atPath: runs) { try FileManager.default.removeItem(atPath: runs) }
        try trial.write(["ws/api/a.yaml": "name: A\npath: /x\nheaders: {X-Foo: \"{{pw}}\"}\n"])
        let granted = try await trial.sortie.run("trust", "ws", "--allow")
        #expect(granted.succeeded && !granted.output.contains(trial.second.url), "\(granted)")
        try trial.write(files)
    }

    @Test func `a typed variable may name another origin`() async throws {
        let trial = try Trial(Self.diverted[1].files)
        try await permitFirst(trial, [:])
        let run = try await trial.run("send", "api/a", "--var", "host=\(trial.second.url)")
        #expect(run.succeeded, "\(run)")
        #expect(trial.second.requests.map { $0["X-Foo"] } == ["geheimgeheim"])
    }

    @Test func `fixed addresses and an authority of the workspace require permission again`() async throws {
        let trial = try Trial(["ws/api/a.yaml": "name: A\npath: /x\nheaders: {X-Foo: \"{{pw}}\"}\n"])
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        for addition in ["addresses: {static: [127.0.0.1]}\n", "trust: {ca: evil.pem}\n"] {
            try trial.write(["ws/evil.pem": "", "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\n" + addition])
            let run = try await trial.run("send", "api/a")
            #expect(run.status == .exited(3) && run.errorOutput.contains("notTrusted"), "\(run)")
        }
        #expect(trial.first.requests.isEmpty)
    }

    // MARK: Values that only a run has

    private static let variables = """
        name: W
        environments: {dev: {variables: {pth: body.txt, px: "", host: "{first}"}}}

        """

    private static let file = [
        "ws/workspace.yaml": variables, "ws/api/body.txt": "inside", "ws/api/a.yaml": "method: POST\npath: /a\nbody: {file: \"{{pth}}\"}\n",
        "ws/api/list.yaml": "path: /list\ncapture: {v: $.host}\n",
    ]

    private static let proxy = [
        "ws/workspace.yaml": variables, "ws/api/service.yaml": "servers: {dev: [\"{first}\"]}\nproxy: \"{{px}}\"\n", "ws/api/a.yaml": "path: /a\n",
        "ws/api/list.yaml": "path: /list\ncapture: {v: $.host}\n",
    ]

    /// Runs whose lists, data and captures replace variables of the files, and a part of what the list says.
    static let replaced = [
        ("an item of a list is the path of a body", file, "chain: [{send: api/a, forEach: {pth: [/etc/hostname]}}]\n", "read the file /etc/hostname"),
        (
            "a captured list is the path of a body", file, "chain: [{send: api/list}, {send: api/a, forEach: {pth: \"{{list.v}}\"}}]\n",
            "read the file {{any value of pth}}"
        ),
        (
            "a captured value is the path of a body", file, "chain: [{send: api/list}, {send: api/a, with: {pth: \"{{list.v}}\"}}]\n",
            "read the file {{any value of list.v}}"
        ),
        ("a column is the path of a body", file, "chain: [{send: api/a}]\ndata: path.csv\n", "read the file {{any value of pth}}"),
        (
            "a member of the second row is the path of a body", file, "chain: [{send: api/a}]\ndata: second.json\n",
            "read the file {{any value of pth}}"
        ),
        (
            "an item of a list is the proxy", proxy, "chain: [{send: api/a, forEach: {px: [\"{second}\"]}}]\n",
            "send requests through the proxy http://127.0.0.1"
        ),
        ("a column is the proxy", proxy, "chain: [{send: api/a}]\ndata: proxy.csv\n", "through the proxy {{any value of px}}"),
        (
            "a captured value is the proxy", proxy, "chain: [{send: api/list}, {send: api/a, with: {px: \"{{list.v}}\"}}]\n",
            "through the proxy {{any value of list.v}}"
        ),
        (
            "a column is the origin of a ticket",
            ["ws/workspace.yaml": variables, "ws/api/a.yaml": "path: \"{{host}}/x\"\nauth: negotiate\n"], "chain: [{send: api/a}]\ndata: host.csv\n",
            "send your Kerberos ticket to {{any value of host}}"
        ),
        (
            "a column is the origin of a server that is not verified",
            [
                "ws/workspace.yaml": variables, "ws/api/service.yaml": "servers: {dev: [\"{{host}}\"]}\ntrust: {insecure: true}\n",
                "ws/api/a.yaml": "path: /x\n",
            ], "chain: [{send: api/a}]\ndata: host.csv\n", "not verify the certificate of {{any value of host}}"
        ),
    ].map { Replaced(testDescription: $0.0, files: $0.1, run: $0.2, sentence: $0.3) }

    struct Replaced: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        let run: String
        let sentence: String
    }

    private static let rows = [
        "ws/runs/path.csv": "pth\n/etc/hostname\n", "ws/runs/second.json": "[{\"q\": \"1\"}, {\"pth\": \"/etc/hostname\"}]",
        "ws/runs/proxy.csv": "px\n{second}\n", "ws/runs/host.csv": "host\n{second}\n",
    ]

    @Test(arguments: replaced) func `the list contains what values of a run may lead to`(_ replaced: Replaced) async throws {
        let trial = try Trial(replaced.files.merging(Self.rows) { $1 }.merging(["ws/runs/r.yaml": replaced.run]) { $1 })
        let list = try await trial.sortie.run("trust", "ws", "--list")
        #expect(list.output.contains(replaced.sentence), "\(list)")
        let run = try await trial.run("run", "r")
        #expect(run.status == .exited(3) && run.errorOutput.contains(replaced.sentence), "\(run)")
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
    }

    @Test(arguments: replaced) func `a value of a run that the list does not contain is refused while the request is built`(
        _ replaced: Replaced
    ) async throws {
        let trial = try Trial(replaced.files.merging(Self.rows) { $1 })
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        // The data of the command line is not a part of the files.
        try trial.write(["ws/runs/r.yaml": "chain: [{send: api/a}]\n"])
        for (name, text) in Self.rows { try trial.write([name.replacingOccurrences(of: "ws/runs/", with: ""): text]) }
        let rows = ["path": "path.csv", "row": "second.json", "proxy": "proxy.csv", "origin": "host.csv"]
        let data = try #require(rows.first { replaced.testDescription.contains($0.key) }?.value)
        let run = try await trial.run("run", "r", "--data", data)
        #expect(run.status != .exited(0) && run.errorOutput.contains("is not permitted to"), "\(run)")
        #expect(trial.second.requests.isEmpty && !trial.first.requests.contains { $0.method == "POST" && !$0.body.elementsEqual("inside".utf8) })
    }

    @Test func `permission for any value permits the values of a run`() async throws {
        let trial = try Trial(Self.file.merging(Self.rows) { $1 }.merging(["ws/runs/r.yaml": "chain: [{send: api/a}]\ndata: path.csv\n"]) { $1 })
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        let run = try await trial.run("run", "r")
        #expect(run.succeeded && trial.first.requests.count == 1, "\(run)")
    }

    @Test func `files of the workspace that rows name need no permission beyond the list, and a typed link is sent`() async throws {
        let trial = try Trial(["ws/api/a.yaml": "method: POST\npath: /a\n"])
        try FileManager.default.createSymbolicLink(atPath: trial.sortie.work + "/ws/link", withDestinationPath: "../outside.txt")
        let run = try await trial.sortie.shell("cd ws && $SORTIE send api/a -d @link")
        #expect(run.succeeded && trial.first.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["file-canary"], "\(run)")
    }

    // MARK: Endpoints behind captured values

    /// Settings of an endpoint, or of its service, whose captured value another one uses.
    static let behind = [
        ("a body elsewhere", "", "method: POST\nbody: {file: ../../outside.txt}\n", "read the file"),
        ("a proxy", "proxy: \"{first}\"\n", "", "through the proxy"),
        ("fixed addresses", "addresses: {static: [127.0.0.1]}\n", "", "connect to 127.0.0.1 for"),
        ("a name server", "addresses: {source: \"{first}/dns-query\"}\n", "", "resolve names at"),
        ("no verification", "trust: {insecure: true}\n", "", "not verify the certificate of"),
        ("a client key", "trust: {clientCertificate: c.pem, clientKey: /etc/me.key}\n", "", "use the client key /etc/me.key"),
        ("a Kerberos ticket", "", "auth: negotiate\n", "send your Kerberos ticket to"),
        ("a file elsewhere", "", "headers: {X: \"{{$file ../outside.txt}}\"}\n", "read the file"),
    ].map { Behind(testDescription: $0.0, service: $0.1, login: $0.2, sentence: $0.3) }

    struct Behind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let service: String
        let login: String
        let sentence: String
    }

    @Test(arguments: behind, ["send", "bench", "download"])
    func `a captured value needs the permission of the endpoint behind it`(_ behind: Behind, command: String) async throws {
        let trial = try Trial([
            "ws/f/service.yaml": "servers: {dev: [\"{second}\"]}\n" + behind.service, "ws/f/c.pem": "",
            "ws/f/login.yaml": "path: /login\ncapture: {tok: $.token}\n" + behind.login,
            "ws/f/middle.yaml": "path: \"/m?v={{login.tok}}\"\ncapture: {tok: $.token}\n",
            "ws/api/a.yaml": "path: \"/ok?v={{t}}\"\nvariables: {t: \"{{f/middle.tok}}\"}\n",
        ])
        let run = try await trial.run(command, "api/a")
        #expect(run.status == .exited(3) && run.errorOutput.contains(behind.sentence), "\(run)")
        #expect(run.errorOutput.contains("notTrusted"), "\(run)")
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
    }

    @Test func `endpoints that need values of each other end the search for capabilities`() async throws {
        let trial = try Trial([
            "ws/api/a.yaml": "path: \"/a?v={{b.x}}\"\ncapture: {x: $.x}\n",
            "ws/api/b.yaml": "path: \"/b?v={{a.x}}{{$env.CANARY}}\"\ncapture: {x: $.x}\n",
        ])
        let run = try await trial.run("send", "api/a")
        #expect(run.status == .exited(3) && run.errorOutput.contains("read the environment variable CANARY"), "\(run)")
    }
}
