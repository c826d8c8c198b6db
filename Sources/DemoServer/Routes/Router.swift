/// Selects the route of a request; the pattern with the most literal segments wins.
struct Router: Sendable {
    let demo: Demo
    private let routes: [(route: Route, segments: [Segment])]

    private enum Segment {
        case literal(String), parameter(String), rest
    }

    init(demo: Demo) {
        self.demo = demo
        let groups: [[Route]] = [
            OrderRoutes.all(demo), AccountRoutes.all(demo), OAuth2Routes.all(demo), SignInRoutes.all(demo), AWSRoutes.all(demo),
            KeyRoutes.all(demo),
            EchoRoutes.all(demo), StatusRoutes.all(demo), ChatRoutes.all(demo), RedirectRoutes.all(demo),
            CookieRoutes.all(demo), ContentRoutes.all(demo), HostileRoutes.all(demo), FileRoutes.all(demo),
            UploadRoutes.all(demo),
            GatewayRoutes.all(demo), VaultRoutes.all(demo), FlakyRoutes.all(demo), LogRoutes.all(demo), CacheRoutes.all(demo),
            GraphQLRoutes.all(demo),
        ]
        let listed = groups.flatMap { $0 }
        let index = Route.get("/", "This list: every route of the demo server.") { _ in Router.index(of: listed) }
        routes = ([index] + listed).map { ($0, Router.segments(of: $0.path)) }
    }

    /// Runs the route of a request.
    ///
    /// - Throws: ``Problem`` with 404 without a matching path, and 405 without a matching method.
    func answer(_ call: Call) async throws -> Reply {
        let path = call.rawPath.split(separator: "/", omittingEmptySubsequences: true)
            .map { QueryItems.decode($0, plusIsSpace: false) }
        var best: (route: Route, parameters: [String: String], rank: Int)?
        var otherMethods: Set<String> = []
        for (route, segments) in routes {
            guard let match = Router.match(path, segments) else { continue }
            guard route.answers(call.method) else {
                otherMethods.formUnion(route.methods)
                continue
            }
            if match.rank > best?.rank ?? -1 { best = (route, match.parameters, match.rank) }
        }
        if let best {
            var call = call
            call.parameters = best.parameters
            return try await best.route.handle(call)
        }
        guard otherMethods.isEmpty else {
            let allowed = otherMethods.sorted().joined(separator: ", ")
            throw Problem(
                405, "\(call.rawPath) does not support \(call.method); it supports \(allowed).", headers: [("Allow", allowed)])
        }
        throw Problem(404, "The demo server has no route \(call.rawPath).")
    }

    private static func segments(of path: String) -> [Segment] {
        path.split(separator: "/").map { part in
            if part == "*" { return .rest }
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
            return .parameter(String(part.dropFirst().dropLast()))
        }
    }

    /// - Returns: The parameter values, and a rank that orders literals before parameters before `*`.
    private static func match(_ path: [String], _ segments: [Segment]) -> (parameters: [String: String], rank: Int)? {
        var parameters: [String: String] = [:]
        var rank = 0
        for (index, segment) in segments.enumerated() {
            if case .rest = segment { return (parameters, rank * 3) }
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text):
                guard text == path[index] else { return nil }
                rank = rank * 3 + 2
            case .parameter(let name):
                parameters[name] = path[index]
                rank = rank * 3 + 1
            case .rest: break
            }
        }
        return path.count == segments.count ? (parameters, rank) : nil
    }

    private static func index(of routes: [Route]) -> Reply {
        .json([
            "name": "Sortie demo server",
            "routes": .array(
                routes.map { route in
                    [
                        "method": .string(route.methods.isEmpty ? "ANY" : route.methods.joined(separator: ", ")),
                        "path": .string(route.path), "summary": .string(route.summary),
                    ]
                }),
        ])
    }
}
