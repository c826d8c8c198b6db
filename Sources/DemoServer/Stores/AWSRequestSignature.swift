import Foundation
import SortieBase

/// The field `Authorization` of AWS Signature Version 4, and the calculation of its signature from the received request.
struct AWSRequestSignature: Sendable {
    /// The access key ID.
    let accessKey: String
    /// Day, region, service and `aws4_request`, joined by `/`.
    let scope: String
    /// The names of the signed fields, joined by `;`.
    let names: String
    /// The signature in hexadecimal digits.
    let signature: String

    /// Parses the field; nil for another scheme and for a field without one of its parts.
    init?(_ field: String) {
        let scheme = "AWS4-HMAC-SHA256 "
        guard field.hasPrefix(scheme) else { return nil }
        var parts: [String: String] = [:]
        for part in field.dropFirst(scheme.count).split(separator: ",") {
            let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
        }
        guard let credential = parts["Credential"]?.split(separator: "/", maxSplits: 1), credential.count == 2,
            let names = parts["SignedHeaders"], let signature = parts["Signature"]
        else { return nil }
        (accessKey, scope) = (String(credential[0]), String(credential[1]))
        (self.names, self.signature) = (names, signature)
    }

    /// The canonical request of a received request.
    func canonicalRequest(of call: Call, body: Data) -> String {
        let path = call.rawPath.replacingOccurrences(of: "%", with: "%25")
        let query = call.rawQuery.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }.sorted()
        let fields = names.split(separator: ";").map { "\($0):\((call.header(String($0)) ?? "").trimmingCharacters(in: .whitespaces))\n" }
        return [call.method, path, query.joined(separator: "&"), fields.joined(), names, HexDigits.text(HashFunction.sha256.digest(of: body))].joined(
            separator: "\n")
    }

    /// Whether the signature is that of a canonical request.
    func isValid(_ canonicalRequest: String, date: String, secretKey: String) -> Bool {
        let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(HexDigits.text(HashFunction.sha256.digest(of: canonicalRequest)))"
        var key = Array("AWS4\(secretKey)".utf8)
        for part in scope.split(separator: "/") { key = Self.code(String(part), key) }
        return HexDigits.text(Self.code(text, key)) == signature
    }

    private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
        HashFunction.sha256.authenticationCode(of: text.utf8, key: key)
    }
}
