internal import SortieBase

internal import struct FoundationEssentials.Data

/// A certificate in the chain of a server.
package struct PresentedCertificate: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey { case subject, issuer, names, validFrom, validUntil, pin }

    /// The common name of the subject, or the whole name where it has none.
    package var subject: String
    /// The name of the issuer, in the same form.
    package var issuer: String
    /// The host names and addresses of the subject.
    package var names: [String]
    /// The start of the validity, in seconds since 1970.
    package var validFrom: Double
    /// The end of the validity, in seconds since 1970.
    package var validUntil: Double
    /// `sha256//BASE64` of the public key, in the form of ``TrustPolicy/pins``.
    package var pin: String
    /// `sha256//BASE64` of the whole certificate; empty where it is not known.
    package var digest = ""
    /// The whole certificate in DER; empty where it is not known, as in the history.
    package var encoding: [UInt8] = []

    /// Creates a certificate from its parts.
    package init(
        subject: String, issuer: String, names: [String] = [], validFrom: Double, validUntil: Double, pin: String, digest: String = "",
        encoding: [UInt8] = []
    ) {
        (self.subject, self.issuer, self.names, self.validFrom, self.validUntil) = (subject, issuer, names, validFrom, validUntil)
        (self.pin, self.digest, self.encoding) = (pin, digest, encoding)
    }

    /// The certificate in PEM (RFC 7468); empty where its encoding is not known.
    package var pem: String {
        guard !encoding.isEmpty else { return "" }
        let text = Array(Data(encoding).base64EncodedString())
        let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
        return "-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n"
    }

    /// The dates of the validity, such as `2020-01-01 to 2099-12-31`.
    package var validity: String {
        "\(CalendarTime(secondsSince1970: validFrom).date) to \(CalendarTime(secondsSince1970: validUntil).date)"
    }

    /// The names for display, such as `localhost, example.test and 3 more`.
    package var namesText: String {
        guard names.count > 3 else { return names.isEmpty ? subject : names.joined(separator: ", ") }
        return names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more"
    }

    /// The certificate in one line.
    package var text: String { "\(subject), issued by \(issuer), \(validity), \(pin)" }

    /// The certificate as a record for `--json`.
    package var record: JSONValue {
        [
            "subject": .string(subject), "issuer": .string(issuer), "names": .array(names.map { .string($0) }),
            "validFrom": .string(CalendarTime(secondsSince1970: validFrom).iso8601),
            "validUntil": .string(CalendarTime(secondsSince1970: validUntil).iso8601), "pin": .string(pin),
        ]
    }
}
