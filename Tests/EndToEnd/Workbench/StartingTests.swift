import Foundation
import Support
import Testing

/// Tests the start without a workspace: the scratch workspace, and URLs on the command line.
@Suite(.serialized)
struct StartingTests {
    private static let scratch = ".local/share/sortie/scratch"

    /// A server that returns the target of the request.
    private func echo() throws -> ScriptedServer { try ScriptedServer { .ok("got \($0.target)") } }

    private func open(
        _ arguments: String..., in sortie: Sortie, size: Bench.Size = .small, server: ScriptedServer? = nil
    ) async throws -> Bench {
        let terminal: PseudoTerminal
        if let argument = arguments.first {
            terminal = try await sortie.open(argument, size: (size.columns, size.rows))
        } else {
            terminal = try await sortie.open(size: (size.columns, size.rows))
        }
        return Bench(terminal: terminal, sortie: sortie, server: server)
    }

    @Test(arguments: Bench.sizes) func `in an empty folder a typed URL and Ctrl-R lead to a response`(size: Bench.Size) async throws {
        let server = try echo()
        let bench = try await open(in: Sortie(), size: size, server: server)
        try await bench.see("Requests", "type a URL")
        bench.terminal.type("\(server.url)/hello")
        bench.press(.control("r"))
        try await bench.see("200 OK", "got /hello")
    }

    @Test(arguments: [Bench.Size(80, 24), Bench.Size(40, 10)])
    func `the palette alone leads from a URL to an environment, a variable and a check in files`(size: Bench.Size) async throws {
        let server = try echo()
        let sortie = try Sortie()
        let bench = try await open(in: sortie, size: size, server: server)
        try await bench.see("type a URL")
        bench.terminal.type("\(server.url)/hello")
        bench.press(.control("r"))
        try await bench.see("200 OK")
        bench.press(.control("p"))
        bench.terminal.type("new environment\r")
        try await bench.see("such as test")
        bench.terminal.type("dev\r")
        try await bench.see("Created the environment", "No variables yet")
        bench.terminal.type("a")
        try await bench.see("used as {{name}}")
        bench.terminal.type("who\tworld\r")
        try await bench.see("1 variable", "world")
        bench.press(.escape)
        try await bench.seeNoMore("1 variable")
        bench.press(.control("p"))
        bench.terminal.type("check\r")
        try await bench.see("expect:")
        bench.terminal.type("status: 200")
        bench.press(.control("s"))
        try await bench.see("Saved")
        let text = String(decoding: try sortie.home.read("\(Self.scratch)/requests/request.yaml"), as: UTF8.self)
        #expect(text.contains("status: 200"), "\(text)")
        let workspace = String(decoding: try sortie.home.read("\(Self.scratch)/workspace.yaml"), as: UTF8.self)
        #expect(workspace.contains("dev") && workspace.contains("who: world"), "\(workspace)")
        let check = try await sortie.run("check", sortie.home.path(Self.scratch))
        #expect(check.status == .exited(0), "\(check)")
    }

    @Test func `a click on the URL edits it at that place`() async throws {
        let server = try echo()
        let bench = try await open(in: Sortie(), server: server)
        try await bench.see("type a URL")
        bench.terminal.type("\(server.url)/ac")
        bench.press(.enter, .character("1"))
        try await bench.see("\(server.url)/ac", "? Help")
        let screen = bench.terminal.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(screen.firstIndex { $0.contains("\(server.url)/ac") })
        let line = screen[row]
        let column = try #require(line.firstRange(of: "/ac")).lowerBound
        bench.terminal.click(row: row, column: line.distance(from: line.startIndex, to: column) + 2)
        bench.terminal.type("b")
        bench.press(.control("r"))
        try await bench.see("got /abc")
    }

    @Test func `an empty URL is not sent, and the reason is displayed`() async throws {
        let bench = try await open(in: Sortie())
        try await bench.see("type a URL")
        bench.press(.control("r"))
        try await bench.see("There is no URL yet")
    }

    @Test func `the next start uses the same request, until it is saved`() async throws {
        let server = try echo()
        let sortie = try Sortie()
        let bench = try await open(in: sortie, server: server)
        try await bench.see("type a URL", "Scratch workspace: ")
        bench.terminal.type("\(server.url)/first")
        bench.press(.enter)
        try await bench.see("got /first")
        try await bench.quit()
        let again = try await open(in: sortie, server: server)
        try await again.see("Request •", "type a URL")
        // The body of the last response, “got /first”, appears when the history was read.
        #expect(!again.terminal.screen.contains("\(server.url)/first"), "\(again.terminal.screen)")
        #expect(!again.terminal.screen.contains("Request 2"), "\(again.terminal.screen)")
        again.terminal.type("\(server.url)/second")
        again.press(.enter)
        try await again.see("got /second")
        again.press(.control("s"))
        try await again.see("Saved to requests/request.yaml")
        try await again.quit()
        let last = try await open(in: sortie, server: server)
        try await last.see("Request 2", "type a URL")
    }

    @Test func `a saved request is a file, and the workspace has no problems`() async throws {
        let sortie = try Sortie()
        let bench = try await open(in: sortie)
        try await bench.see("type a URL")
        bench.terminal.type("https://api.example/items?page=2")
        bench.press(.control("s"))
        try await bench.see("Saved to requests/request.yaml")
        let text = String(decoding: try sortie.home.read("\(Self.scratch)/requests/request.yaml"), as: UTF8.self)
        #expect(text.contains("path: https://api.example/items\n"))
        #expect(text.contains("page: 2"))
        let check = try await sortie.run("check", sortie.home.path(Self.scratch))
        #expect(check.status == .exited(0), "\(check)")
        #expect(check.outputBytes.isEmpty)
    }

    @Test(arguments: Bench.sizes) func `sortie URL opens the URL with its query as rows`(size: Bench.Size) async throws {
        let server = try echo()
        let bench = try await open("\(server.url)/items?page=1", in: Sortie(), size: size, server: server)
        try await bench.see("\(server.url)/items?page=1", "[x] page")
        #expect(server.requests.isEmpty)
        bench.press(.control("r"))
        try await bench.see("got /items?page=1")
    }

    @Test func `sortie HOST:PORT/PATH opens a request of the workspace here, and of the scratch workspace where that has no service`() async throws {
        let server = try echo()
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Here\n")
        let bench = try await open("\(server.authority)/x", in: sortie, server: server)
        try await bench.see("Requests", "\(server.authority)/x")
        try await bench.quit()
        try sortie.write("workspace.yaml", "name: Here\nenvironments: {dev: {}}\n")
        try sortie.write("shop/service.yaml", "name: Shop\nservers: {dev: [\"\(server.url)\"]}\n")
        let project = try await open("\(server.authority)/x", in: sortie, server: server)
        try await project.see("Shop", "/x")
        project.press(.enter)
        try await project.see("got /x")
    }

    @Test func `a data folder that cannot be used ends with its name`() async throws {
        let sortie = try Sortie()
        try sortie.write("occupied", "a file")
        let run = try await sortie.run([], environment: ["XDG_DATA_HOME": "\(sortie.work)/occupied"])
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("occupied/sortie/scratch"))
    }

    @Test func `a data folder that everyone can change is refused`() async throws {
        let sortie = try Sortie()
        let folder = sortie.home.path("data/sortie/scratch")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(chmod(folder, 0o777) == 0)
        let run = try await sortie.run([], environment: ["XDG_DATA_HOME": sortie.home.path("data")])
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("every user can write to it"))
    }
}
