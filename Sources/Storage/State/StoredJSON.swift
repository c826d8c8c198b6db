internal import Foundation
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// JSON of state files and of the history: dates are seconds since 1970, and slashes are not escaped.
enum StoredJSON {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    /// The bytes of a state file, without controls that a terminal obeys.
    static func bytes(of value: some Encodable) throws -> [UInt8] { JSONText.escapingControls(in: Array(try encoder.encode(value))) }

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

/// The masked parts of a request or of an endpoint, as they are stored: `path`, `query 0`, `header 2`, `variable token`.
///
/// Only this type interprets the text of a mask, where the stored names cannot be read.
enum StoredMasks {
    static func names(of parts: Set<MaskedPart>) -> [String]? { parts.isEmpty ? nil : parts.map(name).sorted() }

    /// The parts with these names; nil where one is unknown.
    static func parts(named names: [String]?) -> Set<MaskedPart>? {
        let parts = (names ?? []).map(part)
        return parts.contains(nil) ? nil : Set(parts.compactMap { $0 })
    }

    /// The parts of a request that contain the text of a mask.
    static func parts(searching request: Request) -> Set<MaskedPart> {
        let mask = Array(HeaderField.mask.utf8)
        return Set(request.maskableParts.filter { $0.value.contains { $0.firstRange(of: mask) != nil } }.keys)
    }

    /// The parts of an endpoint that contain the text of a mask.
    static func parts(searching endpoint: Endpoint) -> Set<MaskedPart> {
        Set(endpoint.maskableParts.filter { $0.value.contains { $0.contains(HeaderField.mask) } }.keys)
    }

    private static func name(of part: MaskedPart) -> String {
        switch part {
        case .name: "name"
        case .summary: "summary"
        case .path: "path"
        case .query(let index): "query \(index)"
        case .header(let index): "header \(index)"
        case .auth: "auth"
        case .body: "body"
        case .bodyPart(let index): "part \(index)"
        case .variable(let name): "variable \(name)"
        case .expectation: "expectation"
        case .shape: "shape"
        case .destination: "destination"
        }
    }

    private static func part(named name: String) -> MaskedPart? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else {
            let plain: [MaskedPart] = [.name, .summary, .path, .auth, .body, .expectation, .shape, .destination]
            return plain.first { self.name(of: $0) == name }
        }
        if words[0] == "variable" { return .variable(String(words[1])) }
        guard let index = Int(words[1]) else { return nil }
        return [.query(index), .header(index), .bodyPart(index)].first { self.name(of: $0) == name }
    }
}

/// A duration in a stored file, in seconds, limited to a range that is safe for calculations.
///
/// A number outside the range makes the value unreadable, because converting it to milliseconds would trap.
struct StoredSeconds: Codable, Hashable {
    /// The range of written values: thirty years in seconds exceed every duration.
    static let range = -1e9...1e9

    let value: Double

    /// A value that is not a number is written as 0, because JSON cannot represent it.
    init(_ value: Double) {
        self.value = value.isFinite ? min(max(value, Self.range.lowerBound), Self.range.upperBound) : 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Double.self)
        guard Self.range.contains(value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a duration")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
