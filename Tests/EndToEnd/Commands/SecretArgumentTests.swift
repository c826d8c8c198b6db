import Foundation
import Support
import Testing

/// Tests that secrets reach a command through files, standard input and the terminal, so that they are not in the process list.
@Suite(.serialized)
struct SecretArgumentTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            switch request.target {
            case "/away": HTTPAnswer.redirect(302, to: "http://localhost:\(request["Host"]?.split(separator: ":").last ?? "")/there")
            default: .ok("you said \(request["Authorization"] ?? request["X-Secret"] ?? "nothing")")
            }
        }
        try sortie.write("token", "t0ken-{{x}}\n")
        try sortie.write("login", "me:p4ss:word\r\n")
    }

    private func basic(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }

    private var sent: String? { server.requests.last?["Authorization"] }

    @Test func `--bearer reads a file or standard input, and templates in it are literal text`() async throws {
        let file = try await sortie.run("send", server.url, "--bearer", "@token")
        #expect(file.succeeded && sent == "Bearer t0ken-{{x}}", "\(file)")
        let piped = try await sortie.shell("printf s3cret | \"$SORTIE\" send \(server.url) --bearer @-")
        #expect(piped.succeeded && sent == "Bearer s3cret", "\(piped)")
        let literal = try await sortie.run("send", server.url, "--bearer", "@@token")
        #expect(literal.succeeded && sent == "Bearer @token", "\(literal)")
        let plain = try await sortie.run("send", server.url, "--bearer", "plain@token")
        #expect(plain.succeeded && sent == "Bearer plain@token", "\(plain)")
    }

    @Test(arguments: ["--bearer", "-u"]) func `a byte order mark at the beginning of a file is not sent`(option: String) async throws {
        try sortie.write("marked", "\u{feff}a:b\r\n")
        let run = try await sortie.run("send", server.url, option, "@marked")
        #expect(run.succeeded && sent == (option == "-u" ? basic("a:b") : "Bearer a:b"), "\(run)")
    }

    @Test(arguments: ["{{$file token}}", "{{env}}", "{{$env.MINE}}", "{{printed}}"])
    func `the value of a file, a variable or a command has no byte order mark and no line break at its end`(template: String) async throws {
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {env: {env: MINE}, printed: {command: cat token}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/token", "\u{feff}t0ken-1\n\r\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\nquery: {q: \"\(template)\"}\n")
        let run = try await sortie.run(["send", "api/get", "-w", "ws"], environment: ["MINE": "t0ken-1\n\r\n"])
        #expect(run.succeeded && server.requests.last?.target == "/?q=t0ken-1%0A", "\(run)")
    }

    @Test func `-u reads a file or standard input`() async throws {
        let file = try await sortie.run("send", server.url, "-u", "@login")
        #expect(file.succeeded && sent == basic("me:p4ss:word"), "\(file)")
        let piped = try await sortie.shell("echo a:b | \"$SORTIE\" send \(server.url) -u @-")
        #expect(piped.succeeded && sent == basic("a:b"), "\(piped)")
        let empty = try await sortie.run("send", server.url, "-u", "me:")
        #expect(empty.succeeded && sent == basic("me:"), "\(empty)")
        let wrong = try await sortie.run("send", server.url, "-u", "@token")
        #expect(wrong.failed(3, "fileUnreadable") && !wrong.errorOutput.contains("t0ken"), "\(wrong)")
    }

    @Test func `-u with only a name prompts on the terminal without echo`() async throws {
        let terminal = try await sortie.openShell(
            "\"$SORTIE\" send \(server.url) -u me --no-history --show-secrets; echo; echo ended $?; stty -a | tr ' ' '\\n' | grep -x -- '-*echo'")
        try await terminal.waitForText("Password for me:", within: Sortie.patience)
        terminal.type("p4 s:s\r")
        try await terminal.waitUntil("the end", within: Sortie.patience) { $0.contains("ended 0") && $0.text.contains("\necho") }
        #expect(!terminal.display.text.contains("p4 s:s"))
        #expect(sent == basic("me:p4 s:s"))
    }

    @Test func `Ctrl-C at the prompt ends the command and restores the echo`() async throws {
        let terminal = try await sortie.openShell(
            "trap : INT; \"$SORTIE\" send \(server.url) -u me; echo ended $?; stty -a | tr ' ' '\\n' | grep -x -- '-*echo'")
        try await terminal.waitForText("Password for me:", within: Sortie.patience)
        terminal.press(.control("c"))
        try await terminal.waitUntil("the end", within: Sortie.patience) { $0.contains("ended 130") && $0.text.contains("\necho") }
        #expect(server.requests.isEmpty)
    }

    @Test func `-u with only a name is an error without a terminal, which lists the alternatives`() async throws {
        let run = try await sortie.run("send", server.url, "-u", "me")
        #expect(run.failed(2, "usage"), "\(run)")
        for way in ["@FILE", "@-", "'me:'"] { #expect(run.hint.contains(way), "\(run)") }
        #expect(server.requests.isEmpty)
    }

    @Test func `-H reads a file of header lines`() async throws {
        try sortie.write("headers", "X-Secret: {{no}}template\r\n\nX-Other: 1\nAccept:\n")
        let run = try await sortie.run("send", server.url, "-H", "@headers", "-H", "X-Third: 3")
        #expect(run.succeeded, "\(run)")
        let request = try #require(server.requests.last)
        #expect(request["X-Secret"] == "{{no}}template" && request["X-Other"] == "1" && request["X-Third"] == "3" && request["Accept"] == nil)
        let piped = try await sortie.shell("echo 'X-Secret: piped' | \"$SORTIE\" send \(server.url) -H @-")
        #expect(piped.succeeded && server.requests.last?["X-Secret"] == "piped", "\(piped)")
        try sortie.write("headers", "X-Secret: a\nno colon\n")
        let wrong = try await sortie.run("send", server.url, "-H", "@headers")
        #expect(wrong.failed(2, "invalidHeader"), "\(wrong)")
    }

    @Test func `--var reads and masks a value from a file, and keeps a leading at sign in a value`() async throws {
        let file = try await sortie.run("send", server.url, "--var", "x@token", "-H", "X-Secret: {{x}}", "--json")
        #expect(server.requests.last?["X-Secret"] == "t0ken-{{x}}")
        #expect(file.succeeded && !file.output.contains("t0ken"), "\(file)")
        let literal = try await sortie.run("send", server.url, "--var", "x=@token", "-H", "X-Secret: {{x}}")
        #expect(literal.succeeded && server.requests.last?["X-Secret"] == "@token", "\(literal)")
        let named = try await sortie.shell("mkfifo p && (echo pipe > p &) && \"$SORTIE\" send \(server.url) --var x@p -H 'X-Secret: {{x}}'")
        #expect(named.succeeded && server.requests.last?["X-Secret"] == "pipe", "\(named)")
        let piped = try await sortie.shell("echo in | \"$SORTIE\" send \(server.url) --var x@- -H 'X-Secret: {{x}}'")
        #expect(piped.succeeded && server.requests.last?["X-Secret"] == "in", "\(piped)")
    }

    @Test(arguments: [["--bearer", "@-", "--var", "x@-"], ["--bearer", "@-", "-d", "@-"], ["-H", "@-", "-u", "@-"]])
    func `two options for standard input are an error`(_ options: [String]) async throws {
        let run = try await sortie.shell("echo a:b | \"$SORTIE\" send \(server.url) \(options.joined(separator: " "))")
        #expect(run.failed(2, "usage") && run.errorOutput.contains("both read standard input"), "\(run)")
        let upload = try await sortie.shell("echo a:b | \"$SORTIE\" upload \(server.url)/x - --bearer @-")
        #expect(upload.failed(2, "usage") && upload.errorOutput.contains("both read standard input"), "\(upload)")
        #expect(server.requests.isEmpty)
    }

    @Test func `values from files are masked in every output and in the history`() async throws {
        let run = try await sortie.run("send", server.url, "--bearer", "@token", "--json", "-v")
        #expect(run.succeeded && !run.description.contains("t0ken"), "\(run)")
        #expect(try sortie.files(telling: "t0ken") == [])
    }

    // MARK: netrc

    private func netrc(_ text: String, mode: mode_t = 0o600) throws {
        let path = try sortie.home.write(".netrc", text)
        chmod(path, mode)
    }

    @Test func `--netrc uses the credentials of the host`() async throws {
        try netrc("machine other.example login no password no\nmachine 127.0.0.1 login me password geheim7\n")
        let run = try await sortie.run("send", server.url, "--netrc", "--json", "-v")
        #expect(run.succeeded && sent == basic("me:geheim7"), "\(run)")
        #expect(!run.description.contains("geheim7") && !run.description.contains(basic("me:geheim7")), "\(run)")
        let without = try await sortie.run("send", server.url)
        #expect(without.succeeded && sent == nil, "\(without)")
    }

    @Test func `other credentials take precedence over --netrc`() async throws {
        try netrc("machine 127.0.0.1 login me password geheim7\n")
        for (options, expected) in [(["-u", "a:b"], basic("a:b")), (["--bearer", "t"], "Bearer t"), (["-H", "Authorization: x"], "x")] {
            let run = try await sortie.run(["send", server.url, "--netrc"] + options)
            #expect(run.succeeded && sent == expected, "\(run)")
        }
        let url = server.url.replacing("http://", with: "http://u:p@")
        let run = try await sortie.run("send", url, "--netrc")
        #expect(run.succeeded && sent == basic("u:p"), "\(run)")
    }

    @Test func `a user in the URL selects the password of --netrc, and one without it is an error`() async throws {
        try netrc("machine 127.0.0.1 login other password no\nmachine 127.0.0.1 login me password geheim7\n")
        let run = try await sortie.run("send", server.url.replacing("http://", with: "http://me@"), "--netrc", "--json", "-v")
        #expect(run.succeeded && sent == basic("me:geheim7"), "\(run)")
        #expect(!run.description.contains("geheim7"), "\(run)")
        let missing = try await sortie.run("send", server.url.replacing("http://", with: "http://nobody@"), "--netrc")
        #expect(!missing.succeeded && missing.errorOutput.contains("has no login of nobody for 127.0.0.1"), "\(missing)")
    }

    @Test func `credentials of --netrc are not sent to another origin after a redirect`() async throws {
        try netrc("machine 127.0.0.1 login me password geheim7\nmachine localhost login other password other\n")
        let run = try await sortie.run("send", server.url + "/away", "--netrc", "--resolve", "localhost:127.0.0.1")
        #expect(run.succeeded, "\(run)")
        #expect(server.requests.map { $0["Authorization"] } == [basic("me:geheim7"), nil])
    }

    @Test func `a netrc file that others can read is used with a warning`() async throws {
        try netrc("machine 127.0.0.1 login me password geheim7\n", mode: 0o644)
        let run = try await sortie.run("send", server.url, "--netrc")
        #expect(run.succeeded && sent == basic("me:geheim7"), "\(run)")
        #expect(
            run.errorLines.count == 1 && run.errorOutput.contains("sortie: warning: other users") && run.errorOutput.contains("chmod 600"), "\(run)")
    }

    @Test func `a missing netrc file and one in another format are errors`() async throws {
        let missing = try await sortie.run("send", server.url, "--netrc")
        #expect(missing.failed(3, "netrc") && missing.errorOutput.contains(".netrc"), "\(missing)")
        try sortie.write("logins", "machine 127.0.0.1\nlogin me password two words\n")
        let wrong = try await sortie.run("send", server.url, "--netrc-file", "logins")
        #expect(wrong.failed(3, "netrc") && wrong.errorOutput.contains("logins:2") && !wrong.errorOutput.contains("words: "), "\(wrong)")
        #expect(server.requests.isEmpty)
    }
}
