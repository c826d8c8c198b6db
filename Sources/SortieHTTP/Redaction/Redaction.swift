internal import SortieBase

/// Which values are not told: on the screen, in the log, by `-v`, `--json`, a dry run and errors (S0.35).
///
/// It is the one place that masks. A value is hidden by the name of its field, parameter or key, and, whatever its name, when it is that of a secret that
/// was used.
public struct Redaction: Hashable, Sendable {
    /// Names of headers, parameters and JSON keys in lower case, without `-` and `_`.
    package private(set) var names: Set<String>
    /// Those of parameters of queries and forms only.
    private var parameterNames: Set<String> = []
    /// What secrets that were used say.
    public private(set) var values: Set<String> = []
    /// The values as they may be written.
    private(set) var spellings = HiddenSpellings()

    /// The standard names.
    public static let standard = Redaction()

    /// Masks nothing: only where a person asked to see the secrets.
    public static let none = Redaction(names: [])

    /// The standard names and others; case, `-` and `_` make no difference.
    public init(adding more: [String] = [], values: Set<String> = []) {
        self.init(names: CredentialNames.everywhere + more)
        parameterNames = Set(CredentialNames.parameters.map(CredentialNames.plain))
        hide(contentsOf: values)
    }

    private init(names: [String]) {
        self.names = Set(names.map(CredentialNames.plain))
    }

    /// Hides a value wherever it turns up, also where it is encoded for a URL, a form, JSON or markup, in Base64 and in hexadecimal digits.
    ///
    /// A value of one or two characters is no secret that could be kept: to hide it would only make every other word unreadable.
    public mutating func hide(_ value: String) { hide(contentsOf: CollectionOfOne(value)) }

    /// Hides values, which costs less than to hide one after the other.
    public mutating func hide(contentsOf more: some Sequence<String>) {
        let new = more.filter { $0.count > 2 && values.insert($0).inserted }
        if !new.isEmpty { spellings.add(Set(new.flatMap { SecretSpelling.all(of: $0) })) }
    }

    /// How many bytes the longest way has in which a value that is hidden may be written.
    public var longestValue: Int { spellings.matcher.longest }

    /// Whether nothing is masked.
    package var isOff: Bool { names.isEmpty && spellings.isEmpty }

    /// Whether the value of a header, a parameter or a key with this name is masked.
    public func isSecret(_ name: String) -> Bool { !names.isEmpty && names.contains(CredentialNames.plain(name)) }

    /// Whether a parameter is a secret by its name or that of a container it is in: `user[token]` is one.
    ///
    /// Names that mean a credential in parameters only do not count in a path of JSON, such as `$.code`.
    public func isSecretPath(_ name: String) -> Bool {
        let parameterNames = name.utf8.first == UInt8(ascii: "$") ? [] : parameterNames
        return name.split(whereSeparator: { $0 == "[" || $0 == "]" || $0 == "." }).contains { part in
            isSecret(String(part)) || !parameterNames.isEmpty && parameterNames.contains(CredentialNames.plain(String(part)))
        } || isSecret(name)
    }

    /// A sentence or a line without secrets: values that are hidden, secret parameters of URLs in it, and their passwords.
    public func masked(_ text: String) -> String {
        hidingValues(maskedURLs(text))
    }

    /// A sentence or a line without the secret parameters of URLs in it and their passwords.
    func maskedURLs(_ text: String) -> String { maskedQueries(maskedUserInfo(text)) }

    /// A header field with its value masked where it is a secret.
    public func masked(_ field: HeaderField) -> HeaderField {
        let name = hidingValues(field.name)
        return isSecret(field.name) ? HeaderField(name, HeaderField.mask) : HeaderField(name, masked(field.value))
    }

    /// Header fields with the values of secrets masked.
    public func masked(_ headers: Headers) -> Headers {
        isOff ? headers : Headers(headers.fields.map { masked($0) })
    }

    /// A pair with its value masked where it is a secret; `user[token]` is one.
    public func masked(_ pair: ParameterPair) -> ParameterPair {
        guard let value = pair.value, !value.isEmpty else { return pair }
        if isSecretPath(pair.name) { return ParameterPair(pair.name, HeaderField.mask) }
        // A value may be a document.
        let nested = Array(value.utf8).withUnsafeBytes { names.isEmpty ? nil : maskedNested($0, depth: 1) }
        return ParameterPair(pair.name, hidingValues(nested.map { String(decoding: $0, as: UTF8.self) } ?? value))
    }

