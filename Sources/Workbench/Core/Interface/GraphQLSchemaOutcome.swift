package import WorkspaceModel

/// The result of reading the schema of a GraphQL server.
package enum GraphQLSchemaOutcome: Sendable {
    /// The types of the server.
    case done(GraphQLSchema)
    /// The schema cannot be read. The text is the reason.
    case failed(String)
}
