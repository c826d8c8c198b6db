internal import FoundationEssentials

/// Learning what is secret from where it stands: what was a password in one place is none to be told in another.
extension Redaction {
    /// Hides the values that stand in the secret fields, parameters and cookies of an exchange, wherever else they are.
    public func learning(from exchange: Exchange) -> Redaction {
        learning(from: exchange.request, fields: exchange.sentHeaders.fields + (exchange.response?.headers.fields ?? []))
    }

    /// The same of an attempt.
    public func learning(from hop: RecordedHop) -> Redaction {
        learning(from: hop.request, fields: hop.sentHeaders.fields + (hop.response?.headers.fields ?? []))
    }

    /// The same of a request.
    public func learning(from request: Request) -> Redaction { learning(from: request, fields: []) }

    /// Hides the values that stand in the secret fields, parameters and cookies of a request.
    public mutating func learn(from request: Request) { hide(contentsOf: secrets(of: request, fields: [])) }

    /// The values in the secret fields, parameters and cookies of a request that are long enough to be hidden everywhere.
    public func secrets(of request: Request) -> Set<String> { secrets(of: request, fields: []) }

    private func learning(from request: Request, fields: [HeaderField]) -> Redaction {
        guard !isOff else { return self }
        var result = self
        result.hide(contentsOf: secrets(of: request, fields: fields))
        return result
    }

    private func secrets(of request: Request, fields: [HeaderField]) -> Set<String> {
        var found: Set<String> = []
        func learn(_ value: some StringProtocol) { if value.count >= Self.shortest { found.insert(String(value)) } }
        func learn(items text: String) {
            for pair in ParameterPair.pairs(of: text, plusIsSpace: true) where isSecretPath(pair.name) { learn(pair.value ?? "") }
        }
        for field in request.headers.fields + fields { secrets(of: field).forEach { learn($0) } }
        learn(items: request.url.query ?? "")
        if let password = request.url.credentials?.password { learn(password) }
        if let digest = request.options.digest { learn(digest.password) }
        if let password = request.options.proxy?.credentials?.password { learn(password) }
        if case .bytes(let bytes, let type) = request.body, bytes.count < 1 << 20,
            MediaType(request.headers["Content-Type"] ?? type ?? "")?.essence == "application/x-www-form-urlencoded"
        {
            learn(items: String(decoding: bytes, as: UTF8.self))
        }
        return found
    }

    /// The fewest characters of a value that is hidden everywhere: to hide a short one would make bodies unreadable, and it is hidden where it stands.
    private static let shortest = 8

    /// What a field says that is a secret: the values of cookies, and credentials without their scheme.
    private func secrets(of field: HeaderField) -> [String] {
        guard isSecret(field.name) else { return [] }
        if field.isNamed("Cookie") || field.isNamed("Set-Cookie") {
            // Of Set-Cookie what follows the first `;` are its attributes.
            let pairs = field.value.split(separator: ";")
            return (field.isNamed("Cookie") ? pairs[...] : pairs.prefix(1)).compactMap { pair in
                pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
            }
        }
        let words = field.value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, field.name.lowercased().hasSuffix("authorization") else { return [field.value] }
        guard words[0].lowercased() == "basic", let decoded = Data(base64Encoded: String(words[1])) else { return [String(words[1])] }
        let pair = String(decoding: decoded, as: UTF8.self)
        return [String(words[1])] + (pair.firstIndex(of: ":").map { [String(pair[pair.index(after: $0)...])] } ?? [])
    }
}
