internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Replaces the credentials of an import by the names of secrets, whose values come from environment variables.
///
/// Workspace files are shared, so a value is neither written nor reported. A value is a credential by its use (what `auth:` and the fields of
/// credentials refer to), by its name or the end of it (``CredentialNames``), as the password of a URL, and by its shape (``CredentialValues``).
struct SecretExtraction {
    /// A value and the kind of its name, which together become one secret.
    private struct Key: Hashable {
        var value: String
        var base: String
    }

    private var workspace: ImportedWorkspace
    private var names: [Key: String] = [:]
    /// The number of the last secret with a name, so that many values of one name take linear time.
    private var numbers: [String: Int] = [:]
    private var taken: Set<String>
    /// The variables that the places of credentials refer to.
    private var used: Set<String> = []
    /// The beginning of the names of environment variables.
    private var prefix = ""
    /// The current item and its identity, for the report.
    private var item = (name: "", id: String?.none)

    /// The secrets of the workspace that the import is added to.
    private let existing: [String: SecretSource]

    /// Returns the workspace with secrets in the places of credentials.
    ///
    /// - Parameter base: the workspace that the import is added to; nil for a new one.
    static func extracting(from workspace: ImportedWorkspace, into base: Workspace?) -> ImportedWorkspace {
        var extraction = SecretExtraction(workspace, base)
        extraction.run()
        return extraction.workspace
    }

    private init(_ workspace: ImportedWorkspace, _ base: Workspace?) {
        self.workspace = workspace
        existing = base?.secrets ?? [:]
        taken = Set(workspace.secrets.keys).union(workspace.variables.keys).union(workspace.environments.flatMap(\.variables.keys))
        taken.formUnion(base?.variables.keys.map { $0 } ?? [])
        for environment in base?.environments ?? [] { taken.formUnion(environment.variables.keys) }
        // A variable of an endpoint that has the name of a secret would hide it.
        for var service in workspace.services { service.items.mapEndpoints { taken.formUnion($0.endpoint.variables.keys) } }
    }

    private mutating func run() {
        for index in workspace.services.indices {
            var service = workspace.services[index]
            prefix = Self.environmentName(service.service.name)
            item = (Self.masked(service.service.name), service.id)
            extract(from: &service.service)
            var items = service.items
            items.mapEndpoints { endpoint in
                item = (Self.masked(endpoint.endpoint.name), endpoint.id)
                extract(from: &endpoint.endpoint)
            }
            service.items = items
            workspace.services[index] = service
        }
        // What the services refer to is known now.
        prefix = Self.environmentName(workspace.name)
        item = (workspace.name, nil)
        let summary = workspace.summary
        workspace.summary = summary.map { masked($0) }
        for index in workspace.report.entries.indices { workspace.report.entries[index].item = Self.masked(workspace.report.entries[index].item) }
        extractVariables()
    }

    // MARK: Places

    /// Variables with credentials keep their name as a secret, so that templates that use them stay as they are.
    private mutating func extractVariables() {
        let layers = [workspace.variables] + workspace.environments.map(\.variables)
        for url in layers.flatMap(\.values) { _ = replacingPassword(of: url) { _, password in String(password) } }
        useVariables(of: layers)
        var found: Set<String> = []
        for variables in layers {
            for (name, value) in variables where isSecret(value, of: name) || value.isEmpty && workspace.secretVariables.contains(name) {
                found.insert(name)
            }
        }
        var assigned = Set(workspace.secrets.values)
        for name in found.sorted() {
            // An environment without its own value has that of the workspace.
            let all = workspace.environments.compactMap { $0.variables[name] ?? workspace.variables[name] }
            let values = Set(all.filter { isSecret($0, of: name) })
            if values.count > 1 {
                extractForEnvironments(name, &assigned)
                continue
            }
            let text = "\(prefix)_\(Self.environmentName(name))"
            var variable = text
            var number = 2
            while !assigned.insert(.environment(variable)).inserted {
                variable = "\(text)\(number)"
                number += 1
            }
            workspace.secrets[name] = .environment(variable)
            // The same name in other environments must not hide the secret.
            workspace.variables[name] = nil
            for index in workspace.environments.indices { workspace.environments[index].variables[name] = nil }
            workspace.report.add(.changed, "variable \(name)", Self.remedy(variable))
        }
        for name in workspace.variables.keys.sorted() {
            item = ("variable \(name)", nil)
            workspace.variables[name] = workspace.variables[name].map { extractedURL($0, base: name) }
        }
        for index in workspace.environments.indices {
            for name in workspace.environments[index].variables.keys.sorted() {
                item = ("variable \(name)", nil)
                let value = workspace.environments[index].variables[name]
                workspace.environments[index].variables[name] = value.map { extractedURL($0, base: name) }
            }
        }
    }

