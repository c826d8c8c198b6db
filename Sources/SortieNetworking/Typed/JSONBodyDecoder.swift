public import SortieHTTP

public import struct FoundationEssentials.Data
public import class FoundationEssentials.JSONDecoder

/// Decodes values from JSON; `JSONDecoder` is one.
public protocol JSONBodyDecoder: Sendable {
    /// Decodes a value from JSON in UTF-8.
    func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value
}

extension JSONDecoder: JSONBodyDecoder {}

extension Response {
    /// Decodes the body as JSON, from its declared character encoding.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: Decodes the JSON, by default without conversions.
    ///   - charset: The charset of the body, such as `gbk`; nil for the declared one.
    /// - Throws: `badBody` with the path in the JSON when the body is not JSON or does not fit the type; `invalidOption` for an unknown charset.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, by decoder: any JSONBodyDecoder = JSONDecoder(), charset: String? = nil
    ) throws(NetworkError) -> Value {
        var text = utf8Body
        if let charset { text = try utf8Body(charset: charset) }
        do { return try decoder.decode(type, from: Data(text.bytes(in: 0..<text.count))) } catch { throw .badBody(error) }
    }
}
