import FlyingFox
import FlyingSocks
import Foundation
import SortieBase

/// Selects the route of a request; the pattern with the most literal segments takes precedence.
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
            .map { PercentEncoding.decode($0, plusIsSpace: false) }
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

/// A route for requests that are signed by AWS Signature Version 4.
enum AWSRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["GET", "POST", "PUT"], "/aws",
                "Requires AWS Signature Version 4 with access key demo and secret key sortie; a refusal contains the canonical request of the server."
            ) { try await answer($0, demo) }
        ]
    }

    private static func answer(_ call: Call, _ demo: Demo) async throws -> Reply {
        guard let signature = AWSRequestSignature(call.header("Authorization") ?? "") else {
            return .json(["message": "Missing Authentication Token"], status: 403)
        }
        guard signature.accessKey == demo.options.username else {
            return .json(["message": "The security token included in the request is invalid."], status: 403)
        }
        let canonical = signature.canonicalRequest(of: call, body: try await call.body.collect())
        guard signature.isValid(canonical, date: call.header("X-Amz-Date") ?? "", secretKey: demo.options.password) else {
            let message = "The request signature we calculated does not match the signature you provided."
            return .json(["message": .string(message), "canonicalRequest": .string(canonical)], status: 403)
        }
        return .envelope([
            "accessKey": .string(signature.accessKey), "scope": .string(signature.scope), "signedHeaders": .string(signature.names),
        ])
    }
}

/// Routes whose responses show whether the cache was used.
enum CacheRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/cache/{name}", "A resource with an ETag, its version, and the number of full responses; a matching If-None-Match gets a 304.") {
                call in
                let name = call.parameters["name"] ?? ""
                let current = await demo.cached.current(name)
                let headers = [("ETag", "\"\(name)-\(current.version)\""), ("Cache-Control", call.query["control"] ?? "max-age=60")]
                if call.header("If-None-Match") == headers[0].1 { return Reply(304, headers: headers) }
                return reply(name, await demo.cached.serve(name), headers)
            },
            Route(["POST"], "/cache/{name}", "A query by POST: the version and the number of responses.") { call in
                let name = call.parameters["name"] ?? ""
                return reply(name, await demo.cached.serve(name), [])
            },
            Route(["PUT"], "/cache/{name}", "Creates a new version of the resource, which invalidates cached responses of its URL.") { call in
                let name = call.parameters["name"] ?? ""
                return reply(name, await demo.cached.change(name), [])
            },
        ]
    }

    private static func reply(_ name: String, _ resource: CachedResources.Resource, _ headers: [(String, String)]) -> Reply {
        .json(["name": .string(name), "version": .integer(resource.version), "served": .integer(resource.served)], headers: headers)
    }
}

/// Routes that fail deliberately, to test retries and connection errors.
enum FlakyRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route([], "/flaky", "Fails the first ?fail=2 requests of a ?key=abc with ?status=503 (&retryAfter=1), then succeeds.") {
                try await flaky($0, demo)
            },
            Route([], "/flaky/drop", "Closes the connection without a response; with ?fail=2&key=abc only for the first two requests.") {
                call in
                guard let text = call.query["fail"] else { return Reply(body: .none) }
                let limit = try call.integer("fail", default: Int(text) ?? 0, in: 0...1000)
                let attempt = await demo.failures.next("drop " + (call.query["key"] ?? ""), failing: limit)
                return attempt.fails ? Reply(body: .none) : .envelope(["attempt": .integer(attempt.number)])
            },
            .get("/flaky/cut", "Announces ?bytes=1000 and closes the connection after ?after=500 of them.") { try cut($0) },
            Route(["DELETE"], "/flaky", "Resets the counts of failed requests.") { _ in
                await demo.failures.reset()
                return Reply(204)
            },
        ]
    }

    private static func flaky(_ call: Call, _ demo: Demo) async throws -> Reply {
        let limit = try call.integer("fail", default: 2, in: 0...1000)
        let status = try call.integer("status", default: 503, in: 400...599)
        let wait = try call.integer("retryAfter", default: 0, in: 0...3600)
        let attempt = await demo.failures.next(call.query["key"] ?? "", failing: limit)
        guard !attempt.fails else {
            throw Problem(
                status, "Attempt \(attempt.number) fails intentionally; \(limit - attempt.number) more will fail.",
                headers: wait > 0 ? [("Retry-After", String(wait))] : [])
        }
        return .envelope(["attempt": .integer(attempt.number), "failed": .integer(limit)])
    }

    private static func cut(_ call: Call) throws -> Reply {
        let bytes = try call.byteSize("bytes", default: 1000, upTo: 1_000_000_000)
        let limit = try call.byteSize("after", default: bytes / 2, upTo: bytes)
        let stump = PulledBytes(state: 0) { sent in
            guard sent < limit else { throw SocketError.disconnected }
            let count = min(64 << 10, limit - sent)
            sent += count
            return Data(repeating: UInt8(ascii: "."), count: count)
        }
        return Reply(headers: [("Content-Type", "text/plain")], body: .sequence(HTTPBodySequence(from: stump, count: bytes)))
    }
}

