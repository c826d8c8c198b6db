import Foundation
import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests that a workspace beyond a limit is opened and checked quickly, and that the check names the limit.
@Suite struct WorkspaceLimitTests {
    /// `v0` expands to 2^30 times the last one.
    private static let doubling =
        "name: W\nvariables:\n" + (0..<30).map { "  v\($0): \"{{v\($0 + 1)}}{{v\($0 + 1)}}\"\n" }.joined() + "  v30: xx\n"

    @Test func `exponential variables are reported where they are used`() throws {
        #expect(Self.doubling.utf8.count < 1000)
        let workspace = try TemporaryWorkspace(["workspace.yaml": Self.doubling, "shop/a.yaml": "path: \"http://h/{{v0}}\"\n"]).load()
        let problems = workspace.problems.map(\.description)
        #expect(problems.contains { $0.hasPrefix("shop/a.yaml:1:7: {{v0}} refers to more than 10000 values") }, "\(problems)")
        #expect(CapabilityScan(workspace).all.isEmpty)
    }

    @Test func `variables beyond the limit are reported and not used`() throws {
        let count = WorkspaceLimits.variables + 1
        let text = "name: W\nvariables:\n" + (0..<count).map { "  v\($0): \"{{v\($0 + 1)}}\"\n" }.joined()
        let workspace = try TemporaryWorkspace(["workspace.yaml": text]).load()
        #expect(workspace.variables.isEmpty)
        #expect(workspace.problems.contains { $0.severity == .error && $0.message.contains("more than \(WorkspaceLimits.variables) are not used") })
    }

    @Test func `directory entries of every kind are counted`() throws {
        var files: [String: String] = [:]
        for index in 0..<30 { files["shop/f\(index).txt"] = "" }
        let workspace = try TemporaryWorkspace(files)
        var walk = FolderWalk(root: workspace.path, entryLimit: 20)
        #expect(walk.yamlFiles(in: "shop").isEmpty)
        #expect(walk.problems.first?.message.contains("more than 20 files and folders") == true)
    }

    @Test func `the bytes of all files are counted`() throws {
        let folder = try TemporaryWorkspace(["shop/a.yaml": "path: http://h/\n", "shop/b.yaml": "path: http://h/\n"])
        var loader = WorkspaceLoader(root: folder.path, totalBytes: 40)
        let workspace = loader.load()
        #expect(workspace.endpoint("shop/a") != nil && workspace.endpoint("shop/b") == nil)
        #expect(workspace.problems.contains { $0.location.file == "shop/b.yaml" && $0.message.contains("40 B together") }, "\(workspace.problems)")
    }

    @Test func `a link to the root of the file system is not read`() throws {
        let folder = try TemporaryWorkspace()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/all", withDestinationPath: "/")
        let workspace = try folder.load()
        #expect(workspace.problems.contains { $0.location.file == "all" && $0.message.contains("leads out of the workspace") })
    }

    @Test func `a part type with a line break is reported`() throws {
        let problems = try TemporaryWorkspace.problems(
            inEndpoint: "path: http://h/\nbody: {multipart: [{name: a, value: b, type: \"text/plain\\r\\nX-Inj: 1\"}]}\n")
        #expect(problems.contains { $0.contains("the type of the part “a” contains a line break") }, "\(problems)")
    }

    @Test func `a pattern with backtracking is reported`() throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: http://h/\nexpect: {json: {$.a: 'matches (a)\\1'}}\n")
        #expect(problems.contains { $0.contains("not a regular expression: a reference to a group") }, "\(problems)")
    }

    @Test func `data with too many values is an error with the number`() {
        let text = "a,b\n" + String(repeating: "1,2\n", count: WorkspaceLimits.dataValues / 2 + 1)
        let problem = #expect(throws: Diagnostic.self) { try DataRows.parse(text, file: "d.csv") }
        #expect(problem?.message.contains("more than \(WorkspaceLimits.dataValues) values") == true)
    }
}
