internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let readSchema = Command.named("readGraphQLSchema")
}

/// Reading the schema of a server.
struct GraphQLSchemaJob: Job {
    static let isReplaced = true

    var target: EndpointID
    var server: GraphQLServer
    /// Whether the user asked for it.
    var isAsked: Bool
}

/// Loading the schema that an earlier session read.
struct StoredGraphQLSchemaJob: Job {
    var server: GraphQLServer
}

/// What determines the schema: the URL of an endpoint and its environment.
struct GraphQLServer: Hashable, Sendable {
    var environment: String?
    var service: String
    var path: String
}

/// The schemas of GraphQL servers that were read in this session, or stored by an earlier one.
struct GraphQLState: FeatureState {
    var schemas: [GraphQLServer: GraphQLSchema] = [:]
    /// The servers whose stored schema was requested.
    var loaded: Set<GraphQLServer> = []
    /// The servers whose schema was requested without a key; they are not asked again.
    var tried: Set<GraphQLServer> = []
}

extension AppState {
    /// The schema of an endpoint's server; nil while it is not known, and for other endpoints.
    func graphQLSchema(of endpoint: Endpoint) -> GraphQLSchema? {
        guard endpoint.body.isGraphQL else { return nil }
        return states[GraphQLState.self].schemas[GraphQLServer(endpoint, environment)]
    }
}

extension GraphQLServer {
    init(_ endpoint: Endpoint, _ environment: String?) {
        self.init(environment: environment, service: endpoint.serviceName, path: endpoint.path)
    }
}

/// The schema of a GraphQL server, which completes and checks queries while they are typed.
struct GraphQLFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .request, [], .readSchema, "GraphQL schema", "Read the schema of the GraphQL server, which completes and checks queries",
                unless: { $0.openEndpoint?.body.isGraphQL == true ? nil : "The body of the open endpoint is no GraphQL" }
            ).alsoKnownAs("Introspection", "Types")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .readSchema else { return nil }
        return Self.read(isAsked: true, &state)
    }

    /// Reads the schema of the open endpoint's server.
    static func read(isAsked: Bool, _ state: inout AppState) -> [Effect] {
        guard let target = state.openTarget, let endpoint = state.openEndpoint, endpoint.body.isGraphQL else { return [] }
        let server = GraphQLServer(endpoint, state.environment)
        state.states[GraphQLState.self].tried.insert(server)
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            let id = state.nextJob(GraphQLSchemaJob(target: target, server: server, isAsked: isAsked))
            if isAsked { state.toast = Toast("Reading the schema of the server…", job: id) }
            return [.graphQLSchema(id, endpoint, environment: state.environment)]
        }
    }

    /// Obtains the schema when a query is typed: the stored one, and that of a server that has responded in this session.
    ///
    /// The server may have changed since the schema was stored, so that it is asked once, also where there is a stored one.
    static func readWhileTyping(_ state: inout AppState) -> [Effect] {
        guard let endpoint = state.openEndpoint, endpoint.body.isGraphQL else { return [] }
        return loadStored(endpoint, &state) + readFromServer(endpoint, &state)
    }

    private static func loadStored(_ endpoint: Endpoint, _ state: inout AppState) -> [Effect] {
        let server = GraphQLServer(endpoint, state.environment)
        guard state.graphQLSchema(of: endpoint) == nil, state.states[GraphQLState.self].loaded.insert(server).inserted else { return [] }
        return [.storedGraphQLSchema(state.nextJob(StoredGraphQLSchemaJob(server: server)), endpoint, environment: state.environment)]
    }

    private static func readFromServer(_ endpoint: Endpoint, _ state: inout AppState) -> [Effect] {
        guard !state.states[GraphQLState.self].tried.contains(GraphQLServer(endpoint, state.environment)),
            let exchange = state.calls[endpoint.id]?.exchange, exchange.error == nil, let call = state.calls[endpoint.id],
            state.lastResponse(call) == nil
        else { return [] }
        return read(isAsked: false, &state)
    }

    static func arrived(_ id: JobID, _ outcome: GraphQLSchemaOutcome, _ state: inout AppState) {
        if let job = state.finishJob(id, StoredGraphQLSchemaJob.self) {
            // The server may have responded before.
            if case .done(let schema) = outcome, state.states[GraphQLState.self].schemas[job.server] == nil {
                state.states[GraphQLState.self].schemas[job.server] = schema
            }
            return
        }
        guard let job = state.finishJob(id, GraphQLSchemaJob.self) else { return }
        switch outcome {
        case .done(let schema):
            state.states[GraphQLState.self].schemas[job.server] = schema
            if job.isAsked {
                let fields = schema.roots["query"].flatMap { schema.types[$0] }?.fields.count ?? 0
                state.notify("The schema has \(NumberText.count(schema.types.count, "type")) and \(NumberText.count(fields, "query field"))")
            }
        case .failed(let reason):
            if job.isAsked { state.notify("The schema cannot be read: \(reason)", .error, source: job.target) }
        }
    }
}
