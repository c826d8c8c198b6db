import SortieBase
import Support
import Testing

@testable import SortieHTTP

/// Tests messages, frames and descriptors that are not valid, which must be errors.
struct ProtobufTests {
    /// The schema of `message M { M m = 1; int32 i = 2; string s = 3; repeated int32 r = 4; }` and `service S { rpc Do(M) returns (stream M); }`.
    private static let schema: ProtobufSchema = {
        var schema = ProtobufSchema()
        func field(_ name: String, _ number: Int, _ kind: ProtobufField.Kind, isRepeated: Bool = false) -> ProtobufField {
            var field = ProtobufField()
            (field.name, field.jsonName, field.number, field.kind, field.isRepeated, field.isPacked) = (
                name, name, number, kind, isRepeated, isRepeated
            )
            if kind == .message { (field.typeName, field.hasPresence) = ("M", true) }
            return field
        }
        let fields = [field("m", 1, .message), field("i", 2, .int32), field("s", 3, .string), field("r", 4, .int32, isRepeated: true)]
        schema.messages["M"] = ProtobufMessageType(name: "M", fields: fields)
        schema.services["S"] = ProtobufService(name: "S", methods: [.init(name: "Do", input: "M", output: "M", isServerStreaming: true)])
        return schema
    }()

    private func json(_ bytes: [UInt8]) throws -> String { try ProtobufDecoder(Self.schema).json(bytes[...], as: "M").text }

    @Test(arguments: [
        ([0x08], "ends in the middle of a field"), ([0x10, 0x80], "ends in the middle of a field"),
        ([0x1A, 5, 0x61], "ends in the middle of a field"),
        ([0x15, 1, 2], "ends in the middle of a field"), ([0x11, 1, 2, 3], "ends in the middle of a field"), ([0x00, 1], "invalid number 0"),
        ([0x16, 1], "invalid wire type 6"), ([0x17, 1], "invalid wire type 7"), ([0x14], "invalid wire type 4"),
        ([0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], "more than 10 bytes"), ([0x1A, 1, 0xff], "s: the text is not UTF-8"),
        ([0x12, 1, 1], "i: the value on the wire is not of the type int32"), ([0x13, 0x10, 1], "ends in the middle of a field"),
        ([0x13, 0x1C], "does not end with its own number"),
        ([0x1A, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], "ends in the middle of a field"),
    ])
    func `bytes that are not a message are an error`(bytes: [UInt8], problem: String) throws {
        let error = try #require(throws: ProtobufError.self) { try json(bytes) }
        #expect("\(error)".contains(problem), "\(error)")
    }

    @Test func `a message that is nested too deeply is an error in both directions`() throws {
        var bytes: [UInt8] = []
        for _ in 0..<120 {
            var writer = ProtobufWriter()
            writer.write(1, bytes: bytes)
            bytes = writer.bytes
        }
        #expect(try "\(#require(throws: ProtobufError.self) { try json(bytes) })".contains("nested deeper than 100 levels"))
        var value = JSONValue.object([])
        for _ in 0..<120 { value = ["m": value] }
        let nested = value
        let error = try #require(throws: ProtobufError.self) { try ProtobufEncoder(Self.schema).bytes(nested, as: "M") }
        #expect("\(error)".contains("nested deeper than 100 levels"))
        let groups = [UInt8](repeating: 0x2B, count: 5_000)
        #expect(throws: ProtobufError.self) { try json(groups) }
    }

    @Test func `fields that the schema does not have are kept by number, and later values win`() throws {
        #expect(try json([0x10, 1, 0x10, 2]) == #"{"i": 2, "s": "", "r": []}"#)
        #expect(try json([0x28, 7, 0x32, 2, 0x68, 0x69, 0x3A, 1, 0xff]) == ##"{"i": 0, "s": "", "r": [], "#5": 7, "#6": "hi", "#7": "/w=="}"##)
        #expect(try json([0x0A, 2, 0x10, 1, 0x0A, 3, 0x1A, 1, 0x61]) == #"{"m": {"i": 1, "s": "a", "r": []}, "i": 0, "s": "", "r": []}"#)
        #expect(try json([0x20, 1, 0x22, 2, 2, 3]) == #"{"i": 0, "s": "", "r": [1, 2, 3]}"#)
    }

    @Test func `frames arrive in any pieces`() throws {
        let body = GRPCFrames.frame([1, 2, 3]) + GRPCFrames.frame([]) + GRPCFrames.frame([UInt8](repeating: 9, count: 300))
        for size in [1, 2, 5, 7, 400] {
            var frames = GRPCFrames(limit: 300)
            var messages: [[UInt8]] = []
            for start in stride(from: 0, to: body.count, by: size) {
                messages += try frames.append(body[start..<min(start + size, body.count)]).map(Array.init)
            }
            #expect(messages.map(\.count) == [3, 0, 300] && !frames.hasRest)
        }
        var frames = GRPCFrames(limit: 299)
        #expect(throws: ProtobufError.self) { try frames.append(body) }
        var compressed = GRPCFrames(limit: 10)
        #expect(throws: ProtobufError.self) { try compressed.append([1, 0, 0, 0, 0]) }
        var flag = GRPCFrames(limit: 10)
        #expect(throws: ProtobufError.self) { try flag.take([2, 0, 0, 0, 0]) }
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `random bytes are read or are an error, as messages, descriptors and replies`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0x3f : 0xff)
            }
            readsOrThrows { _ = try json(bytes) }
            readsOrThrows { _ = try ProtobufSchema(descriptorSet: bytes) }
            readsOrThrows { _ = try ServerReflection.reply(bytes[...]) }
        }
    }

    private func readsOrThrows(_ read: () throws -> Void) {
        do { try read() } catch { #expect(error is ProtobufError) }
    }
}
