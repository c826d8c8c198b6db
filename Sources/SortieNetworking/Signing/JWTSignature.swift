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
        let content = "\(Base64.urlText(header.compactText.utf8)).\(Base64.urlText(try claims(at: now).utf8))"
        return "\(content).\(Base64.urlText(try signature(of: Array(content.utf8))))"
    }

    private func claims(at now: Int64) throws(NetworkError) -> String {
        let value: JSONValue
        do { value = try JSONValue(parsing: credential.claims) } catch { throw invalid("claims are not JSON: \(error)") }
        guard case .object(var members) = value else { throw invalid("claims are not a JSON object") }
        if value["iat"] == nil { members.append(.init("iat", .number(String(now)))) }
        if value["exp"] == nil, let lifetime = credential.lifetimeSeconds { members.append(.init("exp", .number(String(now + lifetime)))) }
        return JSONValue.object(members).compactText
    }

    private func signature(of content: [UInt8]) throws(NetworkError) -> [UInt8] {
        switch credential.algorithm {
        case .hs256: code(of: content, .sha256)
        case .hs384: code(of: content, .sha384)
        case .hs512: code(of: content, .sha512)
        case .rs256: try signature(of: content, .rsa(.sha256))
        case .rs384: try signature(of: content, .rsa(.sha384))
        case .rs512: try signature(of: content, .rsa(.sha512))
        case .ps256: try signature(of: content, .rsaPSS(.sha256))
        case .ps384: try signature(of: content, .rsaPSS(.sha384))
        case .ps512: try signature(of: content, .rsaPSS(.sha512))
        case .es256: try signature(of: content, .ecdsa(.sha256, curve: "prime256v1", size: 64))
        case .es384: try signature(of: content, .ecdsa(.sha384, curve: "secp384r1", size: 96))
        case .es512: try signature(of: content, .ecdsa(.sha512, curve: "secp521r1", size: 132))
        case .edDSA: try signature(of: content, .ed25519)
        }
    }

    private func code(of content: [UInt8], _ function: HashFunction) -> [UInt8] {
        function.authenticationCode(of: content, key: credential.key.utf8)
    }

    private func signature(of content: [UInt8], _ scheme: SigningKey.Scheme) throws(NetworkError) -> [UInt8] {
        guard let signature = SigningKey(pem: credential.key)?.signature(of: content, scheme) else {
            throw invalid("the key is not a private key in PEM that fits \(credential.algorithm.rawValue)")
        }
        return signature
    }

    private func invalid(_ problem: String) -> NetworkError {
        NetworkError(.invalidOption, "the JSON Web Token cannot be created: \(problem)", hint: "correct the settings (jwt:)")
    }
}
