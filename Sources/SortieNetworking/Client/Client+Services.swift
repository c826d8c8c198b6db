public import SortieHTTP

extension Client {
    /// The current server of a service, in the environment of this client.
    ///
    /// A later switch does not affect requests that were created with it.
    ///
    /// - Throws: `invalidOption` for a service that is not declared, or has no server in the environment.
    public func server(of service: String) throws(NetworkError) -> Server {
        try core.server(of: service)
    }

    /// Switches requests of a service that are created from now on to the next server of its ring.
    ///
    /// Has no effect on a service without servers.
    public func switchServer(of service: String, in environment: String? = nil) {
        core.switchServer(of: service, in: environment) { $0.advance() }
    }

    /// Switches requests of a service that are created from now on to a server: `number` modulo the number of servers.
    ///
    /// Resets the counted results; a server switch requested by the server does the same.
    ///
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - number: The position in the service's list of servers.
    ///   - environment: The environment; nil for that of the client.
    public func switchServer(of service: String, to number: Int, in environment: String? = nil) {
        core.switchServer(of: service, in: environment) { $0.use(number) }
    }

    /// Switches requests of a service whose ring has `count` servers, also before its first request.
    package func switchServer(of service: String, to number: Int, in environment: String?, count: Int) {
        _ = serverTurn(of: service, in: environment, count: count)
        switchServer(of: service, to: number, in: environment)
    }

    /// The current server in a service's ring of `count` servers, for requests that are created without ``server(of:)``.
    ///
    /// The request must contain the generation and the other servers, so that its result is counted.
    package func serverTurn(of service: String, in environment: String?, count: Int) -> ServerTurn {
        core.rings.turn(of: .init(service: service, environment: environment), count: count)
    }

    /// Creates a request with the server, header fields, credentials and options of a service; the arguments take precedence.
    ///
    /// - Parameters:
    ///   - path: Joined to the server's URL with exactly one `/`, or an absolute URL.
    ///   - method: The method.
    ///   - query: Query parameters, in order.
    ///   - headers: Header fields.
    ///   - body: The body.
    ///   - options: The options, above those of the service.
    ///   - service: The name of the service.
    /// - Throws: The errors of ``server(of:)``, and `invalidURL` for a path that makes no URL.
    public func request(
        _ path: String, method: HTTPMethod = .get, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), through service: String
    ) throws(NetworkError) -> Request {
        try server(of: service).request(method, path, query: query, headers: headers, body: body, options: options)
    }
}

extension ClientCore {
    func server(of name: String) throws(NetworkError) -> Server {
        guard let service = declaration(of: name)?.configuration else {
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
        var server = Server(servers[turn.index], service: name, headers: service.headers, options: service.options)
        server.environment = configuration.environment
        server.generation = turn.generation
        server.others = (1..<max(1, servers.count)).map { servers[(turn.index + $0) % servers.count] }
        return server
    }

    func switchServer(of name: String, in environment: String?, _ change: (inout ServerRing) -> Void) {
        let key = ServerRings.RingKey(service: name, environment: environment ?? configuration.environment)
        let declared = key.environment.flatMap { declaration(of: key.service)?.configuration.servers[$0]?.count } ?? 0
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