/// Routes with hostile responses, to test that clients handle them safely.
enum HostileRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/escape", "Terminal escape sequences in the body and in the header X-Escape: they must be shown, never executed.") { _ in
                .text(Samples.escapes, headers: [("X-Escape", Samples.escapeHeader)])
            },
            .get("/invalid-json", "Declares JSON and ends in the middle of it.") { _ in
                .text("{\"code\": 200, \"result\": [1, 2, {\"a\": \"b\", ]\n", type: "application/json")
            },
            .get("/invalid-utf8", "Declares UTF-8 and contains other bytes.") { _ in
                let bytes =
                    Data("good ".utf8) + [0xC3, 0x28, 0xFF, 0xFE, 0xE2, 0x82] + Data(" bad, truncated: ".utf8) + [0xF0, 0x9F]
                return Reply(headers: [("Content-Type", "text/plain; charset=utf-8")], body: .data(bytes))
            },
        ]
    }
}

/// Routes for a JSON Web Token, an API key and NTLM.
enum KeyRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/jwt", "Requires a JSON Web Token (RFC 7519) with HS256, the audience demo, a subject and an expiry; a refusal names the reason.") {
                try token($0, demo)
            },
            .get("/api-key", "Requires the key sortie, in the field X-API-Key or in the parameter api_key.") { try key($0, demo) },
            .get("/ntlm", "Requires NTLMv2 with demo:sortie; later requests of the connection need no credentials.") {
                try await NTLMAuthentication(demo: demo).answer($0)
            },
        ]
    }

    private static func token(_ call: Call, _ demo: Demo) throws -> Reply {
        let field = call.header("Authorization") ?? ""
        guard field.lowercased().hasPrefix("bearer ") else {
            throw Problem(
                401, "This route requires Authorization: Bearer with a JSON Web Token.", headers: [("WWW-Authenticate", "Bearer realm=\"demo\"")])
        }
        let text = field.dropFirst("Bearer ".count).trimmingCharacters(in: .whitespaces)
        let token: JSONWebToken
        let secondsLeft: Int
        do throws(JSONWebToken.Refusal) {
            token = try JSONWebToken(text, key: demo.options.jwtKey)
            secondsLeft = try token.verify(at: Date().timeIntervalSince1970)
        } catch {
            // RFC 6750 §3.1.
            let challenge = "Bearer realm=\"demo\", error=\"invalid_token\", error_description=\"\(error.reason)\""
            throw Problem(401, "The token is refused: \(error.reason).", headers: [("WWW-Authenticate", challenge)])
        }
        return .envelope(["subject": .string(token.subject), "algorithm": "HS256", "secondsLeft": .integer(secondsLeft)])
    }

    private static func key(_ call: Call, _ demo: Demo) throws -> Reply {
        let (field, parameter) = (call.header("X-API-Key"), call.query["api_key"])
        guard let key = field ?? parameter else {
            throw Problem(401, "This route requires a key in the field X-API-Key or in the parameter api_key.")
        }
        guard key == demo.options.password else { throw Problem(401, "The key is unknown; it is \(demo.options.password).") }
        return .envelope(["authenticated": true, "in": field == nil ? "query" : "header", "username": .string(demo.options.username)])
    }
}

