import Foundation
import Support
import Testing

/// Tests exported locustfiles with Locust from PyPI: a master and two workers on loopback.
@Suite(.serialized)
struct LocustRunTests {
    private static let python = PythonPackage.python(with: "locust")
    private static let isInstalled = PythonPackage.isAvailable("locust")

    /// Runs a locustfile with a master and two workers until each user has repeated the run for some seconds.
    ///
    /// Sometimes a worker of Locust does not become ready on a busy machine, and the master waits without an end. Such a run makes no request, and is
    /// repeated, like one with too few requests, for a longer time.
    private func load(_ sortie: Sortie, _ file: String, environment: [String: String]) async throws -> ProcessRun {
        let python = try #require(Self.python)
        // Bound until the masters listen, which this permits, so that no other test gets the port meanwhile.
        let port = try DeadPort(.refusing)
        defer { withExtendedLifetime(port) {} }
        var variables = environment
        variables["LOCUST"] = python
        // `timeout` is the deadline of each process. The table has the sum of all requests in its last row.
        let line = """
            for seconds in 3 6 12 24; do
            workers=
            rm -f stats_*.csv
            for worker in 1 2; do
            timeout 100 "$LOCUST" -m locust -f - --worker --loglevel DEBUG --master-host 127.0.0.1 --master-port \(port.port) >worker$worker.log 2>&1 </dev/null &
            workers="$workers $!"
            done
            timeout 100 "$LOCUST" -m locust -f \(file) --master --master-bind-host 127.0.0.1 --master-bind-port \(port.port) --headless \
            --expect-workers 2 --users 2 --spawn-rate 2 --run-time ${seconds}s --stop-timeout 60 --csv stats --only-summary </dev/null
            status=$?
            kill $workers 2>/dev/null
            wait
            if awk -F, '$2 == "Aggregated" && $3 >= 60 { found = 1 } END { exit !found }' stats_stats.csv; then break; fi
            echo "Locust made too few requests in $seconds s"
            cat worker*.log
            done
            exit $status
            """
        return try await sortie.shell(line, environment: variables, within: .seconds(600))
    }

    @Test(.enabled(if: isInstalled, "Locust is not installed; .ci/setup test does that"))
    func `the demo's chain runs on two workers, in order and with captured values`() async throws {
        let (sortie, demo) = (try Sortie(), try await DemoProcess.shared)
        let port = String(demo.authority.split(separator: ":").last ?? "")
        let arguments = [
            "export", "checkout", "--as", "locust", "-w", try Sortie.demoWorkspace, "-e", "develop", "--var", "port=\(port)", "-o", "locustfile.py",
        ]
        let export = try await sortie.run(arguments)
        #expect(export.status == .exited(0), "\(export)")
        let text = String(decoding: try sortie.read("locustfile.py"), as: UTF8.self)
        #expect(text.contains("env(\"PASSWORD\")") && !text.contains("\"sortie\""), "\(text)")
        let run = try await load(sortie, "locustfile.py", environment: ["PASSWORD": "sortie"])
        #expect(run.succeeded, "\(run)")
        let stats = String(decoding: try sortie.read("stats_stats.csv"), as: UTF8.self)
        for name in ["login", "list", "detail", "again"] { #expect(stats.contains(",\(name),"), "\(stats)") }
        #expect(!String(decoding: try sortie.read("stats_failures.csv"), as: UTF8.self).contains("login"), "\(stats)")
    }

    @Test(.enabled(if: isInstalled, "Locust is not installed; .ci/setup test does that"))
    func `captured values arrive in order at a server, and failed expectations are the failures`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer { request in
            request.target == "/login" ? .json("{\"token\": \"T 1\"}") : .json("{\"total\": 57}")
        }
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("shop/service.yaml", "name: Shop\nservers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("shop/login.yaml", "method: POST\npath: /login\nbody: {json: {number: \"{{number}}\"}}\ncapture: {token: $.token}\n")
        try sortie.write("shop/orders.yaml", "path: /orders\nquery: {q: \"{{login.token}}\"}\nexpect: {json: {$.total: 58}}\n")
        try sortie.write("runs/flow.yaml", "chain:\n  - send: shop/login\n  - send: shop/orders\ndata: rows.csv\n")
        try sortie.write("runs/rows.csv", "number\n1\n2\n3\n")
        let export = try await sortie.run("export", "flow", "--as", "locust", "-o", "flow.py")
        #expect(export.status == .exited(0), "\(export)")
        let run = try await load(sortie, "flow.py", environment: [:])
        #expect(run.status == .exited(1), "\(run)")
        let failures = String(decoding: try sortie.read("stats_failures.csv"), as: UTF8.self)
        #expect(failures.contains("$.total: expected = 58, got 57") && !failures.contains("login"), "\(failures)")
        let received = server.requests
        let (logins, orders) = (received.filter { $0.target == "/login" }, received.filter { $0.target != "/login" })
        #expect(!orders.isEmpty && logins.count >= orders.count && logins.count <= orders.count + 2, "\(logins.count) \(orders.count)")
        #expect(received.first?.target == "/login" && orders.allSatisfy { $0.target == "/orders?q=T%201" }, "\(received.map(\.target))")
        let bodies = Set(logins.map { $0.bodyText.filter { !$0.isWhitespace } })
        #expect(bodies == ["{\"number\":\"1\"}", "{\"number\":\"2\"}", "{\"number\":\"3\"}"], "\(bodies)")
    }

    @Test func `run --locust prints the commands, and nothing is sent`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("run", "checkout", "--locust", "-w", try Sortie.demoWorkspace)
        #expect(run.status == .exited(0), "\(run)")
        for words in ["sortie export checkout --as locust", "export PASSWORD=", "--master --headless --expect-workers 2", "-f - --worker"] {
            #expect(run.output.contains(words), "\(words): \(run)")
        }
    }
}
