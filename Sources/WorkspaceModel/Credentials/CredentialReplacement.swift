internal import SortieBase
internal import SortieHTTP

/// Replaces the credentials in endpoints, services and variables by templates.
///
/// The one place that decides what a credential is, for imports, for what is typed, and for checks: a value is one by its use (what `auth:` and the
/// fields of credentials refer to), by its name or the end of it (``CredentialNames``), as the password of a URL, and by its shape
/// (``CredentialValues``).
package protocol CredentialReplacement {
    /// The variables to which the places of credentials refer.
    var usedVariables: Set<String> { get set }
    /// Whether values are samples of a description, so that those of the path are identifiers.
    var hasSamples: Bool { get }

    /// Whether a variable is marked as secret, whatever its name is.
    func isMarked(_ variable: String) -> Bool

    /// The template in place of a credential; the value itself to leave it.
    ///
    /// - Parameters:
    ///   - value: The text of the credential, in which `{{` is written as `{{$braces}}`.
    ///   - base: What it is, such as the name of its field.
    mutating func template(for value: String, base: String) -> String

    /// A description without credentials.
    mutating func masked(_ text: String) -> String
}

extension CredentialReplacement {
    package var hasSamples: Bool { false }

    package func isMarked(_ variable: String) -> Bool { false }

    package mutating func masked(_ text: String) -> String { text }

    // MARK: Variables

    /// Whether the whole value of a variable is a credential; a URL has it in a part.
    package func isSecret(_ value: String, of name: String) -> Bool {
        guard Self.isLiteral(value) else { return false }
        if isMarked(name) { return true }
        if usedVariables.contains(name), CredentialWords.mayBeSecret(value) { return true }
        return CredentialWords.isSecret(value, of: name)
    }

    /// Notes the variables that the place of a credential refers to.
    private mutating func note(_ text: String) {
        for case .variable(let name, _) in Template(text).segments { usedVariables.insert(name) }
    }

    /// Notes the variables that the values of noted ones refer to.
    package mutating func noteVariables(of layers: [[String: String]]) {
        var pending = Set(layers.flatMap(\.keys).filter(usedVariables.contains))
        while let name = pending.popFirst() {
            for value in layers.compactMap({ $0[name] }) {
                for case .variable(let other, _) in Template(value).segments where usedVariables.insert(other).inserted { pending.insert(other) }
            }
        }
    }

    // MARK: Places

    /// Replaces the credentials of a service; its endpoints stay as they are.
    package mutating func replaceCredentials(of service: inout Service) {
        service.auth = extracted(service.auth)
        replaceCredentials(in: &service.headers)
        replaceCredentials(in: &service.publicParameters, isParameter: true)
        if let passphrase = service.trust.clientKeyPassphrase {
            service.trust.clientKeyPassphrase = name(for: passphrase, base: "clientKeyPassphrase")
        }
        if let url = service.proxy?.url {
            service.proxy?.url = replacingPassword(of: url, base: "proxyPassword")
        }
        for environment in service.servers.keys.sorted() {
            service.servers[environment] = service.servers[environment]?.map { url in
                withoutTokens(replacingPassword(of: url, base: "serverPassword"))
            }
        }
    }

    /// The value of a variable without the password and the tokens of a URL; its parts are text, so the password stays percent-encoded.
    package mutating func extractedURL(_ value: String, base: String) -> String {
        guard value.contains("://") else { return value }
        return withoutTokens(replacingPassword(of: value, base: SecretName.variable(base) + "Password", isText: true))
    }

    /// The URL with a template in place of its password; the URL itself where it has none.
    ///
    /// - Parameter isText: Whether the template is resolved as text, not as a part of a URL, so that the secret is the percent-encoded password.
    private mutating func replacingPassword(of url: String, base: String, isText: Bool = false) -> String {
        guard let range = CredentialWords.passwordRange(of: url) else { return url }
        let password = String(url[range])
        note(password)
        let value = isText ? password : PercentEncoding.decode(password)
        let template = name(for: value, base: base)
        return template == value ? url : String(url[..<range.lowerBound]) + template + url[range.upperBound...]
    }

    /// Notes the variables in the password of a URL.
    package mutating func notePassword(of url: String) {
        if let range = CredentialWords.passwordRange(of: url) { note(String(url[range])) }
    }

