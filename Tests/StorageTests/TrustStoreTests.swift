import Foundation
import Testing
import WorkspaceModel

@testable import SortieStorage

@Suite struct TrustStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sortie-trust-\(UUID().uuidString)").path
    private var store: TrustStore { TrustStore(path: folder + "/sortie/trust") }
    private let capabilities: Set<Capability> = [Capability(.command, "pass show x"), Capability(.secret, "x", to: "https://a.example")]

    @Test func `permissions are read back for the same folder and no other`() throws {
        try store.permit(capabilities, in: "/w")
        #expect(try store.permitted(in: "/w") == capabilities)
        #expect(try store.permitted(in: "/w2") == [])
        #expect(try store.entries().map(\.digest) == [TrustStore.digest(of: capabilities)])
    }

    @Test func `the file is readable by the user alone`() throws {
        try store.permit(capabilities, in: "/w")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/sortie/trust")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `revoking removes all permissions`() throws {
        try store.permit(capabilities, in: "/w")
        #expect(try store.revoke("/w"))
        #expect(try store.permitted(in: "/w") == [])
        #expect(try !store.revoke("/w"))
    }

    @Test func `a line of an unknown kind permits nothing and keeps the others`() throws {
        try store.permit(capabilities, in: "/w")
        let path = folder + "/sortie/trust"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("command", with: "incantation")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try store.permitted(in: "/w") == [Capability(.secret, "x", to: "https://a.example")])
    }

    @Test func `a damaged file and one of a later version are errors, and are not changed`() throws {
        try store.permit(capabilities, in: "/w")
        let path = folder + "/sortie/trust"
        for text in ["{", #"{"version": 2, "workspaces": []}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: WorkspaceError.self) { try store.permitted(in: "/w") }
            #expect(throws: WorkspaceError.self) { try store.permit(capabilities, in: "/w") }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func `the digest depends on the list and not on its order`() {
        let reordered = Set(capabilities.sorted().reversed())
        #expect(TrustStore.digest(of: reordered) == TrustStore.digest(of: capabilities))
        #expect(TrustStore.digest(of: capabilities.union([Capability(.file, "/etc/passwd")])) != TrustStore.digest(of: capabilities))
    }
}
