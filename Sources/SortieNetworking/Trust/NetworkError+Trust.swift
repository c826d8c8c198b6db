internal import CTLS
internal import SortieHTTP

/// Errors of TLS, each with a remedy.
extension NetworkError {
    /// The error for a chain that was rejected by OpenSSL, by a chain pin, or because it is for another host.
    ///
    /// - Parameter words: libcurl's message.
    static func untrusted(host: String, handshake: Handshake?, words: String) -> NetworkError {
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
                remedy: .certificateHost, underlying: words)
        }
        return NetworkError(.untrustedCertificate, "the certificate of \(host) is not trusted: \(reason)", remedy: .trustedIssuer, underlying: words)
    }

    /// The error for a chain without any of the pinned keys and certificates.
    static func pinMismatch(host: String, words: String) -> NetworkError {
        NetworkError(
            .pinMismatch, "the certificate of \(host) matches none of the pins", hint: "the server has a new key, or the connection is intercepted",
            underlying: words)
    }

    private static func refusal(_ code: Int32, depth: Int, of certificate: PresentedCertificate?, chain: [PresentedCertificate]) -> String {
        let isLeaf = depth == 0
        let whose = isLeaf ? "it" : "that of its issuer, \(certificate?.subject ?? "unnamed"),"
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "\(whose) expired\(certificate.map { " on " + CalendarTime(secondsSince1970: $0.validUntil).date } ?? "")"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "\(whose) is not valid before \(certificate.map { CalendarTime(secondsSince1970: $0.validFrom).date } ?? "a later day")"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return "it is self-signed"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return "its root, \(certificate?.subject ?? "unnamed"), is not trusted"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            let issuer = certificate?.issuer ?? "unnamed"
            return chain.count > 1
                ? "the issuer \(issuer) is unknown"
                : "its issuer, \(issuer), is unknown, and the server did not send its certificate"
        case X509_V_ERR_CERT_REVOKED: return "\(whose) was revoked"
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
            return "\(whose) uses a key or a digest that is too weak"
        case X509_V_ERR_INVALID_PURPOSE: return "\(whose) is not valid for servers"
        case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA: return "\(whose) is not allowed to sign certificates"
        default: return String(cString: X509_verify_cert_error_string(Int(code)))
        }
    }

    /// The error for a handshake that failed or that the peer did not understand; nil where the failure has another cause.
    ///
    /// - Parameters:
    ///   - words: libcurl's message.
    ///   - place: The host, port and address, for the message.
    static func handshake(_ failure: Handshake.Failure?, words: String, policy: TrustPolicy, place: String) -> NetworkError? {
        switch failure {
        case .alert(SSL_AD_CERTIFICATE_REQUIRED):
            return NetworkError(
                .clientCertificate,
                policy.clientCertificateFile == nil ? "\(place) requires a client certificate" : "\(place) did not receive the client certificate",
                remedy: .clientCertificate, underlying: words)
        case .reason(SSL_R_WRONG_VERSION_NUMBER), .reason(SSL_R_HTTP_REQUEST), .reason(SSL_R_PACKET_LENGTH_TOO_LONG):
            return NetworkError(.tlsFailed, "\(place) does not use TLS", hint: "the port may use plain HTTP: try http://", underlying: words)
        case .alert(SSL_AD_PROTOCOL_VERSION), .reason(SSL_R_UNSUPPORTED_PROTOCOL), .reason(SSL_R_NO_PROTOCOLS_AVAILABLE):
            return NetworkError(
                .tlsFailed, "\(place) does not support TLS \(policy.minimumTLS.rawValue) or later",
                remedy: policy.minimumTLS.isOutdated ? nil : .olderTLS,
                underlying: words)
        case .alert(SSL_AD_HANDSHAKE_FAILURE):
            return NetworkError(
                .tlsFailed, "\(place) ended the TLS handshake: there is no common cipher, or it requires a client certificate",
                remedy: .clientCertificate,
                underlying: words
            )
        case .alert(let alert):
            guard let reason = clientCertificateReason(alert) else { return nil }
            return NetworkError(
                .clientCertificate, "\(place) rejected the client certificate: \(reason)", remedy: .clientCertificate, underlying: words)
        case .reason, nil: return nil
        }
    }

    /// Why a server rejected a client certificate; nil for an alert with another meaning.
    private static func clientCertificateReason(_ alert: Int32) -> String? {
        switch alert {
        case SSL_AD_UNKNOWN_CA: "its issuer is unknown"
        case SSL_AD_CERTIFICATE_EXPIRED: "it expired"
        case SSL_AD_CERTIFICATE_REVOKED: "it was revoked"
        case SSL_AD_BAD_CERTIFICATE: "it is invalid"
        case SSL_AD_UNSUPPORTED_CERTIFICATE: "its kind is not supported"
        case SSL_AD_CERTIFICATE_UNKNOWN: "it is not acceptable"
        case SSL_AD_ACCESS_DENIED: "access is denied"
        default: nil
        }
    }
}
