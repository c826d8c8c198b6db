package import SortieBase

/// The credentials that endpoints, services and variables have in clear text, with the names of the secrets that they can become.
///
/// Equal values are one credential.
package struct ClearCredentials: CredentialReplacement, Hashable, Sendable {
    /// A credential in clear text.
    package struct Credential: Hashable, Sendable {
        /// The value as it is sent.
        package var value: String
        /// What it is: the name of its field, parameter, key or variable.
        package var label: String
        /// The name of the secret, which nothing else has.
        package var name: String
    }

    /// The credentials without a secret, in the order in which they were found.
    package private(set) var credentials: [Credential] = []
    /// The names of the known secrets whose values were found.
    package private(set) var known: Set<String> = []
    package var usedVariables: Set<String> = []
    /// The names of secrets by the text of the credential.
    private var names: [String: String] = [:]
    private var taken: Set<String>
    private let ignored: Set<String>
    /// Whether only known credentials are replaced.
    private var isComplete = false

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - taken: The names that secrets must not get.
    ///   - ignored: The values that stay in clear text.
    ///   - secrets: The names of secrets by their values, which get no other name.
    package init(taken: Set<String> = [], ignoring ignored: Set<String> = [], secrets: [String: String] = [:]) {
        (self.taken, self.ignored) = (taken, ignored)
        for (value, name) in secrets where !ignored.contains(value) { names[Template.quoting(value)] = name }
    }

    /// Whether no credential was found.
    package var isEmpty: Bool { credentials.isEmpty && known.isEmpty }

    /// The names of the secrets that the credentials become, new ones first.
    package var secretNames: [String] { credentials.map(\.name) + known.sorted() }

    /// Creates a list of known credentials.
    ///
    /// - Parameter names: The names of their secrets by the texts that endpoints have, in which `{{` is written as `{{$braces}}`.
    package init(replacing names: [String: String]) {
        self.init()
        (self.names, isComplete) = (names, true)
    }

    /// Finds the credentials of an endpoint.
    package init(of endpoint: Endpoint, taken: Set<String> = [], ignoring ignored: Set<String> = [], secrets: [String: String] = [:]) {
        self.init(taken: taken, ignoring: ignored, secrets: secrets)
        add(endpoint)
    }

    /// Finds the credentials of a service, without those of its endpoints.
    package init(of service: Service, ignoring ignored: Set<String> = []) {
        self.init(ignoring: ignored)
        var copy = service
        replaceCredentials(of: &copy)
    }

    /// Finds the credentials of a further endpoint.
    package mutating func add(_ endpoint: Endpoint) {
        var copy = endpoint
        replaceCredentials(of: &copy)
    }

    /// Finds the credentials among the variables of a step of a run.
    package mutating func add(_ step: RunDefinition.Step) { add(step.onlyVariables) }

    /// The step with templates in the places of the credentials that were found.
    package func replaced(in step: RunDefinition.Step) -> RunDefinition.Step {
        var step = step
        step.variables = replaced(in: step.onlyVariables).variables
        return step
    }

    /// The endpoint with templates in the places of the credentials that were found.
    package func replaced(in endpoint: Endpoint) -> Endpoint {
        var known = self
        known.isComplete = true
        var result = endpoint
        known.replaceCredentials(of: &result)
        return result
    }

    package mutating func template(for value: String, base: String) -> String {
        if let name = names[value] {
            if !isComplete, !credentials.contains(where: { $0.name == name }) { known.insert(name) }
            return "{{\(name)}}"
        }
        let text = Template.unquoting(value)
        guard !isComplete, !ignored.contains(text) else { return value }
        let name = SecretName.free(for: SecretName.variable(base), taken: taken)
        taken.insert(name)
        names[value] = name
        credentials.append(Credential(value: text, label: base, name: name))
        return "{{\(name)}}"
    }
}

extension RunDefinition.Step {
    /// An endpoint that has the variables of the step and nothing else.
    fileprivate var onlyVariables: Endpoint {
        var only = Endpoint(target: target, name: "", path: "")
        only.variables = variables
        return only
    }
}

