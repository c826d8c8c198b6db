internal import CGSSAPI
internal import SortieHTTP

internal import struct FoundationEssentials.Data

/// A token of Negotiate with a Kerberos ticket of the user (RFC 4559).
enum NegotiateToken {
    /// The threads that wait for a key distribution center.
    ///
    /// They are separate from those for files, because one that does not respond blocks a thread for about half a minute.
    static let threads = BlockingExecutor(limit: 4)

    /// The Kerberos service of a host (RFC 4559 §4.1).
    static func service(of host: String) -> String { "HTTP@\(host)" }

    /// Makes the token for a host, in base64; blocks.
    ///
    /// - Throws: `invalidOption` where the library is missing or has no ticket.
    static func make(for host: String) throws(NetworkError) -> String {
        if let problem = cgssapi_load() {
            throw NetworkError(
                .invalidOption, "Negotiate is not available: \(String(cString: problem))", hint: "install the package libgssapi-krb5-2")
        }
        var token = cgssapi_token()
        cgssapi_negotiate(service(of: host), &token)
        defer { cgssapi_free(&token) }
        guard let bytes = token.bytes else {
            let reason = withUnsafeBytes(of: &token.problem) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw NetworkError(
                .invalidOption, "there is no Kerberos ticket for \(service(of: host)): \(reason); nothing was sent",
                hint: "get a ticket with kinit USER@REALM; klist shows the tickets")
        }
        return Data(bytes: bytes, count: token.length).base64EncodedString()
    }
}
