internal import SortieHTTP

/// A method in the history; a text that is none makes the value unreadable.
struct StoredMethod: Codable {
    let method: HTTPMethod

    init(_ method: HTTPMethod) {
        self.method = method
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let method = HTTPMethod(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a method")
        }
        self.method = method
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(method.rawValue)
    }
}
