internal import SortieBase

/// How a service is verified, and the client certificate for it (S0.10, S3.2).
///
/// Two requests share a connection only when their policies are equal.
public struct TrustPolicy: Hashable, Sendable {
    /// The keys that are compared with the pins.
    public enum PinScope: String, Hashable, Sendable {
        /// The key of the server's own certificate.
        case leaf
        /// The key of any certificate in the verified chain.
        case chain
    }

    /// What is compared with the certificates in ``pinFiles``.
    public enum PinMatch: String, Hashable, Sendable, CaseIterable {
        /// The public key, which a renewed certificate may keep.
        case key
        /// The whole certificate.
        case certificate
    }

    /// The path of a file with PEM certificates that replace the system's.
    public var certificateAuthorityFile: String?
    /// The path of a PEM file with the client certificate.
    public var clientCertificateFile: String?
    /// The path of a PEM file with the client key.
    public var clientKeyFile: String?
    /// The passphrase of an encrypted key file; a secret, which is neither logged nor stored.
    public var clientKeyPassphrase: String?
    /// The accepted public keys as `sha256//BASE64`; one match suffices.
    public var pins: [String]
    /// The paths of files with accepted certificates or public keys, in PEM or DER; one match suffices, also one of ``pins``.
    ///
    /// They are read when the request is sent. A PEM file may contain several.
    public var pinFiles: [String]
    /// What is compared with the certificates in ``pinFiles``.
    public var pinMatch: PinMatch
    /// The digests of the certificates in ``pinFiles``, read for an attempt, where whole certificates are compared.
    package var certificateDigests: [String] = []
    /// The keys that are compared with the pins.
    public var pinScope: PinScope
    /// The time from which the pins are ignored, in seconds since 1970; nil for pins that do not expire.
    ///
    /// After the expiry, a planned change of the key does not lock out clients that still have the old pins.
    public var pinsExpire: Double?
    /// The minimum version of TLS.
    public var minimumTLS: TLSVersion
    /// Whether verification is disabled.
    ///
    /// It must be requested explicitly, and is then shown permanently (S1.13).
    public var isInsecure: Bool

    /// Creates a policy; by default, it verifies against the system's certificates.
    public init(
        certificateAuthorityFile: String? = nil, clientCertificateFile: String? = nil, clientKeyFile: String? = nil,
        clientKeyPassphrase: String? = nil, pins: [String] = [], pinFiles: [String] = [], pinMatch: PinMatch = .key, pinScope: PinScope = .leaf,
        pinsExpire: Double? = nil, minimumTLS: TLSVersion = .usual, isInsecure: Bool = false
    ) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.clientCertificateFile = clientCertificateFile
        self.clientKeyFile = clientKeyFile
        self.clientKeyPassphrase = clientKeyPassphrase
        self.pins = pins
        self.pinFiles = pinFiles
        self.pinMatch = pinMatch
        self.pinScope = pinScope
        self.pinsExpire = pinsExpire
        self.minimumTLS = minimumTLS
        self.isInsecure = isInsecure
    }

    /// The policy that verifies against the system's certificates, without pins.
    public static let system = TrustPolicy()

    /// Whether the policy has pins, in files or not.
    package var hasPins: Bool { !pins.isEmpty || !pinFiles.isEmpty }

    /// Whether the pins have expired at `now`, in seconds since 1970.
    package func hasExpiredPins(at now: Double) -> Bool { pinsExpire.map { now >= $0 } ?? false }

    /// The pins of keys that have not expired at `now`, in seconds since 1970.
    package func pins(at now: Double) -> [String] { hasExpiredPins(at: now) ? [] : pins }

    /// The digests of accepted certificates that have not expired at `now`, in seconds since 1970.
    package func certificateDigests(at now: Double) -> [String] { hasExpiredPins(at: now) ? [] : certificateDigests }

    /// Why `pin` is malformed; nil when it consists of `sha256//` and the base64 of 32 bytes.
    package static func problem(ofPin pin: String) -> String? {
        let base64 = pin.dropFirst("sha256//".count)
        let isBase64 = base64.utf8.dropLast().allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2b || $0 == 0x2f }
        guard pin.hasPrefix("sha256//"), base64.utf8.count == 44, base64.hasSuffix("="), isBase64 else {
            return "“\(pin)” is not a pin; write sha256// and the base64 of the key's SHA-256, 44 characters"
        }
        return nil
    }
}
