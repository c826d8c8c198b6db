import Foundation
import Support
import Testing

/// Tests `sortie self install`.
///
/// The program is that of the tests here.
@Suite struct SelfCommandTests {
    private static let ownFile = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    private func target(of link: String) throws -> String { try FileManager.default.destinationOfSymbolicLink(atPath: link) }

    @Test func `self install links the program, and writes manual and completions`() async throws {
        let folder = try TemporaryFolder()
        let run = try await Sortie().run("self", "install", "--to", folder.path)
        #expect(run.status == .exited(0), "\(run)")
        #expect(try target(of: "\(folder.path)/bin/sortie") == Self.ownFile)
        for file in [
            "share/man/man1/sortie.1", "share/man/man1/sortie-send.1", "share/bash-completion/completions/sortie", "share/zsh/site-functions/_sortie",
            "share/fish/vendor_completions.d/sortie.fish",
        ] {
            #expect(try !Data(contentsOf: folder.url.appendingPathComponent(file)).isEmpty, "\(file)")
            #expect(run.output.contains("\(folder.path)/\(file)\n"))
        }
        #expect(run.errorOutput.contains("\(folder.path)/bin is not in PATH"))
    }

    @Test func `self install replaces an earlier link`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/bin/sortie", withDestinationPath: "/nonexistent/sortie")
        let run = try await Sortie().run("self", "install", "--to", folder.path)
        #expect(run.status == .exited(0), "\(run)")
        #expect(try target(of: "\(folder.path)/bin/sortie") == Self.ownFile)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/bin") == ["sortie"])
    }

    @Test func `self install keeps a program that is no link`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        try folder.write("bin/sortie", "another program")
        let run = try await Sortie().run("self", "install", "--to", folder.path)
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("\(folder.path)/bin/sortie exists and is no link"))
        #expect(try String(contentsOfFile: "\(folder.path)/bin/sortie", encoding: .utf8) == "another program")
    }

    @Test func `a folder with the name bin gets the link itself`() async throws {
        let folder = try TemporaryFolder()
        let run = try await Sortie().run("self", "install", "--to", "\(folder.path)/bin")
        #expect(run.status == .exited(0), "\(run)")
        #expect(try target(of: "\(folder.path)/bin/sortie") == Self.ownFile)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/share/man/man1/sortie.1"))
    }
}
