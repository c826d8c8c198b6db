internal import SortieBase
internal import SortieHTTP

/// A successful response of a token endpoint (RFC 6749 §5.1).
struct OAuth2TokenResponse: Sendable {
    /// The lifetime beyond which a token counts as one without expiry.
    private static let longestLifetime = 1e9

    let accessToken: String
    let refreshToken: String?
    /// The lifetime; nil where the server names none.
    let lifetime: Duration?
    /// The granted scope; nil where it is the requested one.
    let scope: String?

    /// Reads a response.
    ///
    /// - Parameter place: The token endpoint as it is named in errors.
    /// - Throws: An error for a refusal (RFC 6749 §5.2) and for a response that is not a token response.
    init(_ response: Response, from place: String, hiding secrets: [String]) throws(NetworkError) {
        guard (200..<300).contains(response.status) else { throw OAuth2Refusal(response, hiding: secrets).error(from: place) }
        func invalid(_ problem: String) -> NetworkError {
            NetworkError(
                .badBody, "\(place) responded with \(response.status) and \(problem)", hint: "check that tokenURL is that of a token endpoint")
        }
        let body: JSONValue
        do { body = try JSONValue(parsing: response.utf8Body) } catch { throw invalid("a body that is not JSON") }
        guard case .object = body else { throw invalid("JSON that is not an object") }
        // Some servers refuse with a status of success.
        if body["access_token"] == nil, body["error"] != nil { throw OAuth2Refusal(response, hiding: secrets).error(from: place) }
        func text(_ name: String) throws(NetworkError) -> String? {
            switch body[name] {
            case nil, .null: return nil
            case .string(let text): return text
            default: throw invalid("\(name) that is not a text")
            }
        }
        guard let token = try text("access_token"), !token.isEmpty else { throw invalid("no access_token") }
        // RFC 6750 §2.1 permits fewer characters, but some servers use others.
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw invalid("an access_token with characters that a header field cannot contain")
        }
        if let type = try text("token_type"), type.lowercased() != "bearer" {
            throw invalid("the token_type “\(OAuth2Refusal.printable(type))”; only Bearer is supported")
        }
        accessToken = token
        refreshToken = try text("refresh_token").flatMap { $0.isEmpty ? nil : $0 }
        scope = try text("scope")
        switch body["expires_in"] {
        case nil, .null: lifetime = nil
        // Some servers send the number as a text.
        case .number(let text), .string(let text):
            guard let seconds = Double(text), seconds > 0 else { throw invalid("expires_in that is not a positive number of seconds") }
            lifetime = seconds < Self.longestLifetime ? .seconds(seconds) : nil
        default: throw invalid("expires_in that is not a number")
        }
    }
}
