import Foundation
import Support
import Testing

/// Tests tunnels by OpenSSH against its server.
@Suite(.enabled(if: SSHServer.isAvailable, "no sshd on this machine; .ci/setup test installs it"))
struct SSHTunnelTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
    }

    private func write(_ host: String, path: String, more: String = "") throws {
        try sortie.write("ws/api/service.yaml", "name: Api\ntunnel: {ssh: \(host)}\n\(more)\n")
        try sortie.write("ws/api/a.yaml", "path: \(path)\n")
    }

    @Test func `requests to all servers of a service go through one connection, and names are resolved at the other end`() async throws {
        let ssh = try await SSHServer()
        let servers = try [ScriptedServer { _ in .ok("one") }, ScriptedServer { _ in .ok("two") }]
        try write("bastion", path: servers[0].url.replacing("127.0.0.1", with: "localhost") + "/a")
        try sortie.write("ws/api/b.yaml", "path: \(servers[1].url)/b\n")
        try sortie.write("ws/runs/all.yaml", "batch: [{send: api/a}, {send: api/b}, {send: api/a, as: again}]\nconcurrency: 3\n")
        let run = try await sortie.run("run", "all", "-w", "ws", "-v", environment: ["PATH": ssh.path])
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.contains("through the tunnel ssh bastion, which resolves localhost"), "\(run)")
        // The peer of the servers is sshd, which connects from its own address; a direct connection to localhost would begin with ::1.
        #expect(servers[0].requests.count == 2 && servers[1].requests.count == 1)
        #expect(servers[0].requests.first?["Host"]?.hasPrefix("localhost:") == true)
    }

    @Test func `the socket of a tunnel is removed with the program, also when it is killed`() async throws {
        let ssh = try await SSHServer()
        let server = try ScriptedServer(Script(.readRequest, .holdOpen))
        try write("bastion", path: "\(server.url)/a")
        let runtime = sortie.home.path("run")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        // Only a short path is used for the socket.
        try #require(runtime.utf8.count < 60)
        let terminal = try await sortie.open("send", "api/a", "-w", "ws", environment: ["PATH": ssh.path, "XDG_RUNTIME_DIR": runtime])
        _ = try await server.waitForRequests(1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime).count == 1)
        terminal.signal(SIGKILL)
        _ = try await terminal.exitStatus(within: Sortie.patience)
        let gone = try await ProcessRun.run(
            "/bin/sh", ["-c", "while [ \"$(ls \(runtime))\" ]; do sleep 0.05; done"], within: Sortie.patience)
        #expect(gone.succeeded)
    }

    @Test(arguments: [("stranger", "Host key verification failed"), ("locked", "Permission denied")])
    func `an unknown host key and a refused key are errors, and nothing is asked`(host: String, reason: String) async throws {
        let ssh = try await SSHServer()
        try write(host, path: "http://127.0.0.1:9/a")
        // On a terminal, where ssh could ask.
        let terminal = try await sortie.open("send", "api/a", "-w", "ws", size: (200, 40), environment: ["PATH": ssh.path])
        try await terminal.waitForText(reason, within: Sortie.patience)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(4))
    }

    @Test func `a server that cannot be reached is named, with the reason of ssh`() async throws {
        let ssh = try await SSHServer()
        try write("bastion", path: "http://nowhere.invalid/a")
        var run: ProcessRun
        let deadline = ContinuousClock.now + .seconds(120)
        repeat {
            run = try await sortie.run("send", "api/a", "-w", "ws", environment: ["PATH": ssh.path])
            #expect(run.failed(4, "cannotConnect") && run.errorOutput.contains("nowhere.invalid:80 (through the tunnel ssh bastion)"), "\(run)")
            // The program waits for the line of ssh only for a moment, in which ssh may not run on a busy machine.
        } while !run.errorOutput.contains("open failed: connect failed") && ContinuousClock.now < deadline
        #expect(run.errorOutput.contains("open failed: connect failed"), "\(run)")
    }

    @Test func `a missing ssh is an error with the package that has it`() async throws {
        try write("bastion", path: "http://127.0.0.1:9/a")
        try sortie.write("bin/empty", "")
        let run = try await sortie.run("send", "api/a", "-w", "ws", environment: ["PATH": sortie.work + "/bin"])
        #expect(run.failed(4, "cannotConnect") && run.errorOutput.contains("openssh-client"), "\(run)")
    }
}
