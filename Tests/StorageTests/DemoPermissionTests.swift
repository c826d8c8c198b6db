import Foundation
import SortieStorage
import Testing
import WorkspaceModel

@Suite struct DemoPermissionTests {
    private static var demo: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Workspaces/Demo").path
    }

    @Test func `the digest of the shipped demo's list is the one that is permitted`() throws {
        let all = CapabilityScan(try WorkspaceFolder(path: Self.demo).load()).all
        #expect(TrustStore.digest(of: all) == TrustStore.demoDigest, "after a change of the demo that is meant, store the new digest")
    }

    @Test func `a demo with another command is not permitted`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sortie-demo-\(UUID().uuidString)").path
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) } }
        try FileManager.default.copyItem(atPath: Self.demo, toPath: folder)
        #expect(TrustStore.digest(of: CapabilityScan(try WorkspaceFolder(path: folder).load()).all) == TrustStore.demoDigest)
        let file = URL(fileURLWithPath: folder + "/workspace.yaml")
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "printf eiifs", with: "touch x; printf eiifs")
        try Data(text.utf8).write(to: file)
        #expect(TrustStore.digest(of: CapabilityScan(try WorkspaceFolder(path: folder).load()).all) != TrustStore.demoDigest)
    }
}
