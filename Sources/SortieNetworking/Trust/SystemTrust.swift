internal import CCurl
internal import Glibc
internal import SortieHTTP

/// The certificate authorities that the system trusts.
enum SystemTrust {
    /// The path of the bundle file; nil where none is found, in which case libcurl trusts no certificate.
    static let bundle: String? = {
        let candidates = [
            ccurl_version().pointee.cainfo.map { String(cString: $0) }, "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ]
        return candidates.lazy.compactMap { $0 }.first { access($0, R_OK) == 0 }
    }()
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
        switch self {
        case .tls10: CURL_SSLVERSION_TLSv1_0
        case .tls11: CURL_SSLVERSION_TLSv1_1
        case .tls12: CURL_SSLVERSION_TLSv1_2
        case .tls13: CURL_SSLVERSION_TLSv1_3
        }
    }
}
