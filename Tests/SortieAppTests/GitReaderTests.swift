import Dispatch
import Foundation
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests reading the differences from the last commit with git.
@Suite struct GitReaderTests {
    /// A repository with a workspace in a folder, committed on the branch `work`.
    private func repository() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in [
            "api/workspace.yaml": "name: A\n", "api/shop/list.yaml": "path: /\n", "api/shop/same.yaml": "path: /\n", "other.txt": "a\n",
        ] {
            try folder.write(name, Array(text.utf8))
        }
        try await git(folder, "init", "-q")
        try await git(folder, "symbolic-ref", "HEAD", "refs/heads/work")
        try await git(folder, "add", ".")
        try await git(folder, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first")
        return folder
    }

    private func reader(_ folder: String) -> GitReader { GitReader(folder: folder, deadline: .seconds(300)) }

    private func git(_ folder: TemporaryFolder, _ arguments: String...) async throws {
        let run = try await ProcessRun.run(
            "/usr/bin/git", ["-C", folder.path] + arguments, environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
        #expect(run.succeeded, "\(run)")
    }

    private func change(_ folder: TemporaryFolder) async throws {
        try folder.write("api/shop/list.yaml", Array("path: /changed\n".utf8))
        try folder.write("api/shop/own.yaml", Array("path: /own\n".utf8))
        try folder.write("api/shop/staged.yaml", Array("path: /staged\n".utf8))
        try folder.write("other.txt", Array("changed\n".utf8))
        try await git(folder, "add", "api/shop/staged.yaml")
    }

    @Test func `the files of the workspace have their marks, and the branch its name`() async throws {
        let folder = try await repository()
        try await change(folder)
        let status = await reader(folder.path("api")).read()
        #expect(status == GitStatus(branch: "work", marks: ["shop/list.yaml": .modified, "shop/own.yaml": .untracked, "shop/staged.yaml": .added]))
    }

    @Test func `a folder without a repository has no status`() async throws {
        let folder = try TemporaryFolder()
        #expect(await reader(folder.path).read() == nil)
        #expect(await reader(folder.path("missing")).read() == nil)
    }

    @Test func `a filter of the repository is not run, and nothing is read`() async throws {
        let folder = try await repository()
        let proof = folder.path("proof")
        try await git(folder, "config", "filter.x.clean", "touch \(proof); cat")
        try folder.write(".gitattributes", Array("*.yaml filter=x\n".utf8))
        try await change(folder)
        try FileManager.default.removeItem(atPath: proof)
        // As long as the committed text, because git compares only files of the same length.
        try folder.write("api/shop/list.yaml", Array("path: x\n".utf8))
        #expect(await reader(folder.path("api")).read() == nil)
        #expect(!FileManager.default.fileExists(atPath: proof))
        // Proves that git itself would have run it.
        try await git(folder, "status")
        #expect(FileManager.default.fileExists(atPath: proof))
    }

    @Test func `the file system monitor and hooks of a repository are not run`() async throws {
        let folder = try await repository()
        let proof = folder.path("proof")
        let program = try folder.write("monitor", Array("#!/bin/sh\ntouch \(proof)\n".utf8))
        let hook = try folder.write(".git/hooks/post-index-change", Array("#!/bin/sh\ntouch \(proof)\n".utf8))
        for file in [program, hook] { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file) }
        try await git(folder, "config", "core.fsmonitor", program)
        // The same content with another time makes git refresh its index.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: folder.path("api/shop/same.yaml"))
        let index = try Data(contentsOf: folder.url.appendingPathComponent(".git/index"))
        #expect(await reader(folder.path("api")).read() == GitStatus(branch: "work"))
        #expect(!FileManager.default.fileExists(atPath: proof))
        #expect(try Data(contentsOf: folder.url.appendingPathComponent(".git/index")) == index)
        try await git(folder, "status")
        #expect(FileManager.default.fileExists(atPath: proof))
    }

    @Test func `only the configuration of the repository counts as that of a repository`() {
        func list(_ records: String...) -> [UInt8] { records.flatMap { Array($0.utf8) + [0] } }
        #expect(!GitReader.runsPrograms(configuration: list("global", "filter.lfs.clean\ngit-lfs clean -- %f", "local", "core.bare\nfalse")))
        #expect(GitReader.runsPrograms(configuration: list("local", "core.bare\nfalse", "local", "filter.x.clean\ntouch /tmp/x")))
        #expect(GitReader.runsPrograms(configuration: list("worktree", "Filter.x.process\ntouch /tmp/x")))
        #expect(!GitReader.runsPrograms(configuration: []))
    }

    @Test func `a commit by another program is reported, and other files of the repository are not`() async throws {
        let folder = try await repository()
        let data = try #require(await GitReader(folder: folder.path("api")).repositoryFolder())
        #expect(data.hasSuffix("/.git"))
        let count = Watched(0)
        let watch = GitWatch(data, queue: DispatchQueue(label: "test")) { count.change { $0 += 1 } }
        try #require(watch != nil)
        try folder.write(".git/description", Array("other\n".utf8))
        try folder.write("api/shop/list.yaml", Array("path: /changed\n".utf8))
        #expect(await reader(folder.path("api")).read()?.marks == ["shop/list.yaml": .modified])
        #expect(count.current == 0)
        try await git(folder, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-a", "-m", "second")
        _ = try await count.wait("the commit to be reported", within: .seconds(300)) { $0 > 0 ? true : nil }
        #expect(await reader(folder.path("api")).read()?.marks == [:])
        withExtendedLifetime(watch) {}
    }
}
