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
        // Without the settings of the file, a request would be another one.
        let endpoint = try #require(loaded.endpoint("shop/a"))
        #expect(loaded.sendingProblem(of: endpoint)?.location.file == "workspace.yaml")
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

    @Test func `an endpoint whose file became a link out of the workspace is not saved`() throws {
        let (inside, outside) = try workspace(links: [:])
        let original = try #require(try inside.load().endpoint("shop/a"))
        try outside.write("path: /a\n", to: "a.yaml")
        try FileManager.default.removeItem(atPath: inside.path + "/shop/a.yaml")
        try FileManager.default.createSymbolicLink(atPath: inside.path + "/shop/a.yaml", withDestinationPath: outside.path + "/a.yaml")
        var changed = original
        changed.path = "/b"
        let error = #expect(throws: WorkspaceError.self) { try inside.save(changed, replacing: original) }
        #expect(error?.code == .outside && error?.file == "shop/a.yaml")
        #expect(error?.message.contains("to \(RealPath.of(outside.path))/a.yaml; replace the link") == true, "\(error?.message ?? "")")
        #expect(try outside.read("a.yaml") == "path: /a\n")
    }

    @Test func `a new endpoint is not saved through a folder that is a link`() throws {
        let (inside, outside) = try workspace(links: ["shop/deep": "OUTSIDE"])
        var endpoint = Endpoint(target: "shop/deep/new/a", name: "a", path: "/")
        endpoint.body = .text(String(repeating: "x", count: 5000), contentType: nil)
        #expect { try inside.save(endpoint, replacing: nil) } throws: { ($0 as? WorkspaceError)?.code == .outside }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: outside.path).sorted() == ["secret.yaml", "service.yaml", "shop", "workspace.yaml"])
    }

    @Test func `a change is not reverted through a link out of the workspace`() throws {
        let (inside, outside) = try workspace(links: [:])
        let folder = WorkspaceFolder(path: inside.path)
        let changes = try folder.perform(.setVariable(VariableKey("v", .workspace), .text("1"), from: nil))
        try outside.write(try inside.read("workspace.yaml"), to: "workspace.yaml")
        try FileManager.default.removeItem(atPath: inside.path + "/workspace.yaml")
        try FileManager.default.createSymbolicLink(atPath: inside.path + "/workspace.yaml", withDestinationPath: outside.path + "/workspace.yaml")
        #expect { _ = try folder.perform(.apply(changes.reverted)) } throws: { ($0 as? WorkspaceError)?.code == .outside }
        #expect(try outside.read("workspace.yaml").contains("v:"))
    }

    @Test func `a snapshot is not recorded through a folder that is a link`() throws {
        let (inside, outside) = try workspace(links: ["deep": "OUTSIDE"])
        #expect { _ = try SnapshotFile.write([1], to: inside.path + "/deep/a.snapshot", in: inside.path) } throws: {
            ($0 as? WorkspaceError)?.code == .outside
        }
        #expect(!FileManager.default.fileExists(atPath: outside.path + "/a.snapshot"))
        let named = outside.path + "/run.snapshot"
        #expect(try SnapshotFile.write([1], to: named, in: inside.path) == .written, "beside a run that a person named")
    }

    @Test func `an endpoint is saved through a link within the workspace, which stays`() throws {
        let (inside, outside) = try workspace(links: ["shop/b.yaml": "a.yaml"])
        let original = try #require(try withExtendedLifetime(outside) { try inside.load().endpoint("shop/b") })
        var changed = original
        changed.path = "/b"
        try inside.save(changed, replacing: original)
        #expect(try inside.read("shop/a.yaml") == "path: /b\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: inside.path + "/shop/b.yaml") == "a.yaml")
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
