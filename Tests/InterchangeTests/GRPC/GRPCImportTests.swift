import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests imports of sets of descriptors whose names and sizes a stranger chose.
@Suite struct GRPCImportTests {
    /// A file with the service `p.S`.
    ///
    /// - Parameters:
    ///   - messages: The fields of each message, with the full name of their type; nil for an integer.
    ///   - methods: The names of the methods, which take and return the first message.
    private func source(_ messages: [(name: String, fields: [(name: String, type: String?)])], methods: [String]) -> ImportSource {
        func entry(_ name: String, _ number: Int, _ parts: [[UInt8]]) -> [UInt8] {
            var entry = ProtobufWriter()
            entry.write(1, bytes: name.utf8)
            for part in parts { entry.write(number, bytes: part) }
            return entry.bytes
        }
        var file = ProtobufWriter()
        file.write(1, bytes: "x.proto".utf8)
        file.write(2, bytes: "p".utf8)
        for message in messages {
            let fields = message.fields.enumerated().map { index, field in
                var writer = ProtobufWriter()
                writer.write(1, bytes: field.name.utf8)
                writer.write(3, varint: UInt64(index + 1))
                writer.write(5, varint: field.type == nil ? 5 : 11)
                if let type = field.type { writer.write(6, bytes: type.utf8) }
                return writer.bytes
            }
            file.write(4, bytes: entry(message.name, 2, fields))
        }
        let calls = methods.map { name in
            var method = ProtobufWriter()
            method.write(1, bytes: name.utf8)
            for number in 2...3 { method.write(number, bytes: ".p.\(messages[0].name)".utf8) }
            return method.bytes
        }
        file.write(6, bytes: entry("S", 2, calls))
        file.write(12, bytes: "proto3".utf8)
        var set = ProtobufWriter()
        set.write(1, bytes: file.bytes)
        return ImportSource(name: "x.binpb", bytes: set.bytes)
    }

    private func endpoints(_ source: ImportSource) throws -> (endpoints: [Endpoint], report: ImportReport) {
        let workspace = try GRPCImport.workspace(from: source)
        func endpoints(in items: [ImportedItem]) -> [Endpoint] {
            items.flatMap { item in
                switch item {
                case .folder(_, let items): endpoints(in: items)
                case .endpoint(let endpoint): [endpoint.endpoint]
                }
            }
        }
        return (workspace.services.flatMap { endpoints(in: $0.items) }, workspace.report)
    }

    @Test func `names of a server are never templates`() throws {
        let imported = try endpoints(source([("M", [("a{{pw}}", nil), ("b", nil)])], methods: ["Get", "{{pw}}", "../x"]))
        #expect(imported.endpoints.map(\.grpc?.method) == ["p.S/Get"])
        #expect(imported.report.entries.count { $0.outcome == .omitted } == 2)
        guard case .json(let text)? = imported.endpoints.first?.body else { return #expect(Bool(false), "the endpoint has no body") }
        #expect(text.contains("a{{$braces}}pw}}") && text.contains("\"b\": 0"), "\(text)")
    }

    @Test(arguments: [("/ws/protos", "../../protos/x.binpb"), ("/elsewhere", "/elsewhere/x.binpb")])
    func `the path of the file is relative where the file is in the workspace`(folder: String, path: String) throws {
        let imported = try GRPCImport.workspace(from: source([("M", [("a", nil)])], methods: ["Get"]))
        let placed = PlacedImport(imported, into: nil, folder: "/ws", sourceFolder: folder, known: [:], taken: [])
        let endpoint = try #require(placed.workspace.services.first?.endpoints.first)
        #expect(endpoint.target == "x/p-s/get")
        #expect(endpoint.grpc?.proto == path)
    }

    @Test func `the example of a message that grows with its depth is shortened`() async throws {
        let messages = (0..<6).map { depth in
            ("M\(depth)", (0..<60).map { ("f\($0)", String?.some(".p.M\(depth + 1)")) })
        }
        let source = source(messages + [("M6", [("a", nil)])], methods: ["Get"])
        let body = try await withDeadline(.seconds(300), "the example") { try endpoints(source).endpoints.first?.body }
        guard case .json(let text)? = body else { return #expect(Bool(false), "the endpoint has no body") }
        #expect(text.utf8.count < 100_000)
    }
}
