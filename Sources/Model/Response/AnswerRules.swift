/// What an answer must be for its call to succeed, beside the service's envelope (S0.14–S0.16, S2.29, S2.60).
public struct AnswerRules: Hashable, Sendable {
    /// The statuses that count as success; nil leaves that to the service.
    public var statuses: [ClosedRange<Int>]?
    /// The media types that are taken, without their parameters; nil takes any (S2.60).
    public var contentTypes: [String]?
    /// What the JSON of the body must look like.
    public var shape: JSONShape?
    /// Messages for the person by the server's codes; they win over those of the service and the server (S0.16).
    public var messages: [String: String]

    /// The types that the light path of the third source document takes (S2.60).
    public static let jsonTypes = ["application/json", "text/json", "text/javascript"]

    /// Rules; without any, every answer will do.
    public init(
        statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, shape: JSONShape? = nil, messages: [String: String] = [:]
    ) {
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages
    }

    /// Whether a status is taken; nil where the rules do not say.
    public func accepts(status: Int) -> Bool? {
        statuses.map { $0.contains { $0.contains(status) } }
    }

    /// Why a `Content-Type` is refused; nil when it is taken.
    public func problem(ofContentType contentType: String?) -> String? {
        guard let contentTypes else { return nil }
        let essence = contentType.flatMap(MediaType.init)?.essence
        guard essence.map(contentTypes.contains) != true else { return nil }
        return "the body is \(essence ?? "of no type"), not \(contentTypes.joined(separator: " or "))"
    }
}
