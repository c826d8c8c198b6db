internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import SortieWorkbench

/// A stored access token in a list, without its value.
struct TokenRow {
    let entry: TokenStore.Entry

    /// The age and the remaining lifetime of a token.
    static func times(of token: OAuth2Token, at now: Date = Date()) -> String {
        let age = "issued \(span(now.timeIntervalSince(token.issuedAt))) ago"
        guard let expiresAt = token.expiresAt else { return "\(age), without an expiry" }
        let rest = expiresAt.timeIntervalSince(now)
        let renewal = token.refreshToken == nil ? "" : ", renewable"
        return age + (rest > 0 ? ", expires in \(span(rest))" : ", expired \(span(-rest)) ago") + renewal
    }

    /// The cells of the row: the issuer, the client, the environment, the times and the workspace.
    var cells: [String] {
        let key = entry.key
        let scope = key.scope.isEmpty ? "" : " (\(key.scope))"
        return [key.tokenURL, key.clientID + scope, key.environment ?? "-", Self.times(of: entry.token), entry.workspace]
    }

    var record: JSONValue {
        let (key, token) = (entry.key, entry.token)
        return [
            "grant": .string(key.grant.rawValue), "tokenURL": .string(key.tokenURL), "clientID": .string(key.clientID),
            "scope": .optional(token.scope ?? (key.scope.isEmpty ? nil : key.scope)), "environment": .optional(key.environment),
            "workspace": .string(entry.workspace),
            "issuedAt": .string(CalendarTime.iso8601(millisecondsOf: token.issuedAt.timeIntervalSince1970)),
            "expiresAt": .optional(token.expiresAt.map { CalendarTime.iso8601(millisecondsOf: $0.timeIntervalSince1970) }),
            "renewable": .bool(token.refreshToken != nil),
        ]
    }

    private static func span(_ seconds: Double) -> String {
        let seconds = max(0, seconds)
        return switch seconds {
        case ..<90: "\(Int(seconds)) s"
        case ..<5400: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(seconds / 86_400)) d"
        }
    }
}
