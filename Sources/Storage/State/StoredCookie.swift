internal import Foundation
internal import SortieHTTP

/// A cookie as it is stored in a jar and in the history.
struct StoredCookie: StateRecord {
    static let format = StateFormat(key: "cookies", content: "the cookies", version: 2)

    var name: String
    var value: String
    var domain: String
    var isHostOnly: Bool
    var path: String
    var expiresAt: Date?
    var isSecure: Bool
    var isHTTPOnly: Bool
    var sameSite: String?

    init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        isHostOnly = cookie.isHostOnly
        path = cookie.path
        expiresAt = cookie.expiresAt
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite?.rawValue
    }

    /// The restored cookie.
    var cookie: Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expiresAt: expiresAt, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite.flatMap(Cookie.SameSite.init))
    }

    func value(_ problems: inout [String]) -> Cookie? { cookie }
}
