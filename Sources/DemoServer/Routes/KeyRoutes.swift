import Foundation

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
