internal import SortieBase
package import SortieHTTP

extension RequestBuilder {
    /// The secrets among the values that templates used.
    ///
    /// A variable is secret when its name is that of a credential, or when a step of a run captured it and it is not short.
    package func secrets(usedIn memo: TemplateMemo) -> RequestSecrets {
        var secrets = RequestSecrets()
        secrets.names = Set(workspace.redact)
        secrets.uses = memo.uses
        for (name, value) in memo.secrets where !value.isEmpty {
            secrets.values.insert(value)
            guard let hosts = workspace.secretHosts[name] else { continue }
            secrets.restricted.insert(.init(name: name, value: value, hosts: hosts))
        }
        for (key, values) in memo.builtins {
            // The argument of `$env.NAME` follows a dot, that of the others a space.
            switch key.prefix(while: { $0 != " " && $0 != "." }) {
            case "env": secrets.values.formUnion(values)
            case "prompt", "promptSecret": if PromptQuestion.isSecret(key: key) { secrets.values.formUnion(values) }
            case "file":
                secrets.values.formUnion(values)
                for value in values { secrets.values.formUnion(HiddenFileText.parts(of: value)) }
            default: break
            }
        }
        let earlier = memo.captured
        for (name, value) in memo.variables where isSecret(name, value, isCaptured: captures[name] != nil || earlier.contains(name)) {
            secrets.values.insert(value)
        }
        secrets.values.remove("")
        return secrets
    }

    /// The captured values and the secrets from which the values of sent texts come.
    func source(of memo: TemplateMemo, for endpoint: Endpoint) -> LiteralSource {
        var result = LiteralSource()
        let earlier = memo.captured
        guard !literalSources.isEmpty || !captures.isEmpty || !earlier.isEmpty else { return result }
        let variables = memo.variables
        for name in memo.sent {
            if let source = source(ofLiteral: name) { result.formUnion(source) }
            guard earlier.contains(name), let value = variables[name], let target = workspace.endpoint(ofEarlier: name, for: endpoint)?.target else {
                continue
            }
            result.formUnion(LiteralSource(captures: [.init(target: target, value: value)]))
        }
        return result
    }

    /// Adds the values encoded in a charset, as in a query or a form; masking and redirects find those in UTF-8 themselves.
    func encode(_ secrets: inout RequestSecrets, in charset: ParameterCharset) {
        guard charset != .utf8 else { return }
        func encoded(_ value: String) -> String? {
            guard value.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
            // A value that the charset cannot represent is an error when it is sent.
            do { return PercentEncoding.encode(bytes: try charset.encode(value), allowed: .form) } catch { return nil }
        }
        secrets.encodedValues = Set(secrets.values.compactMap(encoded))
        for secret in secrets.restricted {
            guard let value = encoded(secret.value) else { continue }
            secrets.restricted.insert(.init(name: secret.name, value: value, hosts: secret.hosts))
        }
    }

    private func isSecret(_ name: String, _ value: String, isCaptured: Bool) -> Bool {
        if isCaptured, value.count >= Self.shortestCapture { return true }
        return name.split(separator: ".").contains { part in
            let part = String(part)
            return CredentialNames.contains(part) || workspace.redact.contains { CredentialNames.plain($0) == CredentialNames.plain(part) }
        }
    }

    /// The minimum number of characters of a captured value that is secret regardless of its name; shorter ones are usually numbers or words.
    private static let shortestCapture = 8
}
