import Foundation
import SortieBase
import SortieHTTP

/// Routes for login and for Bearer, Basic and Digest authentication.
enum AccountRoutes {
    static func all(_ demo: Demo) -> [Route] {
        let digest: @Sendable (Call) async throws -> Reply = { try await DigestAuthentication(demo: demo).answer($0) }
        return [
            Route(
                ["POST"], "/login",
                "A token for username demo, password sortie (JSON or form); ?ttl=1 makes it expire after a second."
            ) { try await login($0, demo) },
            .get("/me", "The user of the Bearer token; 401 without a valid one.") { call in
                try await requireToken(call, demo)
                return .envelope(["username": .string(demo.options.username), "name": "Démo 用户", "locale": "zh-CN"])
            },
            Route(["POST"], "/logout", "Revokes the Bearer token of the request.") { call in
                try await requireToken(call, demo)
                await demo.tokens.end(token(of: call))
                return .envelope(["ended": true])
            },
            .get("/private/orders", "The orders; requires a Bearer token.") { call in
                try await requireToken(call, demo)
                return try OrderRoutes.list(call)
            },
            .get("/basic", "Requires Basic demo:sortie (RFC 7617).") { try basic($0, demo) },
            .get("/digest", "Requires Digest demo:sortie (RFC 7616) with SHA-256 or MD5.", handle: digest),
            .get("/digest/{algorithm}", "The same with one algorithm: md5 or sha-256.", handle: digest),
        ]
    }

    private struct Credentials: Decodable {
        let username: String
        let password: String
    }

    private static func login(_ call: Call, _ demo: Demo) async throws -> Reply {
        let lifetime = try call.seconds("ttl", default: demo.options.tokenLifetime, upTo: 86_400)
        let given = try await credentials(call)
        guard given.username == demo.options.username, given.password == demo.options.password else {
            throw Problem(
                401,
                "The user name or the password is wrong; use \(demo.options.username) and \(demo.options.password).",
                code: 40100)
        }
        let token = await demo.tokens.issue(lifetime: lifetime)
        return .envelope([
            "token": .string(token), "tokenType": "Bearer",
            "expiresIn": .number(lifetime == lifetime.rounded() ? "\(Int(lifetime))" : "\(lifetime)"),
            "user": ["username": .string(given.username)],
        ])
    }

    private static func credentials(_ call: Call) async throws -> Credentials {
        let data = try await call.body.collect(limit: 64 << 10)
        if call.mediaType == "application/x-www-form-urlencoded" {
            let form = QueryItems(String(decoding: data, as: UTF8.self), plusIsSpace: true)
            guard let username = form["username"], let password = form["password"] else {
                throw Problem(400, "The form needs the fields username and password.")
            }
            return Credentials(username: username, password: password)
        }
        do {
            return try JSONDecoder().decode(Credentials.self, from: data)
        } catch {
            throw Problem(
                400, "The body must be JSON like {\"username\":\"demo\",\"password\":\"…\"}, or a form with the same two fields.")
        }
    }

    private static func token(of call: Call) -> String {
        (call.header("Authorization") ?? "").dropFirst("Bearer ".count).trimmingCharacters(in: .whitespaces)
    }

    private static func requireToken(_ call: Call, _ demo: Demo) async throws {
        let realm = "Bearer realm=\"demo\""
        guard call.header("Authorization")?.lowercased().hasPrefix("bearer ") == true else {
            throw Problem(
                401, "This route requires Authorization: Bearer TOKEN; POST /login issues a token.",
                headers: [("WWW-Authenticate", realm)])
        }
        let token = token(of: call)
        let refused = ("WWW-Authenticate", realm + ", error=\"invalid_token\"")
        switch await demo.tokens.validity(of: token) {
        case .good: return
        case .expired: throw Problem(401, "The token has expired; POST /login issues a new one.", code: 40102, headers: [refused])
        case .unknown:
            throw Problem(401, "This server did not issue that token; POST /login issues one.", code: 40101, headers: [refused])
        }
    }

