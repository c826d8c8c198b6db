internal import FoundationEssentials

/// Learning what is secret from where it stands: what was a password in one place is none to be told in another.
extension Redaction {
    /// Hides the values that stand in the secret fields, parameters and cookies of an exchange, wherever else they are.
    public func learning(from exchange: Exchange) -> Redaction {
        var result = learning(from: exchange.request)
        for field in exchange.sentHeaders.fields { result.learn(field) }
        for field in exchange.response?.headers.fields ?? [] { result.learn(field) }
        return result
    }

    /// The same of a request.
    public func learning(from request: Request) -> Redaction {
        guard !isOff else { return self }
        var result = self
        for field in request.headers.fields { result.learn(field) }
        result.learn(items: request.url.query ?? "")
        if let password = request.url.credentials?.password { result.learn(password) }
        if let digest = request.options.digest { result.learn(digest.password) }
        if case .bytes(let bytes, let type) = request.body, bytes.count < 1 << 20,
            MediaType(request.headers["Content-Type"] ?? type ?? "")?.essence == "application/x-www-form-urlencoded"
        {
            result.learn(items: String(decoding: bytes, as: UTF8.self))
        }
        return result
    }

    /// The fewest characters of a value that is hidden everywhere: to hide a short one would make bodies unreadable, and it is hidden where it stands.
    private static let shortest = 8

    private mutating func learn(_ value: some StringProtocol) {
        if value.count >= Self.shortest { hide(String(value)) }
    }

    private mutating func learn(_ field: HeaderField) {
        guard isSecret(field.name) else { return }
        if field.isNamed("Cookie") || field.isNamed("Set-Cookie") {
            // Of Set-Cookie what follows the first `;` are its attributes.
            let pairs = field.value.split(separator: ";")
            for pair in field.isNamed("Cookie") ? pairs[...] : pairs.prefix(1) {
                if let equals = pair.firstIndex(of: "=") { learn(pair[pair.index(after: equals)...]) }
            }
            return
        }
        let words = field.value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, field.name.lowercased().hasSuffix("authorization") else { return learn(field.value) }
        learn(words[1])
        guard words[0].lowercased() == "basic", let decoded = Data(base64Encoded: String(words[1])) else { return }
        let pair = String(decoding: decoded, as: UTF8.self)
        if let colon = pair.firstIndex(of: ":") { learn(pair[pair.index(after: colon)...]) }
    }

    private mutating func learn(items text: String) {
        for pair in ParameterPair.pairs(of: text, plusIsSpace: true) where isSecretPath(pair.name) { learn(pair.value ?? "") }
    }
}