    /// Makes a secret for each environment, because one environment variable cannot have their different values at once.
    private mutating func extractForEnvironments(_ name: String, _ assigned: inout Set<SecretSource>) {
        if let value = workspace.variables[name], isSecret(value, of: name) {
            workspace.variables[name] = "{{\(secret(named: name + " default", for: name, &assigned))}}"
        }
        for index in workspace.environments.indices {
            let environment = workspace.environments[index]
            guard let value = environment.variables[name],
                isSecret(value, of: name) || value.isEmpty && workspace.secretVariables.contains(name)
            else { continue }
            workspace.environments[index].variables[name] = "{{\(secret(named: "\(name) \(environment.name)", for: name, &assigned))}}"
        }
    }

    /// The name of a new secret for a variable.
    private mutating func secret(named text: String, for name: String, _ assigned: inout Set<SecretSource>) -> String {
        let base = Self.variableName(text)
        var secret = base
        var variable = "\(prefix)_\(Self.environmentName(secret))"
        var number = 1
        while taken.contains(secret) || workspace.secrets[secret] != nil || existing[secret].map({ $0 != .environment(variable) }) == true
            || assigned.contains(.environment(variable))
        {
            number += 1
            secret = "\(base)\(number)"
            variable = "\(prefix)_\(Self.environmentName(secret))"
        }
        taken.insert(secret)
        assigned.insert(.environment(variable))
        workspace.secrets[secret] = .environment(variable)
        workspace.report.add(.changed, "variable \(name)", "\(secret): " + Self.remedy(variable))
        return secret
    }

    /// Whether the whole value of a variable is a credential; a URL has it in a part.
    private func isSecret(_ value: String, of name: String) -> Bool {
        guard Self.isLiteral(value) else { return false }
        if workspace.secretVariables.contains(name) { return true }
        guard !Self.words.contains(value), !Self.schemes.contains(value.lowercased()) else { return false }
        if used.contains(name) || CredentialNames.contains(name) { return true }
        guard !value.contains("://") else { return false }
        return CredentialNames.ends(name) || !CredentialValues.findings(in: value).isEmpty || value.contains("PRIVATE KEY-----")
    }

    /// Values that are no credentials in the place of one.
    private static let words: Set<String> = ["true", "false", "null", "none"]

    /// The schemes of credentials, which are not secret (RFC 9110 §11.4).
    private static let schemes: Set<String> = ["bearer", "basic", "token", "apikey"]

    /// Notes the variables that the place of a credential refers to.
    private mutating func use(_ text: String) {
        for case .variable(let name, _) in Template(text).segments { used.insert(name) }
    }

    /// Notes the variables that the values of noted ones refer to.
    private mutating func useVariables(of layers: [[String: String]]) {
        var pending = Set(layers.flatMap(\.keys).filter(used.contains))
        while let name = pending.popFirst() {
            for value in layers.compactMap({ $0[name] }) {
                for case .variable(let other, _) in Template(value).segments where used.insert(other).inserted { pending.insert(other) }
            }
        }
    }

    private mutating func extract(from service: inout Service) {
        service.name = masked(service.name)
        service.summary = service.summary.map { masked($0) }
        service.auth = extracted(service.auth)
        extract(from: &service.headers)
        extract(from: &service.publicParameters, isParameter: true)
        if let passphrase = service.trust.clientKeyPassphrase {
            service.trust.clientKeyPassphrase = name(for: passphrase, base: "clientKeyPassphrase")
        }
        if let url = service.proxy?.url {
            service.proxy?.url = replacingPassword(of: url) { extraction, password in
                extraction.name(for: PercentEncoding.decode(password), base: "proxyPassword")
            }
        }
        for environment in service.servers.keys.sorted() {
            service.servers[environment] = service.servers[environment]?.map { url in
                let text = replacingPassword(of: url) { extraction, password in
                    extraction.name(for: PercentEncoding.decode(password), base: "serverPassword")
                }
                return withoutTokens(text)
            }
        }
    }

    /// The value of a variable without the password and the tokens of a URL; its parts are text, so the password stays percent-encoded.
    private mutating func extractedURL(_ value: String, base: String) -> String {
        guard value.contains("://") else { return value }
        let text = replacingPassword(of: value) { extraction, password in
            extraction.name(for: String(password), base: Self.variableName(base) + "Password")
        }
        return withoutTokens(text)
    }

