import Support
import Testing

/// Tests typing in the workbench: selection, undo, completion, checks, path parameters, methods, the editor.
@Suite(.serialized)
struct TypingTests {
    /// A workspace with one endpoint and a variable, whose server echoes the request; the parameter rows have the focus.
    private func open(environment: [String: String] = [:]) async throws -> Bench {
        let server = try ScriptedServer { .ok("got \($0.method) \($0.target) \($0.headers.first { $0.name == "Accept-Language" }?.value ?? "")") }
        let files = [
            "workspace.yaml": "name: Trial\nenvironments: {develop: {variables: {customer: alice}}}\n",
            "api/list.yaml": "name: List\npath: \(server.url)/list\nquery: {page: one two}\n",
        ]
        var bench = try await Bench.open(files, environment: environment)
        bench.server = server
        try await bench.see("[x] page")
        bench.terminal.type("2")
        return bench
    }

    @Test func `a word is selected with Shift and replaced, and undone`() async throws {
        let bench = try await open()
        bench.press(.enter, .shift(.left), .shift(.left), .shift(.left))
        bench.terminal.type("2")
        bench.press(.control("r"))
        try await bench.see("got GET /list?page=one%202")
        bench.press(.alt(.character("u")), .control("r"))
        try await bench.see("got GET /list?page=one%20two")
    }

    @Test func `header fields and variables are completed while typing`() async throws {
        let bench = try await open()
        bench.terminal.type("]aaccept-l")
        try await bench.see("Accept-Language", "languages of the response")
        bench.press(.tab, .tab)
        bench.terminal.type("{{cust")
        try await bench.see("alice", "environment develop")
        bench.press(.tab)
        try await bench.see("{{customer}}")
        bench.press(.control("r"))
        try await bench.see("got GET /list?page=one%20two alice")
    }

    @Test func `a template without a value is reported below its field`() async throws {
        let bench = try await open()
        bench.press(.enter, .control("u"))
        bench.terminal.paste("{{custmer}}")
        try await bench.see("1:1: nothing defines {{custmer}}", "did you mean {{customer}}?")
        bench.press(.enter, .control("s"))
        try await bench.see("Saved to")
    }

    @Test func `a parameter in the path is a row with its value`() async throws {
        let bench = try await open()
        bench.terminal.type("p/:id")
        bench.press(.enter)
        try await bench.see("id", "no value; :id is sent as it is")
        bench.press(.down, .down, .enter)
        bench.terminal.type("a b")
        bench.press(.enter, .control("r"))
        try await bench.see("got GET /list/a%20b?page=one%20two")
        bench.press(.control("s"))
        try await bench.see("Saved to")
        let text = String(decoding: try bench.sortie.read("ws/api/list.yaml"), as: UTF8.self)
        #expect(text.contains("/list/:id") && text.contains("id: a b"))
    }

    @Test func `a method of one's own is typed and sent, and one that is not a token is refused`() async throws {
        let bench = try await open()
        bench.terminal.type("m")
        try await bench.see("Other…")
        bench.press(.end, .enter)
        bench.terminal.type("PUR GE")
        bench.press(.enter)
        try await bench.see("A method cannot contain a space")
        bench.press(.control("u"))
        bench.terminal.type("PURGE")
        bench.press(.enter, .control("r"))
        try await bench.see("got PURGE /list")
    }

    @Test func `the editor of EDITOR edits the text of a field`() async throws {
        let tools = try Sortie()
        let editor = try tools.write("editor", "#!/bin/sh\necho edited >> \"$1\"\n")
        let bench = try await open(environment: ["EDITOR": "/bin/sh \(editor)"])
        bench.press(.enter, .control("o"))
        try await bench.see("one twoedited")
        bench.press(.control("r"))
        try await bench.see("got GET /list?page=one%20twoedited")
    }
}
