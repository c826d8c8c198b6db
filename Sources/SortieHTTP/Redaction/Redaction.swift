internal import SortieBase

/// The rules that mask secrets: on the screen, in the log, in the output of `-v` and `--json`, in a dry run and in errors.
///
/// All masking uses this type. A value is masked by the name of its field, parameter or key, or because it is the value of a secret that was
/// used.
package struct Redaction: Hashable, Sendable {
    /// The names of header fields, parameters and JSON keys in lower case, without `-` and `_`.
    package private(set) var names: Set<String>
    /// Names that apply only to parameters of queries and forms.
    private var parameterNames: Set<String> = []
    /// The values of secrets that were used.
    package var values: Set<String> { spellings.values }
    /// The values of secrets and their spellings.
    private(set) var spellings = HiddenSpellings()

    /// The standard names.
    package static let standard = Redaction()

    /// Masks nothing; used only where the user requested to see the secrets.
    package static let none = Redaction(names: [])

    /// Creates rules with the standard names and additional ones; case, `-` and `_` are ignored.
    package init(adding more: [String] = [], values: Set<String> = []) {
        names = CredentialNames.known.union(more.map(CredentialNames.plain))
        parameterNames = Set(CredentialNames.parameters.map(CredentialNames.plain))
        hide(contentsOf: values)
    }

    private init(names: Set<String>) { self.names = names }

    /// Hides a value everywhere, also encoded for a URL, a form, JSON or markup, in Base64, also in lines, and in hexadecimal digits.
    ///
    /// Values of one or two characters are ignored, because hiding them would make other text unreadable.
    package mutating func hide(_ value: String) { hide(contentsOf: CollectionOfOne(value)) }

    /// Hides several values, which is cheaper than hiding them individually.
    package mutating func hide(contentsOf more: some Sequence<String>) {
        spellings.add(more)
    }

    /// Masks the values of more names.
    package mutating func mask(names more: some Sequence<String>) {
        guard !isOff else { return }
        names.formUnion(more.map(CredentialNames.plain))
    }

    /// The length of the longest spelling of a hidden value, in bytes.
    package var longestValue: Int { spellings.longest }

    /// Whether nothing is masked.
    package var isOff: Bool { names.isEmpty && spellings.isEmpty }

    /// Whether the value of a header field, a parameter or a key with this name is masked.
    package func isSecret(_ name: String) -> Bool { !names.isEmpty && names.contains(CredentialNames.plain(name)) }

    /// Whether a parameter is secret by its name or by that of an enclosing container: `user[token]` is secret.
    ///
    /// Names that denote a credential only in parameters do not apply to JSON paths such as `$.code`.
    package func isSecretPath(_ name: String) -> Bool {
        let parameterNames = name.utf8.first == UInt8(ascii: "$") ? [] : parameterNames
        return name.split(whereSeparator: { $0 == "[" || $0 == "]" || $0 == "." }).contains { part in
            isSecret(String(part)) || !parameterNames.isEmpty && parameterNames.contains(CredentialNames.plain(String(part)))
        } || isSecret(name)
    }

    /// Masks a line of text: hidden values, and the secret parameters and passwords of URLs.
    package func masked(_ text: String) -> String {
        hidingValues(maskedURLs(text))
    }

    /// Masks the secret parameters and passwords of URLs in a line of text.
    func maskedURLs(_ text: String) -> String { maskedQueries(maskedUserInfo(text)) }

    /// Masks the value of a header field where it is secret.
    package func masked(_ field: HeaderField) -> HeaderField {
        let name = hidingValues(field.name)
        return isSecret(field.name) ? HeaderField(name, HeaderField.mask) : HeaderField(name, masked(field.value))
    }

    /// Masks the values of secret header fields, and writes the others as they are displayed.
    package func masked(_ headers: Headers) -> Headers {
        Headers(
            headers.fields.map {
                let field = isOff ? $0 : masked($0)
                return HeaderField(field.name, FieldOctets.displayed(field.value))
            })
    }

    /// Masks the value of a pair where it is secret; `user[token]` is secret.
    package func masked(_ pair: ParameterPair) -> ParameterPair {
        guard let value = pair.value, !value.isEmpty else { return pair }
        if isSecretPath(pair.name) { return ParameterPair(pair.name, HeaderField.mask) }
        return ParameterPair(pair.name, maskedValue(value))
    }

    /// Masks the secrets in a decoded value, which may be a document.
    private func maskedValue(_ value: String) -> String {
        let nested = Array(value.utf8).withUnsafeBytes { names.isEmpty ? nil : maskedNested($0, depth: 1) }
        return hidingValues(nested.map { String(decoding: $0, as: UTF8.self) } ?? value)
    }

    /// Masks the secrets in the texts of an error, and removes its cause and its response, which are not masked.
    package func masked(_ error: NetworkError) -> NetworkError {
        guard !isOff else { return error }
        var error = error
        error.message = masked(error.message)
        error.remedy = error.remedy?.mapped { masked($0) }
        error.underlying = error.underlying.map { masked($0) }
        error.businessCode = error.businessCode.map { hidingValues($0) }
        (error.cause, error.response) = (nil, nil)
        return error
    }

    /// Masks the secrets in the query, the fragment and the password of a URL and preserves everything else.
    package func maskedURL(_ url: String) -> String {
        let url = maskedUserInfo(url)
        let hash = url.firstIndex(of: "#") ?? url.endIndex
        var result = url[..<hash]
        if let questionMark = result.firstIndex(of: "?") {
            let start = url.index(after: questionMark)
            result = url[..<start] + maskedItems(url[start..<hash])
        }
        return hidingValues(String(result) + maskedFragment(url[hash...]))
    }

    /// Masks a fragment with its `#`: items like those of a query (OAuth 2.0, RFC 6749 §4.2.2), or a path with a query.
    private func maskedFragment(_ fragment: Substring) -> String {
        guard let equals = fragment.firstIndex(of: "=") else { return String(fragment) }
        let mark = fragment[..<equals].firstIndex(of: "?") ?? fragment.startIndex
        let start = fragment.index(after: mark)
        return fragment[..<start] + maskedItems(fragment[start...])
    }

    /// Masks the secret values of a query or form text and preserves everything else.
    package func maskedForm(_ text: some StringProtocol) -> String { hidingValues(maskedItems(text)) }

    /// Masks the values of secret names at every depth.
    package func masked(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        members.map { isSecretPath($0.name) ? .init($0.name, .string(HeaderField.mask)) : .init($0.name, masked($0.value)) }
    }

    private func masked(_ value: ParameterValue) -> ParameterValue {
        switch value {
        case .object(let members): .object(masked(members))
        case .array(let items): .array(items.map { masked($0) })
        case .set(let items): .set(items.map { masked($0) })
        case .string(let text): .string(maskedValue(text))
        default: value
        }
    }

    /// Masks the values of secrets that were used, also where blanks break them, as in the value of a folded header field.
    package func hidingValues(_ text: String) -> String { hidingValues(text) { _, _ in true } }

    /// The longest hidden value in bytes that a sentence of the program may contain by chance.
    private static let longestByChance = 4

    /// Masks a sentence of the program: a short hidden value only as a whole word, because the other words contain such values by chance.
    package func masked(sentence: String) -> String {
        hidingValues(maskedURLs(sentence)) { range, text in
            func isWord(_ offset: Int) -> Bool {
                text.indices.contains(offset) && (text[offset] >= 0x80 || Character(UnicodeScalar(text[offset])).isLetter)
            }
            return range.count > Self.longestByChance || !isWord(range.lowerBound - 1) && !isWord(range.upperBound)
        }
    }

    private func hidingValues(_ text: String, where isHidden: (Range<Int>, UnsafeBufferPointer<UInt8>) -> Bool) -> String {
        guard !spellings.isEmpty else { return text }
        var text = text
        return text.withUTF8 { text in
            let hidden = spellings.ranges(in: UnsafeRawBufferPointer(text), folding: .blanks).filter { isHidden($0, text) }
            return Self.replacing(hidden, of: UnsafeRawBufferPointer(text), with: Array(HeaderField.mask.utf8)).map {
                String(decoding: $0, as: UTF8.self)
            }
        } ?? text
    }

    private func maskedItems(_ text: some StringProtocol) -> String {
        guard !names.isEmpty else { return String(text) }
        return text.split(separator: "&", omittingEmptySubsequences: false).map { maskedItem($0) }.joined(separator: "&")
    }

    private func maskedItem(_ item: some StringProtocol) -> String {
        guard let equals = item.firstIndex(of: "="), item.index(after: equals) < item.endIndex else { return String(item) }
        var name = PercentEncoding.decode(item[..<equals], plusIsSpace: true)
        // Markup writes `&` as `&amp;`.
        if name.hasPrefix("amp;") { name.removeFirst(4) }
        let value = Array(item[item.index(after: equals)...].utf8)
        guard let masked = value.withUnsafeBytes({ maskedValue($0, of: name) }) else { return String(item) }
        return "\(item[...equals])\(String(decoding: masked, as: UTF8.self))"
    }

    /// Masks the queries and fragments of URLs in a text; an item ends where the URL would end.
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

    /// Masks the password in `http://user:password@host`.
    ///
    /// A user name without a password is a token and masked as well.
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

/// Masking of captured values: values that a run captures for later steps are secrets like those of `secrets:`.
extension Redaction {
    /// The minimum number of characters of a hidden value whose name is not that of a secret.
    private static let shortestCapture = 8

    /// Whether a captured value is hidden everywhere.
    ///
    /// A value is hidden when its name, or the field, cookie or JSON key it comes from, denotes a credential. Every other value of at least 8
    /// characters is hidden unless it is a number, a Boolean or a URL. An order number in a path therefore does not make bodies unreadable.
    ///
    /// - Parameter source: the source of the value in the notation of a run: `$.token`, `header X-Token`, `status`.
    package func hidesCapture(_ value: String, named name: String, from source: String?) -> Bool {
        if isSecretPath(name) { return true }
        if let source, isSecretPath(source.hasPrefix("header ") ? source.dropFirst(7).filter { $0 != " " } : source) { return true }
        return value.count >= Self.shortestCapture && !Self.isPlain(value)
    }

    /// Whether a text is a number, `true`, `false`, `null`, or a URL, whose query and password are masked by name.
    private static func isPlain(_ value: String) -> Bool {
        if ["true", "false", "null", "undefined"].contains(value.lowercased()) || HTTPURL.isAbsolute(value) { return true }
        let isNumeric = value.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
        return isNumeric && Double(value) != nil
    }
}
