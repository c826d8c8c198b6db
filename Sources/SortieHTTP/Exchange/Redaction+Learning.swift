internal import FoundationEssentials
internal import SortieBase

/// Learning secret values from their fields: a value of a secret field is hidden everywhere else as well.
extension Redaction {
    /// Creates the rules for the secrets of a request: the values that its templates used, and the names under `redact:`.
    package init(secretsOf request: Request) {
        self.init(adding: request.secrets.names.sorted(), values: request.secrets.values.union(request.secrets.encodedValues))
    }

    /// Adds the values of the secret fields, parameters and cookies of an exchange, so that they are hidden everywhere.
    package func learning(from exchange: Exchange) -> Redaction {
        learning(from: exchange.request, fields: exchange.sentHeaders.fields + (exchange.response?.headers.fields ?? []))
    }

    /// Hides the values in the secret fields, parameters and cookies of one attempt of an exchange.
    package func learning(from attempt: Attempt, of exchange: Exchange) -> Redaction {
        var request = exchange.request
        request.url = attempt.url
        request.body = attempt.body
        return learning(from: request, fields: attempt.sentHeaders.fields + (attempt.response?.headers.fields ?? []))
    }

    /// Adds those of a request.
    package func learning(from request: Request) -> Redaction { learning(from: request, fields: []) }

    /// Hides the values of the secret fields, parameters and cookies of a request.
    package mutating func learn(from request: Request) { hide(contentsOf: secrets(of: request, fields: [])) }

    /// The values of the secret fields, parameters and cookies of a request that are long enough to be hidden everywhere.
    package func secrets(of request: Request) -> Set<String> { secrets(of: request, fields: []) }

    /// The values of secret fields that are long enough to be hidden everywhere.
    package func secrets(of headers: Headers) -> Set<String> {
        Set(headers.fields.flatMap { secrets(of: $0) }.filter { $0.count >= Self.shortest })
    }

    private func learning(from request: Request, fields: [HeaderField]) -> Redaction {
        guard !isOff else { return self }
        var result = self
        result.mask(names: request.secrets.keys.keys)
        result.hide(contentsOf: result.secrets(of: request, fields: fields))
        return result
    }

    private func secrets(of request: Request, fields: [HeaderField]) -> Set<String> {
        var found: Set<String> = []
        func learn(_ value: some StringProtocol) { if value.count >= Self.shortest { found.insert(String(value)) } }
        func learn(items text: String) {
            for pair in ParameterPair.pairs(of: text, plusIsSpace: true) where isSecretPath(pair.name) { learn(pair.value ?? "") }
        }
        request.secrets.encodedValues.forEach { learn($0) }
        found.formUnion(request.secrets.keys.values)
        for field in request.headers.fields + fields { secrets(of: field).forEach { learn($0) } }
        learn(items: request.url.query ?? "")
        if let password = request.url.credentials?.password { learn(password) }
        let credential = request.options.credential
        for field in credential.fields where field.isSecret { learn(credential[field]) }
        if let password = request.options.proxy?.credentials?.password { learn(password) }
        for password in request.options.environmentProxies?.passwords ?? [] { learn(password) }
        func learn(body bytes: [UInt8], _ type: String?) {
            guard bytes.count <= Self.learnedBytes, !names.isEmpty else { return }
            let rule = MaskingRule(contentType: type, body: BodyBytes(bytes))
            if rule == .form { return learn(items: String(decoding: bytes, as: UTF8.self)) }
            let masks = [Array(HeaderField.mask.utf8), Redaction.quotedMask]
            for (range, replacement) in replacements(in: bytes, by: rule) where masks.contains(replacement) {
                learn(Self.plain(bytes[range]))
            }
        }
        switch request.body {
        case .none, .file: break
        case .bytes(let bytes, let type): learn(body: bytes, request.headers["Content-Type"] ?? type)
        case .multipart(let parts):
            for case (let part, .bytes(let bytes)) in parts.map({ ($0, $0.content) }) {
                if !isSecretPath(part.name) {
                    learn(body: bytes, part.contentType ?? "text/plain")
                } else if bytes.count <= Self.learnedBytes {
                    learn(String(decoding: bytes, as: UTF8.self))
                }
            }
        }
        return found
    }

    /// The maximum number of bytes of a body that are searched for secrets, which the server may repeat.
    private static let learnedBytes = 256 << 10

    /// The text of a value in a document without its quotes; empty where it is not a single value.
    private static func plain(_ value: ArraySlice<UInt8>) -> String {
        guard let first = value.first, !"{[<".utf8.contains(first) else { return "" }
        guard value.count > 1, first == value.last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return String(decoding: value, as: UTF8.self)
        }
        return Array(value).withUnsafeBytes { JSONStringToken.text($0, 0..<$0.count) }
    }

    /// The minimum number of characters of a value that is hidden everywhere: hiding shorter ones, which are masked in their field, would make
    /// bodies unreadable.
    private static let shortest = 8

    /// The secrets in a field: the values of cookies, and credentials without their scheme.
    private func secrets(of field: HeaderField) -> [String] {
        guard isSecret(field.name) else { return [] }
        if field.isNamed("Cookie") || field.isNamed("Set-Cookie") {
            // In Set-Cookie, attributes follow the first `;`.
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
