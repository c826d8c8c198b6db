package import SortieHTTP

extension Request {
    /// Whether the endpoint of the request has a GraphQL body.
    package var isGraphQL: Bool { origin?.endpoint.body.isGraphQL == true }
}
