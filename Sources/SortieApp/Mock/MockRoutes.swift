internal import Interchange
internal import SortieBase
internal import WorkspaceModel

/// The routes of all endpoints of a workspace.
struct MockRoutes: Sendable {
    /// What the routes have for a request.
    enum Match {
        case route(MockRoute)
        /// The path exists with these methods only.
        case methods([String])
        /// There is no such path; the paths of near endpoints.
        case none(near: [String])
    }

    let routes: [MockRoute]

    /// Creates the routes of a workspace for one environment.
    init(_ workspace: Workspace, environment: String?, variables: [String: String]) {
        var values = workspace.variables
        if let environment = workspace.environments.first(where: { $0.name == environment }) {
            values.merge(environment.variables) { $1 }
        }
        routes = workspace.services.flatMap { service in
            let server = (environment.flatMap { service.servers[$0] } ?? service.servers.sorted { $0.key < $1.key }.first?.value)?.first
            return service.endpoints.map { endpoint in
                MockRoute(
                    endpoint, server: server, variables: values.merging(endpoint.variables) { $1 }.merging(variables) { $1 })
            }
        }
    }

    /// Creates the routes of an imported source, with the responses that it describes.
    ///
    /// - Parameter environment: The name of the environment whose servers are used; nil uses those of the first one.
    init(_ imported: ImportedWorkspace, environment: String?) {
        var values = imported.variables
        let name = environment ?? imported.initialEnvironment ?? imported.environments.first?.name
        if let selected = imported.environments.first(where: { $0.name == name }) { values.merge(selected.variables) { $1 } }
        routes = imported.services.flatMap { service in
            let servers = service.service.servers
            let urls = name.flatMap { servers[$0] } ?? servers[ImportedService.everywhere] ?? servers.sorted { $0.key < $1.key }.first?.value
            return service.items.endpoints.map { item in
                var endpoint = item.endpoint
                endpoint.target = item.id
                return MockRoute(
                    endpoint, server: urls?.first, variables: values.merging(endpoint.variables) { $1 }, responses: item.responses)
            }
        }
    }

    /// The route of a request; literal segments take precedence over variables, from the left, and the first endpoint over later ones.
    ///
    /// HEAD has the routes of GET.
    func match(_ method: String, _ path: String) -> Match {
        let segments = MockRoute.segments(of: path)
        let matching = routes.filter { $0.matches(segments) }
        let usable = matching.filter { $0.method == method }
        let candidates = usable.isEmpty && method == "HEAD" ? matching.filter { $0.method == "GET" } : usable
        // `min` returns the first of equal ones.
        if let best = candidates.min(by: { $0.segments.map(\.rank).lexicographicallyPrecedes($1.segments.map(\.rank)) }) { return .route(best) }
        guard matching.isEmpty else { return .methods(Self.allowed(matching.map(\.method))) }
        let paths = Dictionary(grouping: routes, by: \.path).keys.sorted()
        let nearest = Suggestion.nearest(to: "/" + segments.joined(separator: "/"), in: paths)
        // A front end often omits the path of the server's URL.
        let ending = routes.filter { route in
            !segments.isEmpty && route.segments.count > segments.count
                && zip(route.segments.suffix(segments.count), segments).allSatisfy { $0.matches($1) }
        }
        let siblings = paths.filter { MockRoute.segments(of: $0).first == segments.first }
        var near: [String] = []
        for path in [nearest].compactMap(\.self) + ending.map(\.path) + siblings where !near.contains(path) { near.append(path) }
        return .none(near: Array(near.prefix(5)))
    }

    private static func allowed(_ methods: [String]) -> [String] {
        Set(methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted()
    }
}
