internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage

/// A stored access token in a list, without its value.
struct TokenRow {
    let entry: TokenStore.Entry

    /// The cells of the row: the issuer, the client, the environment, the times and the workspace.
    func cells(now: Date) -> [String] {
        let key = entry.key
        let scope = key.scope.isEmpty ? "" : " (\(key.scope))"
        return [key.tokenURL, key.clientID + scope, key.environment ?? "-", entry.token.times(now: now), entry.workspace]
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
}