extension SecretName {
    /// A name that is not taken: the base, or the base with a number.
    package static func free(for base: String, taken: Set<String>) -> String {
        var name = base
        var number = 1
        while taken.contains(name) {
            number += 1
            name = "\(base)\(number)"
        }
        return name
    }
}

extension Workspace {
    /// The names of all variables, secrets and parameters, and those that only runs define.
    package var variableNames: Set<String> {
        var names = namesOfRuns.union(secrets.keys).union(variables.keys).union(publicParameters.map(\.name))
        for environment in environments { names.formUnion(environment.variables.keys) }
        for endpoint in endpoints { names.formUnion(endpoint.variables.keys) }
        return names
    }

    /// A warning for each credential that the files contain in clear text, which everyone who gets the files can read, except for ``publicValues``.
    ///
    /// - Parameter place: Returns the place of a credential in a file; nil where the file as a whole is named.
    package func credentialWarnings(
        place: (ClearCredentials.Credential, _ file: String) -> SourceLocation? = { _, _ in nil }
    ) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        func add(_ found: ClearCredentials, at location: SourceLocation, _ remedy: String = Self.keyRemedy) {
            for credential in found.credentials {
                let warning = Self.credentialWarning(credential.label, at: place(credential, location.file) ?? location, remedy)
                if !warnings.contains(warning) { warnings.append(warning) }
            }
        }
        var used: Set<String> = []
        for service in services {
            let found = ClearCredentials(of: service, ignoring: publicValues)
            used.formUnion(found.usedVariables)
            add(found, at: service.location ?? SourceLocation(file: service.folder))
            let byTarget = Dictionary(service.endpoints.map { ($0.target, $0) }) { first, _ in first }
            for endpoint in service.endpoints {
                // An endpoint has the credentials of the one that it extends, whose file contains them.
                let inherited = endpoint.extends.flatMap { byTarget[$0] ?? self.endpoint($0) }.map {
                    ClearCredentials(of: $0).credentials.map(\.value)
                }
                let found = ClearCredentials(of: endpoint, ignoring: publicValues.union(inherited ?? []))
                used.formUnion(found.usedVariables)
                add(found, at: endpoint.location ?? SourceLocation(file: endpoint.target))
            }
        }
        for run in runs {
            for step in run.steps {
                var found = ClearCredentials(ignoring: publicValues)
                found.usedVariables = used
                found.add(step)
                add(
                    found, at: step.location ?? run.location ?? SourceLocation(file: "runs/\(run.name).yaml"),
                    "sortie secret set stores it, and {{NAME}} in its place uses it")
            }
        }
        var found = ClearCredentials(ignoring: publicValues)
        found.usedVariables = used
        let layers = [(VariableLayer.workspace, variables)] + environments.map { (.environment($0.name), $0.variables) }
        for url in layers.flatMap(\.1.values) { found.notePassword(of: url) }
        found.noteVariables(of: layers.map(\.1))
        for (layer, variables) in layers {
            for (name, value) in variables.sorted(by: { $0.key < $1.key }) where found.isCredential(value, of: name) {
                warnings.append(
                    Self.credentialWarning(
                        "\(name) (\(layer.text))", at: variablePlaces[VariableKey(name, layer)] ?? SourceLocation(file: "workspace.yaml")))
            }
        }
        return warnings.sorted { left, right in
            let (one, other) = (left.location, right.location)
            return (one.file, one.line, one.column, left.message) < (other.file, other.line, other.column, right.message)
        }
    }

    private static let keyRemedy = "the key s of the workbench makes it a secret"

    private static func credentialWarning(_ label: String, at location: SourceLocation, _ remedy: String = keyRemedy) -> Diagnostic {
        Diagnostic(location, "\(label) is a credential in clear text, which everyone with this file can read; \(remedy)", severity: .warning)
    }
}

extension ClearCredentials {
    /// Whether the value of a variable, or the password or a token in its URL, is a credential.
    fileprivate func isCredential(_ value: String, of name: String) -> Bool {
        guard !ignored.contains(value) else { return false }
        if isSecret(value, of: name) { return true }
        var copy = self
        return copy.extractedURL(value, base: name) != value
    }
}
