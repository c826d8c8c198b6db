import Foundation
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@Suite struct DraftStoreTests {
    private let folder: TemporaryFolder
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        store = DraftStore(workspace: "/work/Démo", stateFolder: folder.path)
    }

    private var file: String { "\(folder.path)/sortie/drafts/_work_D%c3%a9mo-d3bcd243a0983ff6.json" }

    @Test func `unsaved edits are read back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", method: .post, path: "/list")
        endpoint.query = [Parameter("page", "2", isEnabled: false)]
        endpoint.body = .multipart([.init(name: "file", value: "/tmp/x", isFile: true)])
        try store.save([EndpointDraft(original: nil, edited: endpoint)])
        #expect(try store.load().drafts.map(\.edited) == [endpoint])
    }

    @Test func `the original content of the file is read back, too`() throws {
        let original = Endpoint(target: "shop/list", name: "List", path: "/list")
        var edited = original
        edited.path = "/other"
        try store.save([EndpointDraft(original: original, edited: edited)])
        #expect(try store.load().drafts == [EndpointDraft(original: original, edited: edited)])
    }

    @Test func `every option of a draft is read back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", path: "/list")
        endpoint.version = .http2
        endpoint.redirects = 0
        endpoint.compression = false
        endpoint.cookies = false
        endpoint.interface = "eth0"
        try store.save([EndpointDraft(original: nil, edited: endpoint)])
        #expect(try store.load().drafts.map(\.edited) == [endpoint])
    }

    @Test func `the file is private and is removed when nothing is unsaved`() throws {
        try store.save([EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/"))])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try store.save([])
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try store.load().drafts == [])
    }

    @Test func `an unreadable file is reported and not changed`() throws {
        try store.save([EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/"))])
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: WorkspaceError.self) { try store.load() }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
    }
}