/// Routes for the log of received requests, with which tests prove that no request was sent twice.
enum LogRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/log", "The most recent requests, oldest first: ?path=/upload filters. Requests for /log are not included.") {
                call in
                let entries = await demo.log.recent(path: call.query["path"])
                return .json([
                    "count": .integer(entries.count),
                    "requests": .array(
                        entries.map { entry in
                            [
                                "id": .integer(entry.id), "method": .string(entry.method), "path": .string(entry.path),
                                "query": .string(entry.query), "time": .string(entry.time), "trace": .optional(entry.trace),
                            ]
                        }),
                ])
            },
            Route(["DELETE"], "/log", "Clears the log.") { _ in
                await demo.log.clear()
                return Reply(204)
            },
        ]
    }
}

/// Routes that redirect: chains, loops, other statuses and other origins.
enum RedirectRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route([], "/redirect/{n}", "That many redirects, 0 to 100, then /echo: ?status=302&absolute=false.", handle: chain),
            Route([], "/redirect/loop", "Redirects to itself without end.") { _ in .redirect(to: "/redirect/loop") },
            Route([], "/redirect/cross-origin", "Redirects to ?to=/echo on the other name of this host: localhost or 127.0.0.1.") {
                try crossOrigin($0)
            },
            Route([], "/redirect-to", "Redirects to any address: ?url=URL&status=302.") { call in
                guard let url = call.query["url"], !url.isEmpty else {
                    throw Problem(400, "Name the address to redirect to: ?url=/echo.")
                }
                guard !url.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                    throw Problem(400, "The address to redirect to contains a control character, which a header field must not contain.")
                }
                return .redirect(to: url, status: try status(call))
            },
        ]
    }

    private static func status(_ call: Call) throws -> Int {
        let status = try call.integer("status", default: 302, in: 300...399)
        guard status != 304 else { throw Problem(400, "304 is not a redirect; use /status/304.") }
        return status
    }

    private static func chain(_ call: Call) throws -> Reply {
        guard let hops = Int(call.parameter("n")), (0...100).contains(hops) else {
            throw Problem(400, "The number of redirects must be from 0 to 100, not \"\(call.parameter("n"))\".")
        }
        let path = hops > 1 ? "/redirect/\(hops - 1)" + (call.rawQuery.isEmpty ? "" : "?" + call.rawQuery) : "/echo"
        guard try call.flag("absolute", default: false), let host = call.header("Host") else {
            return .redirect(to: path, status: try status(call))
        }
        return .redirect(to: "http://\(host)\(path)", status: try status(call))
    }

    private static func crossOrigin(_ call: Call) throws -> Reply {
        let host = call.header("Host") ?? "127.0.0.1"
        let port = host.split(separator: ":").dropFirst().last.flatMap { UInt16($0) }.map { ":\($0)" } ?? ""
        let path = call.query["to"] ?? "/echo"
        guard path.hasPrefix("/") else { throw Problem(400, "to must be a path that begins with /, not \"\(path)\".") }
        let other = host.hasPrefix("localhost") ? "127.0.0.1" : "localhost"
        return .redirect(to: "http://\(other)\(port)\(path)", status: try status(call))
    }
}

/// A route that accepts a body of any length and reports its size and digest without storing it.
enum UploadRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["POST", "PUT"], "/upload", "Counts and hashes a body of any length; ?rate=1MB reads that many bytes a second.",
                handle: upload)
        ]
    }

    private static func upload(_ call: Call) async throws -> Reply {
        let rate = try call.byteSize("rate", default: 0, upTo: FileRoutes.largest)
        let start = ContinuousClock.now
        var pace = Pace(rate: rate > 0 ? rate : nil)
        var digest = ContentDigest()
        var multipart = MultipartReader(contentType: call.header("Content-Type"))
        try await call.body.read { chunk in
            digest.add(chunk)
            multipart?.add(chunk)
            try await pace.pass(chunk.count)
        }
        if let announced = call.body.announcedBytes, announced != digest.bytes {
            throw Problem(400, "The body ended after \(digest.bytes) of \(announced) bytes.")
        }
        multipart?.finish()
        var members: [(String, JSON)] = [
            ("bytes", .integer(digest.bytes)), ("sha256", .string(digest.hex)),
            ("contentType", .optional(call.header("Content-Type"))),
            ("seconds", .seconds(ContinuousClock.now - start)),
        ]
        if let multipart {
            if let problem = multipart.problem { throw Problem(400, problem) }
            members.append(("parts", multipart.json))
        }
        return .json(.object(members))
    }
}
