internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The security schemes of a description as credentials whose values are secrets.
struct OpenAPISecurity {
    /// What a request needs.
    struct Credentials {
        var auth: Auth? { didSet { logins += 1 } }
        /// How many schemes are sent in the field Authorization.
        private(set) var logins = 0
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
    /// The scopes that the operations need, by scheme.
    private let scopes: [String: [String]]
    private var names: [String: String] = [:]
    private(set) var secrets: [String: SecretSource] = [:]
    private(set) var variables: [String: String] = [:]

    /// - Parameters:
    ///   - schemes: The definitions by name.
    ///   - title: The name of the API, which the names of secrets begin with, because a workspace can have several.
    ///   - taken: Names that variables have.
    ///   - requirements: All lists of alternatives of the description. A scheme gets the scopes of all of them, so that its requests share a token.
    init(_ reader: OpenAPIReader, schemes: OpenAPIValue?, title: String, taken: Set<String>, requirements: [OpenAPIValue]) {
        self.reader = reader
        self.schemes = Dictionary((schemes?.members ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        (prefix, self.taken) = (title, taken)
        scopes = requirements.flatMap(\.items).flatMap(\.members).reduce(into: [:]) { result, requirement in
            for scope in requirement.value.texts where result[requirement.name]?.contains(scope) != true {
                result[requirement.name, default: []].append(scope)
            }
        }
    }

    /// The credentials for a list of alternatives: the first one that can be sent; nil where none is needed.
    mutating func credentials(_ alternatives: OpenAPIValue) -> Credentials? {
        let all = alternatives.items.filter { $0.node.members?.isEmpty == false }
        for alternative in all {
            var result = Credentials()
            let isComplete = alternative.members.allSatisfy { add($0.name, at: $0.value, to: &result) }
            guard isComplete else { continue }
            if result.logins > 1 {
                let names = result.schemes.joined(separator: " and ")
                reader.addOnce(
                    .changed, "security", "\(names) are sent in one field, Authorization, which has the last one", at: alternative,
                    key: "security \(names)")
            }
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
    private mutating func add(_ name: String, at place: OpenAPIValue, to result: inout Credentials) -> Bool {
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
        case ("oauth2", _): result.auth = oauth2(name, scheme)
        case ("openIdConnect", _): result.auth = .bearer(token: token(name, scheme, "the addresses of OpenID Connect are not read"))
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

    // MARK: OAuth 2

    /// A flow as it is named in the description.
    private typealias Flow = (name: String, value: OpenAPIValue)

    /// The flows of a scheme that can be used, the best first: without a user, with one, and with a password.
    ///
    /// Flows with the needed scopes are before others.
    private func flows(of scheme: OpenAPIValue, _ scopes: [String]) -> [Flow] {
        let order: [OAuth2.Grant] = [.clientCredentials, .authorizationCode, .deviceCode, .password]
        let known = Self.allFlows(of: scheme).compactMap { flow in
            ImportedOAuth2.grant(flow.name).flatMap { order.firstIndex(of: $0) }.map { rank in (flow: flow, rank: rank) }
        }
        func rank(_ item: (flow: Flow, rank: Int)) -> Int {
            let offered = Set(item.flow.value["scopes"]?.members.map(\.name) ?? [])
            return item.rank + (scopes.allSatisfy(offered.contains) ? 0 : order.count)
        }
        return known.sorted { rank($0) < rank($1) }.map(\.flow)
    }

    private static func allFlows(of scheme: OpenAPIValue) -> [Flow] {
        if let flows = scheme["flows"] { return flows.members.map { ($0.name, $0.value) } }
        // Swagger 2.0 has one flow, whose settings are those of the scheme.
        return scheme["flow"]?.text.map { [($0, scheme)] } ?? []
    }

    /// The settings that get a token; a token that the user obtains where there are none.
    private mutating func oauth2(_ name: String, _ scheme: OpenAPIValue) -> Auth {
        let needed = scopes[name] ?? []
        let flows = flows(of: scheme, needed)
        var refusal: String?
        for flow in flows {
            do throws(ImportedOAuth2.Refusal) {
                var (settings, _) = try ImportedOAuth2.settings(grant: flow.name) { field in
                    switch field {
                    case .tokenURL: Template.quoting(flow.value["tokenUrl"]?.text ?? "")
                    case .authorizationURL: Template.quoting(flow.value["authorizationUrl"]?.text ?? "")
                    case .deviceURL: Template.quoting(flow.value["deviceAuthorizationUrl"]?.text ?? "")
                    case .scope: Template.quoting(needed.joined(separator: " "))
                    // Filled in below, where the settings are used.
                    case .clientID, .user: "?"
                    default: ""
                    }
                }
                // A relative URL is one of the description, whose place is not known (OpenAPI 3.1 §4.6).
                if let problem = settings.problem {
                    refusal = refusal ?? problem
                    continue
                }
                settings.clientID = variable(name, "Client", at: scheme, "client", "the identifier of the client")
                let isPublic = settings.grant.isInteractive ? ", or remove clientSecret from the settings of a client without one" : ""
                settings.clientSecret = secret(name, "ClientSecret", at: scheme, "the secret of the client" + isPublic)
                if settings.grant == .password {
                    settings.user = user(of: name)
                    settings.password = secret(name, "Password", at: scheme, "the password of the user")
                }
                if flows.count > 1 {
                    let others = flows.map(\.name).filter { $0 != flow.name }.joined(separator: ", ")
                    reader.addOnce(.changed, name, "the flow \(flow.name) is used; there is also \(others)", at: scheme, key: "flow \(name)")
                }
                return .oauth2(settings)
            } catch { refusal = refusal ?? error.reason }
        }
        if flows.isEmpty, let flow = Self.allFlows(of: scheme).first {
            do throws(ImportedOAuth2.Refusal) { _ = try ImportedOAuth2.settings(grant: flow.name) { _ in "" } } catch { refusal = error.reason }
        }
        return .bearer(token: token(name, scheme, refusal ?? "the description has no flow"))
    }

    /// A token that Sortie does not get.
    private mutating func token(_ name: String, _ scheme: OpenAPIValue, _ reason: String) -> String {
        var parts = [reason]
        if let url = scheme["openIdConnectUrl"]?.text { parts.append("discovery \(url)") }
        for flow in Self.allFlows(of: scheme) {
            let urls = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].compactMap { key in flow.value[key]?.text }
            parts.append("flow \(flow.name) \(urls.joined(separator: " "))")
        }
        if let needed = scopes[name], !needed.isEmpty { parts.append("scopes \(needed.joined(separator: " "))") }
        return secret(name, "", at: scheme, "an access token. Sortie does not obtain it: " + parts.joined(separator: "; "))
    }

    // MARK: Names

    private mutating func user(of scheme: String) -> String {
        let name = name(scheme, "User")
        variables[name] = variables[name] ?? "user"
        return "{{\(name)}}"
    }

    private mutating func variable(_ scheme: String, _ ending: String, at place: OpenAPIValue, _ value: String, _ content: String) -> String {
        let name = name(scheme, ending)
        if variables.updateValue(value, forKey: name) == nil {
            reader.add(.changed, scheme, "write \(content) into the variable \(name) of workspace.yaml", at: place)
        }
        return "{{\(name)}}"
    }

    private mutating func secret(_ scheme: String, _ ending: String, at place: OpenAPIValue, _ content: String) -> String {
        let name = name(scheme, ending)
        if secrets[name] == nil {
            let variable = SecretName.environment(name)
            secrets[name] = .environment(variable)
            reader.add(.changed, scheme, "set the environment variable \(variable) to \(content)", at: place)
        }
        return "{{\(name)}}"
    }

    /// The name of the API and that of the scheme as one word.
    private mutating func name(_ scheme: String, _ ending: String) -> String {
        let key = scheme + "\n" + ending
        if let known = names[key] { return known }
        let title = SecretName.variable(String(prefix.prefix(24)))
        let word = SecretName.variable(scheme)
        let base = (title == "secret" ? "api" : title) + word.prefix(1).uppercased() + String(word.dropFirst()) + ending
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
