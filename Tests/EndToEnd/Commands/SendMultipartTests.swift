import Support
import Testing

/// Tests `-F`: parts of multipart/form-data.
@Suite(.serialized)
struct SendMultipartTests {
    private func send(_ options: String..., in sortie: Sortie) async throws -> (echo: EchoRecord, body: String) {
        let run = try await sortie.run(["send", "\(DemoProcess.shared.url)/echo"] + options)
        #expect(run.status == .exited(0), "\(run)")
        let echo = try EchoRecord(run)
        #expect(echo.method == "POST")
        #expect(echo["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        return (echo, echo.body.text)
    }

    @Test func `texts and a file are sent as parts in their order`() async throws {
        let sortie = try Sortie()
        try sortie.write("note.txt", "hello")
        let (echo, _) = try await send("-F", "title=A sample, 样本", "-F", "f=@note.txt", "-F", "last=", in: sortie)
        let parts = try #require(echo.parts)
        #expect(parts.map(\.name) == ["title", "f", "last"])
        #expect(parts.map(\.filename) == [nil, "note.txt", nil])
        #expect(parts.map(\.bytes) == [16, 5, 0])
    }

    @Test func `the type and the file name of a part can be specified`() async throws {
        let sortie = try Sortie()
        try sortie.write("data", "{}")
        let (echo, _) = try await send("-F", "f=@data;type=application/json;filename=other.json", in: sortie)
        #expect(echo.parts == [.init(name: "f", filename: "other.json", type: "application/json", bytes: 2)])
    }

    @Test func `only the last component of a path is sent as the file name`() async throws {
        let sortie = try Sortie()
        let path = try sortie.write("deep/folder/secret name.txt", "x")
        let (echo, body) = try await send("-F", "f=@\(path)", in: sortie)
        #expect(echo.parts?.first?.filename == "secret name.txt")
        #expect(!body.contains("deep"))
    }

    @Test func `quotes in names are escaped as in browsers, and UTF-8 is sent unchanged`() async throws {
        let sortie = try Sortie()
        try sortie.write("x", "x")
        let (_, body) = try await send("-F", "f=@x;filename=Muster \"样本\".txt", "-F", "a\"b=v", in: sortie)
        #expect(body.contains(#"name="f"; filename="Muster %22样本%22.txt""#), "\(body)")
        #expect(body.contains(#"name="a%22b""#), "\(body)")
    }

    @Test(arguments: [
        ("f=v;type=text/plain\r\nX-Inj: 1", "the type of the part"), ("f=v;filename=\"a\nb\"", "the filename of the part"),
        ("a\nb=v", "the name of a part"),
    ])
    func `a line break in a name, a filename or a type is rejected before anything is sent`(option: String, words: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().run("send", server.url, "-F", option)
        #expect(run.status == .exited(2) && run.errorOutput.contains(words) && run.errorOutput.contains("a line break"), "\(run)")
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a binary file arrives byte for byte`() async throws {
        let sortie = try Sortie()
        let bytes = SharedNginx.big.prefix(100_000)
        try sortie.write("data.bin", Array(bytes))
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.run("send", server.url, "-F", "f=@data.bin")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.first?.body.contains(bytes) == true)
    }

    @Test func `standard input can be a part, as a file and as a field`() async throws {
        let sortie = try Sortie()
        for (mark, name) in [("@", "-"), ("<", nil)] as [(String, String?)] {
            let run = try await sortie.shell("printf hello | $SORTIE send \(DemoProcess.shared.url)/echo -F 'a=\(mark)-'")
            let part = try #require(try EchoRecord(run).parts?.first)
            #expect(part.bytes == 5)
            #expect(part.filename == name)
        }
    }

    @Test(arguments: ["a=1;headers=X: y", "a=1;encoder=base64", "f=@x;typ=a/b"])
    func `an unknown option of a part is rejected`(_ option: String) async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:1/", "-F", option)
        #expect(run.status == .exited(2))
        #expect(run.errorLines.first?.contains("is neither ;type=… nor ;filename=…") == true, "\(run)")
    }
}
