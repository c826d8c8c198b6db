/// A part of a stored request, or of the endpoint that it was built from.
package enum MaskedPart: Hashable, Sendable {
    /// The name of the endpoint.
    case name
    /// The description of the endpoint.
    case summary
    /// The path.
    case path
    /// The item of the query with this index.
    case query(Int)
    /// The header field with this index.
    case header(Int)
    /// The credentials.
    case auth
    /// The body, where it has no parts.
    case body
    /// The part of a multipart body, or the row of a form, with this index.
    case bodyPart(Int)
    /// The variable with this name.
    case variable(String)
    /// The expected response.
    case expectation
    /// The JSON shape of the response.
    case shape
    /// The destination of a download.
    case destination

    /// Whether the value is sent.
    package var isSent: Bool {
        switch self {
        case .name, .summary, .expectation, .shape, .destination: false
        case .path, .query, .header, .auth, .body, .bodyPart, .variable: true
        }
    }
}
