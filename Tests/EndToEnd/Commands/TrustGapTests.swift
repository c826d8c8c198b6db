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

    @Test(arguments: unlisted) func `nothing of the machine is read without permission`(_ unlisted: Unlisted) async throws {
        let trial = try Trial(unlisted.files)
        let run = try await trial.sortie.run(unlisted.command + ["-w", "ws"], environment: ["CANARY": "variable-canary"])
        #expect(run.status == .exited(3), "\(run)")
        #expect(trial.first.requests.isEmpty && trial.second.requests.isEmpty)
    }

    @Test func `an environment variable without a dot is reported by check`() async throws {
        let trial = try Trial(["ws/api/a.yaml": "name: A\npath: \"/?a={{$env CANARY}}\"\n"])
        let run = try await trial.sortie.run("check", "ws")
        #expect(run.output.contains("{{$env CANARY}} needs a dot: {{$env.NAME}}"), "\(run)")
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
        #expect(try await trial.sortie.run("trust", "ws").succeeded)
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
        try trial.write(["ws/api/a.yaml": "name: A\npath: /x\nheaders: {X-Foo: \"{{pw}}\"}\n"])
        let granted = try await trial.sortie.run("trust", "ws")
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
        #expect(try await trial.sortie.run("trust", "ws").succeeded)
        for addition in ["addresses: {static: [127.0.0.1]}\n", "trust: {ca: evil.pem}\n"] {
            try trial.write(["ws/evil.pem": "", "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{first}\"]}\n" + addition])
            let run = try await trial.run("send", "api/a")
            #expect(run.status == .exited(3) && run.errorOutput.contains("notTrusted"), "\(run)")
        }
        #expect(trial.first.requests.isEmpty)
    }
}
