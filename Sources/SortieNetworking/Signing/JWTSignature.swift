internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP

/// Creates JSON Web Tokens in the compact serialization (RFC 7515 §7.1).
struct JWTSignature {
    let credential: JWTCredential

    /// The token, with `iat` and `exp` where the claims have none.
    ///
    /// - Parameter now: seconds since 1970-01-01T00:00:00Z.
    /// - Throws: `invalidOption` when the settings are incomplete, or the key does not fit the algorithm.
    func token(at now: Int64) throws(NetworkError) -> String {
        if let problem = credential.problem { throw invalid(problem) }
        let name = JSONValue.string(credential.algorithm.rawValue)
        let header: JSONValue =
            credential.keyID.isEmpty ? ["alg": name, "typ": "JWT"] : ["alg": name, "typ": "JWT", "kid": .string(credential.keyID)]
        let content = "\(Self.base64URL(header.compactText.utf8)).\(Self.base64URL(try claims(at: now).utf8))"
        return "\(content).\(Self.base64URL(try signature(of: Data(content.utf8))))"
    }

    private func claims(at now: Int64) throws(NetworkError) -> String {
        let value: JSONValue
        do { value = try JSONValue(parsing: credential.claims) } catch { throw invalid("claims are not JSON: \(error)") }
        guard case .object(var members) = value else { throw invalid("claims are not a JSON object") }
        if value["iat"] == nil { members.append(.init("iat", .number(String(now)))) }
        if value["exp"] == nil, let lifetime = credential.lifetimeSeconds { members.append(.init("exp", .number(String(now + lifetime)))) }
        return JSONValue.object(members).compactText
    }

    private func signature(of data: Data) throws(NetworkError) -> [UInt8] {
        let key = credential.key
        do {
            switch credential.algorithm {
            case .hs256: return Array(HMAC<SHA256>.authenticationCode(for: data, using: secret))
            case .hs384: return Array(HMAC<SHA384>.authenticationCode(for: data, using: secret))
            case .hs512: return Array(HMAC<SHA512>.authenticationCode(for: data, using: secret))
            case .rs256, .rs384, .rs512: return try rsa(data, padding: .insecurePKCS1v1_5)
            case .ps256, .ps384, .ps512: return try rsa(data, padding: .PSS)
            case .es256: return Array(try P256.Signing.PrivateKey(pemRepresentation: key).signature(for: data).rawRepresentation)
            case .es384: return Array(try P384.Signing.PrivateKey(pemRepresentation: key).signature(for: data).rawRepresentation)
            case .es512: return Array(try P521.Signing.PrivateKey(pemRepresentation: key).signature(for: data).rawRepresentation)
            case .edDSA: return Array(try Curve25519.Signing.PrivateKey(rawRepresentation: ed25519Seed()).signature(for: data))
            }
        } catch let error as NetworkError {
            throw error
        } catch {
            throw invalid("the key is not a private key in PEM that fits \(credential.algorithm.rawValue)")
        }
    }

    private var secret: SymmetricKey { SymmetricKey(data: Data(credential.key.utf8)) }

    private func rsa(_ data: Data, padding: _RSA.Signing.Padding) throws -> [UInt8] {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: credential.key)
        let signature =
            switch credential.algorithm {
            case .rs384, .ps384: try key.signature(for: SHA384.hash(data: data), padding: padding)
            case .rs512, .ps512: try key.signature(for: SHA512.hash(data: data), padding: padding)
            default: try key.signature(for: SHA256.hash(data: data), padding: padding)
            }
        return Array(signature.rawRepresentation)
    }

    /// The seed of an Ed25519 key in PKCS #8 (RFC 8410 §7).
    ///
    /// swift-crypto reads this kind of key in its raw form only. Without attributes the structure has a fixed prefix before the 32 bytes of the seed.
    private func ed25519Seed() throws(NetworkError) -> Data {
        let lines = credential.key.split(whereSeparator: \.isNewline)
        let text = lines.filter { !$0.hasPrefix("-----") }.joined()
        guard credential.key.contains("-----BEGIN PRIVATE KEY-----"), let bytes = Data(base64Encoded: text), bytes.count >= 48,
            bytes.dropFirst(7).prefix(9) == Data([0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20])
        else { throw invalid("the key is not an Ed25519 private key in PEM (PKCS #8)") }
        return Data(bytes.dropFirst(16).prefix(32))
    }

    private func invalid(_ problem: String) -> NetworkError {
        NetworkError(.invalidOption, "the JSON Web Token cannot be created: \(problem)", hint: "correct the settings (jwt:)")
    }

    /// Base64 with the alphabet for URLs, without padding (RFC 7515 §2).
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(Array(bytes)).base64EncodedString()
        return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.prefix { $0 != "=" })
    }
}
