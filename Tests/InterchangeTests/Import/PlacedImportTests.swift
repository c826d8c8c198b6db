import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the names of files and the order of an import.
struct PlacedImportTests {
    private func item(_ name: String, id: String? = nil) -> ImportedItem {
        .endpoint(ImportedEndpoint(id: id ?? name, Endpoint(target: "", name: name, path: "/")))
    }

    private func placed(
        _ items: [ImportedItem], service: String = "Shop", keepsOrder: Bool = false, known: [String: String] = [:], taken: [String] = [],
        base: Workspace? = nil
    ) -> PlacedImport {
        var workspace = ImportedWorkspace(name: "W")
        var settings = Service(folder: "", name: service)
        settings.servers = [ImportedService.everywhere: ["http://h"]]
        workspace.services = [ImportedService(id: "s", settings, items: items)]
        workspace.keepsOrder = keepsOrder
        return PlacedImport(workspace, into: base, folder: "/ws", sourceFolder: "/src", known: known, taken: taken)
    }

    private func targets(_ placed: PlacedImport) -> [String] { placed.workspace.services.flatMap { $0.endpoints.map(\.target) } }

    @Test func `names become valid and unique names of files`() {
        let placed = placed([
            item("List orders!", id: "1"), item("list ORDERS", id: "2"), item("../../etc", id: "3"), item("", id: "4"), item("Größe 東", id: "5"),
            item("service", id: "6"), item(".hidden", id: "7"), item("a/b\0c", id: "8"), item("CON", id: "9"),
        ])
        #expect(
            targets(placed) == [
                "shop/list-orders", "shop/list-orders-2", "shop/etc", "shop/endpoint", "shop/größe-東", "shop/service-1", "shop/hidden", "shop/a-b-c",
                "shop/con-1",
            ])
    }

    @Test func `a segment that is no parameter of the source stays text, where a variable of the workspace has its name`() throws {
        var base = Workspace(name: "W", folder: "/ws")
        (base.variables, base.environments) = (["id": "5"], [WorkspaceEnvironment(name: "e", variables: ["part": "6"])])
        func request(_ parameters: Set<String>) throws -> (url: String, report: ImportReport) {
            let endpoint = Endpoint(target: "", name: "e", path: "/:id/{part}/:other/{id}?q=:id")
            let placed = placed([.endpoint(ImportedEndpoint(id: "1", endpoint, pathParameters: parameters))], base: base)
            var workspace = placed.workspace
            (workspace.variables, workspace.environments) = (base.variables, base.environments)
            let builder = RequestBuilder(workspace: workspace, environment: "e")
            let imported = try #require(workspace.endpoints.first)
            return (try builder.request(for: imported, in: builder.scope(of: imported) { _, _ in nil }).url.description, placed.report)
        }
        let text = try request([])
        #expect(text.url == "http://h/:id/%7Bpart%7D/:other/%7Bid%7D?q=:id")
        #expect(
            text.report.entries.contains { $0.outcome == .changed && $0.reason.programText.contains("the text :id, {id}, {part}") }, "\(text.report)")
        let parameters = try request([":id", "{part}"])
        #expect(parameters.url == "http://h/5/6/:other/%7Bid%7D?q=:id")
    }

    @Test func `the method, which is displayed before each name, is not part of a name that was made of method and path`() {
        let placed = placed([item("GET /v1/orders"), item("GETTING started")])
        #expect(placed.workspace.services[0].endpoints.map(\.name) == ["/v1/orders", "GETTING started"])
        #expect(targets(placed) == ["shop/get-v1-orders", "shop/getting-started"])
    }

    @Test func `a long name is cut, and the folder runs is not used for a service`() {
        let placed = placed([item(String(repeating: "ab ", count: 200))], service: "Runs")
        #expect(placed.workspace.services[0].folder == "runs-1")
        #expect(targets(placed).allSatisfy { $0.utf8.count <= 100 })
    }

    @Test func `existing files keep their names, and the import gets others`() {
        let placed = placed([item("a")], taken: ["shop", "shop/a.yaml", "Other"])
        #expect(targets(placed) == ["shop-2/a"])
    }

    @Test func `an item of an earlier import keeps its file under another name`() {
        let placed = placed(
            [item("Renamed", id: "1"), item("New", id: "2")], known: ["s": "shop/service", "1": "shop/sub/old"], taken: ["shop", "shop/sub/old.yaml"])
        #expect(targets(placed) == ["shop/sub/old", "shop/new"])
        #expect(placed.workspace.services[0].endpoints[0].name == "Renamed")
    }

    @Test func `numbers keep an order that the alphabet would change`() {
        #expect(
            targets(placed([item("b"), item("a"), .folder(name: "c", [item("x")])], keepsOrder: true)) == ["shop/1-b", "shop/2-a", "shop/3-c/x"])
        #expect(targets(placed([item("a"), item("b")], keepsOrder: true)) == ["shop/a", "shop/b"])
        #expect(targets(placed([item("b"), item("a")])) == ["shop/b", "shop/a"])
    }

    @Test func `a server for every environment is given to those of the workspace, or to a new one`() {
        #expect(placed([]).workspace.services[0].servers == ["default": ["http://h"]])
        #expect(placed([]).workspace.environments.map(\.name) == ["default"])
        var base = Workspace(name: "", folder: "/ws")
        base.environments = [WorkspaceEnvironment(name: "dev"), WorkspaceEnvironment(name: "live")]
        let added = placed([], base: base)
        #expect(added.workspace.services[0].servers == ["dev": ["http://h"], "live": ["http://h"]])
        #expect(added.workspace.environments.isEmpty)
    }

    @Test func `paths of files begin at the folder of the source`() {
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        endpoint.body = .file(path: "../x.json", contentType: nil)
        let placed = placed([.endpoint(ImportedEndpoint(id: "1", endpoint))])
        #expect(placed.workspace.services[0].endpoints[0].body == .file(path: "/x.json", contentType: nil))
    }

    @Test func `bytes of a body are a file beside the endpoint`() {
        let endpoint = ImportedEndpoint(id: "1", Endpoint(target: "", name: "e", path: "/"), bodyBytes: [0, 255])
        let placed = placed([.endpoint(endpoint)])
        #expect(placed.addition.bodies == ["shop/e": [0, 255]])
        #expect(placed.workspace.services[0].endpoints[0].body == .file(path: "/ws/shop/e.body.bin", contentType: nil))
    }

    @Test func `conditions have the order of files, and a second one of a kind is reported`() {
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        endpoint.expectation = Expectation(json: [
            Parameter("$.a", "exists"), Parameter("$.b", "> 1"), Parameter("$.a", "type string"), Parameter("$.b", "> 2"), Parameter("$.a", "exists"),
        ])
        let placed = placed([.endpoint(ImportedEndpoint(id: "1", endpoint))])
        let rows = placed.workspace.services[0].endpoints[0].expectation?.json
        #expect(rows == [Parameter("$.a", "exists"), Parameter("$.a", "type string"), Parameter("$.b", "> 1")])
        #expect(placed.report.lines == ["omitted: e → shop/e: the check $.b > 2 is not made; a value has one condition of each kind"])
    }

    @Test func `servers and URLs that files cannot have are left out with a line, and the other requests are imported`() {
        var workspace = ImportedWorkspace(name: "W")
        var service = Service(folder: "", name: "S")
        service.servers = [ImportedService.everywhere: ["https://", "http://h"], "dev": ["wss://h"], "live": ["{{base}}"]]
        let short = ImportedEndpoint(id: "1", Endpoint(target: "", name: "short", path: "http://127.1/x"))
        workspace.services = [ImportedService(id: "s", service, items: [.endpoint(short), item("a")])]
        workspace.report.add(.imported, "short", place: SourceLocation(file: "f", line: 3), id: "1")
        let placed = PlacedImport(workspace, into: nil, folder: "/", sourceFolder: "/", known: [:], taken: [])
        #expect(placed.workspace.services[0].servers == ["default": ["http://h"], "live": ["{{base}}"]])
        #expect(targets(placed) == ["s/a"])
        let lines = placed.report.lines
        #expect(lines.count == 3 && lines[0].hasPrefix("omitted: S → s: the server https:// is not imported: "), "\(lines)")
        #expect(lines[2].hasPrefix("omitted: short: its URL cannot be sent: ") && lines[2].hasSuffix("(f:3:1)"), "\(lines)")
    }

    @Test func `the report names the targets`() {
        var workspace = ImportedWorkspace(name: "W")
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "S"), items: [item("Get it", id: "1")])]
        workspace.report.add(.imported, "Get it", id: "1")
        let placed = PlacedImport(workspace, into: nil, folder: "/", sourceFolder: "/", known: [:], taken: [])
        #expect(placed.report.lines == ["imported: Get it → s/get-it"])
    }

    @Test func `many items with one name get numbers in their order`() {
        let all = targets(placed((0..<2000).map { item("same", id: "\($0)") }))
        #expect(Array(all.prefix(3)) == ["shop/same", "shop/same-2", "shop/same-3"] && all.last == "shop/same-2000")
    }

    @Test func `a file that the source does not have is one beside the endpoint, and not a path of this machine; a template stays`() {
        var workspace = ImportedWorkspace(name: "W")
        let endpoints = ["there.bin", "missing.bin", "{{file}}", "/abs.bin"].map { path in
            var endpoint = Endpoint(target: "", name: path, path: "/")
            endpoint.body = .file(path: path, contentType: nil)
            return ImportedItem.endpoint(ImportedEndpoint(id: path, endpoint))
        }
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "Shop"), items: endpoints)]
        let placed = PlacedImport(
            workspace, into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: [], hasFile: { $0 == "/src/there.bin" })
        #expect(
            placed.workspace.services[0].endpoints.map(\.body)
                == ["/src/there.bin", "/ws/shop/missing.bin", "{{file}}", "/abs.bin"].map { .file(path: $0, contentType: nil) })
    }
}