    /// The text with the names of secrets in the places of tokens that are known by their shape.
    package mutating func withoutTokens(_ text: String) -> String {
        guard !CredentialValues.findings(in: text).isEmpty else { return text }
        return Template(text).segments.map { segment in
            guard case .text(let text) = segment else { return segment.description }
            let bytes = Array(text.utf8)
            var result = ""
            var position = 0
            for finding in CredentialValues.findings(in: text) {
                result += String(decoding: bytes[position..<finding.range.lowerBound], as: UTF8.self)
                result += name(for: String(decoding: bytes[finding.range], as: UTF8.self), base: finding.name)
                position = finding.range.upperBound
            }
            return result + String(decoding: bytes[position...], as: UTF8.self)
        }.joined()
    }

    /// Replaces the credentials of an endpoint.
    package mutating func replaceCredentials(of endpoint: inout Endpoint) {
        endpoint.auth = extracted(endpoint.auth)
        replaceCredentials(in: &endpoint.headers)
        replaceCredentials(in: &endpoint.query, isParameter: true)
        for index in endpoint.messages.indices { endpoint.messages[index].value = extractedJSON(endpoint.messages[index].value) }
        endpoint.body = extracted(endpoint.body)
        for index in endpoint.examples.indices {
            for row in endpoint.examples[index].request.path.indices {
                let value = endpoint.examples[index].request.path[row].value
                endpoint.examples[index].request.path[row].value = withoutTokens(value)
            }
            replaceCredentials(in: &endpoint.examples[index].request.headers)
            replaceCredentials(in: &endpoint.examples[index].request.query, isParameter: true)
            endpoint.examples[index].request.body = extracted(endpoint.examples[index].request.body)
            replaceCredentials(in: &endpoint.examples[index].response.headers)
            endpoint.examples[index].response.body = extracted(endpoint.examples[index].response.body)
        }
        if let questionMark = endpoint.path.firstIndex(of: "?") {
            let query = endpoint.path[endpoint.path.index(after: questionMark)...]
            endpoint.path = endpoint.path[...questionMark] + extractedPairs(String(query))
        }
        if HTTPURL.isAbsolute(endpoint.path) {
            endpoint.path = replacingPassword(of: endpoint.path, base: "password")
        }
        endpoint.path = withoutTokens(endpoint.path)
        replaceVariables(of: &endpoint)
    }

    private mutating func extracted(_ body: BodyTemplate) -> BodyTemplate {
        switch body {
        case .form(var rows):
            replaceCredentials(in: &rows, isParameter: true)
            return .form(rows)
        case .multipart(var parts):
            for index in parts.indices where !parts[index].isFile {
                let value = parts[index].value
                parts[index].value = Self.isParameter(parts[index].name) ? name(for: value, base: parts[index].name) : withoutTokens(value)
            }
            return .multipart(parts)
        case .json(let text): return .json(extractedJSON(text))
        case .text(let text, let type) where type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true:
            return .text(withoutTokens(extractedPairs(text)), contentType: type)
        case .text(let text, let type): return .text(extractedJSON(text), contentType: type)
        case .graphQL(var request):
            if request.hasVariables { request.variables = extractedJSON(request.variables) }
            request.query = withoutTokens(request.query)
            return .graphQL(request)
        case .plist(let text): return .plist(withoutTokens(text))
        case .none, .file: return body
        }
    }

    private mutating func replaceVariables(of endpoint: inout Endpoint) {
        noteVariables(of: [endpoint.variables])
        // A sample for a place in the path is an identifier, such as {Sid}.
        let inPath = Template(endpoint.path).segments.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
        let samples = hasSamples ? Set(endpoint.pathParameters.map(\.name) + inPath) : []
        for (key, value) in endpoint.variables.sorted(by: { $0.key < $1.key }) where !samples.contains(key) {
            endpoint.variables[key] = isSecret(value, of: key) ? name(for: value, base: key) : extractedURL(value, base: key)
        }
    }

    private mutating func extracted(_ auth: Auth) -> Auth {
        for field in auth.fields where field.isSecret { note(auth[field]) }
        if case .apiKey(var key) = auth {
            key.value = name(for: key.value, base: Self.isLiteral(key.name) ? key.name : "apiKey")
            return .apiKey(key)
        }
        return auth.mapping { $0.isSecret ? name(for: $1, base: $0.name) : $1 }
    }

    private mutating func replaceCredentials(in rows: inout [Parameter], isParameter: Bool = false) {
        for index in rows.indices {
            rows[index].summary = rows[index].summary.map { masked($0) }
            let value = rows[index].value
            let words = value.split(separator: " ", maxSplits: 1)
            let hasScheme = !isParameter && words.count == 2 && CredentialWords.schemes.contains(words[0].lowercased())
            let isCredential = isParameter ? Self.isParameter(rows[index].name) : CredentialNames.ends(rows[index].name)
            guard isCredential && !CredentialWords.values.contains(value) || hasScheme && words[0].lowercased() == "bearer" else {
                rows[index].value = withoutTokens(value)
                continue
            }
            // A cookie can be a setting, and code or key an identifier.
            if CredentialNames.ends(rows[index].name), rows[index].name.lowercased() != "cookie" { note(value) }
            if hasScheme {
                rows[index].value =
                    "\(words[0]) " + name(for: String(words[1]), base: words[0].lowercased() == "basic" ? "basicCredentials" : "token")
            } else {
                rows[index].value = name(for: value, base: rows[index].name)
            }
        }
    }

