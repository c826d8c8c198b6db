/// A mistake in a GraphQL document or in the values of its variables.
package struct GraphQLProblem: Hashable, Sendable {
    /// The offset of the mistake in characters.
    package var offset: Int
    /// The mistake and its remedy.
    package var message: String
}