    /// The URL with another text for its password; the URL itself where it has none.
    private mutating func replacingPassword(of url: String, by replacement: (inout Self, Substring) -> String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return url }
        let password = url[url.index(after: colon)..<at]
        use(String(password))
        return url[...colon] + replacement(&self, password) + url[at...]
    }

    /// The text with the names of secrets in the places of tokens that are known by their shape.
    private mutating func withoutTokens(_ text: String) -> String {
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

    /// A name or a description without tokens that are known by their shape.
    private mutating func masked(_ text: String) -> String {
        let result = Self.masked(text)
        if result != text {
            workspace.report.entries.append(.init(.changed, item.name, "the name or description has a credential, which is masked", id: item.id))
        }
        return result
    }

    private static func masked(_ text: String) -> String {
        let findings = CredentialValues.findings(in: text)
        guard !findings.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result = ""
        var position = 0
        for finding in findings {
            result += String(decoding: bytes[position..<finding.range.lowerBound], as: UTF8.self) + HeaderField.mask
            position = finding.range.upperBound
        }
        return result + String(decoding: bytes[position...], as: UTF8.self)
    }

    private mutating func extract(from endpoint: inout Endpoint) {
        endpoint.name = masked(endpoint.name)
        endpoint.summary = endpoint.summary.map { masked($0) }
        if endpoint.auth == .inherit, let index = endpoint.headers.firstIndex(where: { $0.name == "Authorization" && $0.isEnabled }),
            endpoint.headers[index].value.hasPrefix("Bearer "), endpoint.headers.count(where: { $0.name.lowercased() == "authorization" }) == 1
        {
            endpoint.auth = .bearer(token: String(endpoint.headers.remove(at: index).value.dropFirst("Bearer ".count)))
        }
        endpoint.auth = extracted(endpoint.auth)
        extract(from: &endpoint.headers)
        extract(from: &endpoint.query, isParameter: true)
        for index in endpoint.messages.indices { endpoint.messages[index].value = extractedJSON(endpoint.messages[index].value) }
        switch endpoint.body {
        case .form(var rows):
            extract(from: &rows, isParameter: true)
            endpoint.body = .form(rows)
        case .multipart(var parts):
            for index in parts.indices where !parts[index].isFile {
                let value = parts[index].value
                parts[index].value = Self.isParameter(parts[index].name) ? name(for: value, base: parts[index].name) : withoutTokens(value)
            }
            endpoint.body = .multipart(parts)
        case .json(let text): endpoint.body = .json(extractedJSON(text))
        case .text(let text, let type) where type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true:
            endpoint.body = .text(withoutTokens(extractedPairs(text)), contentType: type)
        case .text(let text, let type): endpoint.body = .text(extractedJSON(text), contentType: type)
        case .graphQL(var request):
            if request.hasVariables { request.variables = extractedJSON(request.variables) }
            request.query = withoutTokens(request.query)
            endpoint.body = .graphQL(request)
        case .plist(let text): endpoint.body = .plist(withoutTokens(text))
        case .none, .file: break
        }
        if let question = endpoint.path.firstIndex(of: "?") {
            let query = endpoint.path[endpoint.path.index(after: question)...]
            endpoint.path = endpoint.path[...question] + extractedPairs(String(query))
        }
        if HTTPURL.isAbsolute(endpoint.path) {
            endpoint.path = replacingPassword(of: endpoint.path) { extraction, password in
                extraction.name(for: PercentEncoding.decode(password), base: "password")
            }
        }
        endpoint.path = withoutTokens(endpoint.path)
        extractVariables(of: &endpoint)
    }

    private mutating func extractVariables(of endpoint: inout Endpoint) {
        useVariables(of: [endpoint.variables])
        // A sample for a place in the path is an identifier, such as {Sid}.
        let samples = workspace.hasSamples ? Set(endpoint.pathParameters.map(\.name)) : []
        for (key, value) in endpoint.variables.sorted(by: { $0.key < $1.key }) where !samples.contains(key) {
            endpoint.variables[key] = isSecret(value, of: key) ? name(for: value, base: key) : extractedURL(value, base: key)
        }
    }

    private mutating func extracted(_ auth: Auth) -> Auth {
        for field in auth.fields where field.isSecret { use(auth[field]) }
        if case .apiKey(var key) = auth {
            key.value = name(for: key.value, base: Self.isLiteral(key.name) ? key.name : "apiKey")
            return .apiKey(key)
        }
        return auth.mapping { $0.isSecret ? name(for: $1, base: $0.name) : $1 }
    }

    private mutating func extract(from rows: inout [Parameter], isParameter: Bool = false) {
        for index in rows.indices {
            rows[index].summary = rows[index].summary.map { masked($0) }
            let value = rows[index].value
            let words = value.split(separator: " ", maxSplits: 1)
            let hasScheme = !isParameter && words.count == 2 && Self.schemes.contains(words[0].lowercased())
            let isCredential = isParameter ? Self.isParameter(rows[index].name) : CredentialNames.ends(rows[index].name)
            guard isCredential && !Self.words.contains(value) || hasScheme && words[0].lowercased() == "bearer" else {
                rows[index].value = withoutTokens(value)
                continue
            }
            // A cookie can be a setting, and code or key an identifier.
            if CredentialNames.ends(rows[index].name), rows[index].name.lowercased() != "cookie" { use(value) }
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
            if CredentialNames.ends(PercentEncoding.decode(pair[..<equals])) { use(value) }
            let secret = name(for: value, base: PercentEncoding.decode(pair[..<equals]))
            return pair[...equals] + (secret == value ? value : secret.replacing("}}", with: "|raw}}"))
        }
        return pairs.joined(separator: "&")
    }

    /// The text with the string values of members that have the name of a credential, and tokens, replaced; all other characters stay.
    private mutating func extractedJSON(_ text: String) -> String { withoutTokens(extractedMembers(text)) }

    private mutating func extractedMembers(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: Self.quote), let end = Self.endOfString(bytes, from: start) {
            let key = String(decoding: bytes[start + 1..<end], as: UTF8.self)
            var value = Self.skippingSpaces(bytes, from: end + 1)
            result += bytes[position...end]
            position = end + 1
            guard value < bytes.count, bytes[value] == UInt8(ascii: ":"), CredentialNames.ends(key) else { continue }
            value = Self.skippingSpaces(bytes, from: value + 1)
            guard value < bytes.count, bytes[value] == Self.quote, let valueEnd = Self.endOfString(bytes, from: value) else { continue }
            let content = bytes[value + 1..<valueEnd]
            // An escaped value would be escaped twice.
            guard !content.contains(UInt8(ascii: "\\")) else { continue }
            let text = String(decoding: content, as: UTF8.self)
            use(text)
            result += bytes[position...value] + Array(name(for: text, base: key).utf8) + [Self.quote]
            position = valueEnd + 1
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The index of the closing quote of a JSON string; nil where it is not closed.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == quote { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func skippingSpaces(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
    }

    // MARK: Names

    private static func isParameter(_ name: String) -> Bool {
        CredentialNames.ends(name) || CredentialNames.parameters.contains(CredentialNames.plain(name))
    }

    /// Whether a value is text without references to variables; such references already keep the value out of the file.
    private static func isLiteral(_ value: String) -> Bool {
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
    private mutating func name(for value: String, base: String) -> String {
        guard Self.isLiteral(value) else { return value }
        let base = Self.variableName(base)
        let key = Key(value: value, base: base)
        if let known = names[key] { return "{{\(known)}}" }
        var number = numbers[base] ?? 0
        var name: String
        var variable: String
        repeat {
            number += 1
            name = number == 1 ? base : "\(base)\(number)"
            variable = "\(prefix)_\(Self.environmentName(name))"
        } while taken.contains(name) || existing[name].map { $0 != .environment(variable) } == true
        numbers[base] = number
        taken.insert(name)
        names[key] = name
        workspace.secrets[name] = .environment(variable)
        workspace.report.entries.append(.init(.changed, item.name, "\(name): " + Self.remedy(variable), id: item.id))
        return "{{\(name)}}"
    }

    private static func remedy(_ variable: String) -> String {
        "the value is a credential and is not written; set the environment variable \(variable), or choose a command under secrets: of workspace.yaml"
    }

    /// `X-Api-Key` and `api_key` as `apiKey`.
    static func variableName(_ text: String) -> String {
        var words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
        if words.count > 1, words[0].lowercased() == "x" { words.removeFirst() }
        guard let first = words.first, first.first?.isNumber == false else { return "secret" }
        let head = first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return head + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }

    /// `apiKey` and `api.example` as `API_KEY` and `API_EXAMPLE`.
    static func environmentName(_ text: String) -> String {
        var result = ""
        var wasLower = false
        for character in text {
            guard character.isASCII, character.isLetter || character.isNumber else {
                if !result.isEmpty, result.last != "_" { result.append("_") }
                wasLower = false
                continue
            }
            if character.isUppercase, wasLower { result.append("_") }
            result += character.uppercased()
            wasLower = character.isLowercase || character.isNumber
        }
        while result.last == "_" { result.removeLast() }
        return result.isEmpty || result.first?.isNumber == true ? "API" + (result.isEmpty ? "" : "_\(result)") : result
    }
}
