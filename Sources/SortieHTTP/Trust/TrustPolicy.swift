internal import SortieBase

/// How a service is verified, and the client certificate for it.
///
/// Two requests share a connection only when their policies are equal.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
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
    @Layered public var certificateAuthorityFile: String?
    /// The path of a PEM file with the client certificate, or of a PKCS#12 file (`.p12` or `.pfx`, RFC 7292) with the certificate and its key.
    @Layered public var clientCertificateFile: String?
    /// The path of a PEM file with the client key.
    @Layered public var clientKeyFile: String?
    /// The passphrase of an encrypted key file; a secret, which is neither logged nor stored.
    @Layered public var clientKeyPassphrase: String?
    /// The accepted public keys as `sha256//BASE64`; one match suffices.
    @Layered public var pins: [String] = []
    /// The paths of files with accepted certificates or public keys, in PEM or DER; one match suffices, also one of ``pins``.
    ///
    /// They are read when the request is sent. A PEM file may contain several.
    @Layered public var pinFiles: [String] = []
    /// What is compared with the certificates in ``pinFiles``.
    @Layered public var pinMatch = PinMatch.key
    /// The digests of the certificates in ``pinFiles``, read for an attempt, where whole certificates are compared.
    package var certificateDigests: [String] = []
    /// The keys that are compared with the pins.
    @Layered public var pinScope = PinScope.leaf
    /// The time from which the pins are ignored, in seconds since 1970; nil for pins that do not expire.
    ///
    /// After the expiry, a planned change of the key does not lock out clients that still have the old pins.
    @Layered public var pinsExpire: Double?
    /// The minimum version of TLS.
    @Layered public var minimumTLS = TLSVersion.usual
    /// Whether verification is disabled.
    ///
    /// It must be requested explicitly, and is then shown permanently.
    @Layered public var isInsecure = false

    /// Creates a policy that verifies against the system's certificates; an argument that is not nil assigns its field.
    public init(
        certificateAuthorityFile: String? = nil, clientCertificateFile: String? = nil, clientKeyFile: String? = nil,
        clientKeyPassphrase: String? = nil, pins: [String]? = nil, pinFiles: [String]? = nil, pinMatch: PinMatch? = nil, pinScope: PinScope? = nil,
        pinsExpire: Double? = nil, minimumTLS: TLSVersion? = nil, isInsecure: Bool? = nil
    ) {
        if let certificateAuthorityFile { self.certificateAuthorityFile = certificateAuthorityFile }
        if let clientCertificateFile { self.clientCertificateFile = clientCertificateFile }
        if let clientKeyFile { self.clientKeyFile = clientKeyFile }
        if let clientKeyPassphrase { self.clientKeyPassphrase = clientKeyPassphrase }
        if let pins { self.pins = pins }
        if let pinFiles { self.pinFiles = pinFiles }
        if let pinMatch { self.pinMatch = pinMatch }
        if let pinScope { self.pinScope = pinScope }
        if let pinsExpire { self.pinsExpire = pinsExpire }
        if let minimumTLS { self.minimumTLS = minimumTLS }
        if let isInsecure { self.isInsecure = isInsecure }
    }

    /// Whether the client certificate is a PKCS#12 file, which has the key as well.
    package var hasPKCS12: Bool {
        guard let file = clientCertificateFile?.lowercased() else { return false }
        return clientKeyFile == nil && (file.hasSuffix(".p12") || file.hasSuffix(".pfx"))
    }

    /// The policy that verifies against the system's certificates, without pins; it assigns every field, and so replaces the policy of the layers
    /// below.
    public static let system: TrustPolicy = {
        var policy = TrustPolicy()
        policy._certificateAuthorityFile.fix()
        policy._clientCertificateFile.fix()
        policy._clientKeyFile.fix()
        policy._clientKeyPassphrase.fix()
        policy._pins.fix()
        policy._pinFiles.fix()
        policy._pinMatch.fix()
        policy._pinScope.fix()
        policy._pinsExpire.fix()
        policy._minimumTLS.fix()
        policy._isInsecure.fix()
        return policy
    }()

    /// Takes the settings of the layer below that this one does not have.
    ///
    /// Pins and their conditions belong together, and so do the client certificate, its key and the passphrase: a layer with pins or files of pins
    /// replaces all of the former, and one with a certificate or a key all of the latter.
    package mutating func inherit(from lower: TrustPolicy, _ merge: inout LayerMerge) {
        _certificateAuthorityFile.inherit(lower._certificateAuthorityFile, &merge)
        _minimumTLS.inherit(lower._minimumTLS, &merge)
        _isInsecure.inherit(lower._isInsecure, &merge)
        if $clientCertificateFile == nil, $clientKeyFile == nil {
            _clientCertificateFile.inherit(lower._clientCertificateFile, &merge)
            _clientKeyFile.inherit(lower._clientKeyFile, &merge)
            _clientKeyPassphrase.inherit(lower._clientKeyPassphrase, &merge)
        } else {
            merge.usesUpper = true
        }
        if $pins == nil, $pinFiles == nil {
            _pins.inherit(lower._pins, &merge)
            _pinFiles.inherit(lower._pinFiles, &merge)
            _pinMatch.inherit(lower._pinMatch, &merge)
            _pinScope.inherit(lower._pinScope, &merge)
            _pinsExpire.inherit(lower._pinsExpire, &merge)
        } else {
            merge.usesUpper = true
        }
    }

    /// Takes the settings of the layer below that this one does not have.
    package mutating func inherit(from lower: TrustPolicy) {
        var merge = LayerMerge()
        inherit(from: lower, &merge)
    }

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
