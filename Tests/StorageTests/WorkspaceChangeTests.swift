import Foundation
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

@Suite struct WorkspaceChangeTests {
    private static let settings = """
        name: Test
        environment: develop   # to start with
        environments:
          # on this machine
          develop:
            variables: {host: "127.0.0.1:8080"}
          release: {variables: {host: shop.example}}
        plugins:
          - token: {refresh: {endpoint: shop/login, token: $.token}}

        """

    private func sample() throws -> TemporaryWorkspace {
        try TemporaryWorkspace([
            "workspace.yaml": Self.settings,
            "shop/service.yaml": "name: Shop\nservers:\n  develop: [\"http://{{host}}\"]   # plain\n  release: [\"https://{{host}}\"]\n",
            "shop/login.yaml": "# how to log in\nname: Log in\npath: /login\ncapture: {token: $.token}\n",
            "shop/orders/list.yaml": "name: List\npath: /orders\nbody: {file: data/list.json}\n",
            "shop/orders/data/list.json": "{}",
            "files/service.yaml": "servers: {develop: [\"http://{{host}}\"], release: [\"https://{{host}}\"]}\n",
            "runs/checkout.yaml": """
            # the usual way
            chain:
              - send: shop/login
              - {send: shop/orders/list, with: {token: "{{login.token}}"}}   # with the token

            """,
        ])
    }

    private func perform(_ edit: WorkspaceEdit, in workspace: TemporaryWorkspace) throws -> FileChanges {
        try withExtendedLifetime(workspace) { try WorkspaceFolder(path: workspace.path).perform(edit) }
    }

