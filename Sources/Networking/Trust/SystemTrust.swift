internal import CCurl
internal import Glibc
internal import Model

/// The certificates that the system trusts.
enum SystemTrust {
    /// The file with them, or nil where none is found; libcurl then trusts nobody.
    static let bundle: String? = {
        let candidates = [
            ccurl_version().pointee.cainfo.map { String(cString: $0) }, "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ]
        return candidates.lazy.compactMap { $0 }.first { access($0, R_OK) == 0 }
    }()
}

extension TrustPolicy {
    /// A word that is equal for equal policies and different for different ones.
    ///
    /// The passphrase of the client key is not a part of it: a wrong one is refused before anything is sent.
    var identity: String {
        // FNV-1a: not a secret, only a name; the fields are kept apart by a byte that none of them holds.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let fields = [
            certificateAuthorityFile ?? "", clientCertificateFile ?? "", clientKeyFile ?? "", pinScope.rawValue,
            isInsecure ? "insecure" : "", minimumTLS.rawValue, pinsExpire.map { String($0) } ?? "",
        ]
        for byte in (fields + pins).joined(separator: "\u{0}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

extension TLSVersion {
    /// The oldest version as libcurl's option has it.
    var option: Int {
        switch self {
        case .tls10: CURL_SSLVERSION_TLSv1_0
        case .tls11: CURL_SSLVERSION_TLSv1_1
        case .tls12: CURL_SSLVERSION_TLSv1_2
        case .tls13: CURL_SSLVERSION_TLSv1_3
        }
    }
}
