/// An HTTP request method: any token, compared with its case (RFC 9110 §9.1).
public struct HTTPMethod: Hashable, Sendable {
    /// The method as it goes on the wire.
    public let rawValue: String

    /// A method from input, or nil when the text is not a token (RFC 9110 §5.6.2).
    public init?(_ text: some StringProtocol) {
        guard Token.isValid(text) else { return nil }
        rawValue = String(text)
    }

    private init(known: String) {
        rawValue = known
    }

    /// GET: reads a representation.
    public static let get = HTTPMethod(known: "GET")
    /// HEAD: as GET, without the body.
    public static let head = HTTPMethod(known: "HEAD")
    /// POST: lets the resource process the body.
    public static let post = HTTPMethod(known: "POST")
    /// PUT: replaces the resource.
    public static let put = HTTPMethod(known: "PUT")
    /// PATCH: changes a part of the resource (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")
    /// DELETE: removes the resource.
    public static let delete = HTTPMethod(known: "DELETE")
    /// OPTIONS: asks what may be done.
    public static let options = HTTPMethod(known: "OPTIONS")

    /// The methods that the workbench offers, in the order of its menu.
    public static let common: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .head, .options]

    /// Whether the method only reads (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || rawValue == "TRACE"
    }

    /// Whether sending it twice does what sending it once does (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The text as a person reads it.
    public var description: String { rawValue }
}

extension HTTPMethod: Codable {
    /// Reads the method's word.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let method = HTTPMethod(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a method")
        }
        self = method
    }

    /// Writes the method's word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
