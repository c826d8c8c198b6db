import Foundation
import SortieStorage
import Support
import Testing

@Suite struct DemoCopyTests {
    private let parent: TemporaryFolder
    private var folder: String { parent.path("sortie/demo") }

    init() throws { parent = try TemporaryFolder() }

    private func files(_ texts: [String: String]) -> [DemoCopy.File] {
        texts.sorted { $0.key < $1.key }.map { DemoCopy.File(path: $0.key, bytes: Array($0.value.utf8)) }
    }

    private func text(_ path: String) throws -> String { String(decoding: try parent.read("sortie/demo/\(path)"), as: UTF8.self) }

    @Test func `the first start writes all files, the next one nothing`() throws {
        let demo = files(["workspace.yaml": "name: Demo\n", "shop/a.yaml": "path: /\n"])
        #expect(try DemoCopy.update(with: demo, at: folder) == .created)
        #expect(try text("shop/a.yaml") == "path: /\n")
        try parent.write("sortie/demo/shop/a.yaml", "mine")
        #expect(try DemoCopy.update(with: demo, at: folder) == .current)
        #expect(try text("shop/a.yaml") == "mine")
    }

    @Test func `a newer version replaces unchanged files only`() throws {
        let old = ["workspace.yaml": "1", "same.yaml": "1", "edited.yaml": "1", "removed.yaml": "1", "gone.yaml": "1", "gone-edited.yaml": "1"]
        _ = try DemoCopy.update(with: files(old), at: folder)
        try parent.write("sortie/demo/edited.yaml", "mine")
        try parent.write("sortie/demo/gone-edited.yaml", "mine")
        try parent.write("sortie/demo/own.yaml", "mine")
        try FileManager.default.removeItem(atPath: "\(folder)/removed.yaml")
        let new = files(["workspace.yaml": "2", "same.yaml": "1", "edited.yaml": "2", "removed.yaml": "2", "new/added.yaml": "2"])
        #expect(try DemoCopy.update(with: new, at: folder) == .updated(kept: ["edited.yaml"]))
        #expect(try text("workspace.yaml") == "2" && text("same.yaml") == "1" && text("new/added.yaml") == "2")
        #expect(try text("edited.yaml") == "mine" && text("gone-edited.yaml") == "mine" && text("own.yaml") == "mine")
        let all = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!all.contains("removed.yaml") && !all.contains("gone.yaml"))
        #expect(try DemoCopy.update(with: new, at: folder) == .current)
    }

    @Test func `a list of files that names others removes nothing outside the copy`() throws {
        let demo = files(["workspace.yaml": "1"])
        _ = try DemoCopy.update(with: demo, at: folder)
        try parent.write("precious", "1")
        let digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
        try parent.write("sortie/demo/.sortie-demo", "\(digest)  ../../precious\n\(digest)  \(parent.path("precious"))\n")
        _ = try DemoCopy.update(with: demo, at: folder)
        #expect(try parent.read("precious") == Array("1".utf8))
    }
}
