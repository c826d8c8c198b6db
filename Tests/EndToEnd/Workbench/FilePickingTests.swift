import Support
import Testing

/// Tests that a file is chosen in the file picker and sent, at both sizes.
@Suite(.serialized)
struct FilePickingTests {
    private func open(_ size: Bench.Size, body: String) async throws -> Bench {
        let server = try ScriptedServer { .ok("got \($0.target) \($0.bodyText)") }
        let text = "name: Up\nmethod: POST\npath: \(server.url)/up\nbody: \(body)\n"
        var bench = try await Bench.open(["api/up.yaml": text, "api/data/note.txt": "hello from a file"], size)
        bench.server = server
        bench.terminal.type("2")
        return bench
    }

    @Test(arguments: Bench.sizes) func `a missing file is reported at once, another one is chosen and sent (S2.20)`(size: Bench.Size) async throws {
        let bench = try await open(size, body: "{file: missing.txt}")
        try await bench.see("missing.txt", "no such file")
        bench.press(.control("r"))
        try await bench.see("file unreadable")
        #expect(bench.server?.requests.isEmpty == true)
        bench.press(.down, .enter)
        try await bench.see("Choose a file", "data/")
        bench.press(.enter)
        try await bench.see("note.txt", "17 B")
        bench.press(.enter)
        try await bench.see("data/note.txt", "edited")
        bench.press(.control("r"))
        try await bench.see("got /up hello from a file")
        bench.press(.control("s"))
        try await bench.see("Saved")
        #expect(try String(decoding: bench.sortie.read("ws/api/up.yaml"), as: UTF8.self).contains("body: {file: data/note.txt}\n"))
    }
}
