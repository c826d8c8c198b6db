import Foundation
import SortieBase

/// A service with encrypted bodies only, whose requests are signed with HMAC-SHA256.
enum VaultRoutes {
    /// The media type of an encrypted body.
    static let encryptedType = "application/vnd.sortie.aes-gcm"
    /// The largest age of a signature, in seconds.
    static let window = 300.0

    static func all(_ demo: Demo) -> [Route] {
        [
            Route(["POST"], "/vault/echo", "Requires an HMAC-SHA256 signature and an AES-GCM body; returns its content, encrypted.") { call in
                let plain = try await open(call, demo)
                let text = String(decoding: plain, as: UTF8.self)
                return try sealed(["code": 200, "description": "OK", "result": ["received": .string(text), "bytes": .integer(plain.count)]], demo)
            },
            Route(["GET"], "/vault/search", "Requires a signature and the query encrypted in the parameter data; returns the query, encrypted.") {
                call in
                let text = String(decoding: try openQuery(call, demo), as: UTF8.self)
                return try sealed(["code": 200, "description": "OK", "result": ["query": .string(text)]], demo)
            },
            Route(["POST"], "/vault/refusal", "The same, but the response is an encrypted 422.") { call in
                _ = try await open(call, demo)
                return try sealed(["code": 42201, "description": "The vault does not store this."], demo, status: 422)
            },
        ]
    }

    /// The decrypted body.
    ///
    /// The signature covers the encrypted bytes.
    private static func open(_ call: Call, _ demo: Demo) async throws -> Data {
        let body = try await call.body.collect()
        try verify(call, body, demo)
        guard call.mediaType == encryptedType else { throw Problem(415, "The vault accepts only \(encryptedType), not \(call.mediaType).") }
        return try open(body, "body", demo)
    }

    /// The decrypted query, from the parameter data in base64url (RFC 4648 §5).
    private static func openQuery(_ call: Call, _ demo: Demo) throws -> Data {
        try verify(call, Data(), demo)
        let text = QueryItems(call.rawQuery, plusIsSpace: false)["data"] ?? ""
        guard !text.isEmpty, let bytes = Base64.bytes(text) else {
            throw Problem(400, "The vault accepts only a query that is encrypted in the parameter data.", code: 40011)
        }
        return try open(Data(bytes), "query", demo)
    }

    private static func open(_ bytes: Data, _ what: String, _ demo: Demo) throws -> Data {
        guard let opened = AESGCM(key: demo.options.vaultKey)?.open(Array(bytes)) else {
            throw Problem(400, "The \(what) cannot be decrypted: the key is different, or the \(what) was changed in transit.", code: 40010)
        }
        return Data(opened)
    }

    private static func verify(_ call: Call, _ body: Data, _ demo: Demo) throws {
        guard let given = QueryItems(call.rawQuery, plusIsSpace: false)["sign"] else { throw Problem(401, "The request has no sign.", code: 40101) }
        guard let timestamp = call.header("X-Timestamp"), let seconds = Double(timestamp),
            abs(Date().timeIntervalSince1970 - seconds) < window
        else { throw Problem(401, "X-Timestamp is missing or not the current time.", code: 40103) }
        let items = call.rawQuery.split(separator: "&").filter { !$0.hasPrefix("sign=") }
        let query = items.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
        let text = [call.method, call.rawPath, query, HexDigits.text(HashFunction.sha256.digest(of: body)), timestamp].joined(separator: "\n")
        guard given == HexDigits.text(HashFunction.sha256.authenticationCode(of: text.utf8, key: demo.options.gatewaySecret.utf8)) else {
            throw Problem(401, "The sign \(given) does not match. The server computed HMAC-SHA256 of: \(text)", code: 40102)
        }
    }

    private static func sealed(_ value: JSON, _ demo: Demo, status: Int = 200) throws -> Reply {
        guard let sealed = AESGCM(key: demo.options.vaultKey)?.seal(Array(value.compactText.utf8)) else {
            throw Problem(500, "The response could not be encrypted.")
        }
        return Reply(status, headers: [("Content-Type", "\(encryptedType); type=\"application/json\"")], body: .data(Data(sealed)))
    }
}
