import Foundation
import Support
import Testing

@testable import SortieApp

/// Runs the blocks of the README and of the guide that are marked as commands (`sh`), in their order, against the server of the demo.
///
/// A block of YAML whose first line is a comment with a path is written to that file. A line with the comment `# exits 1` has to. The commands of the other
/// blocks, which run until they are interrupted or need files that are not there, are only parsed (`ManualPageTests`).
@Suite struct GuideBlockTests {
    /// A folder with the demo's workspace in `Workspaces/Demo` and the program in `bin`, for commands on the demo's server.
    private struct Place {
        let demo: DemoProcess
        let sortie: Sortie

        init() async throws {
            demo = try await DemoProcess.shared
            sortie = try Sortie(permitsOwn: false)
            try FileManager.default.createDirectory(atPath: sortie.work + "/Workspaces", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Sortie.demoWorkspace, toPath: sortie.work + "/Workspaces/Demo")
            try FileManager.default.createDirectory(atPath: sortie.work + "/bin", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: sortie.work + "/bin/sortie", withDestinationPath: BuiltProducts.path(of: "sortie"))
            let workspace = "Workspaces/Demo/workspace.yaml"
            try sortie.write(workspace, onDemo(String(decoding: sortie.read(workspace), as: UTF8.self)))
        }

        /// A text with the ports of the demo's server in place of the usual ones.
        func onDemo(_ text: String) -> String {
            let port = String(demo.authority.split(separator: ":").last ?? "")
            return text.replacing(":8080", with: ":\(port)").replacing("\"8080\"", with: "\"\(port)\"")
                .replacing("\"8081\"", with: "\"\(demo.grpcPort)\"")
        }

        /// Runs a line in bash, in a folder.
        func run(_ line: some StringProtocol, in folder: String = ".") async throws -> ProcessRun {
            let line = onDemo(GuideBlockTests.withoutMissingPrograms(Substring(line)))
            let script = "set -o pipefail; PATH=\"$PWD/bin:$PATH\"; cd \(folder); \(line)"
            return try await sortie.shell("exec bash -c \(GuideBlockTests.quoted(script)) < /dev/null")
        }
    }

    /// The articles with commands that are run.
    private static func articles() throws -> [String] {
        try GuideExample.articles().filter { try GuideExample.blocks(of: $0).contains { $0.language == "sh" && !$0.text.hasPrefix("#!") } }
    }

    @Test(arguments: try articles()) func `every command of an article does what it says`(article: String) async throws {
        let place = try await Place()
        var commands = 0
        for (language, block) in try GuideExample.blocks(of: article) where !block.hasPrefix("#!") {
            if language == "yaml", let path = block.wholeMatch(of: /# (\S+\.yaml)\n(?s:.*)/)?.1 {
                try place.sortie.write(String(path), place.onDemo(block))
            }
            for line in language == "sh" ? block.split(separator: "\n") : [] {
                let expected = line.firstMatch(of: /# exits (\d)/).flatMap { Int32($0.1) } ?? 0
                let run = try await place.run(line)
                #expect(run.status == .exited(expected), "\(line)\n\(run)")
                commands += 1
            }
        }
        #expect(commands > 0)
    }

    @Test(arguments: CommandExamples.all.keys.sorted())
    func `the help of a command ends with examples that do what they say`(command: String) async throws {
        let place = try await Place()
        // These read the history, in which the requests of a person are the last ones.
        for _ in command.hasPrefix("history") || command == "export" ? [1, 2] : [] {
            _ = try await place.run("sortie send shop/orders/list", in: "Workspaces/Demo")
        }
        let words = command == "sortie" ? [] : command.split(separator: " ").map(String.init)
        let help = try await place.sortie.run(words + ["--help"]).output
        #expect(CommandExamples.examples(forHelpOf: words + ["--help"]).map(\.line) == CommandExamples.all[command]?.map(\.line))
        let lines = help.split(separator: "EXAMPLES:").last?.split(separator: "\n").filter { $0.hasPrefix("    ") } ?? []
        #expect(lines.count == 2 && help.contains("\nEXAMPLES:\n"), "\(help)")
        for line in lines.map({ $0.drop { $0 == " " } }) {
            if ["serve", "mock"].contains(command) {
                // The server runs until it is interrupted, which it is after its first line.
                let stop = "read -r line <&\"${COPROC[0]}\"; kill -INT $COPROC_PID; wait $COPROC_PID; echo \"$line\""
                #expect(try await place.run("coproc \(line); \(stop)", in: "Workspaces/Demo").output.hasPrefix("listening on "), "\(line)")
                continue
            }
            let run = try await place.run(line, in: "Workspaces/Demo")
            // The workbench needs a terminal, which it says after the command line was read.
            let needsTerminal = ["open", "demo"].contains(command) || line == "sortie demo"
            // The demo has no description with a URL and no stored token.
            let failures: [String: (Int32, String)] = ["contract update": (2, "contract"), "token forget": (3, "unknownToken")]
            let failure = needsTerminal ? (2, "terminal") : failures[command]
            #expect(failure.map { run.failed($0, $1) } ?? (run.status == .exited(0)), "\(line)\n\(run)")
        }
    }

    /// `jq` is not a part of what the tests install.
    fileprivate static func withoutMissingPrograms(_ line: Substring) -> String {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
            ? String(line) : String(line.prefix(upTo: line.firstRange(of: "| jq")?.lowerBound ?? line.endIndex))
    }

    fileprivate static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}
