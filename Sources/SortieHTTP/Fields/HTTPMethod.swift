/// An HTTP request method: any token, case-sensitive (RFC 9110 §9.1).
public struct HTTPMethod: Hashable, Sendable {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from input; nil when the text is not a token (RFC 9110 §5.6.2).
    public init?(_ text: some StringProtocol) {
        guard Token.isValid(text) else { return nil }
        rawValue = String(text)
    }

    private init(known: String) {
        rawValue = known
    }

    /// GET: retrieves a representation.
    public static let get = HTTPMethod(known: "GET")
    /// HEAD: like GET, without the body.
    public static let head = HTTPMethod(known: "HEAD")
    /// POST: submits the body for processing.
    public static let post = HTTPMethod(known: "POST")
    /// PUT: replaces the resource.
    public static let put = HTTPMethod(known: "PUT")
    /// PATCH: changes a part of the resource (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")
    /// DELETE: removes the resource.
    public static let delete = HTTPMethod(known: "DELETE")
    /// OPTIONS: requests the communication options.
    public static let options = HTTPMethod(known: "OPTIONS")

    /// The methods that the workbench offers, in the order of its menu.
    package static let common: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .head, .options]

    /// Whether the method is safe (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || rawValue == "TRACE"
    }

    /// Whether the method is idempotent (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as it is sent.
    public var description: String { rawValue }
}
