internal import SortieBase
internal import SortieHTTP

/// The header fields of a scheme of ``SignatureCredential`` for one attempt.
struct MessageSignature {
    /// The fields in their order.
    private(set) var fields: [HeaderField] = []
    /// The text that was signed.
    private(set) var base = ""

    /// What is signed: the message as it is sent.
    private let method: HTTPMethod
    private let url: HTTPURL
    private let sent: Headers

    /// The components of a message signature where the settings name none.
    private static let usual = ["@method", "@target-uri"]
    private static let digestField = "content-digest"

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - fields: The header fields as they are sent.
    ///   - time: The seconds since 1970.
    ///   - nonce: A text that is used once.
    /// - Throws: `invalidOption` where the settings are incomplete, the key does not fit the algorithm, or the message lacks a component.
    init(
        _ credential: SignatureCredential, method: HTTPMethod, url: HTTPURL, fields: Headers, time: Int64, nonce: String
    ) throws(NetworkError) {
        (self.method, self.url, sent) = (method, url, fields)
        if let problem = credential.problem { throw Self.invalid(problem, credential) }
        switch credential.scheme {
        case .httpSignature: try sign(credential, time)
        case .hawk: addCode(credential, time, nonce)
        case .wsse: addToken(credential, time, nonce)
        }
    }

    /// Whether the field with the digest of the body is added before the signature (RFC 9530).
    static func needsDigest(_ credential: SignatureCredential, _ request: Request) -> Bool {
        guard credential.scheme == .httpSignature, !request.headers.contains(digestField) else { return false }
        return names(credential, hasBody: request.body != .none).contains(digestField)
    }

    private static func invalid(_ problem: String, _ credential: SignatureCredential) -> NetworkError {
        let scheme = credential.scheme.rawValue
        return NetworkError(.invalidOption, "the request cannot be signed: \(problem)", hint: "correct the settings (\(scheme):)")
    }

    // MARK: HTTP message signatures (RFC 9421)

    private static func names(_ credential: SignatureCredential, hasBody: Bool) -> [String] {
        let given = credential[field: .components].split { $0 == " " || $0 == "," }.map { $0.lowercased() }
        return given.isEmpty ? usual + (hasBody ? [digestField] : []) : given
    }

    private mutating func sign(_ credential: SignatureCredential, _ time: Int64) throws(NetworkError) {
        var lines: [String] = []
        let names = Self.names(credential, hasBody: sent.contains(Self.digestField))
        for name in names {
            guard let value = value(of: name) else { throw Self.invalid("the message has no component “\(name)”", credential) }
            lines.append("\(FieldParameters.quoted(name)): \(value)")
        }
        var parameters = "(\(names.map(FieldParameters.quoted).joined(separator: " ")));created=\(time)"
        if let lifetime = credential.lifetimeSeconds { parameters += ";expires=\(time + lifetime)" }
        for (name, field) in [("keyid", SignatureCredential.Field.keyID), ("tag", .tag)] where !credential[field: field].isEmpty {
            parameters += ";\(name)=\(FieldParameters.quoted(credential[field: field]))"
        }
        base = (lines + ["\"@signature-params\": \(parameters)"]).joined(separator: "\n")
        let label = credential[field: .label].isEmpty ? "sig1" : credential[field: .label]
        let signature = Base64.text(try Self.signature(of: Array(base.utf8), credential))
        fields = [HeaderField("Signature-Input", "\(label)=\(parameters)"), HeaderField("Signature", "\(label)=:\(signature):")]
    }

    /// The value of a component (RFC 9421 §2.1, §2.2); nil for one that the message does not have.
    private func value(of name: String) -> String? {
        switch name {
        case "@method": method.rawValue
        case "@target-uri": url.origin + url.requestTarget
        case "@authority": url.authority.lowercased()
        case "@scheme": url.scheme.rawValue
        case "@request-target": url.requestTarget
        case "@path": url.path
        case "@query": "?" + (url.query ?? "")
        default: fieldValue(name)
        }
    }

    private func fieldValue(_ name: String) -> String? {
        let values = sent.values(of: name).map(\.trimmingOptionalWhitespace)
        return name.hasPrefix("@") || values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func signature(of bytes: [UInt8], _ credential: SignatureCredential) throws(NetworkError) -> [UInt8] {
        let key = credential[field: .key]
        let scheme: SigningKey.Scheme
        switch credential.algorithm {
        case "hmac-sha256":
            // A binary secret has a text form.
            let secret = key.hasPrefix("base64:") ? Base64.bytes(String(key.dropFirst("base64:".count))) : Array(key.utf8)
            guard let secret else { throw invalid("the key after base64: is not base64", credential) }
            return HashFunction.sha256.authenticationCode(of: bytes, key: secret)
        case "ed25519": scheme = .ed25519
        case "ecdsa-p256-sha256": scheme = .ecdsa(.sha256, curve: "prime256v1", size: 64)
        case "ecdsa-p384-sha384": scheme = .ecdsa(.sha384, curve: "secp384r1", size: 96)
        case "rsa-pss-sha512": scheme = .rsaPSS(.sha512)
        default: scheme = .rsa(.sha256)
        }
        guard let signature = SigningKey(pem: key)?.signature(of: bytes, scheme) else {
            throw invalid("the key is not a private key in PEM that fits \(credential.algorithm)", credential)
        }
        return signature
    }

    // MARK: Hawk

    private mutating func addCode(_ credential: SignatureCredential, _ time: Int64, _ nonce: String) {
        let (ext, app, dlg) = (credential[field: .ext], credential[field: .app], credential[field: .dlg])
        let escaped = ext.replacing(scalars: "\\", with: "\\\\").replacing(scalars: "\n", with: "\\n")
        let parts = [
            "hawk.1.header", String(time), nonce, method.rawValue, url.requestTarget, url.hostForLookup.lowercased(), String(url.port), "", escaped,
        ]
        base = (parts + (app.isEmpty ? [] : [app, dlg])).map { $0 + "\n" }.joined()
        let function = credential.algorithm == "sha1" ? HashFunction.sha1 : .sha256
        let code = Base64.text(function.authenticationCode(of: base.utf8, key: credential[field: .key].utf8))
        var attributes = [("id", credential[field: .id]), ("ts", String(time)), ("nonce", nonce), ("ext", ext), ("mac", code), ("app", app)]
        if !app.isEmpty { attributes.append(("dlg", dlg)) }
        let text = attributes.filter { !$0.1.isEmpty }.map { "\($0.0)=\(FieldParameters.quoted($0.1))" }.joined(separator: ", ")
        fields = [HeaderField("Authorization", "Hawk \(text)")]
    }

    // MARK: WSSE

    private mutating func addToken(_ credential: SignatureCredential, _ time: Int64, _ nonce: String) {
        let created = CalendarTime(secondsSince1970: Double(time)).iso8601
        base = nonce + created + credential[field: .password]
        let digest = Base64.text(HashFunction.sha1.digest(of: base))
        let attributes = [("Username", credential[field: .user]), ("PasswordDigest", digest), ("Nonce", nonce), ("Created", created)]
        let text = attributes.map { "\($0.0)=\(FieldParameters.quoted($0.1))" }.joined(separator: ", ")
        fields = [HeaderField("Authorization", "WSSE profile=\"UsernameToken\""), HeaderField("X-WSSE", "UsernameToken \(text)")]
    }
}
