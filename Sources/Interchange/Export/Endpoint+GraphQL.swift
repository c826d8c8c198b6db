internal import SortieHTTP
internal import WorkspaceModel

extension Endpoint {
    /// The endpoint with the members of a GraphQL request by GET as rows of the query, as they are sent (GraphQL over HTTP §5.2).
    var withGraphQLInQuery: Endpoint {
        guard method == .get, case .graphQL(let request) = body else { return self }
        var result = self
        result.body = .none
        result.query.append(Parameter("query", request.query))
        if let operation = request.operation, !operation.isEmpty { result.query.append(Parameter("operationName", operation)) }
        if request.hasVariables { result.query.append(Parameter("variables", request.variables)) }
        return result
    }
}
