import Foundation
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests the names of a workspace's files, which complete command lines.
@Suite struct WorkspaceNamesTests {
    @Test func `the names of the demo are those of its services, endpoints and runs`() throws {
        let folder = WorkspaceFolder(
            path: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Workspaces/Demo").standardizedFileURL.path)
        let (names, workspace) = (folder.names(), try folder.load())
        #expect(names.services == workspace.services.map(\.folder).sorted())
        #expect(names.targets.sorted() == workspace.endpoints.map(\.target).sorted())
        #expect(names.runs.sorted() == workspace.runs.map(\.name))
        #expect(try folder.settings().environments == workspace.environments)
    }

    @Test func `invalid files have names, and files of folders without a service have none`() throws {
        let folder = try TemporaryFolder()
        try folder.write("workspace.yaml", "name: [\n")
        try folder.write("shop/service.yaml", "- wrong\n")
        try folder.write("shop/broken.yml", "{\n")
        try folder.write("notes/x.yaml", "a: b\n")
        try folder.write("users/service.yaml", "contract: {openapi: docs/api.yaml}\n")
        try folder.write("users/docs/api.yaml", "openapi: 3.0.3\n")
        try folder.write("users/list.yaml", "path: /\n")
        let names = WorkspaceFolder(path: folder.path).names()
        #expect(names == WorkspaceNames(services: ["shop", "users"], targets: ["shop/broken", "users/list"], runs: []))
    }
}
