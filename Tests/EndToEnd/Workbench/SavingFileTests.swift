import Foundation
import Support
import Testing

/// Tests files that are saved from the workbench under paths that the user types.
@Suite(.serialized)
struct SavingFileTests {
    /// A workbench with the response `hello` and an open, empty prompt for the body's path.
    private func askingForPath() async throws -> Bench {
        let server = try ScriptedServer(answering: .ok("hello"))
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.server = server
        bench.press(.control("r"))
        try await bench.see("200 OK", "hello")
        bench.terminal.type("3s")
        try await bench.see("Save the body to")
        bench.press(.control("u"))
        return bench
    }

    @Test func `an existing file is replaced only after confirmation`() async throws {
        let bench = try await askingForPath()
        let path = try bench.sortie.write("notes.txt", "my notes")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        bench.terminal.type("notes.txt")
        bench.press(.enter)
        try await bench.see("Replace the file?", "notes.txt already exists")
        #expect(try bench.sortie.read("notes.txt") == Array("my notes".utf8))
        bench.press(.down, .enter)
        try await bench.see("Saved the body")
        #expect(try bench.sortie.read("notes.txt") == Array("hello".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test func `downloads are saved in the folder below HOME`() async throws {
        let server = try ScriptedServer(answering: .ok("the file"))
        let sortie = try Sortie()
        try FileManager.default.createDirectory(atPath: sortie.home.path("Downloads"), withIntermediateDirectories: true)
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/file.yaml", "name: File\nkind: download\npath: \(server.url)/data.txt\n")
        let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie, server: server)
        try await bench.see("Services", "File")
        bench.press(.control("r"))
        try await bench.see("done")
        #expect(try sortie.home.read("Downloads/data.txt") == Array("the file".utf8))
    }

    @Test func `a body is written to a protected location only after confirmation`() async throws {
        let bench = try await askingForPath()
        bench.terminal.type("~/.profile")
        bench.press(.enter)
        try await bench.see("Write to a protected place?", "dot file of the home folder")
        bench.press(.enter)
        try await bench.see("Save the body to", "~/.profile")
        #expect(!FileManager.default.fileExists(atPath: bench.sortie.home.path(".profile")))
        bench.press(.enter)
        try await bench.see("Write to a protected place?")
        bench.press(.down, .enter)
        try await bench.see("Saved the body")
        #expect(try bench.sortie.home.read(".profile") == Array("hello".utf8))
    }

    @Test func `a download of a permitted workspace into a protected location does not start`() async throws {
        let server = try ScriptedServer(answering: .ok("the file"))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/file.yaml", "name: File\nkind: download\npath: \(server.url)/pre-commit\ndownload: {to: ../.git/hooks/}\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (200, 50)), sortie: sortie, server: server)
        try await bench.see("Services", "File")
        bench.press(.control("r"))
        try await bench.see("it is in a .git folder", "choose another place for the download")
        #expect(server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/ws/.git"))
    }

    @Test func `a protected file in a permitted workspace is not sent`() async throws {
        let server = try ScriptedServer(answering: .ok("hello"))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\nmethod: POST\npath: \(server.url)/\nbody: {file: /proc/version}\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (200, 50)), sortie: sortie, server: server)
        try await bench.see("Services", "Get")
        bench.press(.control("r"))
        try await bench.see("it is in /proc", "the workbench does not read such files")
        #expect(server.requests.isEmpty)
    }
}