    /// An error that tells no secret.
    public func masked(_ error: NetworkError) -> NetworkError {
        guard !isOff else { return error }
        var error = error
        error.message = masked(error.message)
        error.hint = error.hint.map { masked($0) }
        error.underlying = error.underlying.map { masked($0) }
        error.businessCode = error.businessCode.map { hidingValues($0) }
        return error
    }

    /// A URL with the secret values of its query and its fragment and its password masked and everything else as it was.
    public func maskedURL(_ url: String) -> String {
        let url = maskedUserInfo(url)
        let hash = url.firstIndex(of: "#") ?? url.endIndex
        var result = url[..<hash]
        if let question = result.firstIndex(of: "?") {
            let start = url.index(after: question)
            result = url[..<start] + maskedItems(url[start..<hash])
        }
        return hidingValues(String(result) + maskedFragment(url[hash...]))
    }

    /// A fragment with its `#`, of items as a query has (OAuth 2.0, RFC 6749 §4.2.2), or of a path with a query.
    private func maskedFragment(_ fragment: Substring) -> String {
        guard let equals = fragment.firstIndex(of: "=") else { return String(fragment) }
        let mark = fragment[..<equals].firstIndex(of: "?") ?? fragment.startIndex
        let start = fragment.index(after: mark)
        return fragment[..<start] + maskedItems(fragment[start...])
    }

    /// A query or form text with secret values masked and everything else as it was.
    public func maskedForm(_ text: some StringProtocol) -> String { hidingValues(maskedItems(text)) }

    /// A value with the values of secret names masked, at every depth.
    public func masked(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        members.map { isSecretPath($0.name) ? .init($0.name, .string(HeaderField.mask)) : .init($0.name, masked($0.value)) }
    }

    private func masked(_ value: ParameterValue) -> ParameterValue {
        switch value {
        case .object(let members): .object(masked(members))
        case .array(let items): .array(items.map { masked($0) })
        case .set(let items): .set(items.map { masked($0) })
        case .string(let text): .string(hidingValues(text))
        default: value
        }
    }

    /// The text without the values of secrets that were used.
    package func hidingValues(_ text: String) -> String {
        guard !spellings.isEmpty else { return text }
        var text = text
        return text.withUTF8 { text in
            let hidden = spellings.matcher.ranges(in: UnsafeRawBufferPointer(text))
            guard !hidden.isEmpty else { return nil }
            var result: [UInt8] = []
            var end = 0
            for range in hidden {
                result += text[end..<range.lowerBound]
                result += HeaderField.mask.utf8
                end = range.upperBound
            }
            return String(decoding: result + text[end...], as: UTF8.self)
        } ?? text
    }

    private func maskedItems(_ text: some StringProtocol) -> String {
        guard !names.isEmpty else { return String(text) }
        return text.split(separator: "&", omittingEmptySubsequences: false).map { maskedItem($0) }.joined(separator: "&")
    }

    private func maskedItem(_ item: some StringProtocol) -> String {
        guard let equals = item.firstIndex(of: "="), item.index(after: equals) < item.endIndex else { return String(item) }
        var name = PercentEncoding.decode(item[..<equals], plusIsSpace: true)
        // In markup an `&` is written so.
        if name.hasPrefix("amp;") { name.removeFirst(4) }
        let value = Array(item[item.index(after: equals)...].utf8)
        guard let masked = value.withUnsafeBytes({ maskedValue($0, of: name) }) else { return String(item) }
        return "\(item[...equals])\(String(decoding: masked, as: UTF8.self))"
    }

    /// The queries and fragments of URLs in a sentence; an item ends where a URL would.
    private func maskedQueries(_ text: String) -> String {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "=")) else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { "?&#".contains($0) }) {
            let start = rest.index(after: mark)
            result += rest[..<start]
            let end = rest[start...].firstIndex { $0.isWhitespace || "&?#\"'<>“”".contains($0) } ?? rest.endIndex
            result += maskedItem(rest[start..<end])
            rest = rest[end...]
        }
        return result + rest
    }

    /// `http://user:password@host` with the password masked; a user without one is masked itself, because it is a token then.
    private func maskedUserInfo(_ text: String) -> String {
        guard !isOff, text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var result = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let end = rest.firstIndex { $0.isWhitespace || "/?#\"'<>“”".contains($0) } ?? rest.endIndex
            guard let at = rest[..<end].lastIndex(of: "@") else { continue }
            let user = rest[..<at].firstIndex(of: ":").map { rest[...$0] } ?? ""
            result += user + HeaderField.mask
            rest = rest[at...]
        }
        return result + rest
    }
}
