internal import SortieBase

/// The conditions for a response to count as success, besides the service's envelope (S0.14–S0.16, S2.29, S2.60).
public struct ResponseRules: Hashable, Sendable {
    /// The statuses that count as success; nil leaves the decision to the service.
    public var statuses: [ClosedRange<Int>]?
    /// The accepted media types, without parameters; nil accepts any (S2.60).
    public var contentTypes: [String]?
    /// The format that the body must have, whatever its type is (S0.3); nil for any.
    public var format: ResponseFormat?
    /// The required structure of the JSON body; nil for none.
    public var shape: JSONShape?
    /// Messages for the user by the server's result codes; they take precedence over those of the service and the server (S0.16).
    public var messages: [String: String]

    /// The media types that the light path of the third source document accepts (S2.60).
    public static let jsonTypes = ["application/json", "text/json", "text/javascript"]

    /// Creates rules; by default they accept every response.
    public init(
        statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, format: ResponseFormat? = nil, shape: JSONShape? = nil,
        messages: [String: String] = [:]
    ) {
        self.format = format
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages
    }

    /// Whether a status is accepted; nil where the rules leave the decision to the service.
    public func accepts(status: Int) -> Bool? {
        statuses.map { $0.contains { $0.contains(status) } }
    }

    /// Why a `Content-Type` is rejected; nil when it is accepted.
    public func problem(ofContentType contentType: String?) -> String? {
        guard let contentTypes else { return nil }
        let essence = contentType.flatMap(MediaType.init)?.essence
        guard essence.map(contentTypes.contains) != true else { return nil }
        return "the body is \(essence ?? "of no type"), not \(contentTypes.joined(separator: " or "))"
    }
}
