internal import Foundation

/// JSON of state files and of the history: dates are seconds since 1970, and slashes are not escaped.
enum StoredJSON {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }

    /// The reason why a value cannot be decoded.
    static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "the key \(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.last { $0.intValue == nil }.map { "the value of \($0.stringValue) is not one that Sortie writes" }
                ?? "it is not what Sortie writes"
        default: "it is not what Sortie writes"
        }
    }
}

/// A part of a stored value; one that cannot be decoded does not affect the other parts.
struct StoredPart<Value: Codable>: Codable {
    var value: Value?
    /// Why there is no value.
    var problem: String?

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
        do { value = try Value(from: decoder) } catch { problem = StoredJSON.reason(error) }
    }

    func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
}