    private static func basic(_ call: Call, _ demo: Demo) throws -> Reply {
        let expected = Data("\(demo.options.username):\(demo.options.password)".utf8).base64EncodedString()
        let parts = (call.header("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", parts[1] == expected else {
            throw Problem(
                401, "This route requires Basic authentication with \(demo.options.username) and \(demo.options.password).",
                headers: [("WWW-Authenticate", "Basic realm=\"demo\", charset=\"UTF-8\"")])
        }
        return .envelope(["authenticated": true, "scheme": "Basic", "username": .string(demo.options.username)])
    }
}

/// Digest access authentication (RFC 7616) with `qop=auth` and MD5 or SHA-256.
struct DigestAuthentication {
    static let realm = "demo"
    let demo: Demo

    func answer(_ call: Call) async throws -> Reply {
        let algorithms = try algorithms(for: call.parameter("algorithm"))
        guard let field = call.header("Authorization"), field.lowercased().hasPrefix("digest ") else {
            throw await challenge(
                algorithms, "This route requires Digest authentication with \(demo.options.username) and \(demo.options.password).")
        }
        let given = FieldParameters(list: String(field.dropFirst(7)), separatedBy: ",")
        let algorithm = given["algorithm"]?.uppercased() ?? "MD5"
        guard algorithms.contains(algorithm) else {
            throw await challenge(algorithms, "The algorithm \(algorithm) is not supported by this route.")
        }
        guard let nonce = given["nonce"], let cnonce = given["cnonce"], let counter = given["nc"],
            let count = Int(counter, radix: 16),
            let uri = given["uri"], let response = given["response"], given["qop"] == "auth"
        else { throw Problem(400, "The Digest credentials lack one of nonce, cnonce, nc, uri, response or qop=auth.") }
        let target = call.rawQuery.isEmpty ? call.rawPath : call.rawPath + "?" + call.rawQuery
        guard uri == target else {
            throw Problem(400, "The Digest credentials are for \(uri), but the request is for \(target).")
        }
        let ha1 = hash("\(demo.options.username):\(Self.realm):\(demo.options.password)", algorithm)
        let ha2 = hash("\(call.method):\(uri)", algorithm)
        let expected = hash("\(ha1):\(nonce):\(counter):\(cnonce):auth:\(ha2)", algorithm)
        guard given["username"] == demo.options.username, response == expected else {
            throw await challenge(algorithms, "The user name or the password of the Digest credentials is wrong.")
        }
        guard await demo.nonces.use(nonce, count: count) else {
            throw await challenge(
                algorithms, "This server did not issue the nonce, or the nonce was already used with this count.", stale: true)
        }
        return .envelope([
            "authenticated": true, "scheme": "Digest", "algorithm": .string(algorithm), "nonceCount": .integer(count),
            "username": .string(demo.options.username),
        ])
    }

    private func algorithms(for name: String) throws -> [String] {
        switch name.lowercased() {
        case "": ["SHA-256", "MD5"]
        case "md5": ["MD5"]
        case "sha-256": ["SHA-256"]
        default: throw Problem(404, "There is /digest/md5 and /digest/sha-256, but not /digest/\(name).")
        }
    }

    private func challenge(_ algorithms: [String], _ message: String, stale: Bool = false) async -> Problem {
        var headers: [(String, String)] = []
        for algorithm in algorithms {
            let parts = [
                "realm=\"\(Self.realm)\"", "qop=\"auth\"", "algorithm=\(algorithm)", "nonce=\"\(await demo.nonces.issue())\"",
                "opaque=\"\(demo.nonces.opaque)\"", "charset=UTF-8",
            ]
            headers.append(("WWW-Authenticate", "Digest " + (parts + (stale ? ["stale=true"] : [])).joined(separator: ", ")))
        }
        return Problem(401, message, headers: headers)
    }

    private func hash(_ text: String, _ algorithm: String) -> String {
        HexDigits.text((algorithm == "MD5" ? HashFunction.md5 : .sha256).digest(of: text))
    }
}
