internal import CCurl

/// The version of the library and of the program.
package enum NetworkingVersion {
    /// As `--version` and `User-Agent` give it.
    package static let current = "0.2.0"
}

extension NetworkingVersion {
    /// The version of libcurl and that of its TLS library, such as `7.88.1` and `OpenSSL/3.0.17`; loads both.
    ///
    /// Where libcurl cannot be loaded, the first one is the reason and the second one nil.
    package static func libraries() -> (libcurl: String, tls: String?) {
        if let problem = ccurl_load() { return (String(cString: problem), nil) }
        let version = ccurl_version().pointee
        return (version.version.map { String(cString: $0) } ?? "unknown", version.ssl_version.map { String(cString: $0) })
    }
}
