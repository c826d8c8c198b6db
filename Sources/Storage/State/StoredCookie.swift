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
        (name, value, domain, isHostOnly, path) = (cookie.name, cookie.value, cookie.domain, cookie.isHostOnly, cookie.path)
        (expiresAt, isSecure, isHTTPOnly, sameSite) = (cookie.expiresAt, cookie.isSecure, cookie.isHTTPOnly, cookie.sameSite?.rawValue)
    }

    /// The restored cookie.
    var cookie: Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expiresAt: expiresAt, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite.flatMap(Cookie.SameSite.init))
    }

    func value(_ problems: inout [String]) -> Cookie? { cookie }
}
