/// Which values a log does not tell (S0.35).
public struct Redaction: Hashable, Sendable {
    /// Names of headers, parameters and JSON keys in lower case, without `-` and `_`.
    private var names: Set<String>

    /// The names every log masks.
    public static let standardNames =
        HeaderField.secretNames + ["sign", "token", "access_token", "refresh_token", "id_token", "secret", "client_secret", "password", "passwd"]

    /// The standard names.
    public static let standard = Redaction()

    /// Masks nothing: only where a person asked to see the secrets.
    public static let none = Redaction(names: [])

    /// The standard names and others; case, `-` and `_` make no difference.
    public init(adding more: [String] = []) {
        self.init(names: Self.standardNames + more)
    }

    private init(names: [String]) {
        self.names = Set(names.map(Self.plain))
    }

    /// Whether the value of a header, a parameter or a key with this name is masked.
    public func isSecret(_ name: String) -> Bool { !names.isEmpty && names.contains(Self.plain(name)) }

    /// A header field with its value masked where it is a secret.
    public func masked(_ field: HeaderField) -> HeaderField {
        isSecret(field.name) ? HeaderField(field.name, HeaderField.mask) : field
    }

    /// A pair with its value masked where it is a secret; `user[token]` is one.
    public func masked(_ pair: ParameterPair) -> ParameterPair {
        guard let value = pair.value, !value.isEmpty, isSecretPath(pair.name) else { return pair }
        return ParameterPair(pair.name, HeaderField.mask)
    }

    /// A URL with the secret values of its query masked and everything else as it was.
    public func maskedURL(_ url: String) -> String {
        guard let question = url.firstIndex(of: "?") else { return url }
        let start = url.index(after: question)
        let end = url[start...].firstIndex(of: "#") ?? url.endIndex
        return url[..<start] + maskedForm(url[start..<end]) + url[end...]
    }

    /// A query or form text with secret values masked and everything else as it was.
    public func maskedForm(_ text: some StringProtocol) -> String {
        guard !names.isEmpty else { return String(text) }
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "="), item.index(after: equals) < item.endIndex else { return String(item) }
            let name = PercentEncoding.decode(item[..<equals], plusIsSpace: true)
            return isSecretPath(name) ? "\(item[...equals])\(HeaderField.mask)" : String(item)
        }
        return items.joined(separator: "&")
    }

    /// A value with the values of secret names masked, at every depth.
    public func masked(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        members.map { isSecret($0.name) ? .init($0.name, .string(HeaderField.mask)) : .init($0.name, masked($0.value)) }
    }

    private func masked(_ value: ParameterValue) -> ParameterValue {
        switch value {
        case .object(let members): .object(masked(members))
        case .array(let items): .array(items.map { masked($0) })
        case .set(let items): .set(items.map { masked($0) })
        default: value
        }
    }

    private func isSecretPath(_ name: String) -> Bool {
        name.split(whereSeparator: { $0 == "[" || $0 == "]" || $0 == "." }).contains { isSecret(String($0)) }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
}
