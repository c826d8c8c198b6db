import Support
import Testing

/// Tests the short forms of commands for secrets with programs of the same names that print their arguments.
@Suite(.serialized)
struct SecretProgramTests {
    /// A workspace with a secret, and programs that print fixed secrets for the right arguments and count their runs.
    private func workspace(
        _ secret: String, permitsOwn: Bool = true
    ) throws -> (sortie: Sortie, server: ScriptedServer, environment: [String: String]) {
        let (sortie, server) = (try Sortie(permitsOwn: permitsOwn), try ScriptedServer(answering: .ok("body")))
        let programs = [
            "pass": #"[ "$*" = "show shop/empty" ] && echo && exit 0; "#
                + #"[ "$*" = "show shop/it's key" ] && printf 'from-pass\nuser: me\n' && exit 0; echo "no entry $*" >&2; exit 1"#,
            "secret-tool": #"[ "$*" = "lookup service shop account me" ] && printf from-keyring && exit 0; exit 1"#,
            "vault": #"[ "$*" = "kv get -field=password secret/shop" ] && printf from-vault && exit 0; echo "no value at $*" >&2; exit 2"#,
        ]
        for (name, line) in programs { try sortie.write("bin/\(name)", "#!/bin/sh\necho run >> \"$HOME/runs\"\n\(line)\n") }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: \(secret)}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\nheaders: {X-Mine: \"{{key}}\"}\n")
        try sortie.write("ws/runs/twice.yaml", "chain: [{send: api/get, as: one}, {send: api/get, as: two}]\n")
        return (sortie, server, ["PATH": "\(sortie.work)/bin:/usr/bin:/bin"])
    }

    private func run(_ sortie: Sortie, _ arguments: String, _ environment: [String: String]) async throws -> ProcessRun {
        try await sortie.shell("chmod +x bin/*; \"$SORTIE\" \(arguments)", environment: environment)
    }

    @Test(arguments: [
        (#"{pass: "shop/it's key"}"#, "from-pass"), ("{keyring: {service: shop, account: me}}", "from-keyring"),
        ("{vault: {path: secret/shop, field: password}}", "from-vault"),
    ])
    func `the value comes from the program, and only the first line of an entry of pass`(_ secret: String, _ value: String) async throws {
        let (sortie, server, environment) = try workspace(secret)
        let run = try await run(sortie, "send api/get -w ws", environment)
        #expect(run.succeeded && server.requests.map { $0["X-Mine"] } == [value], "\(run)")
    }

    @Test func `a credential of an environment file is sent with permission, and masked in the history`() async throws {
        let (sortie, server, _) = try workspace("{env: NONE}", permitsOwn: false)
        try sortie.write("ws/workspace.yaml", "name: W\nenvFiles: [.env]\n")
        try sortie.write("ws/.env", "export API_KEY='k3y-of-the-file'\n")
        try sortie.write("ws/api/get.yaml", "path: \(server.url)/\nheaders: {X-Mine: \"{{API_KEY}}\"}\n")
        let refused = try await sortie.run("send", "api/get", "-w", "ws")
        #expect(refused.status == .exited(3) && server.requests.isEmpty, "\(refused)")
        let run = try await sortie.run("send", "api/get", "-w", "ws", "--trust", "--json")
        #expect(run.succeeded && server.requests.map { $0["X-Mine"] } == ["k3y-of-the-file"], "\(run)")
        #expect(!run.output.contains("k3y-of-the-file"))
        let state = try await sortie.shell("grep -rl k3y-of-the-file \"$HOME\" | grep -v 'ws/.env$' || true", environment: [:])
        #expect(state.output.isEmpty, "\(state)")
    }

    @Test func `sortie env import writes variables, and credentials as secrets`() async throws {
        let sortie = try Sortie()
        try sortie.write("local.env", "HOST=h\nAPI_KEY=k3y\n")
        let run = try await sortie.run("env", "import", "local.env", "-o", "ws")
        #expect(run.succeeded, "\(run)")
        let text = try await sortie.shell("cat ws/workspace.yaml", environment: [:]).output
        #expect(text.contains("HOST: h") && text.contains("LOCAL_API_KEY") && !text.contains("k3y"), "\(text)")
    }

    @Test func `a failure of the program is that of the secret`() async throws {
        let (sortie, server, environment) = try workspace("{pass: shop/none}")
        let run = try await run(sortie, "send api/get -w ws", environment)
        #expect(run.status == .exited(3) && run.errorOutput.contains("the secret key failed with status 1: no entry show shop/none"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `an entry without a value is an error of the secret`() async throws {
        let (sortie, server, environment) = try workspace("{pass: shop/empty}")
        let run = try await run(sortie, "send api/get -w ws", environment)
        #expect(run.status == .exited(3) && run.errorOutput.contains("the secret key comes from its command, which printed nothing"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `permission is requested for the command`() async throws {
        let (sortie, server, environment) = try workspace("{vault: {path: secret/shop, field: password}}", permitsOwn: false)
        let run = try await run(sortie, "send api/get -w ws", environment)
        #expect(run.status == .exited(3) && run.errorOutput.contains("run the command  vault kv get -field=password secret/shop"), "\(run)")
        #expect(server.requests.isEmpty)
        #expect(throws: (any Error).self) { try sortie.home.read("runs") }
    }

    @Test(arguments: [("", 2), (", for: 10m", 1)])
    func `with a lifetime the program runs once for several requests`(_ lifetime: String, _ count: Int) async throws {
        let (sortie, server, environment) = try workspace("{keyring: {service: shop, account: me}\(lifetime)}")
        let run = try await run(sortie, "run twice -w ws", environment)
        #expect(run.succeeded && server.requests.map { $0["X-Mine"] } == ["from-keyring", "from-keyring"], "\(run)")
        #expect(try sortie.home.read("runs").count == "run\n".utf8.count * count)
    }

    @Test(arguments: [
        ("{pass: -x}", "pass must not begin with “-”"), ("{keyring: shop}", "keyring must be a mapping"),
        ("{keyring: {}}", "keyring must be a mapping"), ("{keyring: {-x: a}}", "the attribute “-x” must not begin"),
        ("{vault: {path: a}}", "vault has no field"), ("{vault: a}", "vault must be {path, field}"),
        ("{env: A, for: 10m}", "for applies to commands"), ("{pass: a, for: soon}", "for must be a duration"),
        ("{pass: a, command: b}", "a secret has command and pass; keep one"), ("{secret: a b}", "is not a name of a stored secret"),
    ])
    func `check names what is wrong`(_ secret: String, _ words: String) async throws {
        let (sortie, _, environment) = try workspace(secret)
        let run = try await run(sortie, "check ws", environment)
        #expect(run.status == .exited(3) && run.description.contains(words) && run.description.contains("workspace.yaml:2:"), "\(run)")
    }
}
