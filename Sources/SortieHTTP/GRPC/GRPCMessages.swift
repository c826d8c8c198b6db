internal import SortieBase

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
