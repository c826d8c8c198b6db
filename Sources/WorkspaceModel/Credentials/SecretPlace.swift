/// Where the value of a secret is, in the notation of `secrets:`.
package enum SecretPlace: Hashable, Sendable {
    /// The store of this machine (`sortie secret`), under this name.
    case stored(String)
    /// An environment variable.
    case environment(String)
    /// The output of a command.
    case command(String)
    /// An entry of `pass`.
    case pass(String)
    /// The secret with these attributes in the keyring of the desktop.
    case keyring([Parameter])
    /// A field of a secret of Vault.
    case vault(path: String, field: String)

    /// What reads the value.
    package var source: SecretSource {
        switch self {
        case .stored(let name): .stored(name)
        case .environment(let name): .environment(name)
        case .command(let text): .command(text)
        case .pass(let path): .command(SecretProgram.pass(path))
        case .keyring(let attributes): .command(SecretProgram.keyring(attributes.map { ($0.name, $0.value) }))
        case .vault(let path, let field): .command(SecretProgram.vault(path: path, field: field))
        }
    }

    /// The place of a source, whose notation is not known.
    package init(_ source: SecretSource) {
        self =
            switch source {
            case .stored(let name): .stored(name)
            case .environment(let name): .environment(name)
            case .command(let text): .command(text)
            // Declarations have no notation for a file of `envFiles:`; it is the environment of the programs of the project.
            case .file(_, let variable): .environment(variable)
            }
    }

    /// Whether a program reads a text as a value, not as an option.
    package static func isArgument(_ text: String) -> Bool {
        !text.hasPrefix("-") && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// Secrets to declare in `workspace.yaml`, and the changes of the variables that had their values.
package struct SecretDeclarations: Hashable, Sendable {
    /// A secret.
    package struct Secret: Hashable, Sendable {
        /// The name, as in `{{name}}`.
        package var name: String
        /// Where the value is.
        package var place: SecretPlace
        /// The declaration as the user saw it, which must be that in the file; nil for a new secret.
        package var old: SecretSource?

        /// Creates a secret.
        package init(_ name: String, in place: SecretPlace, replacing old: SecretSource? = nil) {
            (self.name, self.place, self.old) = (name, place, old)
        }
    }

    /// A variable whose value becomes a secret.
    package struct Variable: Hashable, Sendable {
        /// The variable.
        package var key: VariableKey
        /// The value as the user saw it, which must be that in the file.
        package var old: String
        /// The template in place of the value; nil to delete the variable, because the secret has its name.
        package var template: String?

        /// Creates a change.
        package init(_ key: VariableKey, from old: String, to template: String?) {
            (self.key, self.old, self.template) = (key, old, template)
        }
    }

    /// The secrets.
    package var secrets: [Secret]
    /// The variables.
    package var variables: [Variable]

    /// Creates declarations.
    package init(_ secrets: [Secret], replacing variables: [Variable] = []) {
        (self.secrets, self.variables) = (secrets, variables)
    }

    /// The declarations with other names in the store of this machine.
    package func storing(_ names: [String: String]) -> SecretDeclarations {
        var result = self
        for index in secrets.indices {
            if case .stored(let name) = secrets[index].place { result.secrets[index].place = .stored(names[name] ?? name) }
        }
        return result
    }

    /// The workspace with the declarations, and otherwise as it was.
    package func applied(to workspace: Workspace) -> Workspace {
        var result = workspace
        for secret in secrets { result.secrets[secret.name] = secret.place.source }
        for variable in variables {
            switch variable.key.layer {
            case .workspace: result.variables[variable.key.name] = variable.template
            case .environment(let name):
                for index in result.environments.indices where result.environments[index].name == name {
                    result.environments[index].variables[variable.key.name] = variable.template
                }
            case .endpoint(let id):
                guard let service = result.services.firstIndex(where: { $0.folder == id.path.prefix { $0 != "/" } }),
                    let index = result.services[service].endpoints.firstIndex(where: { $0.id == id })
                else { continue }
                result.services[service].endpoints[index].variables[variable.key.name] = variable.template
            case .option, .environmentFile, .publicParameters, .secret: continue
            }
        }
        return result
    }
}
