import Support
import Testing

@Suite struct GuideCommandTests {
    @Test func `guide lists the articles`() async throws {
        let run = try await Sortie().run("guide")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.isEmpty)
        for topic in ["workspaces", "requests", "authentication", "graphql", "websocket", "grpc", "bench", "mock", "transfers", "runs", "library"] {
            #expect(run.output.contains("\n\(topic) "), "\(topic)")
        }
    }

    @Test func `an article is plain text of at most 80 columns in a pipe`() async throws {
        let run = try await Sortie().run("guide", "runs")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.hasPrefix("Runs\n════\n"))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("```"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("    ") || $0.count <= 80 })
    }

    @Test func `an article is wrapped to the width of the terminal`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", "cookies", size: (50, 200))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let rows = terminal.display.rows
        #expect(rows.contains("Cookies"))
        // A line that were wrapped to 80 columns would be continued by the terminal in the middle of a word.
        #expect(rows.contains { $0.hasPrefix("Cookies follow RFC 6265, with the rules of") })
    }

    @Test func `an article that is longer than the screen is shown in the pager`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", "runs", environment: ["PAGER": "head -n 3 | sed 's/^/pager: /'"])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let rows = terminal.display.rows.joined(separator: "\n")
        #expect(rows.contains("pager: Runs") && rows.contains("pager: ════") && !rows.contains("Runs\n════"))
    }

    @Test(arguments: [([:], "FRX"), (["LESS": "-S"], "-S")])
    func `the pager gets the options that git gives less, unless the user has some`(environment: [String: String], options: String) async throws {
        let pager = ["PAGER": "cat > /dev/null; echo \"options: $LESS.\""]
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", "runs", environment: environment.merging(pager) { $1 })
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.display.rows.contains { $0.hasPrefix("options: \(options).") })
    }

    @Test func `a pager that ends before it has read the text ends the command`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", "security", environment: ["PAGER": "head -n 1"])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.display.rows.count { !$0.allSatisfy(\.isWhitespace) } == 1, "\(terminal.display.rows)")
    }

    @Test(arguments: [("--no-pager", "sed s/^/pager:/", 24), ("--", "sed s/^/pager:/", 900), ("--", "", 24), ("--", "cat", 24)])
    func `a pager is not started for a short text, without $PAGER, or with --no-pager`(option: String, pager: String, rows: Int) async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", option, "runs", size: (80, rows), environment: ["PAGER": pager])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let text = terminal.display.rows.joined(separator: "\n")
        #expect(!text.contains("pager:") && !text.isEmpty)
    }

    @Test func `a pager that cannot be started does not hide the text`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("guide", "runs", environment: ["PAGER": "no-such-pager"])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let last = try await sortie.run("guide", "runs").output.split(separator: "\n").last ?? ""
        #expect(terminal.display.rows.contains { $0.hasPrefix(last) })
    }

    @Test func `a pipe gets the text without a pager`() async throws {
        let run = try await Sortie().run("guide", "runs", environment: ["PAGER": "sed s/^/pager:/"])
        #expect(run.output.hasPrefix("Runs\n════\n"))
    }

    @Test func `words are searched, and the best part is printed`() async throws {
        let run = try await Sortie().run("guide", "follow", "redirects")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("\nRedirects\n") && run.output.contains("\nsortie guide "))
        let part = try await Sortie().run("guide", "sending#redirects")
        #expect(part.status == .exited(0) && part.output.hasPrefix("Redirects\n"), "\(part)")
    }

    @Test func `unknown words name the nearest one`() async throws {
        let run = try await Sortie().run("guide", "rnus\u{1B}[2J")
        #expect(run.status == .exited(1), "\(run)")
        #expect(run.outputBytes.isEmpty)
        #expect(run.errorOutput.contains("the guide has nothing about “rnus") && !run.errorOutput.contains("\u{1B}"))
        #expect(run.errorOutput.contains("it has: first-workspace, "))
        let near = try await Sortie().run("guide", "rnus")
        #expect(near.errorOutput.contains("did you mean runs?"))
    }

    @Test func `completions offer the topics`() async throws {
        let run = try await Sortie().run("--generate-completion-script", "bash")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("workspace-keys"))
    }
}
