import Foundation
import Support
import Testing

/// Tests the completion of command lines, in a real bash and for the other shells.
@Suite(.serialized)
struct ShellCompletionTests {
    /// A workspace in the working folder, whose endpoint is sent to `server`.
    private static func workspace(server: String = "http://127.0.0.1:1") throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Test\nenvironments: {develop: {variables: {size: 1}}, \"test two\": {}, staging: {}}\n")
        try sortie.write("shop/service.yaml", "name: Shop\nservers: {develop: \(server)}\n")
        try sortie.write("shop/login.yaml", "path: /login\n")
        try sortie.write("shop/orders/list.yaml", "path: /orders\n")
        try sortie.write("runs/checkout.yaml", "chain: [{send: shop/login}]\n")
        return sortie
    }

    /// Types a line in an interactive bash, presses Tab, and waits for a text.
    ///
    /// The screen does not show spaces at the end of a line; therefore `text` with a space at its end is followed by a typed `#`.
    private static func complete(_ line: String, in sortie: Sortie, until text: String) async throws -> String {
        let lines = [
            "PS1='ready> '", "bind 'set show-all-if-ambiguous on'", "bind 'set bell-style none'", "bind 'set enable-bracketed-paste off'",
            "sortie() { \"$SORTIE\" \"$@\"; }", "\"$SORTIE\" generate-documents documents", "source documents/sortie.bash",
        ]
        try sortie.write("rc", lines.joined(separator: "\n") + "\n")
        let terminal = try await sortie.openShell("exec /bin/bash --noprofile --rcfile rc -i")
        try await terminal.waitForText("ready>", within: Sortie.patience)
        terminal.type(line)
        terminal.press(.tab)
        let shown = text.trimmingCharacters(in: .whitespaces)
        try await terminal.waitForText(shown, within: Sortie.patience)
        if shown != text {
            terminal.type("#")
            try await terminal.waitForText(text + "#", within: Sortie.patience)
        }
        return terminal.screen
    }

    /// The candidates for the last word of a line, as the script of a shell asks for them.
    private static func candidates(_ shell: String, _ argument: String, of command: String..., words: [String], in sortie: Sortie) async throws
        -> [String]
    {
        let arguments = ["---completion"] + command + ["--", argument, "\(words.count - 1)", "0"] + words
        let run = try await sortie.runProcess(arguments, environment: ["SAP_SHELL": shell])
        try #require(run.succeeded, "\(run)")
        return run.output.split(separator: "\n").map(String.init).filter { $0 != " " }
    }

    @Test(arguments: [
        ("sortie send shop/lo", "sortie send shop/login "), ("sortie list -e sta", "sortie list -e staging "),
        ("sortie run che", "sortie run checkout "), ("sortie bench shop/lo", "sortie bench shop/login "),
        ("sortie run shop/or", "sortie run shop/orders/"),
        ("sortie export runs -w . --as cu", "--as curl "), ("sortie hist", "sortie history "),
        ("sortie guide transf", "sortie guide transfers "), ("sortie list -e test", "sortie list -e test\\ two "),
        ("sortie run checkout --from log", "sortie run checkout --from login "), ("sortie list --var si", "sortie list --var size="),
    ])
    func `bash completes targets, environments, runs, formats and topics`(line: String, completed: String) async throws {
        let screen = try await Self.complete(line, in: try Self.workspace(), until: completed)
        #expect(screen.contains(completed), "\(screen)")
    }

    @Test func `bash completes exchanges of the workspace, also after the colon of history:`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Self.workspace(server: "http://127.0.0.1:\(server.port)")
        #expect(try await sortie.run("send", "shop/login").status == .exited(0))
        #expect(try await sortie.run("send", "http://127.0.0.1:\(server.port)/elsewhere").status == .exited(0))
        _ = try await Self.complete("sortie export history:la", in: sortie, until: "sortie export history:last")
        let shown = try await Self.candidates("fish", "positional@0", of: "history", "show", words: ["sortie", "history", "show", ""], in: sortie)
        #expect(shown.first == "last\tthe newest")
        #expect(shown.contains("1\tGET shop/login 200"), "\(shown)")
    }

    @Test func `names of files are neither run nor able to control the terminal`() async throws {
        let sortie = try Self.workspace()
        for name in ["shop/$(touch pwned).yaml", "shop/`touch pwned`.yaml", "shop/it's two.yaml", "shop/red\u{1B}[31m.yaml", "shop/line\nbreak.yaml"]
        {
            try sortie.write(name, "path: /\n")
        }
        let screen = try await Self.complete("sortie send shop/it", in: sortie, until: "two ")
        #expect(screen.contains(#"sortie send shop/it\'s\ two "#), "\(screen)")
        _ = try await Self.complete("sortie send shop/", in: sortie, until: "touch pwned")
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/pwned"))
        for shell in ["bash", "zsh", "fish"] {
            let names = try await Self.candidates(shell, "positional@0", of: "send", words: ["sortie", "send", ""], in: sortie)
            #expect(names.count == 5, "\(shell): \(names)")
            #expect(!names.contains { $0.contains("\u{1B}") || $0.contains("break") })
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not installed"),
        arguments: [
            ("sortie send --http1.1 shop/lo", "sortie send --http1.1 shop/login"), ("sortie send --http1.1 -e sta", "-e staging"),
            ("sortie list --var si", "--var size="), ("sortie run checkout --from lo", "--from login"),
        ])
    func `fish completes targets, also after an option that its parser rejects, variables and steps`(line: String, completed: String) async throws {
        let sortie = try Self.workspace()
        let lines = [
            "\"$SORTIE\" generate-documents documents", "mkdir bin", "ln -s \"$SORTIE\" bin/sortie", "export PATH=\"$PWD/bin:$PATH\" HOME=\"$PWD\"",
            "exec /usr/bin/fish --no-config --init-command 'source documents/sortie.fish; function fish_prompt; printf \"ready> \"; end'",
        ]
        let terminal = try await sortie.openShell(lines.joined(separator: "\n"))
        try await terminal.waitForText("ready>", within: Sortie.patience)
        terminal.type(line)
        terminal.press(.tab)
        try await terminal.waitForText(completed, within: Sortie.patience)
    }

    @Test func `the names of a run's steps and of variables complete their options`() async throws {
        let sortie = try Self.workspace()
        try sortie.write("runs/other.yaml", "chain: [{send: shop/orders/list, as: mine}]\n")
        let steps = try await Self.candidates("bash", "--from", of: "run", words: ["sortie", "run", "other", "--from", ""], in: sortie)
        #expect(steps == ["'mine'"])
        let all = try await Self.candidates("bash", "--from", of: "run", words: ["sortie", "run", "--from", ""], in: sortie)
        #expect(all == ["'login'", "'mine'"])
        let variables = try await Self.candidates("zsh", "--var", of: "run", words: ["sortie", "run", "--var", ""], in: sortie)
        #expect(variables == ["size="])
    }

    @Test func `every option in the script of fish has a name that fish accepts`() async throws {
        let sortie = try Sortie()
        #expect(try await sortie.run("generate-documents", "documents").succeeded)
        let script = String(decoding: try sortie.read("documents/sortie.fish"), as: UTF8.self)
        let lines = script.split(separator: "\n").filter { $0.contains("__sortie_parse_subcommand ") }
        #expect(lines.count > 10)
        for line in lines { #expect(!line.contains("."), "\(line)") }
    }

    @Test func `the workspace of -w is used, in all notations, and nothing is written`() async throws {
        let sortie = try Sortie()
        try sortie.write("my api/workspace.yaml", "name: Test\nenvironments: {develop: {}}\n")
        try sortie.write("my api/shop/service.yaml", "name: Shop\n")
        try sortie.write("my api/shop/login.yaml", "path: /login\n")
        for words in [
            ["-w", "my\\ api"], ["-w", "'my api'"], ["--workspace", "\"my api\""], ["--workspace='my api'"], ["-w", sortie.work + "/my api"],
        ] {
            let names = try await Self.candidates("zsh", "positional@0", of: "send", words: ["sortie", "send"] + words + [""], in: sortie)
            #expect(names == ["shop/login"], "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: sortie.home.path("state")))
        // Without a workspace there are no candidates, and no message.
        #expect(try await Self.candidates("zsh", "positional@0", of: "send", words: ["sortie", "send", ""], in: sortie).isEmpty)
    }
}
