internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// A successful response of a token endpoint (RFC 6749 §5.1).
struct OAuth2TokenResponse: Sendable {
    /// The lifetime beyond which a token counts as one without expiry, in seconds.
    private static let longestLifetime = 1e9

    let accessToken: String
    let refreshToken: String?
    /// The lifetime in seconds; nil where the server names none.
    let lifetime: Double?
    /// The granted scope; nil where it is the requested one.
    let scope: String?

    /// Reads the response of the token endpoint of these settings.
    ///
    /// - Parameter secrets: Further texts of the request that a description of the server must not display.
    /// - Throws: An error for a refusal (RFC 6749 §5.2) and for a response that is not a token response.
    init(_ response: Response, for settings: OAuth2, hiding secrets: [String]) throws(NetworkError) {
        let member = settings.tokenField.isEmpty ? "access_token" : settings.tokenField
        let body = try OAuth2Body(
            response, from: settings.tokenPlace, setting: "tokenURL", hiding: secrets + [settings.clientSecret, settings.password],
            success: member)
        // RFC 6750 §2.1 permits fewer characters, but some servers use others.
        guard let token = try body.text(member), !token.isEmpty else { throw body.invalid("no \(member)") }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw body.invalid("an \(member) with characters that a header field cannot contain")
        }
        if let type = try body.text("token_type"), type.lowercased() != "bearer" {
            throw body.invalid("the token_type “\(OAuth2Refusal.printable(type))”; only Bearer is supported")
        }
        accessToken = token
        refreshToken = try body.text("refresh_token").flatMap { $0.isEmpty ? nil : $0 }
        scope = try body.text("scope")
        lifetime = try body.seconds("expires_in").flatMap { $0 < Self.longestLifetime ? $0 : nil }
    }

    /// The token with its times.
    ///
    /// - Parameter previous: The refresh token and the scope that stay valid where the response has no others (RFC 6749 §6).
    func token(at now: Date, previous: OAuth2Token?) -> OAuth2Token {
        OAuth2Token(
            accessToken, refreshToken: refreshToken ?? previous?.refreshToken, scope: scope ?? previous?.scope, issuedAt: now,
            expiresAt: lifetime.map { now.addingTimeInterval($0) })
    }
}

extension OAuth2 {
    /// The token endpoint as it is named in errors.
    var tokenPlace: String {
        do { return "the token endpoint \(try HTTPURL(parsing: tokenURL).origin)" } catch { return "the token endpoint" }
    }
}
