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

extension ExportSource.Item {
    /// The endpoint with its parameters in the places where they are sent: those that plugins add in the query, and in a form where the method decides.
    func endpointAsSent(in workspace: Workspace) -> Endpoint {
        var result = endpoint.withGraphQLInQuery
        let hasForm = workspace.parameterStyle(of: endpoint).placement == .byMethod && ![.get, .head, .delete].contains(endpoint.method)
        if hasForm, case .none = result.body, !result.query.isEmpty { (result.body, result.query) = (.form(result.query), []) }
        if let service = workspace.service(endpoint.serviceName), !request.options.bypassesPlugins {
            let own = Set((URLText(of: result).rows + result.query).map(\.name))
            result.query = workspace.publicParameters(of: service).filter { !own.contains($0.name) } + result.query
        }
        return result
    }
}
