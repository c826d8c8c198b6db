internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP

extension OAuth2Token {
    /// The age and the remaining lifetime, as a text for the user.
    func times(now: Date) -> String {
        let age = "issued \(Self.span(now.timeIntervalSince(issuedAt))) ago"
        guard let expiresAt else { return "\(age), without an expiry" }
        let rest = expiresAt.timeIntervalSince(now)
        let renewal = refreshToken == nil ? "" : ", renewable"
        return age + (rest > 0 ? ", expires in \(Self.span(rest))" : ", expired \(Self.span(-rest)) ago") + renewal
    }

    /// The members of a record of `--json` with the times.
    var timeMembers: [JSONValue.Member] {
        func text(_ date: Date) -> String { CalendarTime.iso8601(millisecondsOf: date.timeIntervalSince1970) }
        return [
            .init("issuedAt", .string(text(issuedAt))), .init("expiresAt", .optional(expiresAt.map(text))),
            .init("renewable", .bool(refreshToken != nil)),
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
