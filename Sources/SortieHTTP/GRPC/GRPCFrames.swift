internal import SortieBase

/// The messages of a gRPC body: each follows a flag for compression and its length (gRPC over HTTP/2, “Length-Prefixed-Message”).
package struct GRPCFrames: Sendable {
    /// A message as it was received.
    package struct Message: Sendable {
        package let bytes: ArraySlice<UInt8>
        /// Whether the bytes have the coding that `grpc-encoding` names.
        package let isCompressed: Bool
    }

    /// The size of what precedes a message.
    private static let prefix = 5
    /// The largest accepted message in bytes.
    package let limit: Int
    private var bytes: [UInt8] = []

    package init(limit: Int) { self.limit = limit }

    /// A message with its prefix, not compressed.
    package static func frame(_ message: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0]
        withUnsafeBytes(of: UInt32(message.count).bigEndian) { bytes += $0 }
        return bytes + message
    }

    /// Whether a message has begun and not ended.
    package var hasRest: Bool { !bytes.isEmpty }

    /// Adds received bytes and returns the messages that are complete, none of which may be compressed.
    ///
    /// - Throws: An error for a compressed message, and for one above the limit. Nothing can be added afterwards.
    package mutating func append(_ new: some Sequence<UInt8>) throws(ProtobufError) -> [ArraySlice<UInt8>] {
        let messages = try take(new)
        guard !messages.contains(where: \.isCompressed) else { throw ProtobufError("a message is compressed, which was not requested") }
        return messages.map(\.bytes)
    }

    /// Adds received bytes and returns the messages that are complete.
    ///
    /// - Throws: An error for an invalid flag, and for a message above the limit. Nothing can be added afterwards.
    package mutating func take(_ new: some Sequence<UInt8>) throws(ProtobufError) -> [Message] {
        bytes += new
        var messages: [Message] = []
        var start = 0
        while bytes.count - start >= Self.prefix {
            guard bytes[start] <= 1 else { throw ProtobufError("the flag before a message is \(bytes[start]), not 0 or 1") }
            let length = bytes[(start + 1)..<(start + Self.prefix)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= limit else { throw ProtobufError("a message has \(ByteCount(length).text), the limit is \(ByteCount(limit).text)") }
            let end = start + Self.prefix + length
            guard bytes.count >= end else { break }
            messages.append(Message(bytes: bytes[(start + Self.prefix)..<end], isCompressed: bytes[start] == 1))
            start = end
        }
        bytes.removeFirst(start)
        return messages
    }
}

/// Converts the bodies of the calls of one method between JSON and messages.
package struct GRPCMessages: Sendable {
    /// The types of the messages.
    package let schema: ProtobufSchema
    /// The method.
    package let method: ProtobufService.Method

    package init(_ path: GRPCMethodPath, in schema: ProtobufSchema) throws(ProtobufError) {
        self.schema = schema
        method = try schema.method(path)
    }

    /// The body that is sent.
    ///
    /// - Parameter text: The JSON of the message, or of a list of messages where the client streams; empty for a message without fields.
    /// - Throws: An error with the place in the JSON.
    package func requestBody(_ text: [UInt8]) throws(ProtobufError) -> [UInt8] {
        let json: JSONValue
        do throws(BodyProblem) { json = text.allSatisfy({ $0 <= 0x20 }) ? .object([]) : try JSONValue(parsing: text) } catch {
            throw ProtobufError("the message is not JSON: \(error)")
        }
        let encoder = ProtobufEncoder(schema)
        guard method.isClientStreaming, case .array(let items) = json else {
            if case .array = json, schema.messages[method.input]?.name != "google.protobuf.ListValue" {
                throw ProtobufError("the message is a list, but \(method.name) takes one message", at: "$")
            }
            return GRPCFrames.frame(try encoder.bytes(json, as: method.input))
        }
        var body: [UInt8] = []
        for (index, item) in items.enumerated() {
            do throws(ProtobufError) { body += GRPCFrames.frame(try encoder.bytes(item, as: method.input, depth: 0)) } catch {
                throw error.inside("$[\(index)]")
            }
        }
        return body
    }

    /// The JSON of one message of the response, on one line.
    package func json(_ message: ArraySlice<UInt8>) throws(ProtobufError) -> String {
        do throws(ProtobufError) { return try ProtobufDecoder(schema).json(message, as: method.output).text } catch {
            throw error.inside("$")
        }
    }
}
