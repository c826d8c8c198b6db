import Foundation
import Support
import Testing

/// Tests the import and the export of OpenAPI descriptions with the program.
struct OpenAPICommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    private func description(_ server: String) -> String {
        """
        openapi: 3.1.0
        info: {title: Shop, version: "1"}
        servers: [{url: \(server)/v1}]
        tags: [{name: Orders}]
        paths:
          /orders/{id}:
            parameters: [{$ref: "parts/id.yaml"}]
            post:
              operationId: change
              summary: Change an order
              tags: [Orders]
              security: [{token: []}]
              parameters: [{name: dry, in: query, required: true, schema: {type: boolean}}, {name: page, in: query}]
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
              responses: {"200": {description: fine}}
        components:
          schemas: {Order: {type: object, properties: {name: {type: string, example: "a{{b"}, next: {$ref: "#/components/schemas/Order"}}}}
          securitySchemes: {token: {type: http, scheme: bearer}}
        """
    }

    @Test func `a description becomes a workspace that passes check and sends the operation`() async throws {
        let server = try ScriptedServer { .ok("\($0.method) \($0.target) \($0.bodyText)") }
        try sortie.write("api/openapi.yaml", description(server.url))
        try sortie.write("api/parts/id.yaml", "{name: id, in: path, required: true, schema: {type: integer, minimum: 40}}")
        let run = try await sortie.run("import", "api/openapi.yaml", "-o", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("imported: POST /orders/{id} → shop/orders/change-an-order (openapi.yaml:9:7)"), "\(run)")
        #expect(run.output.contains("SHOP_TOKEN"))
        #expect(try await sortie.run("check", "ws").status == .exited(0))
        let sent = try await sortie.run(["send", "shop/orders/change-an-order", "-w", "ws", "--trust"], environment: ["SHOP_TOKEN": "t"])
        #expect(sent.output.hasPrefix("POST /v1/orders/40?dry=true {") && sent.output.contains("\"name\": \"a{{b\""), "\(sent)")
        #expect(server.requests.first?["Authorization"] == "Bearer t")
    }

    @Test func `importing again updates, and a folder is imported by its description`() async throws {
        try sortie.write("api/openapi.yaml", description("http://h"))
        try sortie.write("api/parts/id.yaml", "{name: id, in: path, required: true, example: one}")
        #expect(try await sortie.run("import", "api", "-o", "ws").status == .exited(0))
        let file = "ws/shop/orders/change-an-order.yaml"
        #expect(String(decoding: try sortie.read(file), as: UTF8.self).contains("id: one"))
        try sortie.write("api/parts/id.yaml", "{name: id, in: path, required: true, example: two}")
        let again = try await sortie.run("import", "api", "-o", "ws", "--json")
        #expect(again.status == .exited(0), "\(again)")
        #expect(String(decoding: try sortie.read(file), as: UTF8.self).contains("id: two"))
        #expect(try await sortie.run("list", "-w", "ws").output.contains("shop/orders/change-an-order"))
    }

    @Test func `an invalid description is an error with its place, and nothing is written`() async throws {
        try sortie.write("openapi.yaml", "openapi: 3.0.0\ninfo:\n  title: T\npaths: []\n")
        let run = try await sortie.run("import", "openapi.yaml", "-o", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("openapi.yaml:4:8: paths must be an object"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `an exported service is imported as the same operations`() async throws {
        try sortie.write("api/openapi.yaml", description("http://h"))
        try sortie.write("api/parts/id.yaml", "{name: id, in: path, required: true, example: one}")
        #expect(try await sortie.run("import", "api/openapi.yaml", "-o", "ws").status == .exited(0))
        let exported = try await sortie.run("export", "shop", "--as", "openapi", "-w", "ws", "-o", "again.json")
        #expect(exported.status == .exited(0), "\(exported)")
        let run = try await sortie.run("import", "again.json", "-o", "ws2")
        #expect(run.status == .exited(0) && run.output.contains("imported: POST /orders/{id} → shop/orders/change-an-order"), "\(run)")
        #expect(try await sortie.run("check", "ws2").status == .exited(0))
    }
}
