internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The variables of `http-client.env.json` and `http-client.private.env.json`.
struct HTTPFileEnvironments {
    /// The environments in the order of the files.
    private(set) var environments: [WorkspaceEnvironment] = []
    /// The variables of `$shared`.
    private(set) var shared: [String: String] = [:]
    /// The fields of `$default_headers` of `$shared`.
    private(set) var headers: [Parameter] = []
    /// The names of private variables; their values are not kept, except in place.
    private(set) var secrets: [String] = []
    private(set) var report = ImportReport()
    private var keepsPrivateValues = false
    /// The settings of `Security: {Auth: …}` by the name of the credentials, the environment and the key in lower case.
    private var security: [String: [String: [String: String]]] = [:]

    /// Credentials of `$auth.token("NAME")`, or why they cannot be used.
    typealias Credentials = Result<(auth: Auth, change: ImportReason?), ImportedOAuth2.Refusal>

    static let publicName = "http-client.env.json"
    static let privateName = "http-client.private.env.json"

    /// Reads the files of a folder.
    ///
    /// - Throws: A diagnostic for a file that is not JSON.
    mutating func read(in folder: String, of source: ImportSource) throws(Diagnostic) {
        keepsPrivateValues = source.isInPlace
        for (name, isPrivate) in [(Self.publicName, false), (Self.privateName, true)] {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            guard let bytes = source.file(path) else { continue }
            let root = try SourceJSON.node(parsing: bytes, file: path)
            guard let members = root.members else {
                throw Diagnostic(root.place(in: path), "an environment file is an object with an object for each environment")
            }
            for member in members where !member.name.hasPrefix("$schema") {
                guard let variables = member.value.members else {
                    report.add(.omitted, member.name, "an environment is an object of variables", place: member.value.place(in: path))
                    continue
                }
                add(variables, of: member.name, isPrivate: isPrivate, file: path)
            }
        }
    }

    /// Removes variables that are secrets, so that no environment hides them.
    mutating func removeSecrets() {
        for name in secrets where !keepsPrivateValues {
            shared[name] = nil
            for index in environments.indices { environments[index].variables[name] = nil }
        }
    }

    private mutating func add(_ members: [SourceNode.Member], of environment: String, isPrivate: Bool, file: String) {
        let isShared = environment == "$shared"
        if !isShared, !environments.contains(where: { $0.name == environment }) { environments.append(WorkspaceEnvironment(name: environment)) }
        for member in members.flatMap(Self.variables) {
            let place = member.value.place(in: file)
            let item = "\(environment): \(member.name)"
            if member.name == "$default_headers" {
                guard isShared, !isPrivate, let fields = member.value.members else {
                    report.add(.omitted, item, "fields for one environment cannot be expressed; write them in the service", place: place)
                    continue
                }
                headers += fields.compactMap { field in field.value.text.map { Parameter(field.name, Self.template($0)) } }
                continue
            }
            if member.name == "Security" {
                addSecurity(member.value, of: environment, isPrivate: isPrivate, file: file)
                continue
            }
            guard let text = member.value.text else {
                report.add(.omitted, item, "only texts, numbers and truth values are variables", place: place)
                continue
            }
            if isPrivate {
                if !secrets.contains(member.name) { secrets.append(member.name) }
                guard keepsPrivateValues else { continue }
            }
            let value = Self.template(text)
            if isShared {
                shared[member.name] = value
            } else if let index = environments.firstIndex(where: { $0.name == environment }) {
                // Private values take precedence.
                if let known = environments[index].variables[member.name], known != value, !isPrivate {
                    report.add(.omitted, item, "another environment file has another value, which stays", place: place)
                } else {
                    environments[index].variables[member.name] = value
                }
            }
        }
    }

    /// A variable, or those of an object by their paths, such as `user.name`.
    private static func variables(_ member: SourceNode.Member) -> [SourceNode.Member] {
        let hasOtherMeaning = ["$default_headers", "Security", "SSLConfiguration"].contains(member.name) || member.value["provider"] != nil
        guard let members = member.value.members, !hasOtherMeaning else { return [member] }
        return members.flatMap { variables(SourceNode.Member("\(member.name).\($0.name)", $0.value)) }
    }

    private mutating func addSecurity(_ node: SourceNode, of environment: String, isPrivate: Bool, file: String) {
        for auth in node["Auth"]?.members ?? [] {
            for setting in auth.value.members ?? [] {
                guard let text = setting.value.text else {
                    report.add(
                        .omitted, "\(environment): \(auth.name)", "\(setting.name): there is no such setting", place: setting.value.place(in: file))
                    continue
                }
                let key = setting.name.lowercased()
                let secret = SecretName.variable("\(auth.name) \(setting.name)")
                let isSecret = isPrivate && !keepsPrivateValues && ["client id", "client secret", "username", "password", "token"].contains(key)
                if isSecret, !secrets.contains(secret) { secrets.append(secret) }
                security[auth.name, default: [:]][environment, default: [:]][key] = isSecret ? "{{\(secret)}}" : Self.template(text)
            }
        }
    }

    /// The credentials by name; a setting that has other values in environments becomes a variable of them.
    mutating func credentials() -> [String: Credentials] {
        var result: [String: Credentials] = [:]
        for name in security.keys.sorted() { result[name] = credentials(named: name) }
        return result
    }

    /// The keys of JetBrains for the settings of OAuth 2.
    private static let keys: [OAuth2.Field: String] = [
        .authorizationURL: "auth url", .deviceURL: "device auth url", .tokenURL: "token url", .redirectURL: "redirect url", .clientID: "client id",
        .clientSecret: "client secret", .user: "username", .password: "password", .scope: "scope",
    ]

    private mutating func credentials(named name: String) -> Credentials {
        let all = security[name] ?? [:]
        let shared = all["$shared"] ?? [:]
        let own = environments.indices.filter { all[environments[$0].name] != nil }
        func values(_ key: String) -> [String?] {
            own.isEmpty ? [shared[key]] : own.map { all[environments[$0].name]?[key] ?? shared[key] }
        }
        func first(_ key: String) -> String { values(key).compactMap(\.self).first ?? "" }
        var texts: [OAuth2.Field: String] = [:]
        for (field, key) in Self.keys.sorted(by: { $0.value < $1.value }) {
            let values = values(key)
            guard Set(values).count > 1 else {
                texts[field] = first(key)
                continue
            }
            let variable = SecretName.variable("\(name) \(key)")
            for (index, value) in zip(own, values) where value != "{{\(variable)}}" { environments[index].variables[variable] = value ?? "" }
            texts[field] = "{{\(variable)}}"
        }
        guard first("type").lowercased() != "static" else { return .success((.bearer(token: first("token")), nil)) }
        do throws(ImportedOAuth2.Refusal) {
            let isInBody = first("client credentials").lowercased() == "in body"
            let made = try ImportedOAuth2.settings(grant: first("grant type"), sendsClientInBody: isInBody) { texts[$0] ?? "" }
            return .success((.oauth2(made.settings), made.change))
        } catch { return .failure(error) }
    }

    private static func template(_ text: String) -> String {
        var translation = HTTPFileTranslation(references: [:])
        return translation.text(text)
    }
}
