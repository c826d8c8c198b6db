import SortieNetworking
import Support
import Testing

/// Tests the formats in which responses are read (S0.3, S0.13).
@Suite(.fewAtOnce)
struct ResponseSerializerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func send<Output>(
        _ body: [UInt8], _ type: String, as serializer: ResponseSerializer<Output>, format: ResponseFormat? = nil
    ) async throws -> Output {
        let server = try ScriptedServer { _ in HTTPAnswer(status: 200, headers: [("Content-Type", type)], body: body) }
        var request = Request(url: try HTTPURL(parsing: server.url))
        request.options.answer.format = format
        return try await Client(.init(spoolFolder: folder.path)).send(request, as: serializer)
    }

    @Test func `S0.3 text is read in the charset of the response`() async throws {
        #expect(try await send([0xb1, 0xe0, 0xc2, 0xeb], "text/plain; charset=gbk", as: .text) == "编码")
    }

    @Test func `S0.3 data is the body byte for byte`() async throws {
        let data = try await send([0, 255, 7], "application/octet-stream", as: .data)
        #expect(data.bytes(in: 0..<data.count) == [0, 255, 7])
    }

    @Test func `S0.3 JSON keeps the digits of its numbers`() async throws {
        #expect(try await send(Array(#"{"a": 1.10}"#.utf8), "text/plain", as: .json)["a"] == .number("1.10"))
    }

    @Test func `S0.3 XML is a tree, from the charset that it declares`() async throws {
        let text = Array("<?xml version='1.0' encoding='gbk'?><a><b c='1'>".utf8) + [0xb1, 0xe0] + Array("</b></a>".utf8)
        let tree = try await send(text, "application/xml", as: .xml)
        #expect(tree["b"] == XMLTree("b", attributes: [.init("c", "1")], content: [.text("编")]))
    }

    private struct Cup: Decodable, Sendable, Equatable {
        var name: String
        var price: Double
    }

    @Test func `S0.3 a property list is decoded, and read as a value`() async throws {
        let text = Array("<plist version=\"1.0\"><dict><key>name</key><string>Cup</string><key>price</key><real>9.5</real></dict></plist>".utf8)
        #expect(try await send(text, "application/x-plist", as: .decodedPropertyList(as: Cup.self)) == Cup(name: "Cup", price: 9.5))
        #expect(try await send(text, "application/x-plist", as: .propertyList)["name"] == .string("Cup"))
    }

    @Test func `S0.13 a body of another format is an error with its position`() async throws {
        let error = await #expect(throws: NetworkError.self) { try await send(Array("<a>\n<b></a>".utf8), "application/xml", as: .xml) }
        #expect(error?.code == .badBody)
        #expect(error?.message.contains("not XML: mismatched tag at line 2") == true, "\(error?.message ?? "")")
        let binary = await #expect(throws: NetworkError.self) { try await send([0, 1, 2, 255], "application/octet-stream", as: .text) }
        #expect(binary?.message.contains("not text: the body is binary") == true)
    }

    @Test func `S0.13 a status outside 200 to 299 is an error of the serializer's call`() async throws {
        let server = try ScriptedServer(answering: .status(404))
        let request = Request(url: try HTTPURL(parsing: server.url))
        let error = await #expect(throws: NetworkError.self) { try await Client(.init(spoolFolder: folder.path)).send(request, as: .text) }
        #expect(error?.code == .status)
    }

    @Test func `S0.13 the format of a request makes the value of its response`() async throws {
        let server = try ScriptedServer { _ in HTTPAnswer(status: 200, headers: [("Content-Type", "text/plain")], body: Array("<a><b>1</b></a>".utf8))
        }
        var request = Request(url: try HTTPURL(parsing: server.url))
        let client = Client(.init(spoolFolder: folder.path))
        #expect(await client.exchange(request).value == nil)
        request.options.answer.format = .xml
        #expect(await client.exchange(request).value == ["a": ["b": "1"]])
        request.options.answer.format = .json
        #expect(await client.exchange(request).error?.message.hasPrefix("the body is not JSON: ") == true)
    }

    private struct Feed: TypedEndpoint, Encodable {
        typealias Output = XMLTree
        var path: String { "/feed" }
    }

    @Test func `S0.3 an endpoint type has a tree as its output`() async throws {
        let server = try ScriptedServer { _ in HTTPAnswer(status: 200, headers: [("Content-Type", "text/xml")], body: Array("<feed/>".utf8)) }
        #expect(try await Client(.init(spoolFolder: folder.path)).send(Feed(), to: Server(server.url)).name == "feed")
    }
}
