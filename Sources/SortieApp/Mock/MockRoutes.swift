internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
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
        let values = Self.variables(of: workspace, environment: environment)
        routes = workspace.services.flatMap { service in
            let server = Self.server(of: service, environment: environment)
            return service.endpoints.map { endpoint in
                MockRoute(
                    endpoint, server: server, variables: values.merging(endpoint.variables) { $1 }.merging(variables) { $1 })
            }
        }
    }

    /// Creates the routes of an imported source.
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
                    endpoint, server: urls?.first, variables: values.merging(endpoint.variables) { $1 })
            }
        }
    }

    /// Creates the routes of the description of a service, below the path of its server.
    init(_ imported: ImportedWorkspace, of service: Service, in workspace: Workspace, environment: String?) {
        let values = Self.variables(of: workspace, environment: environment)
        let server = Self.server(of: service, environment: environment)
        routes = imported.services.flatMap(\.items.endpoints).map { item in
            var endpoint = item.endpoint
            endpoint.target = "\(service.folder)/\(item.id)"
            var route = MockRoute(endpoint, server: server, variables: values.merging(endpoint.variables) { $1 })
            route.isOnlyDescribed = true
            return route
        }
    }

    private init(_ routes: [MockRoute]) { self.routes = routes }

    private static func variables(of workspace: Workspace, environment: String?) -> [String: String] {
        let selected = workspace.environments.first { $0.name == environment }
        return workspace.variables.merging(selected?.variables ?? [:]) { $1 }
    }

    private static func server(of service: Service, environment: String?) -> String? {
        (environment.flatMap { service.servers[$0] } ?? service.servers.sorted { $0.key < $1.key }.first?.value)?.first
    }

    /// The routes with what the descriptions of services have: the examples of operations with an endpoint, and the other operations.
    ///
    /// - Parameter described: The routes of the descriptions, by the folder of the service.
    func adding(_ described: [String: [MockRoute]]) -> MockRoutes {
        func key(_ route: MockRoute) -> String { "\(route.method) \(route.path.text)" }
        var (result, rest) = (routes, described)
        for index in result.indices {
            guard let all = rest[result[index].endpoint.serviceName] else { continue }
            for route in all where key(route) == key(result[index]) { result[index].describedExamples = route.endpoint.examples }
        }
        let known = Set(routes.map(key))
        for service in rest.keys.sorted() {
            rest[service]?.removeAll { known.contains(key($0)) }
            result += rest[service] ?? []
        }
        return MockRoutes(result)
    }

    /// The route of a request; literal segments take precedence over variables, from the left; of endpoints with one path, those with examples, and then
    /// the first one.
    ///
    /// HEAD has the routes of GET.
    func match(_ method: String, _ path: String) -> Match {
        let segments = PathTemplate.segments(of: path)
        let matching = routes.filter { $0.path.matches(segments) }
        let usable = matching.filter { $0.method == method }
        let candidates = usable.isEmpty && method == "HEAD" ? matching.filter { $0.method == "GET" } : usable
        // `min` returns the first of equal ones.
        let best = candidates.min { first, second in
            let hasMoreExamples = !first.endpoint.examples.isEmpty && second.endpoint.examples.isEmpty
            return first.path.precedes(second.path) || hasMoreExamples && !second.path.precedes(first.path)
        }
        if let best { return .route(best) }
        guard matching.isEmpty else { return .methods(Self.allowed(matching.map(\.method))) }
        let paths = Set(routes.map(\.path.text)).sorted()
        let nearest = Suggestion.nearest(to: "/" + segments.joined(separator: "/"), in: paths)
        // A front end often omits the path of the server's URL.
        let ending = routes.filter { route in
            !segments.isEmpty && route.path.segments.count > segments.count
                && zip(route.path.segments.suffix(segments.count), segments).allSatisfy { $0.matches($1) }
        }
        let siblings = paths.filter { PathTemplate.segments(of: $0).first == segments.first }
        var near: [String] = []
        for path in [nearest].compactMap(\.self) + ending.map(\.path.text) + siblings where !near.contains(path) { near.append(path) }
        return .none(near: Array(near.prefix(5)))
    }

    /// The part that a route has in a resource of `sortie mock --state`, and the route of the list of its collection; nil for a route of no resource.
    func resource(of route: MockRoute) -> (role: MockState.Role, list: MockRoute?)? {
        func routes(at text: String) -> [MockRoute] { self.routes.filter { $0.path.text == text } }
        if let name = route.path.lastVariable {
            let own = routes(at: PathTemplate.text(of: route.path.segments.dropLast())).filter { ["GET", "POST"].contains($0.method) }
            return own.isEmpty ? nil : (.item(name), own.first { $0.method == "GET" })
        }
        guard let name = routes(at: route.path.text + "/*").lazy.compactMap(\.path.lastVariable).first else { return nil }
        return (.collection(name), routes(at: route.path.text).first { $0.method == "GET" })
    }

    private static func allowed(_ methods: [String]) -> [String] {
        Set(methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted()
    }
}

