import Foundation
import SortieBase
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

@Suite struct WorkspaceFolderTests {
    @Test func `the nearest folder upward with workspace.yaml is found`() throws {
        let workspace = try TemporaryWorkspace(["shop/orders/list.yaml": "path: /"])
        #expect(try WorkspaceFolder.find(from: workspace.path + "/shop/orders") == workspace.path)
        #expect(try WorkspaceFolder.find(from: workspace.path) == workspace.path)
        #expect(try WorkspaceFolder.find(from: "/") == nil)
    }

    @Test func `a folder that is exchanged for a link after the check is not followed`() throws {
        let workspace = try TemporaryWorkspace(["shop/orders/list.yaml": "path: /"])
        let outside = try TemporaryFolder()
        let folder = WorkspaceFolder(path: workspace.path, UserFolders(environment: ["HOME": "/home/me"], current: "/work"))
        let orders = workspace.path + "/shop/orders"
        try folder.writable("shop/orders/new/first.yaml").holding(createsFolders: true) { place throws(WorkspaceError) in
            #expect(rename(orders, workspace.path + "/moved") == 0 && symlink(outside.path, orders) == 0)
            try AtomicFile.create(Array("path: /first\n".utf8), at: place)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
        #expect(try workspace.read("moved/new/first.yaml") == "path: /first\n")
        // A link that is there before is refused, and one within the workspace is followed for content and not for its removal.
        #expect { try folder.writable("shop/orders/x.yaml").holding { _ in } } throws: { ($0 as? WorkspaceError)?.code == .outside }
        #expect(symlink("moved", workspace.path + "/inside") == 0 && symlink("list.yaml", workspace.path + "/moved/link.yaml") == 0)
        try folder.writable("inside/link.yaml").holding { place throws(WorkspaceError) in try AtomicFile.write(Array("path: /2".utf8), to: place) }
        #expect(try folder.writable("inside/link.yaml").holding(followsLink: false) { unlink($0.path) } == 0)
        #expect(try workspace.read("moved/list.yaml") == "path: /2")
        #expect(!FileManager.default.fileExists(atPath: workspace.path + "/moved/link.yaml"))
    }

    @Test func `a folder without workspace.yaml is rejected by name`() throws {
        let workspace = try TemporaryWorkspace()
        #expect(
            throws: WorkspaceError(
                .noWorkspace, file: workspace.path + "/shop", "the folder has no workspace.yaml; name another folder")
        ) {
            try WorkspaceFolder(path: workspace.path + "/shop").load()
        }
        #expect { try WorkspaceFolder(path: "/no/such/folder").load() } throws: { ($0 as? WorkspaceError)?.code == .noWorkspace }
    }

    @Test func `redact: adds masked names, and must be a list of texts (S0.35)`() throws {
        #expect(try TemporaryWorkspace(["workspace.yaml": "redact: [deviceId, X-Key]"]).load().redact == ["deviceId", "X-Key"])
        let problems = try TemporaryWorkspace(["workspace.yaml": "redact: {a: b}"]).load().problems
        #expect(problems.first?.message == "redact must be a list of texts, not a mapping")
    }

    @Test func `an invalid workspace.yaml is a problem and the services are still loaded`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: [", "shop/a.yaml": "path: /a"]).load()
        #expect(workspace.problems.map(\.location.file) == ["workspace.yaml"])
        #expect(workspace.endpoints.map(\.target) == ["shop/a"])
    }

    @Test func `subfolders of a service group its endpoints in the order of their targets`() throws {
        let workspace = try TemporaryWorkspace([
            "shop/b.yaml": "path: /b", "shop/a/z.yml": "path: /z", "shop/a/a.yaml": "path: /a", "shop/.hidden.yaml": "x",
            "shop/.git/x.yaml": "x",
            "shop/b.body.json": "{}",
        ]).load()
        #expect(workspace.endpoints.map(\.target) == ["shop/a/a", "shop/a/z", "shop/b"])
        #expect(workspace.problems == [])
    }

    @Test func `a target with two files is a problem and the first file is used`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /1", "shop/a.yml": "path: /2"]).load()
        #expect(
            workspace.problems.map(\.description) == [
                "shop/a.yml:1:1: the target shop/a is already used by shop/a.yaml; rename one of them"
            ])
        #expect(workspace.endpoints.map(\.path) == ["/1"])
    }

    @Test func `a link to an enclosing folder is a problem`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a"])
        try FileManager.default.createSymbolicLink(atPath: workspace.path + "/shop/loop", withDestinationPath: "..")
        let loaded = try workspace.load()
        #expect(loaded.endpoints.map(\.target).contains("shop/a"))
        #expect(loaded.problems.contains { $0.message.contains("leads to a folder that contains it") })
    }

    @Test func `a file of more than four MiB is a problem`() throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /" + String(repeating: "a", count: 5 << 20))
        #expect(problems == ["1:1 the file has more than 4 MiB; put a large body into a separate file"])
    }

    @Test func `a FIFO in place of an endpoint does not block the program`() throws {
        let workspace = try TemporaryWorkspace()
        try #require(mkfifo(workspace.path + "/shop/a.yaml", 0o600) == 0)
        #expect(try workspace.load().problems.map(\.description) == ["shop/a.yaml:1:1: this is not a file"])
    }

    @Test func `a folder without service.yaml is reported`() throws {
        let workspace = try TemporaryWorkspace(["other/a.yaml": "path: /"]).load()
        #expect(
            workspace.problems.map(\.description) == [
                "other/a.yaml:1:1: the folder other has no service.yaml, so its files are not used"
            ])
    }

    @Test func `a created workspace is loaded without a problem and is not created twice`() throws {
        let parent = try TemporaryWorkspace()
        let folder = try WorkspaceFolder.create(at: parent.path + "/New: one").folder
        let workspace = try folder.load()
        #expect(workspace.name == "New: one" && workspace.initialEnvironment == "develop" && workspace.problems == [])
        #expect { try WorkspaceFolder.create(at: parent.path + "/New: one") } throws: {
            ($0 as? WorkspaceError)?.code == .exists
        }
    }

    @Test func `every shipped workspace is loaded without a problem and saved without a difference`() throws {
        var folder = URL(fileURLWithPath: #filePath)
        var shipped: URL?
        while folder.path != "/", shipped == nil {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("Workspaces")
            if FileManager.default.fileExists(atPath: candidate.path) { shipped = candidate }
        }
        guard let shipped else { return print("no Workspaces folder above the tests; nothing to load") }
        for name in try FileManager.default.contentsOfDirectory(atPath: shipped.path) {
            let folder = WorkspaceFolder(path: shipped.appendingPathComponent(name).path)
            let workspace = try folder.load()
            #expect(workspace.problems == [])
            let copy = try TemporaryWorkspace()
            try FileManager.default.removeItem(atPath: copy.path)
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            for endpoint in try copy.load().endpoints {
                let file = try #require(endpoint.location?.file)
                let before = try copy.read(file)
                try copy.save(endpoint, replacing: endpoint)
                #expect(try copy.read(file) == before)
            }
        }
    }
}
