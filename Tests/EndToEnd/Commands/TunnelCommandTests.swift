import Foundation
import Support
import Testing

/// Tests tunnels by commands.
@Suite struct TunnelCommandTests {
    private let sortie: Sortie
    /// The port of the tunnel, which no other test uses; a program that permits the reuse of addresses can listen on it.
    private let reserved: DeadPort
    private var port: UInt16 { reserved.port }

    init() throws {
        sortie = try Sortie()
        reserved = try DeadPort(.refusing)
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/forward.py", Self.forwarder)
    }

    /// Forwards a port of 127.0.0.1 to another one, and writes a line into the file `started`.
    private static let forwarder = """
        import os, socket, sys, threading
        port, target = int(sys.argv[1]), int(sys.argv[2])
        with open(os.path.join(os.path.dirname(__file__), "started"), "a") as log: log.write(f"{os.getpid()}\\n")
        print("forwarding now", flush=True)
        listener = socket.create_server(("127.0.0.1", port))
        def relay(source, target):
            try:
                while data := source.recv(65536): target.sendall(data)
            except OSError: pass
            for end in (source, target):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", target))
            for pair in ((client, server), (server, client)): threading.Thread(target=relay, args=pair, daemon=True).start()
        """

    /// Writes a service whose tunnel is a command; its server is a name that this machine cannot resolve.
    private func write(_ command: String, port: UInt16, more: String = "", path: String = "http://shop.invalid/a") throws {
        try sortie.write("ws/api/service.yaml", "name: Api\ntunnel:\n  command: |-\n    \(command)\n  port: \(port)\n\(more)\n")
        try sortie.write("ws/api/a.yaml", "path: \(path)\n")
    }

    private func forward(_ port: UInt16, to server: ScriptedServer) -> String {
        "exec python3 \(sortie.work)/ws/forward.py \(port) \(server.port)"
    }

    /// The process IDs of the forwarders that were started.
    private var started: [pid_t] {
        get throws { String(decoding: try sortie.read("ws/started"), as: UTF8.self).split(separator: "\n").compactMap { pid_t($0) } }
    }

    /// Waits until no program listens on a port.
    private func waitUntilClosed(_ port: UInt16) async throws {
        let run = try await ProcessRun.run(
            "/bin/bash", ["-c", "while (exec 3<>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do sleep 0.05; done"], within: Sortie.patience)
        #expect(run.succeeded)
    }

