internal import SortieBase

/// How a service is verified, and the client certificate for it.
///
/// Two requests share a connection only when their policies are equal.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
public struct TrustPolicy: Hashable, Sendable {
    /// The fields, each named like its property.
    package enum Field: UInt8, CaseIterable, Sendable {
        case certificateAuthorityFile, clientCertificateFile, clientKeyFile, clientKeyPassphrase, pins, pinFiles, pinMatch
        case pinScope, pinsExpire, minimumTLS, isInsecure
    }

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
    public var certificateAuthorityFile: String? { didSet { assigned.insert(.certificateAuthorityFile) } }
    /// The path of a PEM file with the client certificate.
    public var clientCertificateFile: String? { didSet { assigned.insert(.clientCertificateFile) } }
    /// The path of a PEM file with the client key.
    public var clientKeyFile: String? { didSet { assigned.insert(.clientKeyFile) } }
    /// The passphrase of an encrypted key file; a secret, which is neither logged nor stored.
    public var clientKeyPassphrase: String? { didSet { assigned.insert(.clientKeyPassphrase) } }
    /// The accepted public keys as `sha256//BASE64`; one match suffices.
    public var pins: [String] { didSet { assigned.insert(.pins) } }
    /// The paths of files with accepted certificates or public keys, in PEM or DER; one match suffices, also one of ``pins``.
    ///
    /// They are read when the request is sent. A PEM file may contain several.
    public var pinFiles: [String] { didSet { assigned.insert(.pinFiles) } }
    /// What is compared with the certificates in ``pinFiles``.
    public var pinMatch: PinMatch { didSet { assigned.insert(.pinMatch) } }
    /// The digests of the certificates in ``pinFiles``, read for an attempt, where whole certificates are compared.
    package var certificateDigests: [String] = []
    /// The keys that are compared with the pins.
    public var pinScope: PinScope { didSet { assigned.insert(.pinScope) } }
    /// The time from which the pins are ignored, in seconds since 1970; nil for pins that do not expire.
    ///
    /// After the expiry, a planned change of the key does not lock out clients that still have the old pins.
    public var pinsExpire: Double? { didSet { assigned.insert(.pinsExpire) } }
    /// The minimum version of TLS.
    public var minimumTLS: TLSVersion { didSet { assigned.insert(.minimumTLS) } }
    /// Whether verification is disabled.
    ///
    /// It must be requested explicitly, and is then shown permanently.
    public var isInsecure: Bool { didSet { assigned.insert(.isInsecure) } }

    /// Creates a policy that verifies against the system's certificates; an argument that is not nil assigns its field.
    public init(
        certificateAuthorityFile: String? = nil, clientCertificateFile: String? = nil, clientKeyFile: String? = nil,
        clientKeyPassphrase: String? = nil, pins: [String]? = nil, pinFiles: [String]? = nil, pinMatch: PinMatch? = nil, pinScope: PinScope? = nil,
        pinsExpire: Double? = nil, minimumTLS: TLSVersion? = nil, isInsecure: Bool? = nil
    ) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.clientCertificateFile = clientCertificateFile
        self.clientKeyFile = clientKeyFile
        self.clientKeyPassphrase = clientKeyPassphrase
        self.pins = pins ?? []
        self.pinFiles = pinFiles ?? []
        self.pinMatch = pinMatch ?? .key
        self.pinScope = pinScope ?? .leaf
        self.pinsExpire = pinsExpire
        self.minimumTLS = minimumTLS ?? .usual
        self.isInsecure = isInsecure ?? false
        if certificateAuthorityFile != nil { assigned.insert(.certificateAuthorityFile) }
        if clientCertificateFile != nil { assigned.insert(.clientCertificateFile) }
        if clientKeyFile != nil { assigned.insert(.clientKeyFile) }
        if clientKeyPassphrase != nil { assigned.insert(.clientKeyPassphrase) }
        if pins != nil { assigned.insert(.pins) }
        if pinFiles != nil { assigned.insert(.pinFiles) }
        if pinMatch != nil { assigned.insert(.pinMatch) }
        if pinScope != nil { assigned.insert(.pinScope) }
        if pinsExpire != nil { assigned.insert(.pinsExpire) }
        if minimumTLS != nil { assigned.insert(.minimumTLS) }
        if isInsecure != nil { assigned.insert(.isInsecure) }
    }

    /// The policy that verifies against the system's certificates, without pins; it assigns every field, and so replaces the policy of the layers
    /// below.
    public static let system: TrustPolicy = {
        var policy = TrustPolicy()
        policy.assigned = .all
        return policy
    }()

    /// The assigned fields.
    private var assigned = AssignedFields<Field>()

    /// Whether a field was assigned.
    package func assigns(_ field: Field) -> Bool { assigned.contains(field) }

    /// This policy with the assigned fields of the layer above.
    package func overlaid(with upper: Self) -> Self {
        var result = upper
        for field in Field.allCases where assigned.contains(field) && !upper.assigned.contains(field) { result.copy(field, from: self) }
        return result
    }

    private mutating func copy(_ field: Field, from lower: TrustPolicy) {
        switch field {
        case .certificateAuthorityFile: certificateAuthorityFile = lower.certificateAuthorityFile
        case .clientCertificateFile: clientCertificateFile = lower.clientCertificateFile
        case .clientKeyFile: clientKeyFile = lower.clientKeyFile
        case .clientKeyPassphrase: clientKeyPassphrase = lower.clientKeyPassphrase
        case .pins: pins = lower.pins
        case .pinFiles: pinFiles = lower.pinFiles
        case .pinMatch: pinMatch = lower.pinMatch
        case .pinScope: pinScope = lower.pinScope
        case .pinsExpire: pinsExpire = lower.pinsExpire
        case .minimumTLS: minimumTLS = lower.minimumTLS
        case .isInsecure: isInsecure = lower.isInsecure
        }
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
