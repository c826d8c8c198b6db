import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Exports workspaces that were imported from descriptions.
struct OpenAPIRevisionTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: "https://api.example/v1"}]
        x-own: kept
        paths:
          /pets:
            parameters: [{$ref: "#/components/parameters/Trace"}]
            get:
              operationId: listPets
              summary: List pets
              parameters: [{name: limit, in: query, schema: {type: integer}, example: 10}]
              responses:
                "200":
                  $ref: "#/components/responses/Pets"
            post:
              operationId: addPet
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}, example: {id: 1, name: Rex}}}}
              responses: {"201": {description: made, links: {self: {operationId: onePet, parameters: {petId: "$response.body#/id"}}}}}
          /pets/{petId}:
            get:
              operationId: onePet
              parameters: [{name: petId, in: path, required: true, schema: {type: integer}, example: 7}]
              responses: {default: {description: any, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
        components:
          parameters: {Trace: {name: X-Trace, in: header, schema: {type: string}}}
          responses:
            Pets: {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}, example: [{id: 1, name: Rex}]}}}
          schemas: {Pet: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}
        """

    private func source(_ text: String = Self.document) -> ImportSource {
        ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
    }

    private func json(_ source: ImportSource) throws -> JSONValue {
        let reader = OpenAPIReader(source: source)
        return OpenAPIBundle.document(of: try #require(reader.root(of: source.name, bytes: source.bytes)), reader)
    }

    /// The export of the workspace that an import gives, with changes.
    private func exportSource(_ source: ImportSource, only targets: [String]? = nil, _ change: (inout Workspace) -> Void = { _ in }) throws
        -> ExportSource
    {
        let imported = try OpenAPIImport.workspace(from: source)
        var workspace = PlacedImport(imported, into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: []).workspace
        change(&workspace)
        let environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        let resolver = ExportResolver(workspace: workspace, environment: environment) { _, _ in nil }
        let items = workspace.endpoints.filter { targets?.contains($0.target) ?? true }
        var result = ExportSource(
            name: "w", workspace: workspace, environment: environment,
            items: items.compactMap { endpoint in
                // What cannot be resolved is not exported.
                guard case .success(let item) = Result(catching: { () throws(Diagnostic) in try resolver.item(for: endpoint) }) else { return nil }
                return item
            })
        for service in workspace.services { if let document = service.contract?.document { result.descriptions[document] = source } }
        return result
    }

    private func exported(_ source: ExportSource) throws -> JSONValue { try JSONValue(parsing: try OpenAPIExport.text(of: source)) }

    private func changed(_ targets: [String]? = nil, _ change: (inout Service) -> Void) throws -> (value: JSONValue, source: ExportSource) {
        let source = try exportSource(source(), only: targets) { workspace in change(&workspace.services[0]) }
        return (try exported(source), source)
    }

    private func breaking(_ new: JSONValue) throws -> [String] {
        let old = try ContractComparison(from: source(), to: source(new.text))
        return old.changes.filter(\.isBreaking).map(\.text)
    }

    @Test(.enabled(if: Corpora.url("openapi") != nil, "the corpora are not here"))
    func `every description of the corpora that is imported and exported without a change is the same`() throws {
        let folder = try #require(Corpora.url("openapi"))
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
            guard path.hasSuffix(".json") || path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { continue }
            let url = folder.appendingPathComponent(path)
            let files = ImportFolder(path: url.deletingLastPathComponent().path)
            let source = ImportSource(
                name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)), yaml: YAMLSource.node, files: files.bytes(of:))
            guard case .success(let value) = Result(catching: { try json(source) }), value["openapi"] != nil,
                case .success(let export) = Result(catching: { try exportSource(source) }), !export.items.isEmpty
            else { continue }
            let result = try exported(export)
            let differing = (value["paths"]?.members ?? []).filter { result["paths"]?[$0.key] != $0.value }.map(\.key)
            #expect(result == value, "\(path): \(differing.prefix(5))")
            count += 1
        }
        #expect(count > 40)
    }

    @Test func `what a user changed in endpoints and examples is in the description, and the rest stays`() throws {
        let (value, _) = try changed { service in
            for index in service.endpoints.indices {
                switch service.endpoints[index].method {
                case .post:
                    service.endpoints[index].body = .json(#"{"id": 2, "name": "Tom"}"#)
                    service.endpoints[index].headers.append(Parameter("X-Mode", "fast"))
                case .get where service.endpoints[index].path == "/pets":
                    service.endpoints[index].name = "All pets"
                    service.endpoints[index].query = [Parameter("limit", "20")]
                    let body = BodyTemplate.json(#"[{"id": 3, "name": "Kit"}]"#)
                    service.endpoints[index].examples.append(EndpointExample("kittens", response: .init(statuses: 200...200, body: body)))
                default: break
                }
            }
        }
        let (list, add) = (value["paths"]?["/pets"]?["get"], value["paths"]?["/pets"]?["post"])
        #expect(list?["summary"] == "All pets" && list?["operationId"] == "listPets")
        #expect(list?["parameters"]?[0]?["example"] == .number("20"), "typed by its schema")
        let media = list?["responses"]?["200"]?["content"]?["application/json"]
        #expect(media?["schema"]?["type"] == "array" && media?["examples"]?["kittens"]?["value"]?[0]?["name"] == "Kit")
        #expect(media?["example"] == nil && media?["examples"]?["example"]?["value"]?[0]?["name"] == "Rex", "either one or named")
        #expect(add?["requestBody"]?["content"]?["application/json"]?["example"]?["name"] == "Tom")
        #expect(add?["responses"]?["201"]?["links"]?["self"] != nil)
        let added = try #require(add?["parameters"]?.elements.first { $0["name"] == "X-Mode" })
        #expect(added["required"] == nil, "a request without it is permitted further")
        let components = try json(source())["components"]
        #expect(value["x-own"] == "kept" && value["components"] == components)
        #expect(try breaking(value) == [])
    }

    @Test func `an endpoint that the description does not have is added at the path of its form`() throws {
        let (value, source) = try changed { service in
            var endpoint = Endpoint(target: "pets/remove", name: "Remove", method: .delete, path: "/pets/{id}")
            endpoint.query = [Parameter("force", "yes")]
            service.endpoints.append(endpoint)
            service.endpoints.append(Endpoint(target: "pets/find", name: "Find", method: HTTPMethod("SEARCH") ?? .get, path: "/pets"))
        }
        let removal = try #require(value["paths"]?["/pets/{petId}"]?["delete"])
        #expect(removal["parameters"]?.elements.contains { $0["name"] == "petId" && $0["in"] == "path" } == true)
        #expect(removal["servers"] == nil && value["openapi"] == "3.0.3" && value["paths"]?.members.count == 2)
        #expect(try OpenAPIExport.notes(of: source).contains { $0.contains("only OpenAPI 3.2") })
        #expect(try breaking(value) == [])
    }

    @Test func `a part of a service is exported with its operations and all components`() throws {
        let target = try #require(try exportSource(source()).items.first { $0.endpoint.path == "/pets/{petId}" }?.endpoint.target)
        let (value, _) = try changed([target]) { _ in }
        #expect(value["paths"]?.members.map(\.key) == ["/pets/{petId}"] && value["components"]?["schemas"]?["Pet"] != nil)
    }

    @Test func `an operation is left out where the user deleted its imported endpoint, which a note says`() throws {
        var export = try exportSource(source()) { workspace in workspace.services[0].endpoints.removeAll { $0.method == .post } }
        let document = try #require(export.descriptions.keys.first)
        let whole = try exported(export)
        #expect(whole["paths"]?["/pets"]?["post"] != nil, "the user imported no endpoint of it")
        export.deletedItems[document] = ["addPet", "onePet"]
        let value = try exported(export)
        #expect(value["paths"]?["/pets"]?.members.map(\.key).contains("post") == false && value["paths"]?["/pets"]?["get"] != nil)
        #expect(value["paths"]?["/pets/{petId}"] != nil, "another endpoint has the operation")
        #expect(try OpenAPIExport.notes(of: export).contains("POST /pets is left out, because its endpoint was deleted"))
    }

    // MARK: Swagger 2.0

    private static let swagger = """
        swagger: "2.0"
        info: {title: Pets, version: 1}
        host: pets.example
        basePath: /v1
        schemes: [https]
        consumes: [application/json]
        produces: [application/json]
        parameters:
          Limit: {name: limit, in: query, type: integer, maximum: 50}
          Pet: {name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}
        responses: {Gone: {description: gone, schema: {type: object, properties: {hint: {type: string}}}}}
        securityDefinitions:
          key: {type: apiKey, in: header, name: X-Key}
          user: {type: basic}
          login: {type: oauth2, flow: accessCode, authorizationUrl: "https://a.example/auth", tokenUrl: "https://a.example/token", scopes: {read: r}}
        security: [{key: []}]
        definitions:
          Pet: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string}, discriminator: {type: string}, age: {type: integer}}}
        paths:
          /pets:
            parameters: [{name: X-Trace, in: header, type: string}]
            get:
              parameters: [{$ref: "#/parameters/Limit"}, {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}]
              responses:
                "200":
                  description: all
                  headers: {X-Count: {type: integer}}
                  schema: {type: array, items: {$ref: "#/definitions/Pet"}}
                  examples: {application/json: [{kind: cat}]}
                "410": {$ref: "#/responses/Gone"}
            post:
              parameters: [{$ref: "#/parameters/Pet"}]
              responses: {"201": {description: made}}
          /files:
            post:
              consumes: [multipart/form-data]
              parameters:
                - {name: note, in: formData, type: string, description: any}
                - {name: content, in: formData, type: file, required: true}
              responses: {"204": {description: stored}}
        """

    @Test func `a description of Swagger 2.0 is exported as the same description in OpenAPI 3, with what a user changed`() throws {
        let export = try exportSource(source(Self.swagger)) { workspace in
            for index in workspace.services[0].endpoints.indices where workspace.services[0].endpoints[index].method == .get {
                workspace.services[0].endpoints[index].name = "All pets"
            }
        }
        let value = try exported(export)
        #expect(value["openapi"] == "3.0.3" && value["servers"]?[0]?["url"] == "https://pets.example/v1")
        let (list, add) = (value["paths"]?["/pets"]?["get"], value["paths"]?["/pets"]?["post"])
        #expect(list?["summary"] == "All pets" && list?["parameters"]?[0]?["$ref"] == "#/components/parameters/Limit")
        #expect(list?["parameters"]?[1]?["explode"] == true)
        #expect(list?["responses"]?["200"]?["content"]?["application/json"]?["example"]?[0]?["kind"] == "cat")
        #expect(add?["requestBody"]?["content"]?["application/json"]?["schema"]?["$ref"] == "#/components/schemas/Pet")
        let form = value["paths"]?["/files"]?["post"]?["requestBody"]?["content"]?["multipart/form-data"]?["schema"]
        #expect(form?["required"] == .array(["content"]), "an optional field stays optional")
        #expect(form?["properties"]?["content"]?["format"] == "binary")
        let pet = value["components"]?["schemas"]?["Pet"]
        #expect(pet?["discriminator"]?["propertyName"] == "kind" && pet?["properties"]?["discriminator"]?["type"] == "string")
        let schemes = value["components"]?["securitySchemes"]
        #expect(schemes?["user"]?["scheme"] == "basic" && schemes?["login"]?["flows"]?["authorizationCode"]?["scopes"]?["read"] == "r")
        // The fields of a form have no common schema in Swagger 2.0.
        let comparison = try ContractComparison(from: source(Self.swagger), to: source(value.text))
        let changes = comparison.changes.filter { !$0.operation.hasSuffix("/files") }
        #expect(changes.isEmpty, "\(changes.map(\.text))")
        #expect(try OpenAPIExport.notes(of: export).contains { $0.contains("Swagger 2.0 of api.yaml") })
    }

    @Test(.enabled(if: Corpora.url("openapi") != nil, "the corpora are not here"))
    func `every description of Swagger 2.0 of the corpora is the same in OpenAPI 3`() throws {
        let folder = try #require(Corpora.url("openapi"))
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where path.contains("v2.0/") {
            guard path.hasSuffix(".json") || path.hasSuffix(".yaml") else { continue }
            let url = folder.appendingPathComponent(path)
            let files = ImportFolder(path: url.deletingLastPathComponent().path)
            let source = ImportSource(
                name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)), yaml: YAMLSource.node, files: files.bytes(of:))
            guard case .success(let value) = Result(catching: { try json(source) }), value["swagger"] != nil,
                case .success(let export) = Result(catching: { try exportSource(source) }), !export.items.isEmpty
            else { continue }
            // A type of which only an example is written has another place in OpenAPI 3.
            let changes = try ContractComparison(from: source, to: self.source(exported(export).text)).changes.map(\.text).filter {
                !$0.contains("the media type")
            }
            #expect(changes.isEmpty, "\(path): \(changes.prefix(5))")
            count += 1
        }
        #expect(count > 10)
    }
}
