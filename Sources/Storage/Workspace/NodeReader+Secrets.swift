internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reading `secrets:` of `workspace.yaml`.
extension NodeReader {
    /// The keys that say where the value of a secret is, of which a secret has one.
    private static let sources = ["env", "command", "secret", "pass", "keyring", "vault"]

    /// Reads the sources of secrets, their hosts and their lifetimes.
    mutating func readSecrets(_ node: YAMLNode?, into workspace: inout Workspace) {
        for pair in pairs(node, of: "secrets") {
            guard pair.value.entries != nil else {
                report(
                    pair.value,
                    "a workspace must not contain the value of a secret; write {env: NAME}, {command: …}, or {secret: NAME} after "
                        + "sortie secret set NAME")
                continue
            }
            let fields = fields(pair.value, of: "a secret", known: .secret)
            // An unreadable list permits no host, because a mistake must not lift the restriction.
            if let node = fields["hosts"] { workspace.secretHosts[pair.name] = hosts(node) }
            let given = Self.sources.filter { fields[$0] != nil }
            guard given.count == 1, let kind = given.first, let value = fields[kind] else {
                let words = "\(Self.sources.dropLast().joined(separator: ", ")) or \(Self.sources.last ?? "")"
                let problem = given.isEmpty ? "must have one of \(words)" : "has \(given.joined(separator: " and ")); keep one"
                report(pair.value, "a secret \(problem)")
                continue
            }
            guard let source = source(value, kind) else { continue }
            workspace.secrets[pair.name] = source
            guard let node = fields["for"], let lifetime = duration(node, "for") else { continue }
            if case .command = source {
                workspace.secretLifetimes[pair.name] = lifetime
            } else {
                report(node, "for applies to commands; the value of \(kind) is read for each request")
            }
        }
    }

    private mutating func source(_ node: YAMLNode, _ kind: String) -> SecretSource? {
        switch kind {
        case "env": return name(node, kind).map { .environment($0) }
        case "command": return name(node, kind).map { .command($0) }
        case "secret":
            guard let name = name(node, kind) else { return nil }
            if let problem = SecretSource.problem(ofStored: name) { return refuse(node, "secret: \(problem)") }
            return .stored(name)
        case "pass": return argument(node, kind).map { .command(SecretProgram.pass($0)) }
        case "keyring":
            guard let entries = node.entries, !entries.isEmpty else {
                return refuse(node, "keyring must be a mapping of the attributes of the secret, such as {service: shop, account: me}")
            }
            var attributes: [(name: String, value: String)] = []
            for pair in pairs(node, of: kind) { if let value = argument(pair.value, pair.name) { attributes.append((pair.name, value)) } }
            guard attributes.count == entries.count else { return nil }
            if let name = attributes.map(\.name).first(where: { !Self.isArgument($0) }) {
                return refuse(node, "keyring: the attribute “\(name.shortened)” must not begin with “-” or contain control characters")
            }
            return .command(SecretProgram.keyring(attributes))
        default:
            guard node.entries != nil else { return refuse(node, "vault must be {path, field}, not \(node.kindName)") }
            let fields = fields(node, of: kind, known: .vault)
            for key in ["path", "field"] where fields[key] == nil { report(node, "vault has no \(key)") }
            guard let path = argument(fields["path"], "path"), let field = argument(fields["field"], "field") else { return nil }
            return .command(SecretProgram.vault(path: path, field: field))
        }
    }

    /// A text that becomes an argument of a program.
    private mutating func argument(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = name(node, what) else { return nil }
        guard Self.isArgument(text) else {
            report(node, "\(what) must not begin with “-” or contain control characters")
            return nil
        }
        return text
    }

    /// Whether a program reads a text as a value, not as an option.
    private static func isArgument(_ text: String) -> Bool {
        !text.hasPrefix("-") && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Reports a problem; nil as the result of a value that cannot be read.
    private mutating func refuse(_ node: YAMLNode, _ message: String) -> SecretSource? {
        report(node, message)
        return nil
    }

    /// Reads the hosts that may receive a secret.
    private mutating func hosts(_ node: YAMLNode) -> [HostPattern] {
        let texts = list(node, "hosts")
        if texts.isEmpty, node.isNull || node.items?.isEmpty == true {
            report(node, "hosts is empty, so the secret cannot be sent to any host; add a host, or remove hosts")
        }
        return texts.compactMap { node, text in
            if let pattern = HostPattern(text) { return pattern }
            report(
                node,
                "“\(text.shortened)” is not a host that can receive a secret; write a name or an address without a scheme and a port, "
                    + "or *.example.com for every name below a domain")
            return nil
        }
    }
}