    @Test func `the first request starts the tunnel, the name of the URL is kept, and the end of the program ends it`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(forward(port, to: server), port: port)
        let run = try await sortie.run("send", "api/a", "-w", "ws", "-v")
        #expect(run.status == .exited(0) && run.output == "fine", "\(run)")
        #expect(server.requests.map { $0["Host"] } == ["shop.invalid"])
        #expect(run.errorOutput.contains("through the tunnel exec python3"), "\(run)")
        try await waitUntilClosed(port)
    }

    @Test func `requests at the same time start one tunnel, and all requests of a run use it`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(forward(port, to: server), port: port)
        try sortie.write("ws/runs/all.yaml", "batch:\n" + (1...8).map { "  - {send: api/a, as: s\($0)}\n" }.joined() + "concurrency: 4\n")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0) && server.requests.count == 8, "\(run)")
        #expect(try started.count == 1)
    }

    @Test func `a tunnel that is killed is started again by the next request`() async throws {
        let server = try ScriptedServer { _ in .ok("fine", headers: [("Connection", "close")]) }
        try write(forward(port, to: server), port: port)
        // The hook kills the forwarder after the first response.
        let kill = "test -e killed || { touch killed; kill -9 $(cat started); while kill -0 $(cat started) 2>/dev/null; do sleep 0.05; done; }"
        try sortie.write("ws/kill.sh", "cat >/dev/null; cd \(sortie.work)/ws; \(kill)\n")
        try sortie.write("ws/api/b.yaml", "path: http://shop.invalid/b\nhooks: [{stage: process, run: [sh, kill.sh], timeout: 300s}]\n")
        try sortie.write("ws/runs/all.yaml", "chain:\n  - {send: api/b}\n  - {send: api/a}\n")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0) && server.requests.map(\.target) == ["/b", "/a"], "\(run)")
        #expect(try started.count == 2)
    }

    @Test func `a tunnel that does not open within the total time limit is named, with the last line of its program`() async throws {
        try write("echo waiting for the bastion >&2; exec sleep 1000", port: port)
        try await growing(from: .seconds(2)) { limit -> Void? in
            let run = try await sortie.run("send", "api/a", "-w", "ws", "--timeout", limit.secondsText)
            #expect(run.status == .exited(4) && run.errorOutput.contains("did not open within \(limit.secondsText) s"), "\(run)")
            #expect(!run.hint.isEmpty)
            // The program must have time to start.
            return run.errorOutput.contains("it reported: waiting for the bastion") ? () : nil
        }
    }

    @Test func `a tunnel that is killed during a request fails it with the lines of its program`() async throws {
        let server = try ScriptedServer(Script(.readRequest, .holdOpen))
        try write(forward(port, to: server), port: port)
        async let ended = sortie.run("send", "api/a", "-w", "ws")
        _ = try await server.waitForRequests(1)
        for pid in try started { kill(pid, SIGKILL) }
        let run = try await ended
        #expect(run.status == .exited(4) && run.errorOutput.contains("through the tunnel"), "\(run)")
    }

    @Test(arguments: [
        ("echo first >&2; echo no route to the cluster >&2; exit 3", "ended with status 3 before it accepted connections: no route to the cluster"),
        ("sortie-no-such-program", "was not found; install it"), ("kill -9 $$", "before it accepted connections"),
        ("sleep 1000", "did not open port"),
    ])
    func `a tunnel that cannot be opened fails the request with the reason`(command: String, reason: String) async throws {
        try write(command, port: port)
        if command.hasPrefix("sleep") {
            try sortie.write("ws/api/service.yaml", "name: Api\ntunnel: {command: \(command), port: \(port), timeout: 300ms}\n")
        }
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.failed(4, "cannotConnect") && run.errorOutput.contains(reason) && run.errorOutput.contains("the tunnel"), "\(run)")
    }

    @Test func `a port that a program of this user has opened already is used`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write("exit 9", port: server.port)
        let run = try await sortie.run("send", "api/a", "-w", "ws", "-v")
        #expect(run.status == .exited(0) && run.errorOutput.contains("is open already"), "\(run)")
    }

    @Test func `a redirect to another origin does not go through the tunnel of a command`() async throws {
        let other = try ScriptedServer { _ in .ok("other") }
        let server = try ScriptedServer { [url = other.url] _ in .redirect(to: "\(url)/b") }
        try write(forward(port, to: server), port: port)
        let run = try await sortie.run("send", "api/a", "-w", "ws", "-v")
        #expect(run.output == "other" && run.errorOutput.contains("it does not lead to \(other.url)"), "\(run)")
        #expect(server.requests.count == 1 && other.requests.count == 1)
    }

    @Test func `--proxy and --unix-socket take precedence, and a dry run opens nothing`() async throws {
        try write("touch \(sortie.work)/ran; exit 1", port: port)
        let proxy = try ScriptedServer { _ in .ok("proxied") }
        let run = try await sortie.run("send", "api/a", "-w", "ws", "--proxy", proxy.url)
        #expect(run.output == "proxied", "\(run)")
        let dry = try await sortie.run("send", "api/a", "-w", "ws", "--dry-run")
        #expect(dry.status == .exited(0) && (dry.output + dry.errorOutput).contains("which a dry run does not open"), "\(dry)")
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/ran"))
    }

    @Test func `without permission no tunnel is opened, and the list names it`() async throws {
        let stranger = try Sortie(permitsOwn: false)
        try stranger.write("ws/workspace.yaml", "name: W\n")
        try stranger.write("ws/api/service.yaml", "name: Api\ntunnel: {command: \"touch \(stranger.work)/ran; exit 1\", port: \(port)}\n")
        try stranger.write("ws/api/a.yaml", "path: http://shop.invalid/a\n")
        let refused = try await stranger.run("send", "api/a", "-w", "ws")
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("(tunnel through the port \(port))"), "\(refused)")
        #expect(try await stranger.run("trust", "ws", "--list").output.contains("run the command  touch"))
        #expect(!FileManager.default.fileExists(atPath: stranger.work + "/ran"))
        #expect(try await stranger.run("trust", "ws", "--allow").status == .exited(0))
        #expect(try await stranger.run("send", "api/a", "-w", "ws").status == .exited(4))
        #expect(FileManager.default.fileExists(atPath: stranger.work + "/ran"))
        // Another port is another tunnel.
        let other = try DeadPort(.refusing)
        try stranger.write("ws/api/service.yaml", "name: Api\ntunnel: {command: \"touch \(stranger.work)/ran; exit 1\", port: \(other.port)}\n")
        #expect(try await stranger.run("send", "api/a", "-w", "ws").status == .exited(3))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT]) func `a program that is killed leaves no tunnel`(signal: Int32) async throws {
        let server = try ScriptedServer(Script(.readRequest, .holdOpen))
        // A process that does not end at SIGTERM, and one beside it.
        try write("trap '' TERM; sleep 1000 & python3 \(sortie.work)/ws/forward.py \(port) \(server.port); wait", port: port)
        let terminal = try await sortie.open("send", "api/a", "-w", "ws")
        _ = try await server.waitForRequests(1)
        terminal.signal(signal)
        _ = try await terminal.exitStatus(within: Sortie.patience)
        try await waitUntilClosed(port)
    }

    @Test func `TLS verifies the name of the URL behind the tunnel`() async throws {
        let nginx = try await SharedNginx.value
        let command = "exec python3 \(sortie.work)/ws/forward.py \(port) \(nginx.httpsPort)"
        try write(command, port: port, path: "https://api.example.test/small")
        let authority = try Certificates.shared().certificateAuthority
        let run = try await sortie.run("send", "api/a", "-w", "ws", "--cacert", authority, "-i")
        #expect(run.status == .exited(0), "\(run)")
        try write(command, port: port, path: "https://wrong.invalid/small")
        let refused = try await sortie.run("send", "api/a", "-w", "ws", "--cacert", authority)
        #expect(refused.failed(4, "untrustedCertificate"), "\(refused)")
    }
}
