import Synchronization
import Testing

@testable import WorkspaceModel

/// Tests where the paths of a workspace lead.
@Suite struct RealPathsTests {
    private static func workspace(_ links: [String: String], resolved: @escaping @Sendable (String) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.secrets["key"] = .file("/w/key.txt", variable: "")
        workspace.realPaths = RealPaths { path in
            resolved(path)
            return links[path] ?? path
        }
        return workspace
    }

    @Test func `the list of capabilities resolves each path once, and lists of edits after close resolve no further path`() {
        let resolved = Mutex<[String]>([])
        var workspace = Self.workspace(["/w/key.txt": "/home/key", "/w/other.txt": "/home/other"]) { path in resolved.withLock { $0.append(path) } }
        #expect(CapabilityScan(workspace).all == [Capability(.file, "/home/key")])
        workspace.realPaths.close()
        workspace.secrets["other"] = .file("/w/other.txt", variable: "")
        #expect(CapabilityScan(workspace).all == [Capability(.file, "/home/key")])
        #expect(resolved.withLock { $0 }.sorted() == ["/w", "/w/key.txt"])
    }

    @Test func `a workspace whose link leads elsewhere is another one`() {
        let before = Self.workspace(["/w/key.txt": "/home/key"])
        _ = CapabilityScan(before)
        #expect(Self.workspace(["/w/key.txt": "/home/key"]) == before)
        #expect(Self.workspace(["/w/key.txt": "/etc/key"]) != before)
    }
}
