import Support
import Testing

/// Tests `sortie secret` and `{secret: NAME}` of workspaces.
@Suite(.serialized)
struct StoredSecretsTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    private func set(_ name: String, _ value: String) async throws {
        let run = try await sortie.shell("printf '%s' '\(value)' | \"$SORTIE\" secret set \(name)")
        #expect(run.succeeded && !run.description.contains(value), "\(run)")
    }

    private func workspace(_ secret: String, to url: String) throws {
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {token: \(secret)}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: \(url)/\nauth: {bearer: \"{{token}}\"}\n")
    }

    @Test func `a secret is stored, listed without its value, printed into a pipe, replaced and forgotten`() async throws {
        try await set("shop-token", "s3cret value\n")
        try await set("a/other", "other value")
        let list = try await sortie.run("secret", "list")
        #expect(list.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["a/other", "shop-token"], "\(list)")
        #expect(!list.output.contains("s3cret") && list.output.contains(sortie.home.path("state/sortie/secrets")), "\(list)")
        #expect(try await sortie.run("secret", "get", "shop-token").output == "s3cret value\n")
        try await set("shop-token", "new value")
        #expect(try await sortie.run("secret", "get", "shop-token").output == "new value\n")
        #expect(try await sortie.run("secret", "forget", "shop-token").succeeded)
        let missing = try await sortie.run("secret", "get", "shop-tokn")
        #expect(missing.failed(3, "unknownSecret") && missing.errorOutput.contains("sortie secret set"), "\(missing)")
        #expect(try await sortie.run("secret", "list", "--json").output.contains(#""name": "a/other""#))
    }

    @Test func `the file can be read by the user alone, and one that others can read is refused`() async throws {
        try await set("key", "value")
        let mode = try await sortie.shell("stat -c %a \"$XDG_STATE_HOME/sortie/secrets\"")
        #expect(mode.output == "600\n", "\(mode)")
        let open = try await sortie.shell("chmod 644 \"$XDG_STATE_HOME/sortie/secrets\" && \"$SORTIE\" secret get key")
        #expect(!open.succeeded && open.errorOutput.contains("chmod 600") && open.output.isEmpty, "\(open)")
    }

    @Test(arguments: [
        (["set", "key", "the-value"], "is not given on the command line"), (["set", "a key"], "is not a name"),
        (["forget", "nothing"], "there is no stored secret nothing"), (["get", "../x y"], "is not a name"), (["set", "key"], "empty"),
    ])
    func `wrong arguments are errors that name the remedy, and never the value`(_ arguments: [String], _ words: String) async throws {
        let run = try await sortie.run(["secret"] + arguments)
        #expect(!run.succeeded && run.errorOutput.contains(words), "\(run)")
        #expect(!run.errorOutput.contains("the-value"), "\(run)")
    }

    @Test func `a terminal shows a secret only on request, and a typed value has no echo`() async throws {
        let terminal = try await sortie.open("secret", "set", "typed")
        try await terminal.waitForText("Value of typed:", within: Sortie.patience)
        terminal.type("hidden-value\r")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(!terminal.screen.contains("hidden-value"))
        #expect(try await sortie.run("secret", "get", "typed").output == "hidden-value\n")
        let refused = try await sortie.shell("script -qec '\"$SORTIE\" secret get typed' /dev/null")
        #expect(!refused.output.contains("hidden-value") && refused.output.contains("--show-secrets"), "\(refused)")
        let shown = try await sortie.shell("script -qec '\"$SORTIE\" secret get typed --show-secrets' /dev/null")
        #expect(shown.output.contains("hidden-value"), "\(shown)")
    }

    @Test func `a workspace uses a stored secret, which is masked`() async throws {
        let server = try ScriptedServer { .ok("got \($0["Authorization"] ?? "")") }
        try await set("shop-token", "t0ken-value")
        try workspace("{secret: shop-token}", to: server.url)
        let run = try await sortie.run("send", "api/me", "-w", "ws", "--json")
        #expect(run.succeeded && server.requests.first?["Authorization"] == "Bearer t0ken-value", "\(run)")
        #expect(!run.description.contains("t0ken-value"), "\(run)")
        let list = try await sortie.run("secret", "list", "-w", "ws")
        #expect(list.output.contains("token       stored secret shop-token  workspace.yaml:2"), "\(list)")
    }

    @Test func `a workspace needs permission to read a stored secret, and a missing one is named`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let other = try Sortie(permitsOwn: false)
        try other.write("ws/workspace.yaml", "name: W\nsecrets: {token: {secret: shop-token}}\n")
        try other.write("ws/api/service.yaml", "name: Api\n")
        try other.write("ws/api/me.yaml", "name: Me\npath: \(server.url)/\nauth: {bearer: \"{{token}}\"}\n")
        let refused = try await other.run("send", "api/me", "-w", "ws")
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("read the secret shop-token that you stored"), "\(refused)")
        let missing = try await other.run("send", "api/me", "-w", "ws", "--trust")
        #expect(missing.status == .exited(3) && missing.errorOutput.contains("sortie secret set shop-token"), "\(missing)")
        #expect(server.requests.isEmpty)
    }
}