/// The pages that may read the responses of `sortie mock`.
///
/// Any page that the user opens can send requests to a local server. Without permission of its origin the browser does not let it read a response, and a
/// name that an attacker resolves to 127.0.0.1 is refused by ``isHere(_:)``.
struct MockOrigins: Sendable {
    /// Whether pages of other origins may read responses at all.
    let permitsOthers: Bool
    /// The permitted origins beside those of this machine.
    let more: Set<String>

    /// An origin as browsers send it (RFC 6454 §6.2); nil for a text that is none, such as a host without a scheme or a URL with a path.
    static func serialized(_ text: String) -> String? {
        if let url = HTTPURL(ifValid: text) { return url.path == "/" && url.query == nil ? url.origin : nil }
        // Pages of applications have schemes of their own, such as app://localhost.
        return text == "null" || text.wholeMatch(of: #/[a-z][a-z0-9+.-]*://[^/?#\s]+/#) != nil ? text : nil
    }

    /// Whether a page of this origin may read responses: one of this machine, or one that the user named.
    func permits(_ origin: String) -> Bool {
        guard permitsOthers else { return false }
        return more.contains(origin) || HTTPURL(ifValid: origin)?.isLoopback == true
    }

    /// Whether the `Host` of a request names this machine; a request without one is permitted.
    static func isHere(_ host: String?) -> Bool {
        host.map { HTTPURL(ifValid: "http://\($0)")?.isLoopback == true } ?? true
    }
}

/// The method and the path of an endpoint, as `sortie mock` matches requests with them.
struct MockRoute: Sendable {
    let method: String
    let endpoint: Endpoint
    let path: PathTemplate
    /// The examples that the description of the service has; those of the endpoint precede them.
    var describedExamples: [EndpointExample] = []
    /// Whether the route is an operation of a description without an endpoint.
    var isOnlyDescribed = false

    /// Creates the route of an endpoint.
    ///
    /// - Parameters:
    ///   - server: The URL of its server, whose path precedes that of the endpoint; nil for none.
    ///   - variables: The values of variables in `server` and at the beginning of the path; other variables of the path match one segment.
    init(_ endpoint: Endpoint, server: String?, variables: [String: String]) {
        self.endpoint = endpoint
        method = endpoint.method.rawValue
        let path = Self.expandingStart(endpoint.pathTemplate { _ in true }, variables)
        let isAbsolute = path.contains("://")
        let base = isAbsolute ? [] : PathTemplate.segments(of: PathTemplate.path(ofURL: Self.expanding(server ?? "", variables)))
        self.path = PathTemplate(segments: base + PathTemplate.segments(of: isAbsolute ? PathTemplate.path(ofURL: path) : path))
    }

    /// The URL of a server, whose variables may have several segments of its path; one without a value stays.
    private static func expanding(_ text: String, _ variables: [String: String]) -> String {
        Template(expandingStart(text, variables)).segments.map { segment in
            if case .variable(let name, _) = segment, let value = variables[name] { value } else { segment.description }
        }.joined()
    }

    /// A URL often begins with a variable that contains its scheme, host and path.
    private static func expandingStart(_ text: String, _ variables: [String: String]) -> String {
        var text = text
        // Variables can name others; a cycle ends after this many.
        for _ in 0..<8 {
            guard text.hasPrefix("{{"), let end = text.firstRange(of: "}}") else { break }
            let name = text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound].filter { $0 != " " }
            guard let value = variables[name] else { break }
            text = value + text[end.upperBound...]
        }
        return text
    }
}
