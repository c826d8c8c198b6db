internal import FoundationEssentials

/// The credentials of the Basic authentication scheme (RFC 7617 §2).
package enum BasicCredentials {
    /// The value of `Authorization` for a user and a password, encoded in UTF-8.
    package static func field(user: String, password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
}
