internal import SortieNetworking
internal import WorkspaceModel

/// A tunnel's program as it is started.
struct TunnelCommand: Hashable, Sendable {
    let setting: TunnelSetting
    /// The folder of the workspace, in which a command runs, so that its words name files of the workspace.
    let workingFolder: String

    /// The program and its arguments.
    ///
    /// - Parameter folder: A folder of the user for the socket of `ssh`.
    func words(socketIn folder: String) -> [String] {
        switch setting.program {
        case .command(let text, _): ["/bin/sh", "-c", text]
        case .ssh(let host):
            // A SOCKS proxy instead of forwarded ports, so that every server of a service works and names are resolved at the other end; on a Unix
            // socket, which no other user of this machine can use and whose name cannot be taken. An own connection, because that of ControlMaster
            // would keep the proxy after the end of this one.
            [
                "ssh", "-N", "-T", "-a", "-x", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", "-o", "ControlMaster=no", "-o",
                "ControlPath=none",
                "-o", "PermitLocalCommand=no", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "-o", "StreamLocalBindMask=0177",
                "-D", Self.socket(in: folder), "--", host,
            ]
        }
    }

    /// Where connections enter the tunnel.
    func entrance(socketIn folder: String) -> TunnelRoute.Entrance {
        switch setting.program {
        case .ssh: .socks(path: Self.socket(in: folder))
        case .command(_, let port): .port(port)
        }
    }

    /// The port of 127.0.0.1 that the program opens; nil for a socket.
    var port: UInt16? {
        guard case .command(_, let port) = setting.program else { return nil }
        return port
    }

    private static func socket(in folder: String) -> String { "\(folder)/socks" }
}
