/// What a definition of a GraphQL document uses: variables with the types of their places, and fragments.
struct GraphQLUse: Hashable {
    /// A variable in the place of a value.
    struct Variable: Hashable {
        var name: GraphQLToken
        /// The type of the place; nil where it is not known.
        var type: GraphQLSchema.TypeReference?
        /// Whether the place has a default, so that the variable may be null.
        var hasDefault: Bool
    }

    var variables: [Variable] = []
    /// The names of the fragments.
    var fragments: [GraphQLToken] = []
}
