import Foundation
import Support
import Testing

/// Tests `sortie bundle` with the program.
struct BundleCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {variables: {password: canary-1}}}\n")
        try sortie.write("w/shop/service.yaml", "name: Shop\nservers: {dev: [\"http://h\"]}\n")
        try sortie.write("w/shop/a.yaml", "path: /a\nauth: {bearer: canary-2}\n")
    }

    @Test func `a workspace is packed without credentials and unpacked into a new folder that passes check`() async throws {
        let packed = try await sortie.run("bundle", "w", "-o", "w.tar")
        #expect(packed.status == .exited(0) && packed.output.contains("w.tar: 3 files"), "\(packed)")
        #expect(packed.output.contains("emptied: workspace.yaml:2:") && packed.output.contains("emptied: shop/a.yaml:2:"), "\(packed)")
        #expect(!String(decoding: try sortie.read("w.tar"), as: UTF8.self).contains("canary"))
        let streamed = try await sortie.runProcess("bundle", "w", "-o", "/dev/stdout")
        #expect(try streamed.outputBytes == sortie.read("w.tar") && streamed.errorOutput.contains("/dev/stdout: 3 files"), "\(streamed.errorOutput)")
        let unpacked = try await sortie.run("bundle", "--unpack", "w.tar", "-o", "copy")
        #expect(unpacked.status == .exited(0) && unpacked.output.contains("copy: 3 files"), "\(unpacked)")
        #expect(try await sortie.run("check", "copy").status == .exited(0))
        let again = try await sortie.run("bundle", "--unpack", "w.tar", "-o", "copy")
        #expect(again.status == .exited(3) && again.errorOutput.contains("it exists"), "\(again)")
    }

    @Test(arguments: [["bundle", "-o", "w.tar"], ["trust", "--list"], ["check"]]) func `-w names the workspace, as in the commands that send`(
        command: [String]
    ) async throws {
        #expect(try await sortie.run(command + ["-w", "w"]).status == .exited(0))
        let missing = try await sortie.run(command + ["-w", "none"])
        #expect(missing.failed(3, "workspace"), "\(missing)")
        let both = try await sortie.run(command + ["w", "-w", "none"])
        #expect(both.status == .exited(2) && both.errorOutput.contains("w and -w none name two folders"), "\(both)")
    }

    @Test func `the bundle to unpack is not named by -w`() async throws {
        let run = try await sortie.run("bundle", "--unpack", "-w", "w", "-o", "new")
        #expect(run.status == .exited(2) && run.errorOutput.contains("--unpack reads a bundle"), "\(run)")
    }

    @Test func `an existing file, a file in the workspace and a file that is no bundle are refused`() async throws {
        try sortie.write("taken.tar", "text")
        let taken = try await sortie.run("bundle", "w", "-o", "taken.tar")
        #expect(taken.status == .exited(3) && taken.errorOutput.contains("exists"), "\(taken)")
        #expect(try await sortie.run("bundle", "w", "-o", "w/b.tar").status == .exited(2))
        let none = try await sortie.run("bundle", "--unpack", "taken.tar", "-o", "new")
        #expect(none.status == .exited(3) && none.errorOutput.contains("the archive ends in the middle"), "\(none)")
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/new"))
    }
}
