internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads `tunnel:` of a service.
    mutating func tunnel(_ node: YAMLNode?) -> TunnelSetting? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "tunnel", known: .tunnel)
        guard node.entries != nil else { return nil }
        guard (fields["ssh"] == nil) != (fields["command"] == nil) else {
            report(
                node, "a tunnel needs either ssh: HOST or command: with port:, as in {command: \"kubectl port-forward svc/a 8080:80\", port: 8080}")
            return nil
        }
        let timeout = duration(fields["timeout"], "timeout") ?? TunnelSetting.standardTimeout
        if timeout <= .zero, let place = fields["timeout"] { report(place, "timeout must be longer than 0") }
        let program = fields["ssh"].map { ssh($0, port: fields["port"]) } ?? command(fields["command"] ?? node, port: fields["port"])
        return program.map { TunnelSetting($0, timeout: timeout) }
    }

    private mutating func ssh(_ node: YAMLNode, port: YAMLNode?) -> TunnelSetting.Program? {
        if let port { report(port, "ssh needs no port: of a tunnel; the port of its server is written as ssh://USER@HOST:PORT or in ~/.ssh/config") }
        guard let host = plainText(node, "ssh") else { return nil }
        // A destination that begins with a hyphen would be an option of ssh, which can run commands.
        guard !host.hasPrefix("-"), !host.contains(where: \.isWhitespace) else {
            report(node, "ssh must be a destination such as bastion, USER@HOST or ssh://USER@HOST:PORT, not “\(host.shortened)”")
            return nil
        }
        return .ssh(host)
    }

    private mutating func command(_ node: YAMLNode, port: YAMLNode?) -> TunnelSetting.Program? {
        guard let text = plainText(node, "command") else { return nil }
        guard let port else {
            report(node, "the tunnel has no port; write port: and the port of 127.0.0.1 that the command opens")
            return nil
        }
        return integer(port, "port", in: 1...65_535).map { .command(text, port: UInt16($0)) }
    }

    /// A text without templates, so that the permission for it is the permission for what runs.
    private mutating func plainText(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = text(node, key) else { return nil }
        guard !text.allSatisfy(\.isWhitespace), !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 || $0 == 0x7f }) else {
            report(node, "\(key) of a tunnel must not be empty or contain control characters")
            return nil
        }
        guard Template(text).isPlain else {
            report(node, "\(key) of a tunnel cannot contain templates, because the permission is for its text; write one service for each tunnel")
            return nil
        }
        return text
    }
}
