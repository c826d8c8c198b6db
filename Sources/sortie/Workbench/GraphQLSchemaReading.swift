internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieWorkbench
internal import WorkspaceModel

/// Reads the schemas of GraphQL servers by introspection.
struct GraphQLSchemaReading: Sendable {
    /// The largest schema in bytes.
    private static let limit = 64 << 20

    let requests: EndpointRequests
    let client: Client

    /// Sends the introspection query as the endpoint is sent, with its server, header fields and credentials.
    func schema(of endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation) async -> GraphQLSchemaOutcome {
        var query = endpoint
        query.body = .graphQL(GraphQLTemplate(query: GraphQLSchema.introspectionQuery, operation: GraphQLSchema.introspectionOperation))
        query.method = .post
        query.expectation = nil
        query.captures = []
        query.cache = nil
        var request: Request
        do throws(Diagnostic) { request = try await requests.request(for: query, environment, cancellation) } catch { return .failed(error.message) }
        // It is not the last response of the endpoint.
        request.target = nil
        request.origin = nil
        request.options.maximumBodyBytes = Int64(Self.limit)
        let exchange = await client.exchange(request)
        guard let response = exchange.response, exchange.error == nil || !response.body.isEmpty else {
            return .failed(exchange.error?.message ?? "there is no response")
        }
        let text = response.body.string(in: 0..<response.body.count)
        do throws(BodyProblem) {
            let value = try JSONValue(parsing: text)
            if let schema = GraphQLSchema(introspection: value) { return .done(schema) }
            let reason = value["errors"]?[0]?["message"].flatMap { if case .string(let text) = $0 { text } else { nil } }
            return .failed(reason ?? "the server responded with \(response.status) and does not describe its types")
        } catch {
            return .failed("the response with the status \(response.status) is no JSON")
        }
    }
}