    /// All files with their contents.
    private func files(_ workspace: TemporaryWorkspace) throws -> [String: String] {
        var result: [String: String] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: workspace.path) where !file.hasSuffix("/") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(workspace.path)/\(file)", isDirectory: &isFolder)
            result[file] = isFolder.boolValue ? "folder" : try workspace.read(file)
        }
        return result
    }

    private static let edits: [WorkspaceEdit] = [
        .createEndpoint(Endpoint(target: "shop/new", name: "New", path: "/new"), service: nil),
        .createEndpoint(
            Endpoint(target: "other/a/new", name: "New", path: "/"), service: NewService(folder: "other", name: "", server: "https://o.example")),
        .createService(NewService(folder: "other", name: "Other one", server: "https://o.example")),
        .createRun(RunDefinition(name: "nightly", kind: .batch, sending: ["shop/login"]), saving: []),
        .createEnvironment("test", from: "develop"), .createEnvironment("test", from: "release"), .createEnvironment("test", from: nil),
        .move(.endpoint("shop/login"), to: "shop/auth/sign-in", label: "Sign in"), .move(.endpoint("shop/orders/list"), to: "files/list", label: nil),
        .move(.endpoint("shop/login"), to: "shop/login", label: "Sign in"),
        .move(.folder("shop/orders"), to: "files/deep/orders", label: nil), .move(.service("shop"), to: "store", label: "Store"),
        .move(.run("checkout"), to: "buy", label: nil), .move(.environment("develop"), to: "local", label: nil),
        .move(.environment("release"), to: "production: eu", label: nil),
        .duplicate(.endpoint("shop/orders/list"), as: "shop/list"), .duplicate(.folder("shop/orders"), as: "shop/orders-2"),
        .duplicate(.service("shop"), as: "store"), .duplicate(.run("checkout"), as: "checkout-2"), .duplicate(.environment("develop"), as: "test"),
        .delete(.environment("develop")), .delete(.environment("release")),
    ]

    @Test(arguments: edits) func `a change leaves no problems, and reverting it restores every byte`(edit: WorkspaceEdit) throws {
        let workspace = try sample()
        let before = try files(workspace)
        #expect(try workspace.load().problems == [])
        let changes = try perform(edit, in: workspace)
        #expect(try workspace.load().problems == [])
        #expect(try files(workspace) != before)
        _ = try perform(.apply(changes.reverted), in: workspace)
        #expect(try files(workspace) == before)
    }

    @Test(arguments: [WorkspaceItem.endpoint("shop/login"), .folder("shop/orders"), .service("shop"), .run("checkout")])
    func `reverting a deletion restores every byte and permission`(item: WorkspaceItem) throws {
        let workspace = try sample()
        let before = try files(workspace)
        let login = workspace.path + "/shop/login.yaml"
        #expect(chmod(login, 0o600) == 0)
        let changes = try perform(.delete(item), in: workspace)
        let after = try files(workspace)
        #expect(after.count < before.count)
        _ = try perform(.apply(changes.reverted), in: workspace)
        #expect(try files(workspace) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: login)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a moved endpoint keeps its comments, and runs and plugins follow`() throws {
        let workspace = try sample()
        _ = try perform(.move(.endpoint("shop/login"), to: "shop/auth/sign-in", label: nil), in: workspace)
        #expect(try workspace.read("shop/auth/sign-in.yaml") == "# how to log in\nname: Log in\npath: /login\ncapture: {token: $.token}\n")
        #expect(!FileManager.default.fileExists(atPath: workspace.path + "/shop/login.yaml"))
        // The later step uses the name of the first one.
        #expect(
            try workspace.read("runs/checkout.yaml") == """
                # the usual way
                chain:
                  - send: shop/auth/sign-in
                    as: login
                  - {send: shop/orders/list, with: {token: "{{login.token}}"}}   # with the token

                """)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("shop/login", with: "shop/auth/sign-in"))
    }

    @Test func `a moved service keeps its files, and references to all its endpoints follow`() throws {
        let workspace = try sample()
        let list = try workspace.read("shop/orders/list.yaml")
        _ = try perform(.move(.service("shop"), to: "store", label: "Store"), in: workspace)
        #expect(try workspace.read("store/orders/list.yaml") == list)
        #expect(try workspace.read("store/orders/data/list.json") == "{}")
        #expect(try workspace.read("store/service.yaml").hasPrefix("name: Store\nservers:\n"))
        let run = try workspace.read("runs/checkout.yaml")
        #expect(run.contains("  - send: store/login\n  - {send: store/orders/list, with: "))
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("shop/login", with: "store/login"))
    }

    /// A chain whose endpoints are sent in a parallel group.
    private static let group = """
        chain:
          - parallel:
              - send: shop/login   # first
              - {send: shop/orders/list, as: list}
            concurrency: 2
          - {send: shop/orders/list, as: last, with: {token: "{{login.token}}"}}

        """

    @Test func `the steps of a parallel group follow a moved endpoint, with the names that later steps use`() throws {
        let workspace = try sample()
        try workspace.write(Self.group, to: "runs/checkout.yaml")
        _ = try perform(.move(.endpoint("shop/login"), to: "shop/auth/sign-in", label: nil), in: workspace)
        let run = try workspace.read("runs/checkout.yaml")
        #expect(run.contains("      - send: shop/auth/sign-in") && run.contains("        as: login\n"), "\(run)")
        #expect(try workspace.load().problems == [])
    }

    @Test func `the steps of a parallel group follow a moved folder`() throws {
        let workspace = try sample()
        try workspace.write(Self.group, to: "runs/checkout.yaml")
        _ = try perform(.move(.folder("shop/orders"), to: "shop/purchases", label: nil), in: workspace)
        #expect(try workspace.read("runs/checkout.yaml") == Self.group.replacing("shop/orders/", with: "shop/purchases/"))
    }

    @Test func `a relative path leads to the same file after a move`() throws {
        let workspace = try sample()
        _ = try perform(.move(.endpoint("shop/orders/list"), to: "files/list", label: nil), in: workspace)
        #expect(try workspace.load().endpoint("files/list")?.body == .file(path: workspace.path + "/shop/orders/data/list.json", contentType: nil))
        #expect(try workspace.read("files/list.yaml").contains("../shop/orders/data/list.json"))
    }

    @Test func `a path that leads out of a moved folder is rewritten, one within is not`() throws {
        let workspace = try sample()
        try workspace.write("path: /up\nbody: {file: ../login.yaml}\n", to: "shop/orders/up.yaml")
        _ = try perform(.move(.folder("shop/orders"), to: "shop/a/b/orders", label: nil), in: workspace)
        #expect(try workspace.read("shop/a/b/orders/up.yaml") == "path: /up\nbody: {file: ../../../login.yaml}\n")
        #expect(try workspace.read("shop/a/b/orders/list.yaml") == "name: List\npath: /orders\nbody: {file: data/list.json}\n")
    }

    /// Files with paths that are relative to the file of an endpoint, beside it and above it.
    private static let relative = "kind: grpc\ngrpc: {method: a.S/M, proto: FOLDERm.proto}\nexpect: {schema: UP/schema.json}\n"

    private func relative(_ folder: String, _ up: String) -> String {
        Self.relative.replacing("FOLDER", with: folder).replacing("UP", with: up)
    }

    @Test(arguments: [
        (WorkspaceEdit.move(.endpoint("shop/orders/call"), to: "files/deep/call", label: nil), "files/deep/call", "../../shop/orders/", "../../shop"),
        (.duplicate(.endpoint("shop/orders/call"), as: "shop/call"), "shop/call", "orders/", "."),
        (.move(.folder("shop/orders"), to: "shop/a/orders", label: nil), "shop/a/orders/call", "", "../.."),
        (.duplicate(.folder("shop/orders"), as: "shop/a/orders"), "shop/a/orders/call", "", "../.."),
        (.move(.service("shop"), to: "store", label: nil), "store/orders/call", "", ".."),
    ])
    func `paths of a .proto file and a schema lead to the same files`(edit: WorkspaceEdit, target: String, folder: String, up: String) throws {
        let workspace = try sample()
        try workspace.write(relative("", ".."), to: "shop/orders/call.yaml")
        _ = try perform(edit, in: workspace)
        let expected = relative(folder, up).replacing(" ./", with: " ")
        let text = try workspace.read("\(target).yaml")
        #expect(text.replacing("name: call\n", with: "") == expected)
    }

    @Test(arguments: ["/m.proto", "~/m.proto", "\"{{folder}}/m.proto\""]) func `a path that may be absolute is not rewritten`(path: String) throws {
        let workspace = try sample()
        let text = "kind: grpc\ngrpc: {method: a.S/M, proto: \(path)}\n"
        try workspace.write(text, to: "shop/orders/call.yaml")
        _ = try perform(.move(.endpoint("shop/orders/call"), to: "files/call", label: nil), in: workspace)
        #expect(try workspace.read("files/call.yaml") == text)
    }

    @Test func `a run with the file of a schema is not moved to another folder`() throws {
        let workspace = try sample()
        try workspace.write("batch: [{send: shop/login, expect: {schema: login.json}}]\n", to: "runs/rows.yaml")
        #expect { try perform(.move(.run("rows"), to: "deep/rows", label: nil), in: workspace) } throws: {
            "\($0)".contains("schema: is relative to the folder")
        }
    }

    @Test func `a new environment copies variables and servers with their notation`() throws {
        let workspace = try sample()
        _ = try perform(.createEnvironment("test", from: "develop"), in: workspace)
        #expect(
            try workspace.read("workspace.yaml").contains(
                "  develop:\n    variables: {host: \"127.0.0.1:8080\"}\n  test:\n    variables: {host: \"127.0.0.1:8080\"}\n  release:"))
        #expect(try workspace.read("shop/service.yaml").contains("  develop: [\"http://{{host}}\"]   # plain\n  test: [\"http://{{host}}\"]\n"))
        #expect(try workspace.read("files/service.yaml").hasPrefix("servers: {develop: [\"http://{{host}}\"], test: [\"http://{{host}}\"], release:"))
    }

    @Test func `a renamed environment is renamed where it is used`() throws {
        let workspace = try sample()
        _ = try perform(.move(.environment("develop"), to: "local", label: nil), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("develop", with: "local"))
        let loaded = try workspace.load()
        #expect(loaded.initialEnvironment == "local" && loaded.service("shop")?.servers.keys.sorted() == ["local", "release"])
    }

    @Test func `the last environment can be deleted, and one added to a file without any`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: T\nenvironment: a\nenvironments: {a: {variables: {x: 1}}}\n"])
        _ = try perform(.delete(.environment("a")), in: workspace)
        #expect(try workspace.read("workspace.yaml") == "name: T\n")
        _ = try perform(.createEnvironment("b", from: nil), in: workspace)
        #expect(try workspace.load().environments.map(\.name) == ["b"])
    }

    @Test(arguments: ["", "shop/", "shop//a", "shop/../a", "shop/.a", "a", "runs/a", "shop/service", "shop/a\nb"])
    func `a name that is none for an endpoint changes nothing`(name: String) throws {
        let workspace = try sample()
        let before = try files(workspace)
        for edit in [
            WorkspaceEdit.createEndpoint(Endpoint(target: name, name: "x", path: "/"), service: nil),
            .move(.endpoint("shop/login"), to: name, label: nil),
            .duplicate(.endpoint("shop/login"), as: name),
        ] {
            #expect { try perform(edit, in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .badTarget }
        }
        #expect(try files(workspace) == before)
    }

    @Test(arguments: [
        WorkspaceEdit.createEnvironment("test/eu", from: nil), .move(.environment("develop"), to: "test/eu", label: nil),
        .duplicate(.environment("develop"), as: "test/eu"),
    ])
    func `the name of an environment has no slash`(edit: WorkspaceEdit) throws {
        let workspace = try sample()
        let before = try files(workspace)
        #expect { try perform(edit, in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .badTarget }
        #expect(try files(workspace) == before)
    }

    @Test(arguments: [
        WorkspaceEdit.createEndpoint(Endpoint(target: "shop/login", name: "x", path: "/"), service: nil),
        .createService(NewService(folder: "shop", name: "", server: "")),
        .createRun(RunDefinition(name: "checkout", kind: .chain, sending: ["shop/login"]), saving: []),
        .createEnvironment("develop", from: nil), .move(.endpoint("shop/orders/list"), to: "shop/login", label: nil),
        .move(.folder("shop/orders"), to: "shop/taken", label: nil), .move(.service("files"), to: "shop", label: nil),
        .move(.run("checkout"), to: "other", label: nil), .move(.environment("develop"), to: "release", label: nil),
        .duplicate(.endpoint("shop/orders/list"), as: "shop/login"), .duplicate(.service("files"), as: "shop"),
    ])
    func `what exists is not replaced`(edit: WorkspaceEdit) throws {
        let workspace = try sample()
        try workspace.write("path: /taken\n", to: "shop/taken/a.yaml")
        try workspace.write("chain: []\n", to: "runs/other.yml")
        let before = try files(workspace)
        #expect { try perform(edit, in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .exists }
        #expect(try files(workspace) == before)
    }

    @Test func `a link that leads out of the workspace is neither written through nor deleted from`() throws {
        let workspace = try sample()
        let outside = try TemporaryWorkspace()
        let link = workspace.path + "/shop/linked"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside.path)
        #expect { try perform(.createEndpoint(Endpoint(target: "shop/linked/a", name: "a", path: "/"), service: nil), in: workspace) } throws: {
            ($0 as? WorkspaceError)?.code == .outside
        }
        #expect { try perform(.delete(.service("shop")), in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .cannotExpress }
        #expect(try outside.read("workspace.yaml") == "name: Test\n")
        #expect(try workspace.read("shop/login.yaml").hasPrefix("# how"))
    }

    @Test func `a new service is written to a hidden folder, which then gets its name`() throws {
        let workspace = try sample()
        let folder = WorkspaceFolder(path: workspace.path)
        let changes = FileChanges([
            .file("runs/new.yaml", before: nil, after: .init([1])), .file("new/service.yaml", before: nil, after: .init([2])),
            .file("new/a/b.yaml", before: nil, after: .init([3])), .file("shop/new.yaml", before: nil, after: .init([4])),
        ])
        let steps = StagedFolders(folder).steps(of: changes).changes
        try #require(steps.count == 5)
        #expect(steps[0] == changes.changes[0] && steps[4] == changes.changes[3])
        guard case .folder(let hidden, "new") = steps[3] else { throw WorkspaceError(.badTarget, file: "\(steps[3])", "this is no new folder") }
        #expect(hidden.hasPrefix(".sortie-new-"))
        #expect(steps[1] == .file("\(hidden)/service.yaml", before: nil, after: .init([2])))
        #expect(steps[2] == .file("\(hidden)/a/b.yaml", before: nil, after: .init([3])))
    }

    @Test func `the hidden folder of a killed program is no service, and the next new service removes it`() throws {
        let workspace = try sample()
        let before = try workspace.load()
        // No process has the first number, and one that always runs the second.
        try workspace.write("name: Half\n", to: ".sortie-new-2147483647-1/half/service.yaml")
        try workspace.write("name: Half\n", to: ".sortie-new-1-1/half/service.yaml")
        #expect(try workspace.load() == before)
        _ = try perform(.createService(NewService(folder: "new", name: "", server: "")), in: workspace)
        let hidden = try FileManager.default.contentsOfDirectory(atPath: workspace.path).filter { $0.hasPrefix(".sortie") }
        #expect(hidden == [".sortie-new-1-1"])
        #expect(try workspace.load().service("new") != nil)
    }

    @Test func `a file that changed since is not overwritten by undo`() throws {
        let workspace = try sample()
        let changes = try perform(.move(.endpoint("shop/login"), to: "shop/sign-in", label: nil), in: workspace)
        try workspace.write("path: /mine\n", to: "shop/sign-in.yaml")
        let before = try files(workspace)
        #expect { try perform(.apply(changes.reverted), in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .changedOnDisk }
        #expect(try files(workspace) == before, "the steps before the conflict are reverted")
    }

    @Test func `a folder that cannot be created is reported, and nothing stays behind`() throws {
        let workspace = try sample()
        try workspace.write("a file", to: "shop/occupied")
        let before = try files(workspace)
        for edit in [
            WorkspaceEdit.createEndpoint(Endpoint(target: "shop/occupied/a", name: "a", path: "/"), service: nil),
            .move(.endpoint("shop/login"), to: "shop/occupied/a", label: nil), .move(.folder("shop/orders"), to: "shop/occupied/b", label: nil),
        ] {
            #expect { try perform(edit, in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .unwritable }
        }
        #expect(try files(workspace) == before)
    }

    @Test func `an endpoint is moved in a workspace with a linked file`() throws {
        let workspace = try sample()
        let link = workspace.path + "/shop/linked.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "orders/list.yaml")
        _ = try perform(.move(.endpoint("shop/login"), to: "shop/sign-in", label: nil), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("shop/login", with: "shop/sign-in"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "orders/list.yaml")
    }

    @Test(arguments: ["\"endpoint\": shop/login", "endpoint : shop/login"]) func `every notation of a reference follows a move`(key: String) throws {
        let workspace = try sample()
        let settings = Self.settings.replacing("endpoint: shop/login", with: key)
        try workspace.write(settings, to: "workspace.yaml")
        _ = try perform(.move(.endpoint("shop/login"), to: "shop/sign-in", label: nil), in: workspace)
        #expect(try workspace.read("workspace.yaml") == settings.replacing("shop/login", with: "shop/sign-in"))
    }

    @Test func `a path that leads out of a copied folder is rewritten, one within is not`() throws {
        let workspace = try sample()
        try workspace.write("path: /up\nbody: {file: ../login.yaml}\n", to: "shop/orders/up.yaml")
        _ = try perform(.duplicate(.folder("shop/orders"), as: "shop/a/b/orders"), in: workspace)
        #expect(try workspace.read("shop/a/b/orders/up.yaml") == "path: /up\nbody: {file: ../../../login.yaml}\n")
        #expect(try workspace.read("shop/a/b/orders/list.yaml") == "name: List\npath: /orders\nbody: {file: data/list.json}\n")
    }

    @Test func `a run with data is not copied to another folder`() throws {
        let workspace = try sample()
        try workspace.write("batch: [{send: shop/login}]\ndata: rows.csv\n", to: "runs/rows.yaml")
        try workspace.write("a\n1\n", to: "runs/rows.csv")
        #expect { try perform(.duplicate(.run("rows"), as: "deep/rows"), in: workspace) } throws: {
            ($0 as? WorkspaceError)?.code == .cannotExpress
        }
        _ = try perform(.duplicate(.run("rows"), as: "rows-2"), in: workspace)
        #expect(try workspace.read("runs/rows-2.yaml") == workspace.read("runs/rows.yaml"))
    }

    @Test func `a new service without a name and servers is a valid file`() throws {
        let workspace = try sample()
        _ = try perform(.createService(NewService(folder: "maps", name: "", server: "")), in: workspace)
        #expect(try workspace.read("maps/service.yaml") == "{}\n")
        #expect(try workspace.load().problems == [])
        #expect(try workspace.load().service("maps")?.name == "maps")
    }

    @Test func `a new service and a new endpoint are files that a person would write`() throws {
        let workspace = try sample()
        var endpoint = Endpoint(target: "maps/find", name: "Find", method: .post, path: "/find")
        endpoint.query = [Parameter("q", "tea")]
        _ = try perform(.createEndpoint(endpoint, service: NewService(folder: "maps", name: "", server: "https://maps.example")), in: workspace)
        #expect(
            try workspace.read("maps/service.yaml")
                == "servers: {develop: [https://maps.example], release: [https://maps.example]}\n")
        #expect(try workspace.read("maps/find.yaml") == "name: Find\nmethod: POST\npath: /find\nquery: {q: tea}\n")
        _ = try perform(.createRun(RunDefinition(name: "nightly", kind: .batch, sending: ["maps/find"]), saving: []), in: workspace)
        #expect(try workspace.read("runs/nightly.yaml") == "batch:\n  - send: maps/find\n")
    }

    // MARK: Files of bodies

    /// The sample with an endpoint whose body was saved as a file beside it.
    private func withBodyFile() throws -> (workspace: TemporaryWorkspace, endpoint: Endpoint) {
        let workspace = try sample()
        var endpoint = Endpoint(target: "shop/orders/big", name: "big", method: .post, path: "/big")
        endpoint.body = .file(path: workspace.path + "/shop/orders/big.body.json", contentType: nil)
        endpoint.setBodyFileText(to: "[" + String(repeating: "1234567890,", count: 600) + "1]", original: "")
        return (workspace, try workspace.save(endpoint, replacing: nil))
    }

    @Test func `the file of a body is deleted with its endpoint, and undo restores both`() throws {
        let (workspace, _) = try withBodyFile()
        let before = try files(workspace)
        #expect(before["shop/orders/big.body.json"] != nil)
        let changes = try perform(.delete(.endpoint("shop/orders/big")), in: workspace)
        let after = try files(workspace)
        #expect(Set(before.keys).subtracting(after.keys) == ["shop/orders/big.yaml", "shop/orders/big.body.json"])
        _ = try perform(.apply(changes.reverted), in: workspace)
        #expect(try files(workspace) == before)
    }

    @Test func `the file of a body is deleted with the folder of its endpoint, also from another folder`() throws {
        let (workspace, _) = try withBodyFile()
        _ = try perform(.move(.endpoint("shop/orders/big"), to: "shop/later/big", label: nil), in: workspace)
        let before = try files(workspace)
        #expect(before["shop/orders/big.body.json"] != nil)
        let changes = try perform(.delete(.folder("shop/later")), in: workspace)
        #expect(try files(workspace)["shop/orders/big.body.json"] == nil)
        _ = try perform(.apply(changes.reverted), in: workspace)
        #expect(try files(workspace) == before)
    }

    @Test func `the file of a body stays while another file of the workspace refers to it`() throws {
        let (workspace, _) = try withBodyFile()
        _ = try perform(.duplicate(.endpoint("shop/orders/big"), as: "shop/orders/copy"), in: workspace)
        _ = try perform(.delete(.endpoint("shop/orders/big")), in: workspace)
        #expect(try files(workspace)["shop/orders/big.body.json"] != nil)
        // An endpoint that is not valid may use it, too.
        try workspace.write("path: [\nbody: {file: big.body.json}\n", to: "shop/orders/broken.yaml")
        _ = try perform(.delete(.endpoint("shop/orders/copy")), in: workspace)
        #expect(try files(workspace)["shop/orders/big.body.json"] != nil)
    }

    @Test func `a file that a person chose as a body stays when its endpoint is deleted`() throws {
        let workspace = try sample()
        _ = try perform(.delete(.endpoint("shop/orders/list")), in: workspace)
        #expect(try workspace.read("shop/orders/data/list.json") == "{}")
    }

    @Test func `a link in place of the file of a body stays, and the endpoint is deleted`() throws {
        let (workspace, _) = try withBodyFile()
        let (file, other) = ("\(workspace.path)/shop/orders/big.body.json", "\(workspace.path)/elsewhere.json")
        try FileManager.default.moveItem(atPath: file, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)
        _ = try perform(.delete(.endpoint("shop/orders/big")), in: workspace)
        #expect(try workspace.load().endpoint("shop/orders/big") == nil)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == other)
    }
}
