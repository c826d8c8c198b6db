internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// Reads the schemas of GraphQL servers by introspection, and stores them.
struct GraphQLSchemaReading: Sendable {
    /// The largest schema in bytes.
    private static let limit = 64 << 20

    let requests: EndpointRequests
    let client: Client
    let store: GraphQLSchemaStore
    /// Creates an observer of the request for the schema of an endpoint.
    let observer: @Sendable (_ target: String) -> @Sendable (CallEvent) -> Void
    /// Receives the reason why a schema cannot be stored or loaded.
    let log: @Sendable (String) -> Void

    /// The schema that was stored when it was read before.
    func storedSchema(of endpoint: Endpoint, _ environment: String?) -> GraphQLSchemaOutcome {
        do throws(WorkspaceError) {
            guard let text = try store.response(of: server(of: endpoint, environment)) else { return .failed("there is no stored schema") }
            let outcome = Self.outcome(of: text, orElse: "the stored schema of \(endpoint.target) does not describe the types of a server")
            if case .failed(let reason) = outcome { log("\(reason); it is read from the server again") }
            return outcome
        } catch {
            log("\(error)")
            return .failed("\(error)")
        }
    }

    private func server(of endpoint: Endpoint, _ environment: String?) -> GraphQLSchemaStore.Server {
        GraphQLSchemaStore.Server(endpoint, in: requests.workspace, environment)
    }

    /// Sends the introspection query as the endpoint is sent, with its server, header fields and credentials.
    func schema(of endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation) async -> GraphQLSchemaOutcome {
        var query = endpoint
        query.body = .graphQL(GraphQLTemplate(query: GraphQLSchema.introspectionQuery, operation: GraphQLSchema.introspectionOperation))
        query.method = .post
        query.expectation = nil
        query.captures = []
        query.cache = nil
        let prepared: PreparedRequest
        do throws(Diagnostic) {
            prepared = try await requests.request(for: query, environment, cancellation) { request in
                // It is not the last response of the endpoint.
                request.target = nil
                request.origin = nil
                request.options.maximumBodyBytes = Int64(Self.limit)
            }
        } catch { return .failed(error.workbenchSentence) }
        let exchange = await client.exchange(prepared.request, onEvent: observer(endpoint.target))
        guard let response = exchange.response, exchange.error == nil || !response.body.isEmpty else {
            return .failed(exchange.error?.workbenchSentence ?? "there is no response")
        }
        let text = response.body.string(in: 0..<response.body.count)
        let outcome = Self.outcome(of: text, orElse: "the server responded with \(response.status) and does not describe its types")
        if case .done = outcome {
            do throws(WorkspaceError) { try store.keep(text, of: server(of: endpoint, environment)) } catch { log("\(error)") }
        }
        return outcome
    }

    /// The schema that a response describes; otherwise the reason in the response, or the given one.
    private static func outcome(of text: String, orElse reason: String) -> GraphQLSchemaOutcome {
        let value: JSONValue
        do throws(BodyProblem) { value = try JSONValue(parsing: text) } catch { return .failed("\(reason): it is no JSON") }
        if let schema = GraphQLSchema(introspection: value) { return .done(schema) }
        guard case .string(let message) = value["errors"]?[0]?["message"] else { return .failed(reason) }
        return .failed(message)
    }
}

extension GraphQLSchemaJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> GraphQLSchemaOutcome? {
        await runner.schemas.schema(of: endpoint, environment, cancellation)
    }
}

extension StoredGraphQLSchemaJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> GraphQLSchemaOutcome? {
        runner.schemas.storedSchema(of: endpoint, environment)
    }
}
