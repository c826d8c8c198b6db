internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The security schemes of a description as credentials whose values are secrets.
struct OpenAPISecurity {
    /// What a request needs.
    struct Credentials {
        var auth: Auth?
        var headers: [Parameter] = []
        var query: [Parameter] = []
        var cookies: [String] = []
        /// The schemes that it uses, which identify it.
        var schemes: [String] = []
    }

    private let reader: OpenAPIReader
    private let schemes: [String: OpenAPIValue]
    private let prefix: String
    private let taken: Set<String>
    private var names: [String: String] = [:]
    private(set) var secrets: [String: SecretSource] = [:]
    private(set) var variables: [String: String] = [:]

    /// - Parameters:
    ///   - schemes: The definitions by name.
    ///   - title: The name of the API, which the names of secrets begin with, because a workspace can have several.
    ///   - taken: Names that variables have.
    init(_ reader: OpenAPIReader, schemes: OpenAPIValue?, title: String, taken: Set<String>) {
        self.reader = reader
        self.schemes = Dictionary((schemes?.members ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        (prefix, self.taken) = (title, taken)
    }

    /// The credentials for a list of alternatives: the first one that can be sent; nil where none is needed.
    mutating func credentials(_ alternatives: OpenAPIValue) -> Credentials? {
        let all = alternatives.items.filter { $0.node.members?.isEmpty == false }
        for alternative in all {
            var result = Credentials()
            let isComplete = alternative.members.allSatisfy { add($0.name, $0.value.texts, at: $0.value, to: &result) }
            guard isComplete else { continue }
            if all.count > 1 {
                let others = all.map { $0.members.map(\.name).joined(separator: " and ") }.filter { $0 != result.schemes.joined(separator: " and ") }
                reader.addOnce(
                    .changed, "security", "\(result.schemes.joined(separator: " and ")) is used; it can also be \(others.joined(separator: ", "))",
                    at: alternatives, key: "security \(result.schemes) \(others)")
            }
            return result
        }
        return nil
    }

    /// Adds what a scheme needs; false where it cannot be sent, which the report says.
    private mutating func add(_ name: String, _ scopes: [String], at place: OpenAPIValue, to result: inout Credentials) -> Bool {
        guard let definition = schemes[name], let scheme = reader.resolved(definition) else {
            reader.addOnce(.omitted, name, "there is no such security scheme", at: place, key: "scheme \(name)")
            return false
        }
        result.schemes.append(name)
        switch (scheme["type"]?.text, scheme["scheme"]?.text?.lowercased()) {
        case ("http", "basic"), ("basic", _):
            result.auth = .basic(user: user(of: name), password: secret(name, "Password", at: scheme, "the password of the user"))
        case ("http", "digest"):
            result.auth = .digest(user: user(of: name), password: secret(name, "Password", at: scheme, "the password of the user"))
        case ("http", "bearer"): result.auth = .bearer(token: secret(name, "", at: scheme, "the token"))
        case ("http", let word?) where !word.isEmpty && !["negotiate", "mutual", "hoba"].contains(word):
            result.headers.append(
                Parameter("Authorization", "\(scheme["scheme"]?.text ?? word) " + secret(name, "", at: scheme, "the credentials")))
        case ("oauth2", _), ("openIdConnect", _):
            result.auth = .bearer(token: secret(name, "", at: scheme, "an access token. Sortie does not obtain it: " + flows(of: scheme, scopes)))
        case ("apiKey", _):
            let field = Template.quoting(scheme["name"]?.text ?? name)
            let value = secret(name, "", at: scheme, "the key")
            switch scheme["in"]?.text {
            case "query": result.query.append(Parameter(field, value, summary: OpenAPIText.line(scheme["description"]?.text)))
            case "cookie": result.cookies.append("\(field)=\(value)")
            default: result.headers.append(Parameter(field, value, summary: OpenAPIText.line(scheme["description"]?.text)))
            }
        default:
            let kind = [scheme["type"]?.text, scheme["scheme"]?.text].compactMap(\.self).joined(separator: " ")
            reader.addOnce(.omitted, name, "the security scheme “\(kind)” cannot be sent", at: scheme, key: "scheme \(name)")
            return false
        }
        return true
    }

    private func flows(of scheme: OpenAPIValue, _ scopes: [String]) -> String {
        var parts: [String] = []
        if let url = scheme["openIdConnectUrl"]?.text { parts.append("discovery \(url)") }
        let flows = scheme["flows"]?.members.map { $0 } ?? [.init(name: scheme["flow"]?.text ?? "", value: scheme)]
        for flow in flows where !flow.name.isEmpty {
            let urls = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].compactMap { key in flow.value[key]?.text }
            parts.append("flow \(flow.name) \(urls.joined(separator: " "))")
        }
        if !scopes.isEmpty { parts.append("scopes \(scopes.joined(separator: " "))") }
        return parts.isEmpty ? "its description has no address" : parts.joined(separator: ", ")
    }

    // MARK: Names

    private mutating func user(of scheme: String) -> String {
        let name = name(scheme, "User")
        variables[name] = variables[name] ?? "user"
        return "{{\(name)}}"
    }

    private mutating func secret(_ scheme: String, _ ending: String, at place: OpenAPIValue, _ content: String) -> String {
        let name = name(scheme, ending)
        if secrets[name] == nil {
            let variable = SecretExtraction.environmentName(name)
            secrets[name] = .environment(variable)
            reader.add(.changed, scheme, "set the environment variable \(variable) to \(content)", at: place)
        }
        return "{{\(name)}}"
    }

    /// The name of the API and that of the scheme as one word.
    private mutating func name(_ scheme: String, _ ending: String) -> String {
        let key = scheme + "\n" + ending
        if let known = names[key] { return known }
        let title = SecretExtraction.variableName(String(prefix.prefix(24)))
        let word = SecretExtraction.variableName(scheme)
        let base = (title == "secret" ? "api" : title) + word.prefix(1).uppercased() + word.dropFirst() + ending
        var name = base
        var number = 2
        while taken.contains(name) || names.values.contains(name) {
            name = "\(base)\(number)"
            number += 1
        }
        names[key] = name
        return name
    }
}
