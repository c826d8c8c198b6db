import Foundation
import SortieBase
import SortieStorage
import Support
import Testing

@testable import Interchange

/// Tests how much memory the import of a large description needs, in processes of their own, because the peak of a process does not go back.
struct OpenAPIMemoryTests {
    private static let operations = 1000

    /// A description with compact JSON, in which a value has 25 bytes.
    private static func json() -> [UInt8] {
        let members = (0..<20).map { number in
            let member: JSONValue = [
                "type": "string", "description": .string("The member \(number) of the item"), "example": .string("value-\(number)"),
            ]
            return JSONValue.Member("member\(number)", member)
        }
        let properties = JSONValue.object(members)
        let schema: JSONValue = ["type": "object", "properties": properties]
        let content: JSONValue = ["application/json": ["schema": schema]]
        var bytes = Array(#"{"openapi":"3.0.3","info":{"title":"Large","version":"1"},"servers":[{"url":"https://h"}],"paths":{"#.utf8)
        bytes.reserveCapacity(8 << 20)
        for number in 0..<operations {
            let operation: JSONValue = [
                "operationId": .string("create\(number)"), "summary": .string("Create item \(number)"), "requestBody": ["content": content],
                "responses": ["200": ["description": "ok", "content": content]],
            ]
            let path: JSONValue = ["post": operation]
            bytes += Array("\(number == 0 ? "" : ",")\"/items\(number)\":\(path.compactText)".utf8)
        }
        return bytes + Array("}}".utf8)
    }

    /// A description in YAML, in which Yams has nodes of twenty times the size.
    private static func yaml() -> [UInt8] {
        var bytes = Array("openapi: 3.0.3\ninfo: {title: Large, version: '1'}\nservers:\n- url: https://h\npaths:\n".utf8)
        bytes.reserveCapacity(8 << 20)
        let properties = (0..<20).map {
            "                  member\($0):\n                    type: string\n                    example: value-\($0)\n"
        }
        let schema = "              schema:\n                type: object\n                properties:\n\(properties.joined())"
        for number in 0..<operations {
            bytes += Array("  /items\(number):\n    post:\n      operationId: create\(number)\n      summary: Create item \(number)\n".utf8)
            bytes += Array("      requestBody:\n          content:\n            application/json:\n\(schema)".utf8)
            bytes += Array(
                "      responses:\n        200:\n          description: ok\n          content:\n            application/json:\n\(schema)".utf8)
        }
        return bytes
    }

    /// Imports a small description, and then a large one, whose bytes are in memory already.
    private static func expectLessThanFiveTimes(_ bytes: [UInt8], _ name: String, small: String) throws {
        _ = try OpenAPIImport.workspace(from: ImportSource(name: name, bytes: Array(small.utf8), yaml: YAMLSource.node))
        #expect(bytes.count > 2 << 20)
        let source = ImportSource(name: name, bytes: bytes, yaml: YAMLSource.node)
        let before = try ProcessUsage.memory("VmHWM")
        let imported = try OpenAPIImport.workspace(from: source)
        let grown = try ProcessUsage.memory("VmHWM") - before
        #expect(imported.services.first?.items.endpointCount == operations)
        #expect(grown < 4 * bytes.count, "\(grown >> 10) KiB for \(bytes.count >> 10) KiB")
    }

    @Test func `a large description in JSON needs less than five times the memory of its file`() async {
        await #expect(processExitsWith: .success) {
            try Self.expectLessThanFiveTimes(
                Self.json(), "api.json", small: #"{"openapi":"3.0.3","info":{"title":"S","version":"1"},"paths":{"/a":{"get":{}}}}"#)
        }
    }

    @Test func `a large description in YAML needs less than five times the memory of its file`() async {
        await #expect(processExitsWith: .success) {
            try Self.expectLessThanFiveTimes(
                Self.yaml(), "api.yaml", small: "openapi: 3.0.3\ninfo: {title: S, version: '1'}\npaths: {/a: {get: {}}}\n")
        }
    }
}
