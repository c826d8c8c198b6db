import Foundation
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@Suite struct DraftStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var place: String { "\(folder.path)/sortie/drafts/_work_D%c3%a9mo" }

    private func store() throws -> DraftStore { try DraftStore(workspace: "/work/Démo", stateFolder: folder.path) }

    /// Stores edits as a program that ends, and reads them as the next one.
    private func readBack(_ edits: UnsavedEdits) throws -> UnsavedEdits {
        try store().keep(edits.all)
        let next = try store()
        let (read, problems) = next.adopt()
        #expect(problems.isEmpty)
        try next.keep([])
        return UnsavedEdits(read)
    }

    @Test func `unsaved edits are read back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", method: .post, path: "/list")
        endpoint.query = [Parameter("page", "2", isEnabled: false)]
        endpoint.body = .multipart([.init(name: "file", value: "/tmp/x", isFile: true)])
        #expect(try readBack(UnsavedEdits(endpoints: [EndpointDraft(original: nil, edited: endpoint)])).endpoints.map(\.edited) == [endpoint])
    }

    @Test func `the original content of the file is read back, too`() throws {
        let original = Endpoint(target: "shop/list", name: "List", path: "/list")
        var edited = original
        edited.path = "/other"
        let edits = UnsavedEdits(endpoints: [EndpointDraft(original: original, edited: edited)])
        #expect(try readBack(edits) == edits)
    }

    @Test func `every option of a draft is read back`() throws {
        var endpoint = Endpoint(target: "shop/list", name: "List", path: "/list")
        endpoint.version = .http2
        endpoint.redirects = 0
        endpoint.compression = false
        endpoint.cookies = false
        endpoint.interface = "eth0"
        #expect(try readBack(UnsavedEdits(endpoints: [EndpointDraft(original: nil, edited: endpoint)])).endpoints.map(\.edited) == [endpoint])
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
        let edits = UnsavedEdits(endpoints: [endpoint], services: [draft])
        #expect(try readBack(edits) == edits)
    }

    @Test func `a form is read back beside the other drafts, and removed when it is closed`() throws {
        let form = FormDraft(kind: "variable", subject: ["develop"], values: ["Name": "colour", "Value": "blue\u{7f}"])
        let endpoint = EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/"))
        let edits = UnsavedEdits(endpoints: [endpoint], forms: [form])
        #expect(try readBack(edits) == edits)
    }

    @Test func `the file is private and is removed when nothing is unsaved`() throws {
        let store = try store()
        try store.keep([draft("one")])
        let file = "\(place)/\(try #require(try FileManager.default.contentsOfDirectory(atPath: place).first { $0.hasSuffix(".json") }))"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try store.keep([])
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try self.store().adopt().items.isEmpty)
    }

    // MARK: Several programs

    private func draft(_ name: String, _ path: String = "/") -> UnsavedEdit {
        .endpoint(EndpointDraft(original: nil, edited: Endpoint(target: "shop/\(name)", name: name, path: path)))
    }

    @Test func `the drafts of another program are neither replaced nor removed, also where both edited the same endpoint`() throws {
        do {
            let (first, second) = (try store(), try store())
            try first.keep([draft("one", "/first")])
            try second.keep([draft("one", "/second")])
            // The second program discards its edits; then the first one is killed.
            try second.keep([])
            #expect(second.adopt().items.isEmpty, "the first program is running")
        }
        #expect(try store().adopt().items == [draft("one", "/first")])
    }

    @Test func `of two drafts of an endpoint both are taken over, the one that was edited last at the end`() throws {
        do {
            let (first, second) = (try store(), try store())
            try first.keep([draft("one", "/first"), draft("two")])
            try second.keep([draft("one", "/second"), draft("two")])
            let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".json") }
            for name in names {
                let file = "\(place)/\(name)"
                let isFirst = try String(contentsOfFile: file, encoding: .utf8).contains("first")
                let date = Date(timeIntervalSince1970: isFirst ? 2_000_000 : 1_000_000)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
            }
        }
        #expect(try store().adopt().items == [draft("one", "/second"), draft("two"), draft("one", "/first")])
    }

    @Test func `the file that programs shared before is taken over once`() throws {
        try folder.write(
            "sortie/drafts/_work_D%c3%a9mo.json", #"{"version":2,"drafts":[{"form":{"kind":"folder","subject":[],"values":{"Name":"x"}}}]}"#)
        let form = UnsavedEdit.form(FormDraft(kind: "folder", values: ["Name": "x"]))
        for _ in 1...2 { #expect(try store().adopt().items == [form]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("sortie/drafts")) == ["_work_D%c3%a9mo"])
    }

    @Test func `programs that store at the same time lose no draft`() async throws {
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try DraftStore(workspace: "/work/Démo", stateFolder: path)
                    let taken = store.adopt().items
                    for step in 0..<5 {
                        let edited = Endpoint(target: "shop/e\(number)", name: "E", path: "/\(step)")
                        try store.keep(taken + [.endpoint(EndpointDraft(original: nil, edited: edited))])
                    }
                }
            }
            try await group.waitForAll()
        }
        let edited = try UnsavedEdits(store().adopt().items).endpoints.map { "\($0.edited.target)\($0.edited.path)" }
        #expect(edited.sorted() == (0..<8).map { "shop/e\($0)/4" })
    }
}
