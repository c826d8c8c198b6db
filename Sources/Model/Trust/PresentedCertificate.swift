/// One certificate of the chain that a server showed.
public struct PresentedCertificate: Hashable, Sendable {
    /// Whom it is for: the common name, or the whole name where it has none.
    public var subject: String
    /// Who signed it.
    public var issuer: String
    /// The host names and addresses that it is for.
    public var names: [String]
    /// From when it is valid, in seconds since 1970.
    public var validFrom: Double
    /// Until when it is valid, in seconds since 1970.
    public var validUntil: Double
    /// `sha256//BASE64` of its public key, as ``TrustPolicy/pins`` has it.
    public var pin: String

    /// A certificate of its parts.
    public init(subject: String, issuer: String, names: [String] = [], validFrom: Double, validUntil: Double, pin: String) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.pin = pin
    }

    /// Its days, as `2020-01-01 to 2099-12-31`.
    public var validity: String {
        "\(CalendarTime(secondsSince1970: validFrom).date) to \(CalendarTime(secondsSince1970: validUntil).date)"
    }

    /// For what it is, as `localhost, example.test and 3 more`.
    public var namesText: String {
        guard names.count > 3 else { return names.isEmpty ? subject : names.joined(separator: ", ") }
        return names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more"
    }

    /// The certificate in one line.
    public var text: String { "\(subject), issued by \(issuer), \(validity), \(pin)" }

    /// The certificate as `--json` has it.
    public var record: JSONValue {
        [
            "subject": .string(subject), "issuer": .string(issuer), "names": .array(names.map { .string($0) }),
            "validFrom": .string(CalendarTime(secondsSince1970: validFrom).iso8601),
            "validUntil": .string(CalendarTime(secondsSince1970: validUntil).iso8601), "pin": .string(pin),
        ]
    }
}
