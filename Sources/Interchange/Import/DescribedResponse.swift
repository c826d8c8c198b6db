package import SortieHTTP

/// A response that a source describes for an endpoint, from which `sortie mock` responds.
package struct DescribedResponse: Hashable, Sendable {
    /// The statuses that it describes; nil for all that no other response has.
    package var statuses: ClosedRange<Int>?
    /// The name of the example; nil where the source names none.
    package var example: String?
    /// The header fields with their examples, without the content type.
    package var headers: [HeaderField]
    /// The content type; nil for a response without a body.
    package var contentType: String?
    /// The body.
    package var body: String

    /// Creates a response.
    package init(
        statuses: ClosedRange<Int>?, example: String? = nil, headers: [HeaderField] = [], contentType: String? = nil, body: String = ""
    ) {
        (self.statuses, self.example, self.headers, self.contentType, self.body) = (statuses, example, headers, contentType, body)
    }
}
