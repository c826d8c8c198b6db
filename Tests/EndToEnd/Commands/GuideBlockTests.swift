import Foundation
import Support
import Testing

/// Runs the blocks of the README and of the guide that are marked as commands (`sh`), in their order, against the server of the demo.
///
/// A block of YAML whose first line is a comment with a path is written to that file. A line that ends with `# exits 1` has to.
@Suite struct GuideBlockTests {
    @Test(arguments: ["README.md", "FirstWorkspace.md", "Recipes.md", "ComingFrom.md"])
    func `every command of an article does what it says`(article: String) async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie(permitsOwn: false)
        try FileManager.default.createDirectory(atPath: sortie.work + "/Workspaces", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Sortie.demoWorkspace, toPath: sortie.work + "/Workspaces/Demo")
        try FileManager.default.createDirectory(atPath: sortie.work + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/bin/sortie", withDestinationPath: BuiltProducts.path(of: "sortie"))
        let port = String(demo.authority.split(separator: ":").last ?? "")
        func onDemo(_ text: String) -> String {
            text.replacing(":8080", with: ":\(port)").replacing("\"8080\"", with: "\"\(port)\"").replacing("\"8081\"", with: "\"\(demo.grpcPort)\"")
        }
        let workspace = "Workspaces/Demo/workspace.yaml"
        try sortie.write(workspace, onDemo(String(decoding: sortie.read(workspace), as: UTF8.self)))

        var commands = 0
        for (language, block) in try GuideExample.blocks(of: article) {
            if language == "yaml", let path = block.wholeMatch(of: /# (\S+\.yaml)\n(?s:.*)/)?.1 {
                try sortie.write(String(path), onDemo(block))
            }
            for line in language == "sh" ? block.split(separator: "\n") : [] {
                let expected: Int32 = line.hasSuffix("# exits 1") ? 1 : 0
                let script = "set -o pipefail; PATH=\"$PWD/bin:$PATH\"; \(onDemo(Self.withoutMissingPrograms(line)))"
                let run = try await sortie.shell("exec bash -c \(Self.quoted(script)) < /dev/null")
                #expect(run.status == .exited(expected), "\(line)\n\(run)")
                commands += 1
            }
        }
        #expect(commands > 1)
    }

    /// `jq` is not a part of what the tests install.
    private static func withoutMissingPrograms(_ line: Substring) -> String {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
            ? String(line) : String(line.prefix(upTo: line.firstRange(of: "| jq")?.lowerBound ?? line.endIndex))
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}
