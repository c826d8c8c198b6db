internal import Foundation
internal import Glibc

/// A server of OpenSSH on 127.0.0.1 with its own keys, and a program `ssh` that knows it as `bastion`.
///
/// `.ci/setup test` installs `sshd` without starting it. Nothing of the user or the system is read: host key, user key, known hosts and configuration are
/// in a temporary folder. It ends with the last reference, and also when the test process dies.
public final class SSHServer: Sendable {
    /// The value of `PATH` in which `ssh` uses the configuration of this server.
    ///
    /// `bastion` is the server; `stranger` is the server with an unknown host key, and `locked` the server without a key of the user.
    public let path: String

    private let folder: TemporaryFolder
    private let child: ChildProcess
    private let lifeline: DescriptorPair

    /// Whether this machine has the programs; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { [server, client, "/usr/bin/ssh-keygen"].allSatisfy(FileManager.default.isExecutableFile) }

    private static let server = "/usr/sbin/sshd"
    private static let client = "/usr/bin/ssh"

    /// Starts the server and waits until it accepts connections.
    public init() async throws {
        let folder = try TemporaryFolder()
        for name in ["host", "user", "other"] {
            let run = try await ProcessRun.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder.path(name)])
            guard run.succeeded else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: run.description]) }
        }
        // Bound until the server listens, which this permits, so that no other test gets the port meanwhile.
        let socket = try LoopbackSocket(address: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        _ = try folder.write("authorized", try folder.read("user.pub"))
        let settings = try folder.write(
            "sshd_config",
            Array(
                """
                Port \(socket.port)
                ListenAddress 127.0.0.1
                HostKey \(folder.path("host"))
                AuthorizedKeysFile \(folder.path("authorized"))
                StrictModes no
                PidFile none
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin yes
                """.utf8))
        let key = String(decoding: try folder.read("host.pub"), as: UTF8.self).split(separator: " ").prefix(2).joined(separator: " ")
        _ = try folder.write("known", Array("[127.0.0.1]:\(socket.port) \(key)\n".utf8))
        let config = try folder.write(
            "config",
            Array(
                """
                Host bastion
                UserKnownHostsFile \(folder.path("known"))
                IdentityFile \(folder.path("user"))
                Host stranger
                UserKnownHostsFile \(folder.path("none"))
                IdentityFile \(folder.path("user"))
                Host locked
                UserKnownHostsFile \(folder.path("known"))
                IdentityFile \(folder.path("other"))
                Host *
                HostName 127.0.0.1
                Port \(socket.port)
                IdentitiesOnly yes
                IdentityAgent none
                GlobalKnownHostsFile none
                """.utf8))
        let program = try folder.write("bin/ssh", Array("#!/bin/sh\nexec \(Self.client) -F \(config) \"$@\"\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        path = "\(folder.path("bin")):/usr/bin:/bin"
        // The folder of the privilege separation, which the service of the system would create.
        if geteuid() == 0 { try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true) }
        lifeline = try DescriptorPair()
        child = try ChildProcess(
            "/usr/bin/python3",
            ChildProcess.Options(
                arguments: ["-c", Self.supervisor, Self.server, "-D", "-f", settings], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
                descriptors: [nil, nil, nil, lifeline.reading]))
        lifeline.closeReading()
        self.folder = folder
        let probe = "until (exec 3<>/dev/tcp/127.0.0.1/\(socket.port)) 2>/dev/null; do sleep 0.05; done"
        _ = try await ProcessRun.run("/bin/bash", ["-c", probe], within: .seconds(300))
    }

    deinit { child.signal(SIGKILL, group: true) }

    /// Runs a program until the other end of descriptor 3 closes.
    private static let supervisor = """
        import os, subprocess, sys
        child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.read(3, 1)
        child.kill()
        """
}
