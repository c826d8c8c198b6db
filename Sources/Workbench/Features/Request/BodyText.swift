/// A text of a body that is edited as lines.
enum BodyText: Hashable, Sendable {
    /// The text of the body, and the query of a GraphQL request.
    case content
    /// The variables of a GraphQL request, as JSON.
    case variables
    /// The text of the body's file, which is sent without templates.
    case file
}
