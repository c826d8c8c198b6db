/// `tunnel:` of a service: the program that carries its requests to another network.
package struct TunnelSetting: Hashable, Sendable {
    /// What is started.
    package enum Program: Hashable, Sendable {
        /// `ssh` to this destination, as a SOCKS proxy; the names of hosts are resolved there.
        case ssh(String)
        /// A shell command, which forwards this port of 127.0.0.1 to the server.
        case command(String, port: UInt16)
    }

    /// What is started.
    package var program: Program
    /// The maximum time until the tunnel accepts connections.
    package var timeout: Duration

    /// The limit of ``timeout`` where the file names none.
    package static let standardTimeout = Duration.seconds(30)

    /// Creates a tunnel.
    package init(_ program: Program, timeout: Duration = TunnelSetting.standardTimeout) {
        self.program = program
        self.timeout = timeout
    }

    /// The name in messages: the command as a user would type it.
    package var name: String {
        switch program {
        case .ssh(let host): "ssh \(host)"
        case .command(let text, _): text
        }
    }

    /// The text for which the user gives permission.
    ///
    /// The words in parentheses make it the text of no shell command, so that the permission for a tunnel is none for a secret, and the reverse.
    package func permissionText(digests: [String: String]) -> String {
        let kind =
            switch program {
            case .ssh: "  (tunnel)"
            case .command(_, let port): "  (tunnel through the port \(port))"
            }
        return name + kind + ProgramFiles.text(fileNames, digests)
    }

    /// The names in the command that may be files.
    package var fileNames: Set<String> {
        guard case .command(let text, _) = program else { return [] }
        return ProgramFiles.names(in: [text])
    }
}
