internal import CCurl
internal import Glibc
internal import SortieHTTP

/// The certificate authorities that the system trusts.
enum SystemTrust {
    /// The path of the bundle file; nil where none is found, in which case libcurl trusts no certificate.
    static let bundle: String? = bundle(
        variable: getenv("SSL_CERT_FILE").map { String(cString: $0) }, ofLibrary: ccurl_version().pointee.cainfo.map { String(cString: $0) }
    ) { access($0, R_OK) == 0 }

    /// Where systems have the file: Debian and Alpine; Fedora and RHEL, two; SUSE, two; the BSDs and Alpine; NixOS.
    private static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem", "/etc/ssl/cert.pem", "/etc/ssl/certs/ca-bundle.crt",
    ]

    /// Finds the bundle file.
    ///
    /// - Parameters:
    ///   - variable: The value of `SSL_CERT_FILE`, which applies also where the file cannot be read, so that the user learns of it.
    ///   - library: The file of the system for which libcurl was built.
    static func bundle(variable: String?, ofLibrary library: String?, isReadable: (String) -> Bool) -> String? {
        if let variable, !variable.isEmpty { return variable }
        return ([library].compactMap { $0 } + places).first(where: isReadable)
    }
}

extension TrustPolicy {
    /// A string that is equal for equal policies and different for different ones.
    ///
    /// The passphrase of the client key is excluded: a wrong one is rejected before anything is sent.
    var identity: String {
        // FNV-1a, because the result is only a name. The fields are separated by a byte that none of them contains.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let fields = [
            certificateAuthorityFile ?? "", clientCertificateFile ?? "", clientKeyFile ?? "", pinScope.rawValue,
            isInsecure ? "insecure" : "", minimumTLS.rawValue, pinsExpire.map { String($0) } ?? "",
        ]
        for byte in (fields + pins + [""] + certificateDigests).joined(separator: "\u{0}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

extension TLSVersion {
    /// The value of `CURLOPT_SSLVERSION`.
    var option: Int {
        // Constants of an enumeration, which are Int, until libcurl 8.13, and macros with an Int32 since.
        switch self {
        case .tls10: Int(CURL_SSLVERSION_TLSv1_0)
        case .tls11: Int(CURL_SSLVERSION_TLSv1_1)
        case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
        case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}
