import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests writing imports into workspaces: new ones, existing ones, and the same source again.
struct ImportPlanTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func planned(_ imported: ImportedWorkspace, force: Bool = false, keepsCredentials: Bool = false) throws -> (
        target: ImportTarget, plan: ImportPlan
    ) {
        let identity = ImportIdentity(format: "test", name: "source")
        let target = try ImportTarget(path: folder.path("ws"), source: identity)
        let placed = PlacedImport(
            imported, into: target.workspace, folder: target.folder.path, sourceFolder: folder.path, known: target.known, taken: target.taken,
            keepsCredentials: keepsCredentials)
        return (target, try ImportPlan(adding: placed.addition, to: target, isForced: force, reportsMissing: true))
    }

    @discardableResult
    private func write(_ imported: ImportedWorkspace, force: Bool = false, keepsCredentials: Bool = false) throws -> (
        plan: ImportPlan, workspace: Workspace
    ) {
        let (target, plan) = try planned(imported, force: force, keepsCredentials: keepsCredentials)
        try target.folder.perform(plan, isForced: true)
        return (plan, try target.folder.load())
    }

    private func source(_ endpoints: [Endpoint], change: (inout ImportedWorkspace) -> Void = { _ in }) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: "Imported: shop")
        var service = Service(folder: "", name: "Shop")
        service.servers = [ImportedService.everywhere: ["http://127.0.0.1:1"]]
        workspace.services = [ImportedService(id: "s", service, items: endpoints.map { .endpoint(ImportedEndpoint(id: $0.name, $0)) })]
        change(&workspace)
        return workspace
    }

    private func endpoint(_ name: String, _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "", name: name, path: "/\(name)")
        change(&endpoint)
        return endpoint
    }

    private func text(_ file: String) throws -> String { String(decoding: try folder.read("ws/\(file)"), as: UTF8.self) }

    @Test func `files of certificates in the home folder stay there`() throws {
        let imported = source([endpoint("a")]) {
            $0.services[0].service.trust.certificateAuthorityFile = "~/ca.pem"
            $0.services[0].service.trust.clientKeyFile = "~/key.pem"
        }
        let service = try #require(try write(imported).workspace.services.first)
        let path = try #require(service.trust.certificateAuthorityFile)
        #expect(path.hasSuffix("/ca.pem") && !path.contains("~"))
        #expect(try text("shop/service.yaml").contains("~/ca.pem") && text("shop/service.yaml").contains("~/key.pem"))
    }

    @Test func `a new workspace has no problems and is read back as it was imported`() throws {
        var service = Service(folder: "", name: "API: \"x\"")
        service.summary = "two\nlines"
        service.servers = ["dev": ["http://a", "http://b"], "live": ["https://c"]]
        service.headers = [Parameter("Accept", "a/b"), Parameter("X", "y", isEnabled: false)]
        service.auth = .basic(user: "u", password: "{{password}}")
        service.trust.isInsecure = true
        service.trust.certificateAuthorityFile = "ca.pem"
        service.trust.minimumTLS = .tls13
        service.addresses.fixed = [try #require(IPAddress("127.0.0.1"))]
        service.addresses.source = .fixed
        service.proxy = ProxyTemplate(url: "http://p:1", except: ["a"])
        var workspace = ImportedWorkspace(name: "W")
        workspace.environments = [WorkspaceEnvironment(name: "dev", variables: ["a": "1"]), WorkspaceEnvironment(name: "live")]
        workspace.initialEnvironment = "live"
        workspace.variables = ["v": "true", "w": "# no comment"]
        workspace.secrets = ["password": .environment("PW")]
        workspace.services = [ImportedService(id: "s", service, items: [.endpoint(ImportedEndpoint(id: "e", endpoint("one")))])]
        workspace.runs = [
            RunDefinition(
                name: "Check out", kind: .chain,
                steps: [
                    .init(
                        target: "e", name: "first", variables: ["x": "y"], expectation: Expectation(status: 200),
                        captures: [.init(name: "c", path: "$.c")])
                ])
        ]
        let read = try write(workspace).workspace
        #expect(read.problems.map(\.description) == [])
        #expect(read.environments == workspace.environments && read.initialEnvironment == "live" && read.variables == workspace.variables)
        #expect(read.secrets == workspace.secrets && read.name == "W")
        var back = try #require(read.services.first)
        #expect(back.folder == "api-x" && back.endpoints.map(\.target) == ["api-x/one"])
        #expect(back.trust.certificateAuthorityFile == folder.path("ca.pem"))
        (back.folder, back.location, back.endpoints, back.trust.certificateAuthorityFile) = ("", nil, [], "ca.pem")
        #expect(back == service)
        #expect(read.runs.map(\.name) == ["check-out"] && read.runs[0].steps.map(\.target) == ["api-x/one"])
        #expect(read.runs[0].steps[0].captures == workspace.runs[0].steps[0].captures)
    }

    @Test func `importing the same source again changes nothing, and a changed one updates`() throws {
        try write(source([endpoint("a"), endpoint("b")]))
        let again = try write(source([endpoint("a"), endpoint("b")]))
        #expect(again.plan.changes.changes.isEmpty)
        let changed = try write(source([endpoint("a") { $0.path = "/new" }, endpoint("c")]))
        #expect(changed.plan.files.filter { $0.outcome == .updated }.map(\.file) == ["shop/a.yaml"])
        #expect(changed.plan.files.filter { $0.outcome == .created }.map(\.file) == ["shop/c.yaml"])
        #expect(changed.plan.missing == ["shop/b.yaml"])
        #expect(changed.workspace.endpoints.map(\.path) == ["/new", "/b", "/c"])
    }

    /// Updates the workspace, and returns the changes of the source.
    private func update(_ new: ImportedWorkspace, _ decisions: [String: ImportDecision], force: Bool = false) throws -> [String] {
        let target = try ImportTarget(path: folder.path("ws"), source: ImportIdentity(format: "test", name: "source"))
        let placed = PlacedImport(
            new, into: target.workspace, folder: target.folder.path, sourceFolder: folder.path, known: target.known, taken: target.taken,
            keepsCredentials: false)
        let plan = try ImportPlan(adding: placed.addition, to: target, isForced: force, reportsMissing: true, decisions: decisions)
        try target.folder.perform(plan, isForced: true)
        return plan.sourceChanges.map { "\($0.change.file): \($0.change.text): \($0.decision?.rawValue ?? "open")" }.sorted()
    }

    @Test func `a file that the user removed is a change to decide where the source changed it`() throws {
        try write(source([endpoint("a"), endpoint("b")]))
        for name in ["a", "b"] { try FileManager.default.removeItem(atPath: folder.path("ws/shop/\(name).yaml")) }
        func changed(_ path: String) -> ImportedWorkspace { source([endpoint("a") { $0.path = path }, endpoint("b")]) }
        #expect(try update(changed("/new"), [:]) == ["shop/a.yaml: the source changed it; you removed it: open"])
        #expect(try update(changed("/new"), ["shop/a.yaml": .skip]).count == 1)
        #expect(try update(changed("/new"), [:]) == [])
        #expect(try update(changed("/newer"), ["shop/a.yaml": .accept]) == ["shop/a.yaml: the source changed it; you removed it: accept"])
        #expect(try text("shop/a.yaml").contains("/newer") && !FileManager.default.fileExists(atPath: folder.path("ws/shop/b.yaml")))
    }

    @Test func `with decisions, only accepted changes are made, skipped ones are not proposed again, and others stay open`() throws {
        let old = ["a", "b", "c", "d", "e"].map { name in endpoint(name) { $0.query = [Parameter("x", "1")] } }
        try write(source(old))
        let mine = try text("shop/c.yaml").replacing("/c", with: "/mine") + "method: PUT\n"
        try folder.write("ws/shop/c.yaml", mine)
        let new = source(
            ["a", "b", "c"].map { name in
                endpoint(name) {
                    $0.path = "/new"
                    $0.query = [Parameter("x", "2")]
                }
            } + [endpoint("n"), endpoint("o")])
        func update(_ decisions: [String: ImportDecision]) throws -> [String] { try self.update(new, decisions) }
        let before = try ["a", "b", "c", "d", "e"].map { try text("shop/\($0).yaml") }
        let open = try update([:])
        #expect(
            open == [
                "shop/a.yaml: the source changed path, query: open", "shop/b.yaml: the source changed path, query: open",
                "shop/c.yaml: the source changed query; you changed method, which stays; both changed path, of which yours stays: open",
                "shop/d.yaml: the source removed it: open", "shop/e.yaml: the source removed it: open", "shop/n.yaml: the source added it: open",
                "shop/o.yaml: the source added it: open",
            ])
        #expect(try ["a", "b", "c", "d", "e"].map { try text("shop/\($0).yaml") } == before)
        _ = try update([
            "shop/a.yaml": .accept, "shop/b.yaml": .skip, "shop/c.yaml": .accept, "shop/d.yaml": .accept, "shop/e.yaml": .skip,
            "shop/n.yaml": .accept, "shop/o.yaml": .skip,
        ])
        #expect(try text("shop/a.yaml").contains("/new") && text("shop/b.yaml") == before[1] && text("shop/n.yaml").contains("/n"))
        #expect(try text("shop/c.yaml") == mine.replacing("1", with: "2"))
        let left = ["d", "e", "o"].filter { FileManager.default.fileExists(atPath: folder.path("ws/shop/\($0).yaml")) }
        #expect(left == ["e"])
        #expect(try update([:]) == ["shop/c.yaml: you changed method, which stays; both changed path, of which yours stays: open"])
        let replaced = try self.update(new, ["shop/c.yaml": .accept], force: true).filter { $0.hasPrefix("shop/c.yaml") }
        #expect(replaced == ["shop/c.yaml: the source changed path: accept"])
        #expect(try !text("shop/c.yaml").contains("PUT"))
        #expect(try update([:]) == [])
    }

    @Test func `a document whose change was skipped or that the user changed is a change again where the source changes it further`() throws {
        func source(_ version: Int) throws -> ImportedWorkspace {
            let bytes = Array("{\"version\": \(version)}\n".utf8)
            var imported = self.source([endpoint("a")])
            imported.description = try .init(stem: "api", ending: ".json", bytes: bytes, root: SourceJSON.node(parsing: bytes, file: "api.json"))
            return imported
        }
        try write(source(1))
        #expect(try update(source(2), ["api.json": .skip]) == ["api.json: the source changed it: skip"])
        #expect(try update(source(2), [:]) == [] && text("api.json").contains("1"))
        try write(source(2))
        #expect(try text("api.json").contains("1"), "an import without decisions keeps it, too")
        #expect(try update(source(3), [:]) == ["api.json: the source changed it: open"])
        #expect(try update(source(3), ["api.json": .accept]) == ["api.json: the source changed it: accept"])
        #expect(try text("api.json").contains("3"))
        try folder.write("ws/api.json", "{}\n")
        let conflict = "api.json: both changed it, of which yours stays: "
        #expect(try update(source(3), [:]) == [])
        #expect(try update(source(4), ["api.json": .accept]) == [conflict + "accept"] && text("api.json") == "{}\n")
        #expect(try update(source(4), ["api.json": .skip]) == [conflict + "skip"])
        #expect(try update(source(4), [:]) == [])
        #expect(try update(source(5), ["api.json": .accept], force: true) == ["api.json: the source changed it: accept"])
        #expect(try text("api.json").contains("5"))
    }

    @Test func `a file that the user changed or removed stays so, unless forced`() throws {
        try write(source([endpoint("a"), endpoint("b")]))
        try folder.write("ws/shop/a.yaml", try text("shop/a.yaml").replacing("/a", with: "/mine"))
        try FileManager.default.removeItem(atPath: folder.path("ws/shop/b.yaml"))
        let new = source([endpoint("a") { $0.path = "/new" }, endpoint("b")])
        let kept = try write(new).plan
        #expect(kept.files.filter { $0.outcome == .kept }.map(\.file) == ["shop/a.yaml", "shop/b.yaml"])
        #expect(try text("shop/a.yaml").contains("/mine"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("ws/shop/b.yaml")))
        try write(new, force: true)
        #expect(try text("shop/a.yaml").contains("/new") && !(try text("shop/a.yaml").contains("/mine")))
        #expect(FileManager.default.fileExists(atPath: folder.path("ws/shop/b.yaml")))
    }

    @Test func `an existing workspace keeps its files, comments and values`() throws {
        try folder.write("ws/workspace.yaml", "name: Mine # note\nenvironments:\n  dev: {variables: {a: 1}}\nvariables:\n  v: old\n")
        try folder.write("ws/shop/service.yaml", "name: other\n")
        try folder.write("ws/shop/a.yaml", "path: http://h/\n")
        let result = try write(
            source([endpoint("a")]) {
                $0.environments = [WorkspaceEnvironment(name: "dev", variables: ["a": "2", "b": "3"]), WorkspaceEnvironment(name: "live")]
                $0.variables = ["v": "new", "w": "x"]
                $0.secrets = ["s": .environment("S")]
            })
        #expect(result.workspace.problems.map(\.description) == [])
        #expect(try text("shop/a.yaml") == "path: http://h/\n")
        #expect(result.workspace.services.map(\.folder) == ["shop", "shop-2"])
        #expect(try text("workspace.yaml").hasPrefix("name: Mine # note\n"))
        #expect(result.workspace.variables == ["v": "old", "w": "x"] && result.workspace.secrets == ["s": .environment("S")])
        #expect(result.workspace.environments.map(\.name) == ["dev", "live"])
        #expect(result.workspace.environments[0].variables == ["a": "1", "b": "3"])
        #expect(result.plan.omissions.count == 2)
    }

    @Test func `notes are comments, whatever characters they have`() throws {
        let imported = source([]) {
            $0.services[0].items = [.endpoint(ImportedEndpoint(id: "e", endpoint("a"), notes: ["Script:\nx: [\u{0}\u{1b}\r\n\n}: 東"]))]
        }
        #expect(try write(imported).workspace.problems.isEmpty)
        #expect(try text("shop/a.yaml").hasSuffix("\n# Script:\n# x: [\\u{0}\\u{1b}\n#\n# }: 東\n"))
    }

    @Test func `credentials in scripts and descriptions are masked`() throws {
        let script = """
            pm.environment.set("token", "canary-1"); const password = 'canary-2';
            {"api_key": "canary-3", apiKey: "canary-4"}
            Authorization: Bearer canary-5
            fetch("https://me:canary-6@api.example/");
            send("ghp_canary78901234567890"); const dbPass = "canary-7";
            pm.environment.set("page", "2");
            """
        let imported = source([]) {
            $0.services[0].items = [.endpoint(ImportedEndpoint(id: "e", endpoint("a"), notes: [script]))]
        }
        try write(imported)
        let written = try text("shop/a.yaml")
        #expect(!written.contains("canary"), "\(written)")
        #expect(written.contains(#"set("page", "2")"#) && written.contains(#"set("token", "••••")"#), "\(written)")
    }

    @Test func `a large body is a file whose name stays the same`() throws {
        let imported = source([endpoint("a") { $0.body = .json("\"" + String(repeating: "x", count: 5000) + "\"") }])
        try write(imported)
        #expect(try write(imported).plan.changes.changes.isEmpty)
        #expect(try folder.read("ws/shop/a.body.json").count == 5002)
    }

    @Test func `a body with a byte order mark keeps it`() throws {
        try write(source([endpoint("a") { $0.body = .text("\u{feff}x", contentType: "text/csv") }]))
        #expect(try folder.read("ws/shop/a.body.txt") == Array("\u{feff}x".utf8))
    }

    @Test(arguments: ["{\r\n  \"a\": 1\r\n}", "{\r\"a\":\r1}", "{ \"a\": \"\u{2028}\u{85}\" }", "{\"a\":\"\u{feff}\u{7f}\"}", "[\r\n\"{{v}}\"]"])
    func `JSON with characters that a block of YAML cannot have keeps its bytes as a text`(_ json: String) throws {
        let result = try write(source([endpoint("a") { $0.body = .json(json) }]))
        #expect(result.plan.omissions.isEmpty, "\(result.plan.omissions)")
        #expect(result.workspace.endpoint("shop/a")?.body == .text(json, contentType: "application/json"))
    }

    @Test func `the variables of a GraphQL query with such characters keep their value`() throws {
        let request = GraphQLTemplate(query: "{ a }", variables: "{\r\n  \"a\": \"\u{2028}\"\r\n}")
        let result = try write(source([endpoint("a") { $0.body = .graphQL(request) }]))
        #expect(result.plan.omissions.isEmpty, "\(result.plan.omissions)")
        guard case .graphQL(let read)? = result.workspace.endpoint("shop/a")?.body else {
            Issue.record("no GraphQL body")
            return
        }
        #expect(try JSONValue(parsing: read.variables) == ["a": "\u{2028}"])
    }

    @Test(arguments: ["\"{\\n  \\\"a\\\": 1\\n}\\n\"", "\"not\\njson\""])
    func `JSON that is one string of several lines is read back identically`(_ json: String) throws {
        let result = try write(source([endpoint("a") { $0.body = .json(json) }]))
        #expect(result.plan.omissions.isEmpty, "\(result.plan.omissions)")
        #expect(result.workspace.endpoint("shop/a")?.body == .json(json))
    }

    @Test func `a link that leads out of the folder is not written through`() throws {
        try folder.write("outside/x", "")
        try FileManager.default.createDirectory(atPath: folder.path("ws"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("ws/shop"), withDestinationPath: folder.path("outside"))
        _ = try write(source([endpoint("a")]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("outside")) == ["x"])
    }

    @Test(arguments: ["shop/a.yaml", "shop/service.yaml", "workspace.yaml", ".sortie-imports.json"], [false, true])
    func `a file that became a link out of the folder is neither replaced nor read, and nothing else is written`(file: String, force: Bool) throws {
        try write(source([endpoint("a")]))
        // The content is that of the import, so that the record permits to update it.
        let content = try text(file)
        try folder.write("outside/mine", content)
        try FileManager.default.removeItem(atPath: folder.path("ws/\(file)"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("ws/\(file)"), withDestinationPath: folder.path("outside/mine"))
        let changed = source([endpoint("a") { $0.path = "/new" }, endpoint("b")]) {
            $0.variables = ["v": "1"]
            $0.services[0].service.summary = "new"
        }
        let error = #expect(throws: WorkspaceError.self) { try write(changed, force: force) }
        // The settings are read before anything else.
        let isRead = file == "workspace.yaml"
        #expect(isRead || error?.code == .outside && error?.file == file, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("outside/mine\(isRead ? ", and is not read" : "; replace the link")") == true)
        #expect(try folder.read("outside/mine") == Array(content.utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.path("ws/shop/b.yaml")))
    }

    @Test func `an import that is killed between any two files is completed by the next one`() throws {
        let first = source([endpoint("a"), endpoint("b")])
        let second = source([endpoint("a") { $0.path = "/new" }, endpoint("b"), endpoint("c")])
        for isUpdate in [false, true] {
            var count = 0
            while true {
                if FileManager.default.fileExists(atPath: folder.path("ws")) { try FileManager.default.removeItem(atPath: folder.path("ws")) }
                if isUpdate { try write(first) }
                let (target, plan) = try planned(second)
                let all = plan.changes.changes
                guard count < all.count else { break }
                _ = try target.folder.perform(.apply(FileChanges(Array(all.prefix(count)))))
                let result = try write(second)
                #expect(result.workspace.services.map(\.folder) == ["shop"], "after \(count) of \(all.count) changes")
                #expect(result.workspace.endpoints.map(\.path) == ["/new", "/b", "/c"], "after \(count) of \(all.count) changes")
                #expect(result.plan.files.allSatisfy { $0.outcome != .kept }, "after \(count) of \(all.count) changes")
                #expect(try write(second).plan.changes.changes.isEmpty)
                #expect(try !text(".sortie-imports.json").contains("unfinished"))
                count += 1
            }
            #expect(count > 3)
        }
    }

    @Test func `a file is not created through a link to a missing one`() throws {
        try write(source([endpoint("a")]))
        try FileManager.default.createDirectory(atPath: folder.path("outside"), withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: folder.path("ws/shop/a.yaml"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("ws/shop/a.yaml"), withDestinationPath: folder.path("outside/new"))
        #expect { try write(source([endpoint("a") { $0.path = "/new" }])) } throws: { ($0 as? WorkspaceError)?.code == .outside }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("outside")).isEmpty)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func `any name, field or body is read back identically`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet =
            Array("ab:#{}[]&*!|>'\"%@`,?-~ \n\t\u{0}\u{7f}\u{85}\u{2028}東é😀\\=").map(String.init) + [
                "{{", "}}", ": ", " #", "---", "\r\n", "null", "1e3", "~",
            ]
        func any(_ count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
        }
        let endpoints = (0..<60).map { index in
            endpoint(any(12) + "\(index)") { endpoint in
                endpoint.summary = Bool.random(using: &random) ? any(20) : nil
                endpoint.query = (0..<3).map { _ in
                    Parameter(Template.quoting(any(6)), Template.quoting(any(12)), isEnabled: Bool.random(using: &random))
                }
                endpoint.headers = (0..<2).map { Parameter("X-\($0)", Template.quoting(any(8)).filter { $0.isASCII && $0 >= " " && $0 != "\u{7f}" }) }
                endpoint.body = .text(Template.quoting(any(40)), contentType: "text/plain")
                endpoint.variables = ["v": Template.quoting(any(10))]
            }
        }
        let result = try write(source(endpoints), keepsCredentials: true)
        #expect(result.plan.omissions.isEmpty, "seed \(seed): \(result.plan.omissions)")
        let read = Dictionary(uniqueKeysWithValues: result.workspace.endpoints.map { ($0.name, $0) })
        for endpoint in endpoints {
            let back = try #require(read[endpoint.name], "seed \(seed): \(endpoint.name.debugDescription)")
            #expect(back.query == endpoint.query && back.body == endpoint.body && back.headers == endpoint.headers, "seed \(seed)")
            #expect(back.variables == endpoint.variables && back.summary == endpoint.summary, "seed \(seed)")
        }
    }

    @Test func `many secrets and variables are added to an existing workspace`() throws {
        try write(source([endpoint("a")]))
        let names = (0..<3000).map { "v\($0)" }
        let (_, workspace) = try write(
            source([endpoint("a")]) { imported in
                for name in names {
                    imported.secrets["s" + name] = .environment("S_\(name)")
                    imported.variables[name] = name
                }
            })
        #expect(workspace.secrets.count == 3000 && workspace.variables.count == 3000)
        #expect(workspace.secrets["sv7"] == .environment("S_v7") && workspace.variables["v7"] == "v7")
    }

    @Test func `a member with a comment of the user stays, and is listed`() throws {
        try write(source([endpoint("a")]))
        try folder.write("ws/shop/a.yaml", try text("shop/a.yaml").replacing("path: /a", with: "path: /a # why"))
        let kept = try write(source([endpoint("a") { $0.path = "/new#" }])).plan.files.first { $0.file == "shop/a.yaml" }
        #expect(kept?.outcome == .kept && kept?.reason?.hasPrefix("path: changed in the workspace") == true, "\(kept as Any)")
        #expect(try text("shop/a.yaml").contains("path: /a # why"))
    }

    @Test func `changes of the user and of the source in different members of a file are merged, the others are listed`() throws {
        try write(source([endpoint("a") { $0.headers = [Parameter("X", "1")] }]))
        let mine = try text("shop/a.yaml").replacing("path: /a", with: "# mine\npath: /mine") + "\ndescription: my words\n# end\n"
        try folder.write("ws/shop/a.yaml", mine)
        let changed = source([
            endpoint("a") {
                $0.headers = [Parameter("X", "2")]
                $0.tags = ["new"]
            }
        ])
        let merged = try write(changed)
        #expect(merged.plan.files.first { $0.file == "shop/a.yaml" }?.outcome == .updated)
        let after = try text("shop/a.yaml")
        #expect(after.contains("# mine\npath: /mine") && after.contains("description: my words") && after.hasSuffix("# end\n"), "\(after)")
        let read = try #require(merged.workspace.services.first?.endpoints.first)
        #expect(read.headers == [Parameter("X", "2")] && read.tags == ["new"] && read.path == "/mine")
        let again = try write(changed).plan
        #expect(again.files.first { $0.file == "shop/a.yaml" }?.outcome == .unchanged && again.changes.changes.isEmpty)
        let conflict = try write(source([endpoint("a") { $0.path = "/theirs" }])).plan.files.first { $0.file == "shop/a.yaml" }
        #expect(conflict?.outcome == .updated && conflict?.reason?.hasPrefix("path: changed in the workspace") == true, "\(conflict as Any)")
        #expect(try text("shop/a.yaml").contains("path: /mine") && !text("shop/a.yaml").contains("tags"))
    }

    /// An endpoint with rows as a mapping and as a list.
    private func rows(_ headers: [(String, String)], _ query: [(String, String)], _ variables: [String: String]) -> Endpoint {
        endpoint("a") {
            $0.headers = headers.map { Parameter($0.0, $0.1) }
            $0.query = query.map { Parameter($0.0, $0.1, summary: "about \($0.0)") }
            $0.variables = variables
        }
    }

    @Test func `changes of the user and of the source within one member are merged by entry and by row`() throws {
        try write(source([rows([("X", "1"), ("Y", "1"), ("Z", "1")], [("p", "1"), ("q", "1"), ("r", "1")], ["a": "1", "b": "1"])]))
        var mine = try text("shop/a.yaml")
        for (old, new) in [("Y: 1", "Y: mine"), ("name: q, value: 1", "name: q, value: mine"), ("b: 1", "b: mine")] {
            #expect(mine.contains(old), "\(mine)")
            mine = mine.replacing(old, with: new)
        }
        try folder.write("ws/shop/a.yaml", mine)
        let changed = source([
            rows([("X", "2"), ("Y", "1"), ("W", "9")], [("p", "2"), ("q", "1"), ("s", "9")], ["a": "2", "b": "1", "c": "9"])
        ])
        let merged = try write(changed)
        let file = merged.plan.files.first { $0.file == "shop/a.yaml" }
        #expect(file?.outcome == .updated && file?.reason == nil, "\(file as Any)")
        let read = try #require(merged.workspace.services.first?.endpoints.first)
        #expect(read.headers == [Parameter("X", "2"), Parameter("Y", "mine"), Parameter("W", "9")])
        #expect(read.query.map { "\($0.name)=\($0.value) \($0.summary ?? "")" } == ["p=2 about p", "q=mine about q", "s=9 about s"])
        #expect(read.variables == ["a": "2", "b": "mine", "c": "9"])
        #expect(try write(changed).plan.changes.changes.isEmpty)
    }

    @Test func `an entry that the user and the source changed stays, and is listed with its place in each import`() throws {
        try write(source([rows([("X", "1"), ("Y", "1"), ("Z", "1")], [("p", "1")], [:])]))
        let mine = try text("shop/a.yaml").replacing("Y: 1", with: "Y: mine").replacing("value: 1", with: "value: mine")
        try folder.write("ws/shop/a.yaml", mine)
        let changed = source([rows([("X", "1"), ("Y", "theirs"), ("Z", "2")], [("p", "theirs")], [:])])
        let first = try write(changed)
        let file = first.plan.files.first { $0.file == "shop/a.yaml" }
        #expect(
            file?.outcome == .updated && file?.reason?.hasPrefix("headers: Y, query: p: value: changed in the workspace") == true, "\(file as Any)")
        let read = try #require(first.workspace.services.first?.endpoints.first)
        #expect(read.headers == [Parameter("X", "1"), Parameter("Y", "mine"), Parameter("Z", "2")] && read.query.map(\.value) == ["mine"])
        let again = try write(changed).plan.files.first { $0.file == "shop/a.yaml" }
        #expect(again?.outcome == .kept && again?.reason == file?.reason, "\(again as Any)")
    }
}
