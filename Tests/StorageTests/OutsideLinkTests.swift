import Foundation
import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

@Suite struct OutsideLinkTests {
    /// A workspace, and a folder beside it that the workspace may not read.
    private func workspace(links: [String: String]) throws -> (TemporaryWorkspace, TemporaryWorkspace) {
        let outside = try TemporaryWorkspace(["secret.yaml": "path: /secret\n", "service.yaml": "name: Outside\n"])
        let inside = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: inside.path + "/" + name, withDestinationPath: target.replacing("OUTSIDE", with: outside.path))
        }
        return (inside, outside)
    }

    @Test(arguments: [
        ["shop/b.yaml": "OUTSIDE/secret.yaml"], ["shop/deep": "OUTSIDE"], ["other": "OUTSIDE"], ["runs": "OUTSIDE"], ["shop/root": "/"],
    ])
    func `a link that leads out of the workspace is not read and is a problem`(links: [String: String]) throws {
        let (inside, outside) = try workspace(links: links)
        let loaded = try withExtendedLifetime(outside) { try inside.load() }
        #expect(loaded.endpoints.map(\.target) == ["shop/a"])
        #expect(loaded.services.map(\.folder) == ["shop"])
        let problem = try #require(loaded.problems.first)
        #expect(problem.location.file == links.keys.first)
        #expect(problem.message.hasPrefix("this link leads out of the workspace, to "))
    }

    @Test func `a workspace.yaml that is a link out of the workspace is not read`() throws {
        let (inside, outside) = try workspace(links: [:])
        try outside.write("name: Foreign\n", to: "workspace.yaml")
        try FileManager.default.removeItem(atPath: inside.path + "/workspace.yaml")
        try FileManager.default.createSymbolicLink(atPath: inside.path + "/workspace.yaml", withDestinationPath: outside.path + "/workspace.yaml")
        let loaded = try inside.load()
        #expect(loaded.name != "Foreign")
        #expect(loaded.problems.map(\.location.file) == ["workspace.yaml"])
    }

    @Test(arguments: zip(["api", "api/orders.yaml"], ["", "/none.yaml"]))
    func `a new workspace is not written through links`(name: String, target: String) throws {
        let outside = try TemporaryFolder()
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("ws/api"), withIntermediateDirectories: true)
        if name == "api" { try FileManager.default.removeItem(atPath: folder.path("ws/api")) }
        try FileManager.default.createSymbolicLink(atPath: folder.path("ws/\(name)"), withDestinationPath: outside.path + target)
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceFolder.create(at: folder.path("ws")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
        #expect(!FileManager.default.fileExists(atPath: folder.path("ws/api/service.yaml")))
    }

    @Test func `a link within the workspace is followed`() throws {
        let inside = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        try FileManager.default.createSymbolicLink(atPath: inside.path + "/shop/b.yaml", withDestinationPath: "a.yaml")
        #expect(try inside.load().endpoints.map(\.target) == ["shop/a", "shop/b"])
    }

    @Test func `a workspace that is itself opened through a link is read`() throws {
        let inside = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let link = inside.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: inside.path)
        defer { unlink(link) }
        let loaded = try WorkspaceFolder(path: link).load()
        #expect(loaded.endpoints.map(\.target) == ["shop/a"])
        #expect(loaded.problems.isEmpty)
    }
}
