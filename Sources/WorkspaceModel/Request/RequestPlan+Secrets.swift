internal import SortieBase
public import SortieHTTP

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

    /// Adds the values in the bytes of a charset, as a query and a form write them; masking and redirects know those of UTF-8.
    func encode(_ secrets: inout RequestSecrets, in charset: ParameterCharset) {
        guard charset != .utf8 else { return }
        func encoded(_ value: String) -> String? {
            guard value.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
            // A value that the charset cannot write fails where it is sent.
            do { return PercentEncoding.encode(bytes: try charset.encode(value), allowed: .form) } catch { return nil }
        }
        secrets.encodedValues = Set(secrets.values.compactMap(encoded))
        for secret in secrets.restricted {
            guard let value = encoded(secret.value) else { continue }
            secrets.restricted.insert(.init(name: secret.name, value: value, hosts: secret.hosts))
        }
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
