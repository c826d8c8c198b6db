import Glibc
import Support
import Testing

/// Tests that parameters are edited in place and sent as displayed.
@Suite(.serialized)
struct EditingRequestTests {
    /// A workspace with one endpoint, whose server echoes the request; the parameter rows have the focus.
    private func open(_ size: Bench.Size = .small) async throws -> Bench {
        let server = try ScriptedServer { .ok("got \($0.target) \($0.bodyText)") }
        let text = """
            # the list
            name: List
            path: \(server.url)/list
            query: {page: 1, size: 20}   # in pages

            """
        var bench = try await Bench.open(["api/list.yaml": text], size)
        bench.server = server
        try await bench.see("[x] page", "[x] size")
        bench.terminal.type("2")
        return bench
    }

    @Test(arguments: Bench.sizes) func `a value is typed in place and sent`(size: Bench.Size) async throws {
        let bench = try await open(size)
        bench.press(.enter, .backspace)
        bench.terminal.type("42")
        bench.press(.enter, .control("r"))
        try await bench.see("got /list?page=42&size=20")
    }

    @Test(arguments: [0, SIGTERM, SIGHUP]) func `what was typed and not saved is there the next time`(signal: Int32) async throws {
        let bench = try await open()
        bench.press(.enter, .backspace)
        bench.terminal.type("unsaved")
        bench.press(.enter)
        try await bench.see("[x] page    unsaved", "edited")
        if signal == 0 {
            bench.press(.control("q"))
            try await bench.see("Keep as drafts and quit")
            bench.press(.down, .down, .enter)
            #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        } else {
            bench.terminal.signal(signal)
            try await bench.terminal.exitStatus(within: Sortie.patience)
        }
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie, server: bench.server)
        try await again.see("[x] page    unsaved", "edited")
        again.press(.control("r"))
        try await again.see("got /list?page=unsaved&size=20")
    }

    @Test func `a pasted text with a line break stays in its field`() async throws {
        let bench = try await open()
        bench.press(.enter)
        bench.terminal.paste("a\nb\u{1b}[31m")
        bench.press(.enter, .control("r"))
        try await bench.see("200 OK")
        #expect(bench.server?.requests.count == 1)
        #expect(bench.server?.requests.first?.target.hasSuffix("&size=20") == true)
    }

    @Test func `Ctrl-S saves to the file and keeps its comments`() async throws {
        let bench = try await open()
        bench.press(.enter, .backspace)
        bench.terminal.type("5")
        bench.press(.enter)
        try await bench.see("edited")
        bench.press(.control("s"))
        try await bench.seeNoMore("edited")
        let text = String(decoding: try bench.sortie.read("ws/api/list.yaml"), as: UTF8.self)
        #expect(
            text == "# the list\nname: List\npath: \(bench.server?.url ?? "")/list\nquery: {page: 5, size: 20}   # in pages\n")
        try await bench.quit()
    }

    @Test func `the editor of EDITOR edits the body and the screen comes back`() async throws {
        let server = try ScriptedServer { .ok("got \($0.method) \($0.bodyText)") }
        let tools = try Sortie()
        let editor = try tools.write("editor", "#!/bin/sh\nprintf 'from the editor' > \"$1\"\n")
        let bench = try await Bench.open(
            ["api/post.yaml": "name: Post\nmethod: POST\npath: \(server.url)/\nbody: {text: before}\n"],
            environment: ["EDITOR": "/bin/sh \(editor)"])
        try await bench.see("before")
        bench.terminal.type("2")
        bench.press(.control("o"))
        try await bench.see("Services", "from the editor")
        bench.press(.control("r"))
        try await bench.see("got POST from the editor")
        #expect(bench.terminal.isInAlternateScreen)
    }

    @Test func `the editor of EDITOR edits the text of a field`() async throws {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        let tools = try Sortie()
        let editor = try tools.write("editor", "#!/bin/sh\necho edited >> \"$1\"\n")
        let bench = try await Bench.open(
            ["api/list.yaml": "name: List\npath: \(server.url)/list\nquery: {page: one two}\n"], environment: ["EDITOR": "/bin/sh \(editor)"])
        try await bench.see("[x] page")
        bench.terminal.type("2")
        bench.press(.enter, .control("o"))
        try await bench.see("one twoedited")
        bench.press(.control("r"))
        try await bench.see("got /list?page=one%20twoedited")
    }
}
