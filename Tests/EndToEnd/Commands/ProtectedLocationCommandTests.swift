import Foundation
import Support
import Testing

/// Protected locations are used only with `--force`, in options and in workspaces (`Security.md` 6).
@Suite(.serialized)
struct ProtectedLocationCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer(answering: .ok("body"))
        try FileManager.default.createDirectory(atPath: sortie.work + "/.git/hooks", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/hooks", withDestinationPath: ".git/hooks")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/environ", withDestinationPath: "/proc/self/environ")
        try sortie.write("row.csv", "a\n1\n")
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/plain.yaml", "name: Plain\npath: \"\(server.url)/\"\n")
        try sortie.write("ws/runs/all.yaml", "batch: [{send: api/plain}]\n")
    }

    struct Use: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        /// The sentence after the path.
        let words: String

        init(_ arguments: String..., words: String) { (self.arguments, self.words) = (arguments, words) }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let writing = [
        Use("send", "URL", "-o", ".git/config", words: "in a .git folder"), Use("send", "URL", "-o", "hooks/pre-commit", words: "in a .git folder"),
        Use("send", "URL", "-o", "~/.bashrc", words: "dot file of the home folder"), Use("send", "URL", "-o", "~/.ssh/keys", words: "in ~/.ssh"),
        Use("send", "URL", "-o", "../.profile", words: "dot file of the home folder"),
        Use("send", "URL", "-o", "/etc/sortie-test", words: "in /etc"), Use("send", "URL", "-o", "/dev/sortie-test", words: "in /dev"),
        Use("send", "URL", "-o", "/proc/self/comm", words: "in /proc"), Use("send", "URL", "--capture", ".git/x.har", words: "in a .git folder"),
        Use("send", "URL", "--cookies", ".git/jar", words: "in a .git folder"), Use("download", "URL", "-o", ".git/x", words: "in a .git folder"),
        Use("download", "URL", "-o", "hooks/", words: "in a .git folder"), Use("upload", "URL", "row.csv", "-o", ".git/x", words: "in a .git folder"),
        Use("run", "all", "-w", "ws", "--junit", ".git/x.xml", words: "in a .git folder"),
        Use("run", "all", "-w", "ws", "--capture", "~/.x.har", words: "dot file of the home folder"),
        Use("import", "row.csv", "--report", ".git/x.txt", words: "in a .git folder"),
        Use("history", "export", "--har", ".git/x.har", words: "in a .git folder"), Use("history", "show", "last", "-o", "~/.x", words: "dot file"),
    ]

    static let reading = [
        Use("send", "URL", "-d", "@/proc/self/environ", words: "in /proc"), Use("send", "URL", "-d", "@environ", words: "in /proc"),
        Use("send", "URL", "--json-body", "@/sys/kernel/version", words: "in /sys"), Use("send", "URL", "-F", "a=@/dev/zero", words: "in /dev"),
        Use("send", "URL", "-F", "a=</proc/version", words: "in /proc"), Use("upload", "URL", "/proc/version", words: "in /proc"),
        Use("upload", "URL", "row.csv", "/proc/version", "--field", "f", words: "in /proc"),
        Use("send", "URL", "--cacert", "/proc/version", words: "in /proc"), Use("send", "URL", "--cert", "/dev/sda", words: "in /dev"),
        Use("send", "URL", "--key", "/dev/sda", words: "in /dev"), Use("send", "URL", "--key-passphrase", "@environ", words: "in /proc"),
        Use("send", "URL", "--bearer", "@/proc/version", words: "in /proc"), Use("send", "URL", "-H", "@environ", words: "in /proc"),
        Use("send", "URL", "-u", "@environ", words: "in /proc"), Use("send", "URL", "--var", "x@environ", words: "in /proc"),
        Use("send", "URL", "--netrc-file", "environ", words: "in /proc"), Use("run", "all", "-w", "ws", "--data", "/proc/version", words: "in /proc"),
    ]

    private func arguments(_ use: Use) -> [String] { use.arguments.map { $0 == "URL" ? server.url + "/x" : $0 } }

    @Test(arguments: writing + reading) func `a command refuses it with the path, the reason and the way out, and sends nothing`(_ use: Use)
        async throws
    {
        let run = try await sortie.run(arguments(use))
        #expect(run.failed(3, "protected"), "\(run)")
        #expect(run.errorLines.first?.contains("it is ") == true && run.errorLines.first?.contains(use.words) == true, "\(run)")
        #expect(run.hint.hasSuffix("--force"), "\(run)")
        #expect(server.requests.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: sortie.work + "/.git") == ["hooks"])
    }

    @Test func `a download into a protected current folder is refused`() async throws {
        let run = try await sortie.shell("cd hooks && \"$SORTIE\" download \(server.url)/pre-commit")
        #expect(run.failed(3, "protected"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `with --force each is used`() async throws {
        let written = try await sortie.run("send", server.url, "-o", "hooks/x", "--force")
        #expect(written.succeeded, "\(written)")
        #expect(try sortie.read(".git/hooks/x") == Array("body".utf8))
        let read = try await sortie.run("send", server.url, "-d", "@/proc/version", "--force")
        #expect(read.succeeded && server.requests.last?.bodyText.hasPrefix("Linux") == true, "\(read)")
        let run = try await sortie.run("run", "all", "-w", "ws", "--junit", ".git/x.xml", "--force")
        #expect(run.succeeded, "\(run)")
        #expect(try sortie.read(".git/x.xml").starts(with: Array("<?xml".utf8)))
        let export = try await sortie.run("history", "export", "--har", "~/.x.har", "--force")
        #expect(export.succeeded, "\(export)")
    }

    @Test func `a planted link at the place of an incomplete body is replaced and not followed`() async throws {
        let server = try ScriptedServer([.readRequest, .send(.claiming(length: 100, "half")), .closeGracefully])
        try sortie.write("mine", "my own text")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/out.partial", withDestinationPath: "mine")
        let run = try await sortie.run("send", server.url, "-o", "out")
        #expect(run.status == .exited(4) && run.errorOutput.contains("out.partial"), "\(run)")
        #expect(try sortie.read("mine") == Array("my own text".utf8))
        #expect(try sortie.read("out.partial") == Array("half".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: sortie.work + "/out.partial")[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func `streams need no --force`() async throws {
        for output in ["/dev/null", "/dev/stdout", "-", "/dev/fd/1", "/proc/self/fd/1"] {
            let run = try await sortie.runProcess("send", server.url, "-o", output)
            #expect(run.succeeded && run.output == (output == "/dev/null" ? "" : "body"), "\(run)")
        }
        let run = try await sortie.shell(
            "echo text | \"$SORTIE\" send \(server.url) -d @/dev/stdin && echo text | \"$SORTIE\" send \(server.url) -d @/dev/fd/0")
        #expect(run.succeeded && server.requests.suffix(2).map(\.bodyText) == ["text\n", "text\n"], "\(run)")
    }

    @Test(arguments: [
        "method: POST\nbody: {text: \"{{$file /proc/version}}\"}", "method: POST\nbody: {text: \"{{$file link}}\"}",
        "method: POST\nbody: {file: /proc/version}",
        "method: POST\nbody: {multipart: [{name: a, file: link}]}",
    ]) func `a file that a permitted workspace names is refused as well`(_ keys: String) async throws {
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/link", withDestinationPath: "/proc/version")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/api/link", withDestinationPath: "/proc/version")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \"\(server.url)/\"\n\(keys)\n")
        let run = try await sortie.run("send", "api/get", "-w", "ws", "--trust")
        #expect(run.status == .exited(3) && run.errorOutput.contains("in /proc") && run.errorOutput.contains("--force"), "\(run)")
        #expect(server.requests.isEmpty)
        let forced = try await sortie.run("send", "api/get", "-w", "ws", "--trust", "--force")
        #expect(forced.succeeded && server.requests.count == 1, "\(forced)")
    }

    @Test func `a step of a run and the data of a run are refused as well`() async throws {
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \"\(server.url)/\"\nmethod: POST\nbody: {file: /proc/version}\n")
        try sortie.write("ws/runs/step.yaml", "batch: [{send: api/get}]\n")
        try sortie.write("ws/runs/rows.yaml", "batch: [{send: api/plain}]\ndata: /proc/version\n")
        let listed = try await sortie.run("check", "ws")
        #expect(listed.output.contains("the data is not read: /proc/version"), "\(listed)")
        for name in ["step", "rows"] {
            let run = try await sortie.run("run", name, "-w", "ws", "--trust")
            #expect(run.status == .exited(3) && run.errorOutput.contains("in /proc") && run.errorOutput.contains("--force"), "\(run)")
        }
        #expect(server.requests.isEmpty)
    }
}
