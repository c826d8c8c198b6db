package import SortieBase
package import SortieHTTP

/// The `answer:` of an endpoint's file: the conditions for a response to count as success.
package struct ResponseExpectation: Hashable, Sendable {
    /// The statuses that count as success; nil for any.
    package var statuses: [ClosedRange<Int>]?
    /// The accepted media types; nil for any.
    package var contentTypes: [String]?
    /// The format that the body must have; nil for any.
    package var format: ResponseFormat?
    /// The description of the body's structure, as JSON text.
    package var shape: String?
    /// Messages for the user by the server's result codes.
    package var messages: [String: String]

    /// Creates conditions; by default there are none.
    package init(statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, shape: String? = nil, messages: [String: String] = [:]) {
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages
    }

    /// The conditions in the form that a request contains.
    ///
    /// - Throws: A ``TemplateError`` with the error in the shape.
    package func rules() throws(TemplateError) -> ResponseRules {
        ResponseRules(
            statuses: statuses, contentTypes: contentTypes, format: format, schema: try shape.map(ResponseExpectation.shape), messages: messages)
    }

    /// Parses the description of a shape.
    ///
    /// - Throws: A ``TemplateError`` with the error in the text.
    package static func shape(_ text: String) throws(TemplateError) -> JSONSchema {
        do { return try JSONSchema(shape: JSONValue(parsing: text)) } catch { throw TemplateError("shape: \(error)") }
    }
}
