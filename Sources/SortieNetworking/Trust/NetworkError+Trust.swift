internal import CTLS
internal import SortieHTTP

/// Errors of TLS, each with a remedy (S0.10, S3.2).
extension NetworkError {
    /// The error for a chain that was rejected by OpenSSL, by a chain pin, or because it is for another host.
    ///
    /// - Parameter words: libcurl's message.
    static func untrusted(host: String, handshake: Handshake?, words: String) -> NetworkError {
        let hint = "name the issuer with --cacert FILE or trust.ca; --insecure trusts anybody"
        let reason: String
        switch handshake?.problem {
        case .pins: return pinMismatch(host: host, words: words)
        case .refused(let code, let depth, let certificate):
            reason = refusal(code, depth: depth, of: certificate, chain: handshake?.chain ?? [])
        case nil:
            guard let leaf = handshake?.chain.first else {
                reason = words
                break
            }
            return NetworkError(
                .untrustedCertificate, "the certificate of \(host) is not trusted: it is for another host, \(leaf.namesText)",
                hint: "ask for the host under a name that its certificate has, with --resolve where that name leads elsewhere", underlying: words)
        }
        return NetworkError(.untrustedCertificate, "the certificate of \(host) is not trusted: \(reason)", hint: hint, underlying: words)
    }

    /// The error for a chain without any of the pinned keys.
    static func pinMismatch(host: String, words: String) -> NetworkError {
        NetworkError(
            .pinMismatch, "\(host) showed a key that none of the pins names", hint: "the server has a new key, or somebody stands between",
            underlying: words)
    }

    private static func refusal(_ code: Int32, depth: Int, of certificate: PresentedCertificate?, chain: [PresentedCertificate]) -> String {
        let isLeaf = depth == 0
        let whose = isLeaf ? "it" : "that of its issuer, \(certificate?.subject ?? "unnamed"),"
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "\(whose) expired\(certificate.map { " on " + CalendarTime(secondsSince1970: $0.validUntil).date } ?? "")"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "\(whose) is not valid before \(certificate.map { CalendarTime(secondsSince1970: $0.validFrom).date } ?? "some later day")"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return "it is signed by itself"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return "its root, \(certificate?.subject ?? "unnamed"), is not one that is trusted"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            let issuer = certificate?.issuer ?? "unnamed"
            return chain.count > 1
                ? "the issuer \(issuer) is unknown"
                : "its issuer, \(issuer), is unknown, and the server sent no certificate of it"
        case X509_V_ERR_CERT_REVOKED: return "\(whose) was revoked"
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
            return "\(whose) has a key or a digest that is too weak"
        case X509_V_ERR_INVALID_PURPOSE: return "\(whose) was not made for servers"
        case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA: return "\(whose) must not sign others"
        default: return String(cString: X509_verify_cert_error_string(Int(code)))
        }
    }

    /// The error for a handshake that failed or that the peer did not understand; nil where libcurl's message has another cause.
    ///
    /// - Parameter place: The host, port and address, for the message.
    static func handshake(words: String, policy: TrustPolicy, place: String) -> NetworkError? {
        let lower = words.lowercased()
        func says(_ words: String...) -> Bool { words.contains { lower.contains($0) } }
        let ours = "the certificate is named with --cert and --key, or trust.clientCertificate and trust.clientKey"
        if says("certificate required") {
            return NetworkError(
                .clientCertificate,
                policy.clientCertificateFile == nil ? "\(place) wants a certificate of ours" : "\(place) did not get our certificate",
                hint: ours, underlying: words)
        }
        let refusals = [
            ("unknown ca", "it does not know its issuer"), ("certificate expired", "it expired"), ("certificate revoked", "it was revoked"),
            ("bad certificate", "it is a bad one"), ("unsupported certificate", "it is of the wrong kind"),
            ("certificate unknown", "it does not like it"), ("access denied", "it is not allowed in"),
        ]
        if let refusal = refusals.first(where: { says("alert " + $0.0) }) {
            return NetworkError(.clientCertificate, "\(place) refused our certificate: \(refusal.1)", hint: ours, underlying: words)
        }
        if says("wrong version number", "http request", "packet length too long") {
            return NetworkError(.tlsFailed, "\(place) does not speak TLS", hint: "is it plain HTTP? try http://", underlying: words)
        }
        if says("unsupported protocol", "protocol version", "no protocols available") {
            return NetworkError(
                .tlsFailed, "\(place) does not speak TLS \(policy.minimumTLS.rawValue) or later",
                hint: policy.minimumTLS.isOutdated ? nil : "an older version is allowed with --min-tls or trust.minimumTLS; it is not safe",
                underlying: words)
        }
        if says("handshake failure") {
            return NetworkError(
                .tlsFailed, "\(place) broke off the TLS handshake: no common cipher, or it wants a certificate of ours", hint: ours, underlying: words
            )
        }
        return nil
    }
}
