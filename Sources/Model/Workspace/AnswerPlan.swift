/// The `answer:` of an endpoint's file: what an answer must be for a call to succeed.
public struct AnswerPlan: Hashable, Codable, Sendable {
    /// The statuses that count as success; nil for any.
    public var statuses: [ClosedRange<Int>]?
    /// The media types that are taken; nil for any.
    public var contentTypes: [String]?
    /// The JSON text that describes the body's shape.
    public var shape: String?
    /// Messages for the person by the server's codes (S0.16).
    public var messages: [String: String]

    /// No rules.
    public init(statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, shape: String? = nil, messages: [String: String] = [:]) {
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages
    }

    /// The rules that a request carries.
    ///
    /// - Throws: a ``TemplateError`` with what is wrong in the shape.
    public func rules() throws(TemplateError) -> AnswerRules {
        AnswerRules(statuses: statuses, contentTypes: contentTypes, shape: try shape.map(AnswerPlan.shape), messages: messages)
    }

    /// Reads the description of a shape.
    ///
    /// - Throws: a ``TemplateError`` with what is wrong in it.
    public static func shape(_ text: String) throws(TemplateError) -> JSONShape {
        do { return try JSONShape(JSONValue(parsing: text)) } catch { throw TemplateError("shape: \(error)") }
    }
}
