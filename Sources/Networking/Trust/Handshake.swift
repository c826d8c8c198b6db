internal import CTLS
internal import Model

/// What the TLS handshake of one new connection showed: the server's chain, and why it is not trusted.
///
/// libcurl's own answer is a sentence of OpenSSL's; here is what it was made of. Used on the engine's thread only.
final class Handshake {
    /// Why OpenSSL, or a pin, refused a chain.
    enum Problem: Equatable {
        /// OpenSSL's number, and the certificate at fault with its place in the chain, 0 for the server's own.
        case refused(code: Int32, depth: Int, certificate: PresentedCertificate?)
        /// No key of the chain is one of the pins.
        case pins
    }

    /// The certificates that came, the server's own first.
    private(set) var chain: [PresentedCertificate] = []
    /// Why it was refused; nil where it was not, or by somebody else: libcurl compares the name and the pin of the leaf itself.
    private(set) var problem: Problem?
    private let policy: TrustPolicy
    /// The keys of which one must be in the verified chain; empty where that is not asked for.
    private let chainPins: Set<String>

    init(policy: TrustPolicy, now: Double) {
        self.policy = policy
        chainPins = policy.pinScope == .chain ? Set(policy.pins(at: now)) : []
    }

    // MARK: OpenSSL

    /// The place in an `SSL_CTX` that keeps a handshake alive for as long as OpenSSL may call: also when a server wants a second one much later.
    private static let place = ctls_new_place { _, kept, _, _, _, _ in
        if let kept { Unmanaged<Handshake>.fromOpaque(kept).release() }
    }

    /// Has OpenSSL show the chain of the connection that begins.
    ///
    /// - Returns: whether it will.
    func watch(_ context: OpaquePointer) -> Bool {
        // For a server that is not verified libcurl asks for no verification; who is verified all the same is an https proxy, and libcurl does it.
        if policy.isInsecure, SSL_CTX_get_verify_mode(context) & SSL_VERIFY_PEER != 0 { return true }
        let kept = Unmanaged.passRetained(self)
        guard SSL_CTX_set_ex_data(context, Self.place, kept.toOpaque()) == 1 else {
            kept.release()
            return false
        }
        SSL_CTX_set_cert_verify_callback(context, Self.onChain, kept.toOpaque())
        // Without verification OpenSSL would not listen to what the pins say.
        if !chainPins.isEmpty { SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil) }
        return true
    }

    private static let onChain: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, context in
        guard let store, let context else { return 0 }
        return Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue().verify(store) ? 1 : 0
    }

    private func verify(_ store: OpaquePointer) -> Bool {
        chain = X509Reader.certificates(X509_STORE_CTX_get0_untrusted(store))
        // Where nothing is verified only the server's own certificate is known to be its own: anybody can send others along.
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
        guard !chainPins.isEmpty else { return true }
        let shown = X509Reader.certificates(chain).prefix(policy.isInsecure ? 1 : .max)
        guard chainPins.isDisjoint(with: shown.map(\.pin)) else { return true }
        problem = .pins
        X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return false
    }
}
