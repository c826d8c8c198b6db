public import SortieBase
public import SortieHTTP

/// The `answer:` of an endpoint's file: the conditions for a response to count as success.
public struct ResponseExpectation: Hashable, Sendable {
    /// The statuses that count as success; nil for any.
    public var statuses: [ClosedRange<Int>]?
    /// The accepted media types; nil for any.
    public var contentTypes: [String]?
    /// The description of the body's structure, as JSON text.
    public var shape: String?
    /// Messages for the user by the server's result codes (S0.16).
    public var messages: [String: String]

    /// Creates conditions; by default there are none.
    public init(statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, shape: String? = nil, messages: [String: String] = [:]) {
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages
    }

    /// The conditions in the form that a request contains.
    ///
    /// - Throws: A ``TemplateError`` with the error in the shape.
    public func rules() throws(TemplateError) -> ResponseRules {
        ResponseRules(statuses: statuses, contentTypes: contentTypes, shape: try shape.map(ResponseExpectation.shape), messages: messages)
    }

    /// Parses the description of a shape.
    ///
    /// - Throws: A ``TemplateError`` with the error in the text.
    public static func shape(_ text: String) throws(TemplateError) -> JSONShape {
        do { return try JSONShape(JSONValue(parsing: text)) } catch { throw TemplateError("shape: \(error)") }
    }
}
