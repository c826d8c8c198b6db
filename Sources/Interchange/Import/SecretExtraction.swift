internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Replaces the credentials of an import by the names of secrets, whose values come from environment variables.
///
/// Workspace files are shared, so a value is neither written nor reported.
struct SecretExtraction: CredentialReplacement {
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
    var usedVariables: Set<String> = []
    var hasSamples: Bool { workspace.hasSamples }
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
            prefix = SecretName.environment(service.service.name)
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
        if let description = workspace.description, let bytes = OpenAPICredentials.masked(description.root) {
            workspace.description?.bytes = bytes
            let reason = "its copy for contract: is written as JSON, in which credentials of samples and descriptions are masked"
            workspace.report.add(.changed, description.stem + description.ending, reason)
        }
        // What the services refer to is known now.
        prefix = SecretName.environment(workspace.name)
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
        for url in layers.flatMap(\.values) { notePassword(of: url) }
        noteVariables(of: layers)
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
            let text = "\(prefix)_\(SecretName.environment(name))"
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
        let base = SecretName.variable(text)
        var secret = base
        var variable = "\(prefix)_\(SecretName.environment(secret))"
        var number = 1
        while taken.contains(secret) || workspace.secrets[secret] != nil || existing[secret].map({ $0 != .environment(variable) }) == true
            || assigned.contains(.environment(variable))
        {
            number += 1
            secret = "\(base)\(number)"
            variable = "\(prefix)_\(SecretName.environment(secret))"
        }
        taken.insert(secret)
        assigned.insert(.environment(variable))
        workspace.secrets[secret] = .environment(variable)
        workspace.report.add(.changed, "variable \(name)", "\(secret): " + Self.remedy(variable))
        return secret
    }

    private mutating func extract(from service: inout Service) {
        service.name = masked(service.name)
        service.summary = service.summary.map { masked($0) }
        replaceCredentials(of: &service)
    }

    private mutating func extract(from endpoint: inout Endpoint) {
        endpoint.name = masked(endpoint.name)
        endpoint.summary = endpoint.summary.map { masked($0) }
        if endpoint.auth == .inherit, let index = endpoint.headers.firstIndex(where: { $0.name == "Authorization" && $0.isEnabled }),
            endpoint.headers[index].value.hasPrefix("Bearer "), endpoint.headers.count(where: { $0.name.lowercased() == "authorization" }) == 1
        {
            endpoint.auth = .bearer(token: String(endpoint.headers.remove(at: index).value.dropFirst("Bearer ".count)))
        }
        replaceCredentials(of: &endpoint)
    }

    /// A name or a description without tokens that are known by their shape.
    mutating func masked(_ text: String) -> String {
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

    func isMarked(_ variable: String) -> Bool { workspace.secretVariables.contains(variable) }

    /// The template with the name of the secret that a value becomes.
    mutating func template(for value: String, base: String) -> String {
        let base = SecretName.variable(base)
        let key = Key(value: value, base: base)
        if let known = names[key] { return "{{\(known)}}" }
        var number = numbers[base] ?? 0
        var name: String
        var variable: String
        repeat {
            number += 1
            name = number == 1 ? base : "\(base)\(number)"
            variable = "\(prefix)_\(SecretName.environment(name))"
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
}
