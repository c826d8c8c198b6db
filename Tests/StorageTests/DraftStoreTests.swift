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

    private var file: String { "\(folder.path)/sortie/drafts/_work_D%c3%a9mo.json" }

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

    @Test func `a service is read back, also with values that are still being typed`() throws {
        let original = Service(folder: "shop", name: "Shop")
        var edited = original
        edited.servers = ["develop": ["http://{{ho", "no url"]]
        edited.headers = [Parameter("X-Trace", "", isEnabled: false), Parameter("", "x")]
        edited.auth = .basic(user: "", password: "p: \"1\"")
        edited.requiresTLS = true
        edited.tlsPorts = [80: 443]
        edited.trust = TrustPolicy(certificateAuthorityFile: "/work/Démo/certs/ca.pem", minimumTLS: .tls13)
        edited.proxy = ProxyTemplate(url: "http://{{proxy}}", except: ["localhost"])
        edited.contract = ContractSetting(document: "api/open.yaml", mode: .fail)
        let draft = ServiceDraft(original: original, edited: edited, unreadable: [["limits", "requests"]: "many\nmore"])
        let endpoint = EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/"))
        try store.save([endpoint], services: [draft])
        let read = try store.load()
        #expect(read.drafts == [endpoint] && read.services == [draft] && read.problems.isEmpty, "\(read)")
        #expect(try store.save([endpoint]) == [] && store.load().services.isEmpty)
        // Also where the program did not read it before.
        let other = DraftStore(workspace: "/work/Démo", stateFolder: folder.path)
        var timed = draft
        timed.edited.timeouts = Timeouts(connect: .seconds(3))
        for services in [[draft], [timed], []] { _ = try other.save([endpoint], services: services) }
        #expect(try store.load().services.isEmpty)
    }

    @Test func `a form is read back beside the other drafts, and removed when it is closed`() throws {
        let form = FormDraft(kind: "variable", subject: ["develop"], values: ["Name": "colour", "Value": "blue\u{7f}"])
        let endpoint = EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/"))
        try store.save([endpoint], forms: [form])
        let read = try store.load()
        #expect(read.forms == [form] && read.drafts == [endpoint] && read.services.isEmpty && read.problems.isEmpty, "\(read)")
        try store.save([endpoint])
        #expect(try store.load().forms.isEmpty)
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

    // MARK: Several programs

    private func draft(_ name: String, _ path: String = "/") -> EndpointDraft {
        EndpointDraft(original: nil, edited: Endpoint(target: "shop/\(name)", name: name, path: path))
    }

    private func other() throws -> DraftStore {
        let store = DraftStore(workspace: "/work/Démo", stateFolder: folder.path)
        _ = try store.load()
        return store
    }

    /// The drafts that the next program reads.
    private func stored() throws -> [EndpointDraft] { try DraftStore(workspace: "/work/Démo", stateFolder: folder.path).load().drafts }

    @Test func `the drafts of another program are neither replaced nor removed`() throws {
        let second = try other()
        try store.save([draft("one")])
        try second.save([draft("two")])
        #expect(try stored() == [draft("one"), draft("two")])
        try second.save([])
        #expect(try stored() == [draft("one")])
        try store.save([])
        #expect(try stored() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: FilePath.folder(of: file)) == [])
    }

    @Test func `of two drafts of an endpoint the one that was edited last is stored, and the replacement is reported`() throws {
        let second = try other()
        try store.save([draft("one", "/first")])
        #expect(try second.save([draft("one", "/second"), draft("two")]) == ["shop/one"])
        // The first program changes another endpoint; its draft of this one is older.
        #expect(try store.save([draft("one", "/first"), draft("three")]) == [])
        #expect(try stored() == [draft("one", "/second"), draft("two"), draft("three")])
    }

    @Test func `a draft that another program discarded is stored again by the program that still has it`() throws {
        try store.save([draft("one")])
        let second = try other()
        try second.save([])
        #expect(try stored() == [])
        try store.save([draft("one")])
        #expect(try stored() == [draft("one")])
    }

    @Test func `programs that store at the same time lose no draft`() async throws {
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let store = DraftStore(workspace: "/work/Démo", stateFolder: path)
                    // A program has the drafts that it read; one that it stores no longer is discarded.
                    let read = try store.load().drafts
                    for step in 0..<5 {
                        let edited = Endpoint(target: "shop/e\(number)", name: "E", path: "/\(step)")
                        try store.save(read + [EndpointDraft(original: nil, edited: edited)])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Set(stored().map { "\($0.edited.target)\($0.edited.path)" }) == Set((0..<8).map { "shop/e\($0)/4" }))
    }
}
