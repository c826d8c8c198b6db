internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

extension Command {
    static let readSchema = Command.named("readGraphQLSchema")
}

/// Reading the schema of a server.
package struct GraphQLSchemaJob: WorkJob {
    static let isReplaced = true
    package static let mayRunHooks = true

    let target: EndpointID
    let server: GraphQLServer
    /// Whether the user asked for it.
    let isAsked: Bool
    /// Whether the types are shown then.
    var showsTypes = false
    package let endpoint: Endpoint
    package let environment: String?

    var sent: [SentByEffect] { [.endpoint(endpoint, environment: environment)] }

    func refused(_ problem: Diagnostic) -> GraphQLSchemaOutcome? { .failed(problem.workbenchSentence) }

    func finish(_ outcome: GraphQLSchemaOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let schema):
            state.states[GraphQLState.self].schemas[server] = schema
            if showsTypes, state.mayOpen("The types of the server") {
                GraphQLTypes.show(schema, &state)
            } else if isAsked {
                let fields = schema.roots["query"].flatMap { schema.types[$0] }?.fields.count ?? 0
                state.notify("The schema has \(ItemCount.text(schema.types.count, "type")) and \(ItemCount.text(fields, "query field"))")
            }
        case .failed(let reason):
            if isAsked { state.notify("The schema cannot be read: \(reason)", .error, source: target) }
        }
        return []
    }
}

/// Loading the schema that an earlier session read.
package struct StoredGraphQLSchemaJob: WorkJob {
    let server: GraphQLServer
    package let endpoint: Endpoint
    package let environment: String?

    func finish(_ outcome: GraphQLSchemaOutcome, _ state: inout AppState) -> [Effect] {
        // The server may have responded before.
        if case .done(let schema) = outcome, state.states[GraphQLState.self].schemas[server] == nil {
            state.states[GraphQLState.self].schemas[server] = schema
        }
        return []
    }
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
            ).alsoKnownAs("Introspection"),
            Binding(
                .request, [], .browseTypes, "GraphQL types", "Browse the types and fields of the GraphQL server",
                unless: { $0.openEndpoint?.body.isGraphQL == true ? nil : "The body of the open endpoint is no GraphQL" }
            ).alsoKnownAs("Schema browser", "Fields", "Types"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .readSchema: return Self.read(isAsked: true, &state)
        case .browseTypes:
            guard let schema = state.openEndpoint.flatMap({ state.graphQLSchema(of: $0) }) else {
                return Self.read(isAsked: true, showsTypes: true, &state)
            }
            state.stopEditing()
            GraphQLTypes.show(schema, &state)
            return []
        default: return nil
        }
    }

    /// Reads the schema of the open endpoint's server.
    static func read(isAsked: Bool, showsTypes: Bool = false, _ state: inout AppState) -> [Effect] {
        guard let target = state.openTarget, let endpoint = state.openEndpoint, endpoint.body.isGraphQL else { return [] }
        let server = GraphQLServer(endpoint, state.environment)
        state.states[GraphQLState.self].tried.insert(server)
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            let job = GraphQLSchemaJob(
                target: target, server: server, isAsked: isAsked, showsTypes: showsTypes, endpoint: endpoint, environment: state.environment)
            return state.start(job, showing: isAsked ? "Reading the schema of the server…" : nil)
        }
    }

    /// Obtains the schema when a query is typed: the stored one, and that of a server that has responded to a GraphQL request in this session.
    ///
    /// The server may have changed since the schema was stored, so that it is asked once, also where there is a stored one.
    static func readWhileTyping(_ state: inout AppState) -> [Effect] {
        guard let endpoint = state.openEndpoint, endpoint.body.isGraphQL else { return [] }
        return loadStored(endpoint, &state) + readFromServer(endpoint, &state)
    }

    private static func loadStored(_ endpoint: Endpoint, _ state: inout AppState) -> [Effect] {
        let server = GraphQLServer(endpoint, state.environment)
        guard state.graphQLSchema(of: endpoint) == nil, state.states[GraphQLState.self].loaded.insert(server).inserted else { return [] }
        return state.start(StoredGraphQLSchemaJob(server: server, endpoint: endpoint, environment: state.environment))
    }

    private static func readFromServer(_ endpoint: Endpoint, _ state: inout AppState) -> [Effect] {
        guard !state.states[GraphQLState.self].tried.contains(GraphQLServer(endpoint, state.environment)),
            let exchange = state.calls[endpoint.id]?.exchange, exchange.error == nil, let call = state.calls[endpoint.id],
            state.lastResponse(call) == nil,
            // Another server would get a request that the user did not send.
            exchange.expectationResult?.checks.contains(where: { $0.key == .graphql && $0.subject.contains("errors") }) == true
        else { return [] }
        return read(isAsked: false, &state)
    }
}

/// The result of reading the schema of a GraphQL server.
package enum GraphQLSchemaOutcome: Sendable {
    /// The types of the server.
    case done(GraphQLSchema)
    /// The schema cannot be read. The text is the reason.
    case failed(String)
}
