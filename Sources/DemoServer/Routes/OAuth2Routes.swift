import Foundation
import SortieBase

/// The token endpoint of OAuth 2 (RFC 6749); its tokens open the routes that require a Bearer token.
enum OAuth2Routes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["POST"], "/oauth2/token",
                "An access token for client demo, secret sortie; the grants are client_credentials, password, authorization_code, device_code and refresh_token. ?ttl=1 is its lifetime."
            ) { try await token($0, demo) }
        ]
    }

    private static func token(_ call: Call, _ demo: Demo) async throws -> Reply {
        let lifetime = try call.seconds("ttl", default: demo.options.tokenLifetime, upTo: 86_400)
        let form = QueryItems(String(decoding: try await call.body.collect(limit: 64 << 10), as: UTF8.self), plusIsSpace: true)
        let client = client(of: call, form)
        let grant = form["grant_type"]
        // Programs in which a user signs in cannot keep a secret (RFC 8252 §8.4).
        let isPublic = grant == "authorization_code" || grant == deviceGrant || grant == "refresh_token"
        let isKnown = client?.secret == demo.options.password || isPublic && client?.secret.isEmpty == true
        guard client?.id == demo.options.username, isKnown else {
            return refusal(401, "invalid_client", "The client is demo, its secret sortie.")
        }
        switch grant {
        case "authorization_code":
            guard let known = await demo.signIns.redeem(form["code"] ?? ""), known.redirect == form["redirect_uri"] else {
                return refusal(400, "invalid_grant", "The code is unknown or used, or the redirect_uri is another one.")
            }
            guard known.challenge == challenge(of: form["code_verifier"] ?? "") else {
                return refusal(400, "invalid_grant", "The code_verifier does not match the code_challenge.")
            }
            return await issue(lifetime, form["scope"], demo, isRenewable: true)
        case deviceGrant:
            switch await demo.signIns.decision(of: form["device_code"] ?? "") {
            case .pending: return refusal(400, "authorization_pending", "The user has not entered the code yet.")
            case .denied: return refusal(400, "access_denied", "The user refused.")
            case .permitted: return await issue(lifetime, form["scope"], demo, isRenewable: true)
            case nil: return refusal(400, "expired_token", "The code is unknown or expired.")
            }
        case "client_credentials": return await issue(lifetime, form["scope"], demo)
        case "password":
            guard form["username"] == demo.options.username, form["password"] == demo.options.password else {
                return refusal(400, "invalid_grant", "The user name or the password is wrong.")
            }
            return await issue(lifetime, form["scope"], demo, isRenewable: true)
        case "refresh_token":
            let old = form["refresh_token"] ?? ""
            guard case .good = await demo.refreshTokens.validity(of: old) else {
                return refusal(400, "invalid_grant", "The refresh token is unknown, used or expired.")
            }
            // Each refresh token is used once (RFC 9700 §4.14.2).
            await demo.refreshTokens.end(old)
            return await issue(lifetime, form["scope"], demo, isRenewable: true)
        case nil: return refusal(400, "invalid_request", "grant_type is missing.")
        default:
            return refusal(
                400, "unsupported_grant_type", "The grants are client_credentials, password, authorization_code, device_code and refresh_token.")
        }
    }

    private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// The challenge of a verifier (RFC 7636 §4.2); empty for none.
    private static func challenge(of verifier: String) -> String {
        verifier.isEmpty ? "" : Base64.urlText(HashFunction.sha256.digest(of: verifier))
    }

    /// The name of the client of a request.
    static func clientName(of call: Call, _ form: QueryItems) -> String? { client(of: call, form)?.id }

    /// The client of a Basic field or of the form (RFC 6749 §2.3.1).
    private static func client(of call: Call, _ form: QueryItems) -> (id: String, secret: String)? {
        let field = (call.header("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard field.count == 2, field[0].lowercased() == "basic" else { return (form["client_id"] ?? "", form["client_secret"] ?? "") }
        guard let data = Data(base64Encoded: String(field[1])) else { return nil }
        let pair = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        return (PercentEncoding.decode(pair[0], plusIsSpace: true), PercentEncoding.decode(pair[1], plusIsSpace: true))
    }

    private static func issue(_ lifetime: Double, _ scope: String?, _ demo: Demo, isRenewable: Bool = false) async -> Reply {
        let token = await demo.tokens.issue(lifetime: lifetime)
        let refreshToken = isRenewable ? await demo.refreshTokens.issue(lifetime: 86_400) : nil
        let seconds = lifetime == lifetime.rounded() ? "\(Int(lifetime))" : "\(lifetime)"
        return .json(
            [
                "access_token": .string(token), "token_type": "Bearer", "expires_in": .number(seconds), "refresh_token": .optional(refreshToken),
                "scope": .optional(scope),
            ], headers: [("Cache-Control", "no-store")])
    }

    static func refusal(_ status: Int, _ code: String, _ explanation: String) -> Reply {
        let challenge = status == 401 ? [("WWW-Authenticate", "Basic realm=\"demo\"")] : []
        return .json(
            ["error": .string(code), "error_description": .string(explanation)], status: status,
            headers: [("Cache-Control", "no-store")] + challenge)
    }
}
