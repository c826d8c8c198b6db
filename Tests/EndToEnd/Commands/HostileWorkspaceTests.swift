import Foundation
import Glibc
import Support
import Testing

/// Traces a workspace that uses every capability with strace, before and after the user permits it (`Security.md` 1–4).
@Suite(.serialized, .enabled(if: SystemCalls.areTraceable))
struct HostileWorkspaceTests {
    private let server: ScriptedServer
    private let sortie: Sortie
    private var workspace: String { sortie.work + "/ws" }

    init() throws {
        let server = try ScriptedServer(answering: .ok("the body"))
        let sortie = try Sortie(permitsOwn: false)
        (self.server, self.sortie) = (server, sortie)
        for (name, text) in Self.files {
            try sortie.write(name, text.replacingOccurrences(of: "{server}", with: server.url).replacingOccurrences(of: "{work}", with: sortie.work))
        }
        for (link, target) in [
            ("ws/root", "/"), ("ws/api/around", "."), ("ws/api/stolen.yaml", "../../outside/endpoint.yaml"), ("ws/elsewhere", "../outside"),
            ("ws/api/device.yaml", "/dev/zero"), ("ws/body", "../outside/body"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: "\(sortie.work)/\(link)", withDestinationPath: target)
        }
        // Reading the pipe would block until a writer opens it.
        #expect(mkfifo("\(sortie.work)/ws/api/pipe.yaml", 0o600) == 0)
        // Files of another user, where the test may create them.
        if geteuid() == 0 {
            for name in ["ws", "ws/workspace.yaml", "ws/api/service.yaml"] { #expect(lchown("\(sortie.work)/\(name)", 12345, 12345) == 0) }
        }
    }

    private static let files = [
        "outside/endpoint.yaml": "name: Stolen\npath: \"{server}/stolen\"\n", "outside/file": "file-canary", "outside/body": "body-canary",
        "outside/rows.csv": "id\n1\n", "outside/ca.pem": "", "outside/more.yaml": "path: /\n",
        "ws/workspace.yaml": """
        name: Hostile
        environments: {dev: {variables: {base: "{server}"}}}
        variables: {a0: "{{a1}}{{a1}}{{a1}}{{a1}}{{a1}}{{a1}}{{a1}}{{a1}}", a1: "{{a2}}{{a2}}{{a2}}{{a2}}{{a2}}{{a2}}{{a2}}{{a2}}",
          a2: "{{a3}}{{a3}}{{a3}}{{a3}}{{a3}}{{a3}}{{a3}}{{a3}}", a3: "{{a4}}{{a4}}{{a4}}{{a4}}{{a4}}{{a4}}{{a4}}{{a4}}",
          a4: "{{a5}}{{a5}}{{a5}}{{a5}}{{a5}}{{a5}}{{a5}}{{a5}}", a5: "{{a6}}{{a6}}{{a6}}{{a6}}{{a6}}{{a6}}{{a6}}{{a6}}",
          a6: "{{a7}}{{a7}}{{a7}}{{a7}}{{a7}}{{a7}}{{a7}}{{a7}}", a7: "{{a8}}{{a8}}{{a8}}{{a8}}{{a8}}{{a8}}{{a8}}{{a8}}", a8: "xxxxxxxx"}
        secrets: {pw: {command: "touch {work}/canary; echo geheim"}, variable: {env: HOSTILE_SECRET}}

        """,
        "ws/api/service.yaml": "name: Api\nservers: {dev: [\"{server}\"]}\n",
        "ws/api/all.yaml": """
        name: All
        method: POST
        path: /all
        headers: {X-Command: "{{pw}}", X-Variable: "{{variable}}", X-File: "{{$file ../outside/file}}"}
        body: {file: ../body}

        """,
        "ws/dns/service.yaml": """
        name: Names
        servers: {dev: ["http://{{pw}}.{{$env.HOSTILE_SECRET}}.example"]}
        addresses: {source: "{server}/dns-query", preresolve: true}

        """,
        "ws/dns/get.yaml": "name: Get\npath: /\n",
        "ws/tls/service.yaml": """
        name: Trust
        servers: {dev: ["https://127.0.0.1:9"]}
        proxy: "{server}"
        trust: {insecure: true, ca: ../outside/ca.pem, clientCertificate: ../outside/ca.pem, clientKey: ../outside/file}

        """,
        "ws/tls/get.yaml": "name: Get\npath: /\n",
        "ws/api/down.yaml": "name: Down\npath: /down\ndownload: {to: \"../../outside/written\"}\n",
        "ws/runs/rows.yaml": "chain: [{send: api/all}]\ndata: ../../outside/rows.csv\n",
    ]

    private static let environment = ["HOSTILE_SECRET": "variable-canary"]

    private func traced(_ arguments: String...) async throws -> (run: ProcessRun, calls: SystemCalls) { try await traced(arguments) }

    private func traced(_ arguments: [String]) async throws -> (run: ProcessRun, calls: SystemCalls) {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let trace = sortie.home.path("trace")
        let run = try await sortie.shell(
            "exec /usr/bin/strace -f -qq -y -s 300 -e trace=\(SystemCalls.traced) -o '\(trace)' \"$SORTIE\" \(words)", environment: Self.environment)
        return (run, try SystemCalls(tracedTo: trace))
    }

    /// The opened paths that are neither in the workspace, nor in the state folder of Sortie, nor system files that every program reads.
    private func outside(_ calls: SystemCalls) -> [String] {
        let system = [
            "/lib/", "/usr/", "/proc/", "/sys/", "/etc/ssl/", "/etc/ld.so", "/etc/terminfo", "/etc/localtime", "/etc/nsswitch.conf", "/etc/locale",
        ]
        return calls.opened.filter { path in
            !isOwn(path) && path != workspace && !path.hasPrefix(workspace + "/") && !(system + Self.devices).contains { path.hasPrefix($0) }
                && !path.contains(".so")
        }.sorted()
    }

    private static let devices = ["/dev/null", "/dev/tty", "/dev/pts/", "/dev/urandom", "/dev/random"]

    /// Whether a path is in a folder of Sortie, or is such a folder.
    private func isOwn(_ path: String) -> Bool {
        ["state", "cache", "config", ".local"].map { sortie.home.path($0) }.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private func expectNothing(_ calls: SystemCalls, _ what: String) {
        #expect(calls.programs.count == 1, "\(what) executed \(calls.programs)")
        #expect(outside(calls) == [], "\(what)")
        let changed = calls.changed.filter { path in !isOwn(path) && !Self.devices.contains { path.hasPrefix($0) } }
        #expect(changed == [], "\(what) changed files outside of the folders of Sortie")
        #expect(calls.addresses.isEmpty, "\(what)")
        #expect(calls.watched.allSatisfy { !$0.contains("/root") && !$0.contains("/elsewhere") }, "\(what) watches \(calls.watched)")
    }

    @Test(arguments: [
        ["list", "-w", "ws"], ["check", "ws"], ["trust", "ws", "--list"], ["send", "api/all", "-w", "ws"],
        ["send", "api/all", "--dry-run", "-w", "ws"],
        ["send", "dns/get", "-w", "ws"], ["send", "dns/get", "--dry-run", "-w", "ws"], ["send", "tls/get", "-w", "ws"],
        ["send", "tls/get", "--dry-run", "-w", "ws"], ["download", "api/all", "--dry-run", "-w", "ws"],
        ["upload", "api/all", "ws/workspace.yaml", "-w", "ws"], ["run", "rows", "-w", "ws"], ["send", "api/stolen", "-w", "ws"],
    ])
    func `before permission no program is executed, nothing outside is read, nothing is changed, and nothing is resolved or sent`(
        arguments: [String]
    ) async throws {
        let (run, calls) = try await traced(arguments)
        let isReading = ["list", "check", "trust"].contains(arguments[0])
        #expect(run.status == .exited(arguments[0] == "list" || arguments[0] == "trust" ? 0 : 3), "\(run)")
        if !isReading, arguments[1] != "api/stolen" { #expect(run.errorOutput.contains("notTrusted"), "\(run)") }
        expectNothing(calls, arguments.joined(separator: " "))
        #expect(server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/canary"))
    }

    @Test func `an exponential expansion ends with an error`() async throws {
        try sortie.write("ws/api/bomb.yaml", "name: Bomb\npath: \"/{{a0}}\"\n")
        let (run, calls) = try await traced("send", "api/bomb", "--dry-run", "-w", "ws")
        #expect(run.status == .exited(3), "\(run)")
        expectNothing(calls, "the expansion")
    }

    @Test(arguments: Bench.sizes) func `the workbench opens, edits, previews and quits without using a capability`(size: Bench.Size) async throws {
        let trace = sortie.home.path("trace")
        let terminal = try await sortie.openShell(
            """
            exec /usr/bin/strace -f -qq -y -s 300 -e trace=\(SystemCalls.traced) -o '\(trace)' "$SORTIE" ws
            """, size: (size.columns, size.rows), environment: Self.environment)
        let bench = Bench(terminal: terminal, sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Trust")
        for endpoint in ["All", "tls", "dns"] {
            bench.choose(endpoint)
            bench.press(.character("2"), .character("v"))
            try await bench.see("May this workspace use your machine?")
            bench.press(.escape)
            try await bench.seeNoMore("May this workspace")
            try await bench.see("Nothing would be sent")
            bench.press(.escape)
            try await bench.seeNoMore("Nothing would be sent")
        }
        bench.choose("All")
        bench.press(.control("r"))
        try await bench.see("May this workspace use your machine?")
        bench.press(.escape)
        try await bench.seeNoMore("May this workspace")
        try await bench.see("did not permit")
        bench.press(.control("q"))
        _ = try await terminal.exitStatus(within: Sortie.patience)
        expectNothing(try SystemCalls(tracedTo: trace), "the workbench")
        #expect(server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/canary"))
    }

    @Test func `after permission only the permitted operations are performed`() async throws {
        let granted = try await sortie.run("trust", "ws", "--allow", environment: Self.environment)
        #expect(granted.succeeded, "\(granted)")
        let (run, calls) = try await traced("send", "api/all", "-w", "ws", "--no-history")
        #expect(run.succeeded, "\(run)")
        #expect(calls.programs.dropFirst().contains { $0.contains("touch \(sortie.work)/canary; echo geheim") }, "\(calls.programs)")
        #expect(calls.programs.count == 4, "the program, the supervisor of its children, the shell and touch: \(calls.programs)")
        #expect(Set(outside(calls)) == [sortie.work + "/outside/file", sortie.work + "/outside/body", sortie.work + "/canary"])
        #expect(calls.changed.contains(sortie.work + "/canary"), "\(calls.changed.sorted())")
        #expect(calls.addresses == [String(server.url.dropFirst("http://".count))])
        let request = try #require(server.requests.first)
        #expect(request["X-Command"] == "geheim" && request["X-Variable"] == "variable-canary" && request["X-File"] == "file-canary")
        #expect(String(decoding: request.body, as: UTF8.self) == "body-canary")
        #expect(server.requests.count == 1)
    }
}

/// Reports when the tests above are skipped.
struct StracePresenceTests {
    @Test func `strace is installed and may trace`() {
        guard !SystemCalls.areTraceable else { return }
        Issue.record(
            "strace is not installed or may not trace, so the tests of a hostile workspace were skipped; .ci/setup test installs it",
            severity: .warning)
    }
}
