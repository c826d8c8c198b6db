/// Where a request sends its parameters.
public enum ParameterPlacement: String, Hashable, Sendable, CaseIterable {
    /// In the query of the URL.
    case query
    /// By method: in the query for GET, HEAD and DELETE, and otherwise in a form.
    case byMethod
    /// By method: in the query for GET, HEAD and DELETE, and otherwise as a JSON object in the body.
    case json

    /// Whether the parameters of a request are in its query.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - hasBody: Whether the request has a body already, which leaves no other place.
    public func isQuery(for method: HTTPMethod, hasBody: Bool) -> Bool {
        self == .query || hasBody || LegacyParameterOrder.isInQuery(method)
    }
}
