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
        let packed = try await sortie.run("bundle", "pack", "w", "-o", "w.tar")
        #expect(packed.status == .exited(0) && packed.output.contains("w.tar: 3 files"), "\(packed)")
        #expect(packed.output.contains("emptied: workspace.yaml:2:") && packed.output.contains("emptied: shop/a.yaml:2:"), "\(packed)")
        #expect(!String(decoding: try sortie.read("w.tar"), as: UTF8.self).contains("canary"))
        let streamed = try await sortie.runProcess("bundle", "pack", "w", "-o", "/dev/stdout")
        #expect(try streamed.outputBytes == sortie.read("w.tar") && streamed.errorOutput.contains("/dev/stdout: 3 files"), "\(streamed.errorOutput)")
        let unpacked = try await sortie.run("bundle", "unpack", "w.tar", "-o", "copy")
        #expect(unpacked.status == .exited(0) && unpacked.output.contains("copy: 3 files"), "\(unpacked)")
        #expect(try await sortie.run("check", "copy").status == .exited(0))
        // Where nothing names them, the file has the name of the folder, and the folder that of the file.
        let named = try await sortie.run("bundle", "pack", "copy")
        #expect(named.status == .exited(0) && named.output.contains("copy.tar: 3 files"), "\(named)")
        let again = try await sortie.run("bundle", "unpack", "copy.tar")
        #expect(again.status == .exited(3) && again.errorOutput.contains("it exists"), "\(again)")
    }

    @Test(arguments: [["bundle", "pack", "-o", "w.tar"], ["trust", "--list"], ["check"]]) func `-w names the workspace, as in the commands that send`(
        command: [String]
    ) async throws {
        #expect(try await sortie.run(command + ["-w", "w"]).status == .exited(0))
        let missing = try await sortie.run(command + ["-w", "none"])
        #expect(missing.failed(3, "workspace"), "\(missing)")
        let both = try await sortie.run(command + ["w", "-w", "none"])
        #expect(both.status == .exited(2) && both.errorOutput.contains("w and -w none name two folders"), "\(both)")
    }

    @Test func `check refuses an environment that the workspace does not have`() async throws {
        let run = try await sortie.run("check", "w", "-e", "nope")
        #expect(run.failed(2, "usage") && run.errorOutput.contains("has no environment nope"), "\(run)")
    }

    /// The commands that use no workspace or only a part of it.
    @Test(arguments: [
        ["history"], ["history", "show", "last"], ["secret", "list"], ["token", "list"], ["config", "--path"], ["schema"], ["guide", "keys"],
        ["import", "r.http", "--dry-run"], ["init"],
    ]) func `-w is no error for any command`(command: [String]) async throws {
        try sortie.write("r.http", "GET http://127.0.0.1:1/\n")
        try sortie.write("w/shop/b.yaml", "path: http://127.0.0.1:1/of-w\n")
        _ = try await sortie.run("send", "shop/b", "-w", "w")
        _ = try await sortie.run("send", "http://127.0.0.1:1/of-none")
        let run = try await sortie.run(command + ["-w", command == ["init"] ? "new" : "w"])
        #expect(run.status == .exited(0), "\(run)")
        let long = try await sortie.run(command + ["--workspace=" + (command == ["init"] ? "other" : "w")])
        #expect(long.status == .exited(0), "\(long)")
        #expect(command != ["history"] || (run.output.contains("of-w") && !run.output.contains("of-none")), "\(run)")
    }

    @Test func `an existing file, a file in the workspace and a file that is no bundle are refused`() async throws {
        try sortie.write("taken.tar", "text")
        let taken = try await sortie.run("bundle", "pack", "w", "-o", "taken.tar")
        #expect(taken.status == .exited(3) && taken.errorOutput.contains("exists"), "\(taken)")
        #expect(try await sortie.run("bundle", "pack", "w", "-o", "w/b.tar").status == .exited(2))
        let none = try await sortie.run("bundle", "unpack", "taken.tar", "-o", "new")
        #expect(none.status == .exited(3) && none.errorOutput.contains("the archive ends in the middle"), "\(none)")
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/new"))
    }
}
