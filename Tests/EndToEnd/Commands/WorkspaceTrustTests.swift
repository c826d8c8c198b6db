import Foundation
import Support
import Testing

/// Tests the access of a workspace to this machine before and after the user permits it (`Security.md`).
@Suite(.serialized)
struct WorkspaceTrustTests {
    /// An untrusted workspace and the server that it sends to.
    private struct Trial {
        let server: ScriptedServer
        let sortie: Sortie

        /// - Parameter files: the endpoint `api/get` and all other files; `{server}` in them is replaced by the server's URL.
        init(_ files: [String: String]) throws {
            server = try ScriptedServer(answering: .ok("body"))
            sortie = try Sortie(permitsOwn: false)
            try write(["ws/workspace.yaml": "name: W\n", "ws/api/service.yaml": "name: Api\n"])
            try write(files)
        }

        func write(_ files: [String: String]) throws {
            for (name, text) in files { try sortie.write(name, text.replacingOccurrences(of: "{server}", with: server.url)) }
        }

        func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: sortie.home.path(name)) }
    }

    /// A capability that an endpoint of the workspace requires, and its line in the list.
    struct Asking: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        let sentences: [String]
    }

    private static let plain = "name: Get\npath: \"{server}/\"\n"
    private static let environments = "name: W\nenvironments: {dev: {variables: {v: \"1\"}}}\n"

    static let askings = [
        Asking(
            testDescription: "a command",
            files: [
                "ws/workspace.yaml": "name: W\nsecrets: {pw: {command: \"echo geheim\"}}\n",
                "ws/api/get.yaml": plain + "headers: {X-Mine: \"{{pw}}\"}\n",
            ], sentences: ["run the command  echo geheim", "send {{pw}} to http://127.0.0.1"]),
        Asking(
            testDescription: "an environment variable", files: ["ws/api/get.yaml": plain + "headers: {X-Mine: \"{{$env.HOME}}\"}\n"],
            sentences: ["read the environment variable HOME", "send {{$env.HOME}} to http://127.0.0.1"]),
        Asking(
            testDescription: "a file elsewhere", files: ["ws/api/get.yaml": plain + "headers: {X-Mine: \"{{$file /etc/hostname}}\"}\n"],
            sentences: ["read the file /etc/hostname"]),
        Asking(
            testDescription: "a body elsewhere", files: ["ws/api/get.yaml": plain + "method: POST\nbody: {file: /etc/hostname}\n"],
            sentences: ["read the file /etc/hostname"]),
        Asking(
            testDescription: "no verification",
            files: [
                "ws/workspace.yaml": environments, "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\ntrust: {insecure: true}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["not verify the certificate of http://127.0.0.1"]),
        Asking(
            testDescription: "a pin file elsewhere",
            files: [
                "ws/workspace.yaml": environments,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\ntrust: {pinFiles: [own.pem, /etc/pin.pem]}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["read the file /etc/pin.pem"]),
        Asking(
            testDescription: "no verification in an environment",
            files: [
                "ws/workspace.yaml": "name: W\nenvironments: {dev: {trust: {insecure: true}}}\n",
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\n", "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["not verify the certificate of http://127.0.0.1"]),
        Asking(
            testDescription: "a proxy of the workspace",
            files: [
                "ws/workspace.yaml": environments + "proxy: \"{server}\"\n", "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["send requests through the proxy http://127.0.0.1"]),
        Asking(
            testDescription: "a cache elsewhere",
            files: [
                "ws/workspace.yaml": "name: W\nfolders: {cache: /tmp/elsewhere}\n", "ws/api/get.yaml": plain + "cache: {on: disk}\n",
            ], sentences: ["store cached responses in /tmp/elsewhere"]),
        Asking(
            testDescription: "a proxy",
            files: [
                "ws/workspace.yaml": environments, "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\nproxy: \"{server}\"\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["send requests through the proxy http://127.0.0.1"]),
        Asking(
            testDescription: "a script that chooses the proxy",
            files: [
                "ws/workspace.yaml": environments,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\nproxy: {pac: \"{server}/proxy.pac\"}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["send requests through the proxies that the script http://127.0.0.1"]),
        Asking(
            testDescription: "a client key",
            files: [
                "ws/workspace.yaml": environments,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\ntrust: {clientCertificate: c.pem, clientKey: /etc/me.key}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["use the client key /etc/me.key"]),
        Asking(
            testDescription: "a variable of this machine in a message",
            files: ["ws/workspace.yaml": "name: W\n", "ws/api/get.yaml": plain + "messages: {greet: \"hello {{$env.HOME}}\"}\n"],
            sentences: ["read the environment variable HOME"]),
        Asking(
            testDescription: "a name server",
            files: [
                "ws/workspace.yaml": environments,
                "ws/api/service.yaml": "name: Api\nservers: {dev: [\"http://names.example\"]}\naddresses: {source: \"https://dns.example/q\"}\n",
                "ws/api/get.yaml": "name: Get\npath: /\n",
            ], sentences: ["resolve names at https://dns.example/q"]),
    ]

    @Test(arguments: askings) func `sending without permission ends with 3, the list and the command that permits it`(
        _ asking: Asking
    ) async throws {
        let trial = try Trial(asking.files)
        for command in ["send", "download"] where command == "send" || asking.testDescription != "a body elsewhere" {
            let run = try await trial.sortie.run(command, "api/get", "-w", "ws")
            #expect(run.status == .exited(3), "\(run)")
            #expect(run.outputBytes.isEmpty)
            #expect(run.errorLines.first?.hasPrefix("sortie: notTrusted: ") == true, "\(run)")
            for sentence in asking.sentences { #expect(run.errorLines.contains { $0.hasPrefix("  - \(sentence)") }, "\(run)") }
            #expect(run.errorLines.last?.contains("sortie trust \(trial.sortie.work)/ws") == true, "\(run)")
            #expect(run.errorLines.last?.contains("--trust") == true)
        }
        #expect(trial.server.requests.isEmpty)
    }

    private static let canary = [
        "ws/workspace.yaml": "name: W\nsecrets: {pw: {command: \"touch $HOME/canary; echo geheim\"}}\n",
        "ws/api/get.yaml": plain + "headers: {X-Mine: \"{{pw}}\"}\n", "ws/api/plain.yaml": plain,
        "ws/runs/all.yaml": "batch: [{send: api/plain}, {send: api/get}]\n",
    ]

    @Test func `nothing is executed or sent before permission, by any command`() async throws {
        let trial = try Trial(Self.canary)
        for arguments in [
            ["list", "-w", "ws"], ["check", "ws"], ["trust", "ws", "--list"], ["send", "api/get"], ["send", "api/get", "--dry-run"],
            ["download", "api/get"], ["download", "api/get", "--dry-run"],
            ["run", "all"], ["upload", "api/get", "ws/workspace.yaml"],
        ] {
            let isReading = arguments.contains("ws")
            let run = try await trial.sortie.run(isReading ? arguments : arguments + ["-w", "ws"])
            #expect(run.status == .exited(isReading ? 0 : 3), "\(arguments): \(run)")
        }
        #expect(!trial.exists("canary"))
        #expect(trial.server.requests.isEmpty)

        let granted = try await trial.sortie.run("trust", "ws", "--allow")
        #expect(granted.succeeded, "\(granted)")
        #expect(!trial.exists("canary"))
        let run = try await trial.sortie.run("send", "api/get", "-w", "ws")
        #expect(run.succeeded, "\(run)")
        #expect(trial.exists("canary"))
        #expect(trial.server.requests.map { $0["X-Mine"] } == ["geheim"])
    }

    @Test func `an endpoint without capabilities is sent without permission`() async throws {
        let trial = try Trial(Self.canary)
        let run = try await trial.sortie.run("send", "api/plain", "-w", "ws")
        #expect(run.succeeded, "\(run)")
        #expect(!trial.exists("canary"))
    }

    @Test func `a secret typed on the command line still needs permission for its command`() async throws {
        let trial = try Trial(Self.canary)
        let run = try await trial.sortie.run("send", "api/plain", "-w", "ws", "-H", "X: {{pw}}")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("- run the command"))
        #expect(!trial.exists("canary") && trial.server.requests.isEmpty)
    }

    @Test func `capabilities typed on the command line need no permission`() async throws {
        let trial = try Trial(["ws/api/get.yaml": Self.plain])
        try trial.sortie.write("body.txt", "typed")
        let run = try await trial.sortie.run(
            "send", "api/get", "-w", "ws", "-X", "POST", "-H", "X-Mine: {{$env.LC_ALL}}", "-d", "@body.txt", "-k", "--var", "a={{$env.HOME}}")
        #expect(run.succeeded, "\(run)")
        #expect(trial.server.requests.first?["X-Mine"] == "C.UTF-8")
        #expect(trial.server.requests.first.map { String(decoding: $0.body, as: UTF8.self) } == "typed")
    }

    @Test func `--trust permits one command and stores nothing`() async throws {
        let trial = try Trial(Self.canary)
        let run = try await trial.sortie.run("send", "api/get", "-w", "ws", "--trust")
        #expect(run.succeeded, "\(run)")
        #expect(!trial.exists("state/sortie/trust"))
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws").status == .exited(3))
    }

    private func record(_ trial: Trial) async throws -> [String: Any] {
        let run = try await trial.sortie.run("trust", "ws", "--list", "--json")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any], "\(run)")
    }

    @Test func `SORTIE_TRUST permits the list with its digest and no other`() async throws {
        let trial = try Trial(Self.canary)
        let digest = try #require(try await record(trial)["digest"] as? String)
        let wrong = try await trial.sortie.run("send", "api/get", "-w", "ws", environment: ["SORTIE_TRUST": "0" + digest.dropFirst()])
        #expect(digest.hasPrefix("0") || wrong.status == .exited(3), "\(wrong)")
        #expect(digest.hasPrefix("0") || wrong.errorOutput.contains("SORTIE_TRUST is not the digest"))
        let right = try await trial.sortie.run("send", "api/get", "-w", "ws", environment: ["SORTIE_TRUST": digest])
        #expect(right.succeeded, "\(right)")
        try trial.write(["ws/api/more.yaml": Self.plain + "headers: {X: \"{{$env.HOME}}\"}\n"])
        let changed = try await trial.sortie.run("send", "api/get", "-w", "ws", environment: ["SORTIE_TRUST": digest])
        #expect(changed.status == .exited(3), "\(changed)")
    }

    @Test(arguments: [["trust", "ws"], ["trust", "ws", "--json"]]) func `nothing is permitted where no question can be asked`(arguments: [String])
        async throws
    {
        let trial = try Trial(Self.canary)
        let run = try await trial.sortie.run(arguments)
        #expect(run.succeeded && run.output.contains("touch $HOME/canary"), "\(run)")
        #expect(run.output.contains("sortie trust --allow") == (arguments.count == 2), "\(run)")
        #expect(!trial.exists("state/sortie/trust"))
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws").status == .exited(3))
    }

    @Test(arguments: [("y\r", true), ("\r", false)]) func `the answer to the question at a terminal decides`(answer: String, isPermitted: Bool)
        async throws
    {
        let trial = try Trial(Self.canary)
        let terminal = try await trial.sortie.open("trust", "ws")
        try await terminal.waitForText("Permit this? [y/N]")
        terminal.type(answer)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(try await record(trial)["permitted"] as? Bool == isPermitted)
    }

    @Test func `permission is listed, stored with mode 0600, and revoked`() async throws {
        let trial = try Trial(Self.canary)
        #expect(try await record(trial)["permitted"] as? Bool == false)
        #expect(!trial.exists("state/sortie/trust"))
        let granted = try await trial.sortie.run("trust", "ws", "--allow")
        #expect(granted.output.contains("- run the command  touch $HOME/canary; echo geheim"), "\(granted)")
        let attributes = try FileManager.default.attributesOfItem(atPath: trial.sortie.home.path("state/sortie/trust"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await record(trial)["permitted"] as? Bool == true)
        #expect(try await trial.sortie.run("trust", "ws", "--revoke").succeeded)
        #expect(try await record(trial)["permitted"] as? Bool == false)
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws").status == .exited(3))
    }

    @Test func `a change that adds a command requires permission again and marks what is new; a change of a path does not`() async throws {
        let trial = try Trial(Self.canary)
        #expect(try await trial.sortie.run("trust", "ws", "--allow").succeeded)
        try trial.write(["ws/api/get.yaml": "name: Get\npath: \"{server}/other\"\nheaders: {X-Mine: \"{{pw}}\"}\n"])
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws").succeeded)

        try trial.write([
            "ws/workspace.yaml": "name: W\nsecrets: {pw: {command: \"touch $HOME/canary; echo geheim\"}, b: {command: \"touch $HOME/second\"}}\n",
            "ws/api/get.yaml": Self.plain + "headers: {X-Mine: \"{{pw}}\", X-B: \"{{b}}\"}\n",
        ])
        let run = try await trial.sortie.run("send", "api/get", "-w", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("touch $HOME/second") && !run.errorOutput.contains("geheim"), "\(run)")
        #expect(!trial.exists("second"))
        let list = try await trial.sortie.run("trust", "ws", "--list")
        #expect(list.output.contains("NEW  run the command  touch $HOME/second"), "\(list)")
    }

    @Test func `sending an exchange of the history again needs permission`() async throws {
        let trial = try Trial(Self.canary)
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws", "--trust").succeeded)
        try FileManager.default.removeItem(atPath: trial.sortie.home.path("canary"))
        let run = try await trial.sortie.run("history", "replay", "last")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorLines.first?.hasPrefix("sortie: notTrusted: ") == true, "\(run)")
        #expect(!trial.exists("canary"))
        let permitted = try await trial.sortie.run("history", "replay", "last", "--trust")
        #expect(permitted.succeeded, "\(permitted)")
        #expect(trial.server.requests.map { $0["X-Mine"] } == ["geheim", "geheim"])
    }

    @Test func `the shipped demo is listed as permitted, and nothing is stored for it`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        for arguments in [["--list"], []] {
            let run = try await sortie.run(["trust", try Sortie.demoWorkspace] + arguments)
            #expect(run.succeeded && run.output.contains("\nPermitted.  Digest: "), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: sortie.home.path("state/sortie/trust")))
    }

    // MARK: Ownership

    @Test func `a world-writable workspace is used only when it is named`() async throws {
        let trial = try Trial(["ws/api/get.yaml": Self.plain])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: trial.sortie.work + "/ws")
        let found = try await trial.sortie.shell("cd ws/api && $SORTIE send api/get")
        #expect(found.failed(3, "workspace"), "\(found)")
        #expect(found.errorOutput.contains("every user can write to") && found.hint.contains("-w FOLDER"), "\(found)")
        #expect(trial.server.requests.isEmpty)
        let named = try await trial.sortie.run("send", "api/get", "-w", "ws")
        #expect(named.succeeded, "\(named)")
        let url = try await trial.sortie.shell("cd ws/api && $SORTIE send \(trial.server.url)/x")
        #expect(url.succeeded, "\(url)")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func `a workspace of another user is used only when it is named`() async throws {
        let trial = try Trial(["ws/api/get.yaml": Self.plain])
        #expect(chown(trial.sortie.work + "/ws/workspace.yaml", 12345, 12345) == 0)
        let found = try await trial.sortie.shell("cd ws && $SORTIE send api/get")
        #expect(found.failed(3, "workspace"), "\(found)")
        #expect(found.errorOutput.contains("belongs to the user 12345"), "\(found)")
        #expect(try await trial.sortie.run("send", "api/get", "-w", "ws").succeeded)
    }
}
