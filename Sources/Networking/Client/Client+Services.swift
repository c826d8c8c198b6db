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
    public func switchServer(of service: String) {
        core.switchServer(of: service) { $0.advance() }
    }

    /// Lets the requests of a service that are made from now on go to a certain server: `number` modulo how many there are (S1.8).
    public func switchServer(of service: String, to number: Int) {
        core.switchServer(of: service) { $0.use(number) }
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
        let ring = ring(of: name, count: servers.count)
        var server = Server(servers[ring.index], service: name, headers: service.headers, auth: service.auth, options: service.options)
        server.environment = configuration.environment
        server.generation = ring.generation
        return server
    }

    func switchServer(of name: String, _ change: (inout ServerRing) -> Void) {
        guard let servers = configuration.environment.flatMap({ declaration(of: name)?.servers[$0] }), !servers.isEmpty else { return }
        changeRing(of: name, count: servers.count, change)
    }
}
