public import SortieBase
public import SortieNetworking

/// A request that a ``StubTransport`` received.
public struct RecordedRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The URL.
    public let url: HTTPURL
    /// All header fields in the order in which they are sent.
    public let headers: Headers
    /// The body.
    public let body: [UInt8]
    /// Whether a route matched.
    public let isMatched: Bool

    /// The value of a header field; nil where there is none.
    ///
    /// - Parameter name: The name of the field.
    public subscript(name: String) -> String? { headers[name] }

    /// The path of the URL.
    public var path: String { url.path }

    /// The query of the URL, without `?`; nil for none.
    public var query: String? { url.query }

    /// The body as text in UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    ///
    /// - Throws: A `BodyProblem` with the position of the error.
    public func json() throws(BodyProblem) -> JSONValue { try JSONValue(parsing: body) }

    /// The method and the URL, such as `GET https://shop.example/orders`.
    public var summary: String { "\(method) \(url)" }
}
