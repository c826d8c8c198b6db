import SortieBase
import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests bodies of gRPC responses that are damaged, or not of gRPC.
struct GRPCBodyTests {
    private static func messages(isStream: Bool) throws -> GRPCMessages {
        var schema = ProtobufSchema()
        var field = ProtobufField()
        (field.name, field.jsonName, field.number, field.kind) = ("text", "text", 1, .string)
        schema.messages["M"] = ProtobufMessageType(name: "M", fields: [field])
        schema.services["S"] = ProtobufService(name: "S", methods: [.init(name: "Do", input: "M", output: "M", isServerStreaming: isStream)])
        return try GRPCMessages(try #require(GRPCMethodPath("S/Do")), in: schema)
    }

    /// The text and the error after a body that arrived in pieces.
    private func read(
        _ pieces: [[UInt8]], type: String = "application/grpc", encoding: String = "identity", isStream: Bool = false, limit: Int64? = nil
    ) async throws -> (text: String, error: NetworkError?) {
        let folder = try TemporaryFolder()
        let body = GRPCBody(BodyBuffer(folder: folder.path, limit: limit), try Self.messages(isStream: isStream))
        var header = HeaderBytes()
        for line in ["HTTP/2 200", "content-type: \(type)", "grpc-encoding: \(encoding)", ""] {
            Array("\(line)\r\n".utf8).withUnsafeBytes { _ = header.take($0) }
        }
        var failure: NetworkError?
        do throws(NetworkError) {
            try body.begin(header)
            for piece in pieces {
                _ = try piece.withUnsafeBufferPointer { (bytes) throws(NetworkError) in try body.append(UnsafeRawBufferPointer(bytes)) {} }
            }
        } catch { failure = error }
        body.flush()
        do throws(NetworkError) { try await body.finish() } catch { failure = failure ?? error }
        let view = body.view
        return (String(decoding: view.bytes(in: 0..<view.count), as: UTF8.self), failure)
    }

    private static let message = GRPCFrames.frame([0x0A, 1, 0x61])

    @Test func `one message is an object, and those of a stream are a list, in any pieces`() async throws {
        #expect(try await read(Self.message.map { [$0] }).text == #"{"text": "a"}"#)
        #expect(
            try await read([Self.message + Self.message.prefix(3), Array(Self.message.dropFirst(3))], isStream: true).text
                == "[\n{\"text\": \"a\"},\n{\"text\": \"a\"}\n]")
        #expect(try await read([], isStream: true).text.isEmpty)
    }

    /// The message in both codings that are offered.
    private static let compressed: [(String, [UInt8])] = [
        ("gzip", [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 227, 98, 76, 4, 0, 75, 60, 120, 209, 3, 0, 0, 0]),
        ("deflate", [120, 156, 227, 98, 76, 4, 0, 0, 132, 0, 109]),
    ]

    @Test(arguments: compressed) func `compressed messages are read beside others, and damaged or large ones are errors`(
        encoding: String, data: [UInt8]
    ) async throws {
        func frame(_ data: some Collection<UInt8>) -> [UInt8] { [1] + GRPCFrames.frame(Array(data)).dropFirst() }
        #expect(
            try await read([frame(data) + Self.message, frame(data)], encoding: encoding, isStream: true).text
                == "[\n{\"text\": \"a\"},\n{\"text\": \"a\"},\n{\"text\": \"a\"}\n]")
        let early = try await read([frame(data.dropLast(3))], encoding: encoding)
        #expect(early.error?.message.contains("the data of a compressed message ends early") == true)
        let damaged = try await read([frame(data.dropLast(4) + [1, 2, 3, 4])], encoding: encoding)
        #expect(damaged.error?.message.contains("a compressed message is damaged") == true)
        let message = GRPCFrames.Message(bytes: data[...], isCompressed: true)
        #expect(throws: ProtobufError.self) { try message.content(encoding, limit: 2) }
    }

    @Test func `what follows the first invalid message is not read`() async throws {
        let twice = try await read([Self.message, Self.message])
        #expect(twice.error?.code == .badResponse && twice.text == #"{"text": "a"}"#)
        let cut = try await read([Self.message, [0, 0, 0]], isStream: true)
        #expect(cut.error?.code == .truncatedBody && cut.text == "[\n{\"text\": \"a\"}\n]")
        let compressed = try await read([[1, 0, 0, 0, 0]])
        #expect(compressed.error?.message.contains("compressed a message with identity, which was not offered") == true)
        let invalid = try await read([GRPCFrames.frame([0x0A, 1, 0xff])])
        #expect(invalid.error?.message == "the response has an invalid message: $.text: the text is not UTF-8")
        let large = try await read([[0, 0xff, 0xff, 0xff, 0xff]])
        #expect(large.error?.message.contains("the limit is") == true)
    }

    /// The frame of a message with a text of `count` letters.
    private static func frame(_ letter: UInt8, _ count: Int) -> [UInt8] {
        var message: [UInt8] = [0x0A]
        var rest = count
        while rest > 0x7f {
            message.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return GRPCFrames.frame(message + [UInt8(rest)] + [UInt8](repeating: letter, count: count))
    }

    @Test func `a large message is converted after the piece was taken, and messages stay in their order`() async throws {
        let size = 200_000
        let result = try await read([Self.frame(0x61, size), Self.frame(0x62, 1), Self.frame(0x63, size)], isStream: true)
        #expect(result.error == nil)
        let texts = [String(repeating: "a", count: size), "b", String(repeating: "c", count: size)]
        #expect(result.text == "[\n" + texts.map { "{\"text\": \"\($0)\"}" }.joined(separator: ",\n") + "\n]")
    }

    @Test func `the sender of a large message goes on after it was converted, also where it is invalid`() async throws {
        for (letter, isValid) in [(UInt8(0x61), true), (0xff, false)] {
            let folder = try TemporaryFolder()
            let body = GRPCBody(BodyBuffer(folder: folder.path, limit: nil), try Self.messages(isStream: true))
            var header = HeaderBytes()
            for line in ["HTTP/2 200", "content-type: application/grpc", ""] { Array("\(line)\r\n".utf8).withUnsafeBytes { _ = header.take($0) } }
            try body.begin(header)
            let drained = Watched(false)
            let mustWait = try Self.frame(letter, 200_000).withUnsafeBytes { try body.append($0) { drained.change { $0 = true } } }
            #expect(mustWait)
            try await drained.wait("the message to be converted", within: .seconds(300)) { $0 ? () : nil }
            #expect((body.failure == nil) == isValid && (body.count > 200_000) == isValid)
            #expect(!body.isBehind)
        }
    }

    @Test func `the limit of the body applies to the text`() async throws {
        #expect(try await read([Self.message], limit: 5).error?.code == .bodyTooLarge)
        let atEnd = try await read([Self.message], isStream: true, limit: 15)
        #expect(atEnd.error?.code == .bodyTooLarge)
    }

    @Test func `a body that is not of gRPC passes as it is`() async throws {
        #expect(try await read([Array("<html>".utf8)], type: "text/html").text == "<html>")
        #expect(try await read([Array("AAAA".utf8)], type: "application/grpc-web").text == "AAAA")
    }
}
