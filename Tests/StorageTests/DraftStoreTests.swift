import Foundation
import Model
import Storage
import Support
import Testing

@Suite struct DraftStoreTests {
    private let folder: TemporaryFolder
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        store = DraftStore(workspace: "/work/Démo", stateFolder: folder.path)
    }

    private var file: String { "\(folder.path)/sortie/drafts/_work_D%c3%a9mo.json" }

    @Test func `what was left unsaved comes back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", method: .post, path: "/list")
        endpoint.query = [Parameter("page", "2", isEnabled: false)]
        endpoint.body = .multipart([.init(name: "file", value: "/tmp/x", isFile: true)])
        try store.save([endpoint])
        #expect(try store.load() == [endpoint])
    }

    @Test func `drafts of an earlier version come back`() throws {
        // An endpoint without the newer options is written as earlier versions wrote it.
        let endpoint = Endpoint(target: "shop/list", name: "List", path: "/list")
        try store.save([endpoint])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for key in ["version", "redirects", "compression", "cookies", "interface"] { #expect(!text.contains("\"\(key)\"")) }
        #expect(try store.load() == [endpoint])
    }

    @Test func `every option of a draft comes back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", path: "/list")
        endpoint.version = .http2
        endpoint.redirects = 0
        endpoint.compression = false
        endpoint.cookies = false
        endpoint.interface = "eth0"
        try store.save([endpoint])
        #expect(try store.load() == [endpoint])
    }

    @Test func `the file is for its owner alone and goes when nothing is unsaved`() throws {
        try store.save([Endpoint(target: "a/b", name: "B", path: "/")])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try store.save([])
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try store.load() == [])
    }

    @Test func `a file that cannot be read is left alone and named`() throws {
        try store.save([Endpoint(target: "a/b", name: "B", path: "/")])
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: WorkspaceError.self) { try store.load() }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
    }
}