    /// The pairs of a query or a form as it is written; only values of credentials change.
    private mutating func extractedPairs(_ text: String) -> String {
        let pairs = text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "="), Self.isParameter(PercentEncoding.decode(pair[..<equals])) else { return String(pair) }
            let value = String(pair[pair.index(after: equals)...])
            if CredentialNames.ends(PercentEncoding.decode(pair[..<equals])) { note(value) }
            let secret = name(for: value, base: PercentEncoding.decode(pair[..<equals]))
            return pair[...equals] + (secret == value ? value : secret.replacing("}}", with: "|raw}}"))
        }
        return pairs.joined(separator: "&")
    }

    /// The text with the string values of members that have the name of a credential, and tokens, replaced; all other characters stay.
    package mutating func extractedJSON(_ text: String) -> String { withoutTokens(extractedMembers(text)) }

    private mutating func extractedMembers(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: JSONScan.quote), let end = JSONScan.endOfString(bytes, from: start) {
            let key = String(decoding: bytes[start + 1..<end], as: UTF8.self)
            var value = JSONScan.skippingSpaces(bytes, from: end + 1)
            result += bytes[position...end]
            position = end + 1
            guard value < bytes.count, bytes[value] == UInt8(ascii: ":"), CredentialNames.ends(key) else { continue }
            value = JSONScan.skippingSpaces(bytes, from: value + 1)
            guard value < bytes.count, bytes[value] == JSONScan.quote, let valueEnd = JSONScan.endOfString(bytes, from: value) else { continue }
            let content = bytes[value + 1..<valueEnd]
            // An escaped value would be escaped twice.
            guard !content.contains(UInt8(ascii: "\\")) else { continue }
            let text = String(decoding: content, as: UTF8.self)
            note(text)
            result += bytes[position...value] + Array(name(for: text, base: key).utf8) + [JSONScan.quote]
            position = valueEnd + 1
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    private static func isParameter(_ name: String) -> Bool {
        CredentialNames.ends(name) || CredentialNames.parameters.contains(CredentialNames.plain(name))
    }

    /// Whether a value is text without references to variables; such references already keep the value out of the file.
    package static func isLiteral(_ value: String) -> Bool {
        !value.isEmpty
            && Template(value).segments.allSatisfy {
                switch $0 {
                case .text: true
                case .builtin(let name, _, _): name == "braces"
                case .variable, .unclosed: false
                }
            }
    }

    /// The template that replaces a value; the value itself where it is not literal.
    private mutating func name(for value: String, base: String) -> String { Self.isLiteral(value) ? template(for: value, base: base) : value }
}

/// Decides which texts are credentials by their name and form, and which words in the places of credentials are none.
package enum CredentialWords {
    static let values: Set<String> = ["true", "false", "null", "none"]

    /// The schemes of credentials, which are not secret (RFC 9110 §11.4).
    static let schemes: Set<String> = ["bearer", "basic", "token", "apikey"]

    fileprivate static func mayBeSecret(_ value: String) -> Bool { !values.contains(value) && !schemes.contains(value.lowercased()) }

    /// Whether the whole value of a variable is a credential; a URL has it in a part.
    package static func isSecret(_ value: String, of name: String) -> Bool {
        guard mayBeSecret(value) else { return false }
        if CredentialNames.contains(name) { return true }
        guard !value.contains("://") else { return false }
        return CredentialNames.ends(name) || !CredentialValues.findings(in: value).isEmpty || value.contains("PRIVATE KEY-----")
    }

    /// Whether a text is a URL with a password.
    package static func hasPassword(_ value: String) -> Bool { passwordRange(of: value) != nil }

    /// The range of the password in a URL, which may contain templates; nil where it has none.
    fileprivate static func passwordRange(of url: String) -> Range<String.Index>? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return nil }
        return url.index(after: colon)..<at
    }
}

/// Finds strings in a text that need not be valid JSON.
private enum JSONScan {
    static let quote = UInt8(ascii: "\"")

    /// The index of the closing quote of a JSON string; nil where it is not closed.
    static func endOfString(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == quote { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    static func skippingSpaces(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
    }
}
