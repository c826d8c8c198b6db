public import Model

extension Client {
    /// The server of a service that is in use now, in the environment of this client (S1.7).
    ///
    /// A request takes it along when it is made; a switch later does not touch it.
    ///
    /// - Throws: `invalidOption` for a service that was not declared, or has no server in the environment.
    public func server(of service: String) throws(NetworkError) -> Server {
        try core.server(of: service)
    }

    /// Lets the requests of a service that are made from now on go to the next server of its ring (S1.8).
    ///
    /// A service without servers is left alone.
    public func switchServer(of service: String, in environment: String? = nil) {
        core.switchServer(of: service, in: environment) { $0.advance() }
    }

    /// Lets the requests of a service that are made from now on go to a certain server: `number` modulo how many there are (S1.8).
    ///
    /// What was counted of the servers before is forgotten: this is also what an order from afar does (S1.16).
    ///
    /// - Parameter environment: the client's where nil.
    public func switchServer(of service: String, to number: Int, in environment: String? = nil) {
        core.switchServer(of: service, in: environment) { $0.use(number) }
    }

    /// Which server of a service's ring of `count` servers is in use, for who makes requests without ``server(of:)``.
    ///
    /// The request is to have the generation and the other servers in it, so that it is counted (S1.15).
    public func serverTurn(of service: String, in environment: String?, count: Int) -> ServerTurn {
        core.rings.turn(of: .init(service: service, environment: environment), count: count)
    }

    /// Sends a typed endpoint to the server of a service that is in use.
    public func send<Target: TypedEndpoint>(_ endpoint: Target, through service: String) async throws(NetworkError) -> Target.Output {
        try await send(endpoint, to: try server(of: service))
    }

    /// A request of a service: its server, header fields, credentials and options, below those given here.
    ///
    /// - Parameters:
    ///   - path: joined to the server's URL with exactly one `/`, or an absolute URL (X5).
    ///   - options: those of the service when nil.
    public func request(
        _ path: String, method: HTTPMethod = .get, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions? = nil, through service: String
    ) throws(NetworkError) -> Request {
        try server(of: service).request(method, path, query: query, headers: headers, body: body, options: options)
    }
}

extension ClientCore {
    func server(of name: String) throws(NetworkError) -> Server {
        guard let service = declaration(of: name) else {
            throw NetworkError(
                .invalidOption, "there is no service “\(name)”", hint: "declare it in the services of the client's configuration")
        }
        let servers = configuration.environment.flatMap { service.servers[$0] } ?? []
        guard !servers.isEmpty else {
            let place = configuration.environment.map { "the environment \($0)" } ?? "no environment"
            throw NetworkError(
                .invalidOption, "the service \(name) has no server for \(place)",
                hint: "its servers are in \(service.servers.keys.sorted().joined(separator: ", "))")
        }
        let turn = rings.turn(of: .init(service: name, environment: configuration.environment), count: servers.count)
        var server = Server(servers[turn.index], service: name, headers: service.headers, auth: service.auth, options: service.options)
        server.environment = configuration.environment
        server.generation = turn.generation
        server.others = (1..<max(1, servers.count)).map { servers[(turn.index + $0) % servers.count] }
        return server
    }

    func switchServer(of name: String, in environment: String?, _ change: (inout ServerRing) -> Void) {
        let key = ServerRings.Key(service: name, environment: environment ?? configuration.environment)
        let declared = key.environment.flatMap { declaration(of: key.service)?.servers[$0]?.count } ?? 0
        let count = declared > 0 ? declared : rings.count(of: key) ?? 0
        guard count > 0 else { return }
        let (before, after) = rings.change(key, count: count) { ring in
            let before = ring.index
            change(&ring)
            return (before, ring.index)
        }
        if before != after { monitor.note(.server, "\(name) switches from its server \(before + 1) to its server \(after + 1), as requested") }
    }
}
