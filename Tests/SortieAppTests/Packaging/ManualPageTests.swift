import ArgumentParser
import Support
import Testing

@testable import SortieApp

/// Tests the pages of the manual, which are made of the help and the guide.
@Suite struct ManualPageTests {
    /// Made once, because a debug build validates the options of all commands for seconds.
    private static let made = Result { ManualPage.pages(of: try ManualCommand(of: SortieCommand.self), version: "1.2.3") }

    private static func pages() throws -> [ManualPage] { try made.get() }

    /// The text of a page as `man` displays it, without fonts.
    private static func plain(_ page: ManualPage) -> String {
        page.text.replacing("\\fB", with: "").replacing("\\fI", with: "").replacing("\\fR", with: "").replacing("\\-", with: "-")
            .replacing("\\e", with: "\\")
    }

    @Test func `each displayed command has a page, and every page has all sections`() throws {
        let pages = try Self.pages()
        let names = pages.map(\.name)
        #expect(names.first == "sortie")
        for name in ["sortie-send", "sortie-history", "sortie-guide"] { #expect(names.contains(name)) }
        for name in ["sortie-decode-image", "sortie-generate-documents", "sortie-help"] { #expect(!names.contains(name)) }
        for page in pages {
            let sections = page.text.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
            let options = page.command.subcommands.isEmpty || page.name == "sortie" ? ["OPTIONS"] : ["SUBCOMMANDS"]
            let expected =
                ["NAME", "SYNOPSIS", "DESCRIPTION"] + options
                + (page.name == "sortie" ? ["COMMANDS", "EXIT STATUS", "FILES", "ENVIRONMENT"] : ["EXIT STATUS", "FILES"])
                + ["EXAMPLES", "SEE ALSO"]
            #expect(sections.map(String.init) == expected, "\(page.name)")
        }
    }

    @Test func `a page has every option of its command with its explanation`() throws {
        for page in try Self.pages() {
            let text = Self.plain(page)
            let commands = page.name == "sortie" ? [] : [page.command] + page.command.subcommands
            for argument in commands.flatMap(\.arguments) where page.command.subcommands.isEmpty || argument.section != nil {
                for name in argument.names { #expect(text.contains(name), "\(page.name) \(name)") }
                #expect(text.contains(argument.summary), "\(page.name) \(argument.names)")
            }
        }
    }

    @Test func `sortie(1) has the exit codes, the files and the environment variables of the guide`() throws {
        let text = Self.plain(try #require(try Self.pages().first))
        for word in [
            "130\n", "interrupted", "$XDG_STATE_HOME/sortie/history.sqlite", "$XDG_DATA_HOME/sortie/demo/", "$XDG_CACHE_HOME/sortie/spool/",
            "SORTIE_TRUST",
            "NO_COLOR", "sortie-history(1)",
        ] { #expect(text.contains(word), "\(word)") }
        #expect(!text.contains("](") && !text.contains("`"))
    }

    @Test func `no line of text is a macro or has an unknown escape`() throws {
        let macros = [".TH", ".SH", ".SS", ".PP", ".TP", ".nh", ".ad", ".nf", ".fi", ".RS", ".RE", ".\\\""]
        for page in try Self.pages() {
            for line in page.text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
                #expect(macros.contains { line.hasPrefix($0) }, "\(page.name): \(line)")
            }
            let rest = ["\\fB", "\\fI", "\\fR", "\\-", "\\e", "\\&", ".\\\""].reduce(page.text) { $0.replacing($1, with: "") }
            #expect(!rest.contains("\\"), "\(page.name)")
        }
        var text = ManualText()
        text.tagged(bold: "a-b", ".begins with a period and a \\")
        #expect(text.text == ".TP\n\\fBa\\-b\\fR\n\\&.begins with a period and a \\e\n")
    }

    @Test func `every command has two examples, each a valid command line of it`() throws {
        let commands = try ManualCommand(of: SortieCommand.self).subcommands.flatMap { command in
            [command.name] + command.subcommands.map { "\(command.name) \($0.name)" }
        }
        #expect(Set(CommandExamples.all.keys) == Set(commands + ["sortie"]))
        for (command, examples) in CommandExamples.all {
            #expect(examples.count == 2, "\(command)")
            for example in examples {
                // What a shell adds is not parsed: pipes, redirections and quotes.
                let name = command == "sortie" ? command : "sortie \(command)"
                let line = try #require(example.line.firstRange(of: name).map { example.line[$0.lowerBound...] })
                let words = line.prefix { !"|&<".contains($0) }.replacing("'{\"name\": \"tea\"}'", with: "{}").split(separator: " ").map(String.init)
                if command != "sortie" { #expect(words.dropFirst().joined(separator: " ").hasPrefix(command), "\(example.line)") }
                #expect(throws: Never.self, "\(example.line)") { _ = try SortieCommand.parseAsRoot(Array(words.dropFirst())) }
            }
        }
    }

    @Test func `every command line in the README and the guide is valid`() async throws {
        let blocks = try GuideExample.articles().flatMap(GuideExample.blocks).filter { ["", "sh"].contains($0.language) && !$0.text.hasPrefix("#!") }
        let lines = blocks.flatMap { $0.text.split(separator: "\n") }.filter { $0.contains("sortie ") }.map { $0.trimmingPrefix("$ ") }
        // The shell, which reads quotes and pipes, has no programs, and in place of sortie a function that prints the arguments, in one write because
        // commands with & run beside the next ones.
        let head = #"exec 3>&1 >/dev/null 2>&1 </dev/null; PATH=; sortie() { local line; printf -v line '%s\037' "$@"; printf '%s\n' "$line" >&3; }"#
        let script = ([head] + lines.map { "eval '\($0.replacing("'", with: #"'\''"#))'" }).joined(separator: "\n")
        let run = try await ProcessRun.run("/bin/bash", ["-c", script], within: .seconds(60))
        let commands = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { $0.split(separator: "\u{1F}") }
        #expect(commands.count > 150, "\(run)")
        for command in Set(commands) {
            #expect(throws: Never.self, "sortie \(command.joined(separator: " "))") { _ = try SortieCommand.parseAsRoot(command.map(String.init)) }
        }
    }
}
