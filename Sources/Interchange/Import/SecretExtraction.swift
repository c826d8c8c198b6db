internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Replaces the credentials of an import by the names of secrets, whose values come from environment variables.
///
/// Workspace files are shared, so a value is neither written nor reported.
struct SecretExtraction {
    /// A value and the kind of its name, which together become one secret.
    private struct Key: Hashable {
        var value: String
        var base: String
    }

    private var workspace: ImportedWorkspace
    private var names: [Key: String] = [:]
    private var taken: Set<String>
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
        prefix = Self.environmentName(workspace.name)
        extractVariables()
        for index in workspace.services.indices {
            var service = workspace.services[index]
            prefix = Self.environmentName(service.service.name)
            item = (service.service.name, service.id)
            extract(from: &service.service)
            var items = service.items
            items.mapEndpoints { endpoint in
                item = (endpoint.endpoint.name, endpoint.id)
                extract(from: &endpoint.endpoint)
            }
            service.items = items
            workspace.services[index] = service
        }
    }

    // MARK: Places

    /// Variables with the name of a credential keep their name as a secret, so that templates that use them stay as they are.
    private mutating func extractVariables() {
        var found: [String] = []
        let marked = workspace.secretVariables
        func remove(from variables: inout [String: String]) {
            for (name, value) in variables {
                let isMarked = marked.contains(name)
                guard Self.isLiteral(value) ? isMarked || CredentialNames.contains(name) : isMarked && value.isEmpty else { continue }
                variables[name] = nil
                if !found.contains(name) { found.append(name) }
            }
        }
        remove(from: &workspace.variables)
        for index in workspace.environments.indices { remove(from: &workspace.environments[index].variables) }
        for name in found.sorted() {
            let variable = "\(prefix)_\(Self.environmentName(name))"
            workspace.secrets[name] = .environment(variable)
            // The same name in other environments must not hide the secret.
            workspace.variables[name] = nil
            for index in workspace.environments.indices { workspace.environments[index].variables[name] = nil }
            workspace.report.add(.changed, "variable \(name)", Self.remedy(variable))
        }
    }

    private mutating func extract(from service: inout Service) {
        service.auth = extracted(service.auth)
        extract(from: &service.headers)
        extract(from: &service.publicParameters, isParameter: true)
        if let passphrase = service.trust.clientKeyPassphrase {
            service.trust.clientKeyPassphrase = name(for: passphrase, base: "clientKeyPassphrase")
        }
        if let url = service.proxy?.url, let start = url.firstRange(of: "://")?.upperBound, let at = url.lastIndex(of: "@"), start < at,
            let colon = url[start..<at].firstIndex(of: ":")
        {
            let password = PercentEncoding.decode(url[url.index(after: colon)..<at])
            service.proxy?.url = url[...colon] + name(for: password, base: "proxyPassword") + url[at...]
        }
    }

    private mutating func extract(from endpoint: inout Endpoint) {
        if endpoint.auth == .inherit, let index = endpoint.headers.firstIndex(where: { $0.name == "Authorization" && $0.isEnabled }),
            endpoint.headers[index].value.hasPrefix("Bearer "), endpoint.headers.count(where: { $0.name.lowercased() == "authorization" }) == 1
        {
            endpoint.auth = .bearer(token: String(endpoint.headers.remove(at: index).value.dropFirst("Bearer ".count)))
        }
        endpoint.auth = extracted(endpoint.auth)
        for (key, value) in endpoint.variables.sorted(by: { $0.key < $1.key }) where CredentialNames.contains(key) {
            endpoint.variables[key] = name(for: value, base: key)
        }
        extract(from: &endpoint.headers)
        extract(from: &endpoint.query, isParameter: true)
        for index in endpoint.messages.indices { endpoint.messages[index].value = extractedJSON(endpoint.messages[index].value) }
        switch endpoint.body {
        case .form(var rows):
            extract(from: &rows, isParameter: true)
            endpoint.body = .form(rows)
        case .multipart(var parts):
            for index in parts.indices where !parts[index].isFile && Self.isParameter(parts[index].name) {
                parts[index].value = name(for: parts[index].value, base: parts[index].name)
            }
            endpoint.body = .multipart(parts)
        case .json(let text): endpoint.body = .json(extractedJSON(text))
        case .text(let text, let type) where type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true:
            endpoint.body = .text(extractedPairs(text), contentType: type)
        case .text(let text, let type): endpoint.body = .text(extractedJSON(text), contentType: type)
        case .graphQL(var request):
            if request.hasVariables { request.variables = extractedJSON(request.variables) }
            endpoint.body = .graphQL(request)
        case .none, .plist, .file: break
        }
        if let question = endpoint.path.firstIndex(of: "?") {
            let query = endpoint.path[endpoint.path.index(after: question)...]
            endpoint.path = endpoint.path[...question] + extractedPairs(String(query))
        }
    }

    private mutating func extracted(_ auth: Auth) -> Auth {
        if case .apiKey(var key) = auth {
            key.value = name(for: key.value, base: Self.isLiteral(key.name) ? key.name : "apiKey")
            return .apiKey(key)
        }
        return auth.mapping { $0.isSecret ? name(for: $1, base: $0.name) : $1 }
    }

    private mutating func extract(from rows: inout [Parameter], isParameter: Bool = false) {
        for index in rows.indices where isParameter ? Self.isParameter(rows[index].name) : CredentialNames.contains(rows[index].name) {
            let value = rows[index].value
            // The scheme of credentials is not secret (RFC 9110 §11.4).
            let words = value.split(separator: " ", maxSplits: 1)
            if !isParameter, words.count == 2, ["bearer", "basic", "token", "apikey"].contains(words[0].lowercased()) {
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
            let secret = name(for: value, base: PercentEncoding.decode(pair[..<equals]))
            return pair[...equals] + (secret == value ? value : secret.replacing("}}", with: "|raw}}"))
        }
        return pairs.joined(separator: "&")
    }

    /// The text with the string values of members that have the name of a credential replaced; all other characters stay.
    private mutating func extractedJSON(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: Self.quote), let end = Self.endOfString(bytes, from: start) {
            let key = String(decoding: bytes[start + 1..<end], as: UTF8.self)
            var value = Self.skippingSpaces(bytes, from: end + 1)
            result += bytes[position...end]
            position = end + 1
            guard value < bytes.count, bytes[value] == UInt8(ascii: ":"), CredentialNames.contains(key) else { continue }
            value = Self.skippingSpaces(bytes, from: value + 1)
            guard value < bytes.count, bytes[value] == Self.quote, let valueEnd = Self.endOfString(bytes, from: value) else { continue }
            let content = bytes[value + 1..<valueEnd]
            // An escaped value would be escaped twice.
            guard !content.contains(UInt8(ascii: "\\")) else { continue }
            result += bytes[position...value] + Array(name(for: String(decoding: content, as: UTF8.self), base: key).utf8) + [Self.quote]
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
        CredentialNames.contains(name) || CredentialNames.parameters.contains(CredentialNames.plain(name))
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
        var name = base
        var variable = "\(prefix)_\(Self.environmentName(name))"
        var number = 2
        while taken.contains(name) || existing[name].map({ $0 != .environment(variable) }) == true {
            name = "\(base)\(number)"
            variable = "\(prefix)_\(Self.environmentName(name))"
            number += 1
        }
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
