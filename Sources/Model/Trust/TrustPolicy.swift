/// Whom a service trusts and how it shows who it is (S0.10, S3.2).
///
/// Two requests share a connection only when their policies are equal.
public struct TrustPolicy: Hashable, Sendable {
    /// What a pin is compared with.
    public enum PinScope: String, Hashable, Sendable {
        /// The key of the server's own certificate.
        case leaf
        /// The key of any certificate in the verified chain.
        case chain
    }

    /// A file with PEM certificates that stand instead of the system's.
    public var certificateAuthorityFile: String?
    /// A PEM file with our certificate.
    public var clientCertificateFile: String?
    /// A PEM file with the key of our certificate.
    public var clientKeyFile: String?
    /// The passphrase of the key, where the file is encrypted; a secret, which is neither logged nor stored.
    public var clientKeyPassphrase: String?
    /// `sha256//BASE64` of the accepted public keys; any one suffices.
    public var pins: [String]
    /// What the pins are compared with.
    public var pinScope: PinScope
    /// When the pins end, in seconds since 1970: from then on they are not compared any more.
    ///
    /// A key that is replaced as planned then shuts nobody out who did not hear of it. Nil for pins that never end.
    public var pinsExpire: Double?
    /// The oldest version of TLS that is spoken.
    public var minimumTLS: TLSVersion
    /// Whether nothing is verified.
    ///
    /// Only by name, and then shown all the time (S1.13).
    public var isInsecure: Bool

    /// A policy; the default verifies against the system's certificates.
    public init(
        certificateAuthorityFile: String? = nil, clientCertificateFile: String? = nil, clientKeyFile: String? = nil,
        clientKeyPassphrase: String? = nil, pins: [String] = [], pinScope: PinScope = .leaf, pinsExpire: Double? = nil,
        minimumTLS: TLSVersion = .usual, isInsecure: Bool = false
    ) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.clientCertificateFile = clientCertificateFile
        self.clientKeyFile = clientKeyFile
        self.clientKeyPassphrase = clientKeyPassphrase
        self.pins = pins
        self.pinScope = pinScope
        self.pinsExpire = pinsExpire
        self.minimumTLS = minimumTLS
        self.isInsecure = isInsecure
    }

    /// The system's certificates, no pins.
    public static let system = TrustPolicy()

    /// The pins that count at `now`, in seconds since 1970.
    public func pins(at now: Double) -> [String] {
        pinsExpire.map { now >= $0 } ?? false ? [] : pins
    }

    /// Why `pin` is malformed, or nil: it must be `sha256//` and the base64 of 32 bytes.
    public static func problem(ofPin pin: String) -> String? {
        let base64 = pin.dropFirst("sha256//".count)
        let isBase64 = base64.utf8.dropLast().allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2b || $0 == 0x2f }
        guard pin.hasPrefix("sha256//"), base64.utf8.count == 44, base64.hasSuffix("="), isBase64 else {
            return "“\(pin)” is not a pin; write sha256// and the base64 of the key's SHA-256, 44 characters"
        }
        return nil
    }
}
