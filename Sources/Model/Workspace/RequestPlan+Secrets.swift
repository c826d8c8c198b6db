extension RequestPlan {
    /// What is secret among the values that templates used.
    ///
    /// A variable is secret when its name is that of a credential, and when a step of a run captured it and it is not short.
    public func secrets(usedIn memo: TemplateMemo) -> RequestSecrets {
        var secrets = RequestSecrets()
        secrets.names = Set(workspace.redact)
        secrets.uses = memo.uses
        for (name, value) in memo.secrets where !value.isEmpty {
            secrets.values.insert(value)
            guard let hosts = workspace.secretHosts[name] else { continue }
            secrets.restricted.insert(.init(name: name, value: value, hosts: hosts))
        }
        for (key, values) in memo.builtins {
            // `$env.NAME` carries its argument after a dot, the others after a space.
            switch key.prefix(while: { $0 != " " && $0 != "." }) {
            case "env", "prompt": secrets.values.formUnion(values)
            case "file":
                secrets.values.formUnion(values)
                for value in values { secrets.values.formUnion(HiddenFileText.parts(of: value)) }
            default: break
            }
        }
        for (name, value) in memo.variables where isSecret(name, value) { secrets.values.insert(value) }
        // A value of the history that was masked there is not known.
        secrets.values = secrets.values.filter { !$0.isEmpty && !$0.contains(HeaderField.mask) }
        return secrets
    }

    private func isSecret(_ name: String, _ value: String) -> Bool {
        if captured.contains(name), value.count >= Self.shortestCapture { return true }
        return name.split(separator: ".").contains { part in
            let part = String(part)
            return CredentialNames.contains(part) || workspace.redact.contains { CredentialNames.plain($0) == CredentialNames.plain(part) }
        }
    }

    /// The fewest characters of a captured value that counts as secret whatever its name: a shorter one is rather a number or a word.
    private static let shortestCapture = 8
}
