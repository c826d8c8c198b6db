internal import CTLS
internal import SortieHTTP

/// The result of the TLS handshake of one new connection: the server's chain, why it is not trusted, and why the handshake failed.
///
/// libcurl reports only OpenSSL's message; this type records OpenSSL's codes. Confined to the engine's thread.
final class Handshake {
    /// Why OpenSSL, or a pin, rejected a chain.
    enum Problem: Equatable {
        /// OpenSSL's error code, and the certificate at fault with its depth in the chain; 0 is the server's own certificate.
        case refused(code: Int32, depth: Int, certificate: PresentedCertificate?)
        /// No key and no certificate matches a pin.
        case pins
    }

    /// Why the handshake failed, or why the server ended the connection after it.
    enum Failure: Equatable {
        /// The server sent this alert (RFC 8446 §6).
        case alert(Int32)
        /// OpenSSL reported this reason (`SSL_R_…`).
        case reason(Int32)
    }

    /// The certificates that the server sent, its own first.
    private(set) var chain: [PresentedCertificate] = []
    /// Why the chain was rejected; nil where it was not, and where libcurl rejected it, which compares the name and the leaf pin itself.
    private(set) var problem: Problem?
    /// The last alert of the server; where there is none, OpenSSL's reason for the failure of the handshake.
    private(set) var failure: Failure?
    private let policy: TrustPolicy
    /// The pins of which one must match a key; empty where libcurl compares the key of the leaf itself.
    private let keys: Set<String>
    /// The digests of which one must match a whole certificate.
    private let certificates: Set<String>

    init(policy: TrustPolicy, now: Double) {
        self.policy = policy
        certificates = Set(policy.certificateDigests(at: now))
        keys = policy.pinScope == .chain || !certificates.isEmpty ? Set(policy.pins(at: now)) : []
    }

    /// Whether the certificates are compared here.
    private var comparesPins: Bool { !keys.isEmpty || !certificates.isEmpty }

    // MARK: OpenSSL

    /// The `SSL_CTX` ex-data index that keeps a handshake alive while OpenSSL may call it, which includes a later renegotiation.
    private static let place = ctls_new_place { _, kept, _, _, _, _ in
        if let kept { Unmanaged<Handshake>.fromOpaque(kept).release() }
    }

    /// Installs the callbacks for a connection that is being set up.
    ///
    /// - Returns: Whether they were installed.
    func watch(_ context: OpaquePointer) -> Bool {
        let kept = Unmanaged.passRetained(self)
        guard SSL_CTX_set_ex_data(context, Self.place, kept.toOpaque()) == 1 else {
            kept.release()
            return false
        }
        SSL_CTX_set_info_callback(context, Self.onState)
        // For an insecure request libcurl requests no verification. If it does here, the peer is an https proxy, which libcurl verifies itself.
        if policy.isInsecure, SSL_CTX_get_verify_mode(context) & SSL_VERIFY_PEER != 0 { return true }
        SSL_CTX_set_cert_verify_callback(context, Self.onChain, kept.toOpaque())
        // Without verification, OpenSSL ignores the result of the callback.
        if comparesPins { SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil) }
        return true
    }

    private static let onChain: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, context in
        guard let store, let context else { return 0 }
        return Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue().verify(store) ? 1 : 0
    }

    private static let onState: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { connection, event, value in
        guard let kept = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), place) else { return }
        let handshake = Unmanaged<Handshake>.fromOpaque(kept).takeUnretainedValue()
        if event == SSL_CB_READ_ALERT {
            // The level is in the upper byte.
            handshake.failure = .alert(value & 0xff)
        } else if event == SSL_CB_CONNECT_EXIT, value <= 0, handshake.failure == nil {
            // libcurl empties the error queue before each step of a handshake; without an error the step waits for the server.
            let code = ERR_peek_error()
            if ERR_GET_LIB(code) == ERR_LIB_SSL { handshake.failure = .reason(ERR_GET_REASON(code)) }
        }
    }

    private func verify(_ store: OpaquePointer) -> Bool {
        chain = X509Reader.certificates(X509_STORE_CTX_get0_untrusted(store))
        // Without verification only the leaf certificate is proven to belong to the server; any peer can send further certificates along.
        if policy.isInsecure { return comparePins(X509_STORE_CTX_get0_untrusted(store), store) }
        guard X509_verify_cert(store) == 1 else {
            let depth = Int(X509_STORE_CTX_get_error_depth(store))
            let certificate = X509_STORE_CTX_get_current_cert(store).flatMap(X509Reader.certificate)
            problem = .refused(code: X509_STORE_CTX_get_error(store), depth: depth, certificate: certificate)
            return false
        }
        return comparePins(X509_STORE_CTX_get0_chain(store), store)
    }

    private func comparePins(_ chain: OpaquePointer?, _ store: OpaquePointer) -> Bool {
        guard comparesPins else { return true }
        let shown = X509Reader.certificates(chain).prefix(policy.isInsecure || policy.pinScope == .leaf ? 1 : .max)
        guard !shown.contains(where: { keys.contains($0.pin) || certificates.contains($0.digest) }) else { return true }
        problem = .pins
        X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return false
    }
}
