import Foundation
import Support
import Synchronization
import Testing

/// Tests parallel groups of the steps of chains.
@Suite(.serialized)
struct RunGroupTests {
    private struct Record: Decodable {
        struct Step: Decodable {
            let step: String
            let state: String
        }

        let state: String
        let failedStep: String?
        let steps: [Step]
    }

    /// Requests whose responses wait for each other, and what fails.
    private final class Behaviour: Sendable {
        let failing = Mutex<Set<String>>([])
        /// The targets whose responses are not completed.
        let holding = Mutex<Set<String>>([])
        private let arrived = Watched<Set<String>>([])
        private let running = Mutex((now: 0, most: 0))

        /// The largest number of requests at the same time.
        var most: Int { running.withLock { $0.most } }

        func answer(_ target: String) -> HTTPAnswer {
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            defer { running.withLock { $0.now -= 1 } }
            arrived.change { $0.insert(target) }
            if failing.withLock({ $0.contains(target) }) { return .status(500) }
            if holding.withLock({ $0.contains(target) }) { return .claiming(length: 100, "held") }
            switch target {
            case "/start": return .json(#"{"token": "t1", "ids": [1, 2, 3]}"#)
            // Sent one after the other, the first of them has no response.
            case "/left/t1": return arrived.block(within: .seconds(300)) { $0.contains("/right") } ? .json(#"{"id": 4}"#) : .status(504)
            case "/right": return arrived.block(within: .seconds(300)) { $0.contains("/left/t1") } ? .json(#"{"id": 5}"#) : .status(504)
            default: return .ok()
            }
        }
    }

    private let sortie: Sortie
    private let server: ScriptedServer
    private let behaviour = Behaviour()

    init() throws {
        sortie = try Sortie()
        let behaviour = behaviour
        server = try ScriptedServer { behaviour.answer($0.target) }
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/start.yaml", "path: \(server.url)/start\ncapture: {token: $.token, ids: $.ids}\n")
        try sortie.write("api/left.yaml", "path: \(server.url)/left/{{start.token}}\ncapture: {id: $.id}\n")
        try sortie.write("api/right.yaml", "path: \(server.url)/right\ncapture: {id: $.id}\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/get/{{item}}\n")
        try sortie.write("api/end.yaml", "path: \(server.url)/end/{{left.id}}{{right.id}}\n")
    }

    /// How often the server received a request.
    private func sent(_ target: String) -> Int { server.requests.count { $0.target == target } }

    private func record(_ chain: String, _ arguments: String..., status: Int32 = 0) async throws -> Record {
        try sortie.write("runs/r.yaml", chain)
        let run = try await sortie.run(["run", "r", "--json"] + arguments)
        #expect(run.status == .exited(status), "\(run)")
        return try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
    }

    private static let chain = "chain:\n  - send: api/start\n  - parallel:\n    - send: api/left\n    - send: api/right\n  - send: api/end\n"

    @Test func `the steps of a parallel group are sent at the same time, and the next one when all have ended`() async throws {
        let record = try await record(Self.chain)
        #expect(record.state == "finished")
        #expect(record.steps.map(\.step) == ["start", "left", "right", "end"])
        let targets = server.requests.map(\.target)
        #expect(targets.first == "/start" && Set(targets[1...2]) == ["/left/t1", "/right"] && targets.last == "/end/45")
    }

    @Test func `a failed step does not end the others of its group, and the run continues at it`() async throws {
        behaviour.failing.withLock { $0 = ["/left/t1"] }
        let failed = try await record(Self.chain, status: 1)
        #expect(failed.steps.map(\.state) == ["done", "failed", "done", "skipped"] && failed.failedStep == "left")
        behaviour.failing.withLock { $0 = [] }
        let continued = try await record(Self.chain, "--from", "left")
        #expect(continued.steps.map(\.state) == ["done", "done", "done", "done"])
        #expect(server.requests.last?.target == "/end/45" && sent("/start") == 1 && sent("/left/t1") == 2 && sent("/right") == 1)
    }

    @Test func `--resume sends only the failed step of a group again`() async throws {
        behaviour.failing.withLock { $0 = ["/left/t1"] }
        _ = try await record(Self.chain, status: 1)
        behaviour.failing.withLock { $0 = [] }
        let continued = try await record(Self.chain, "--resume")
        #expect(continued.steps.map(\.state) == ["done", "done", "done", "done"])
        #expect(sent("/start") == 1 && sent("/left/t1") == 2 && sent("/right") == 1 && sent("/end/45") == 1)
    }

    /// A run with a group of two unsafe steps that was killed while both were being sent.
    private func killed() async throws {
        behaviour.holding.withLock { $0 = ["/pay/1", "/pay/2"] }
        try sortie.write("api/pay.yaml", "method: POST\npath: \(server.url)/pay/{{item}}\n")
        try sortie.write(
            "runs/r.yaml",
            """
            chain:
              - send: api/start
              - parallel:
                  - {send: api/pay, as: pa, with: {item: 1}}
                  - {send: api/pay, as: pb, with: {item: 2}}
              - {send: api/get, with: {item: 9}}

            """)
        let terminal = try await sortie.open("run", "r")
        _ = try await server.waitForRequests(3)
        terminal.signal(SIGKILL)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        behaviour.holding.withLock { $0 = [] }
    }

    @Test func `after kill -9 during a group, only the named one of its interrupted steps is sent again`() async throws {
        try await killed()
        let refused = try await sortie.run("run", "r", "--resume")
        #expect(refused.failed(2, "interrupted") && refused.errorOutput.contains("--from pa --from pb"), "\(refused)")
        let first = try await sortie.run("run", "r", "--from", "pa")
        #expect(first.status == .exited(4) && first.errorOutput.contains("step pb: the program ended while the request was in flight"), "\(first)")
        #expect(first.errorOutput.contains("the step pa was being sent when the program ended; it is sent again"), "\(first)")
        #expect(!first.errorOutput.contains("the step pb was being sent when the program ended; it is sent again"), "\(first)")
        #expect(first.output.contains("– pb     interrupted"), "\(first)")
        #expect(sent("/start") == 1 && sent("/pay/1") == 2 && sent("/pay/2") == 1 && sent("/get/9") == 0)
        let second = try await sortie.run("run", "r", "--from", "pb")
        #expect(second.status == .exited(0), "\(second)")
        #expect(sent("/start") == 1 && sent("/pay/1") == 2 && sent("/pay/2") == 2 && sent("/get/9") == 1)
    }

    @Test func `after kill -9 during a group, several interrupted steps can be named`() async throws {
        try await killed()
        let early = try await sortie.run("run", "r", "--from", "start")
        #expect(early.failed(2, "interrupted") && early.errorOutput.contains("--from start --from pa --from pb"), "\(early)")
        let late = try await sortie.run("run", "r", "--from", "get")
        #expect(late.failed(2, "notReached") && late.errorOutput.contains("the step pa before it is not done"), "\(late)")
        #expect(server.requests.count == 3)
        let run = try await sortie.run("run", "r", "--from", "pa", "--from", "pb")
        #expect(run.status == .exited(0), "\(run)")
        #expect(sent("/start") == 1 && sent("/pay/1") == 2 && sent("/pay/2") == 2 && sent("/get/9") == 1)
    }

    /// A group that begins with a captured list, so that its evaluation moves the steps after it.
    private static let listFirst = """
        chain:
          - send: api/start
          - parallel:
              - send: api/get
                forEach: "{{start.ids}}"
              - {send: api/get, as: gb, with: {item: b}}
              - {send: api/get, as: gc, with: {item: c}}
          - {send: api/get, as: last, with: {item: 9}}
        stopOnFailure: false

        """

    @Test func `each step is written once with --json where a list is evaluated again before steps that were done`() async throws {
        behaviour.failing.withLock { $0 = ["/get/1", "/get/2", "/get/3"] }
        _ = try await record(Self.listFirst, status: 1)
        behaviour.failing.withLock { $0 = [] }
        let record = try await record(Self.listFirst, "--failed")
        #expect(record.steps.map(\.step) == ["start", "get#1", "get#2", "get#3", "gb", "gc", "last"])
        #expect(record.steps.map(\.state) == Array(repeating: "done", count: 7))
        #expect(sent("/get/b") == 1 && sent("/get/c") == 1 && sent("/get/1") == 2)
    }

    @Test func `each step has a line where a list is evaluated again before steps that were done`() async throws {
        behaviour.failing.withLock { $0 = ["/get/1", "/get/2", "/get/3", "/get/b"] }
        _ = try await record(Self.listFirst, status: 1)
        behaviour.failing.withLock { $0 = [] }
        let run = try await sortie.run("run", "r", "--failed")
        #expect(run.status == .exited(0), "\(run)")
        let names = run.output.split(separator: "\n").compactMap {
            $0.hasPrefix("✓ ") ? $0.split(separator: " ").dropFirst().first.map(String.init) : nil
        }
        #expect(names == ["start", "get#1", "get#2", "get#3", "gb", "gc", "last"], "\(run)")
    }

    @Test func `a list that cannot be evaluated does not prevent its group where the run continues after failures`() async throws {
        let chain = "chain:\n  - parallel:\n    - {send: api/get, as: a, with: {item: a}}\n    - {send: api/get, forEach: \"{{nothing}}\"}\n"
        let record = try await record(chain + "stopOnFailure: false\n", status: 3)
        #expect(record.steps.map(\.state) == ["done", "failed"] && sent("/get/a") == 1)
    }

    @Test func `the run continues at any step of a group of which others failed too`() async throws {
        behaviour.failing.withLock { $0 = ["/left/t1", "/right"] }
        let failed = try await record(Self.chain, status: 1)
        #expect(failed.steps.map(\.state) == ["done", "failed", "failed", "skipped"])
        behaviour.failing.withLock { $0 = [] }
        let continued = try await record(Self.chain, "--from", "right")
        #expect(continued.steps.map(\.state) == ["done", "done", "done", "done"])
    }

    @Test func `only the failed steps of a group are sent again`() async throws {
        let chain = "chain:\n  - parallel:\n    - {send: api/get, as: a, with: {item: a}}\n    - {send: api/get, as: b, with: {item: b}}\n"
        behaviour.failing.withLock { $0 = ["/get/b"] }
        let failed = try await record(chain, status: 1)
        #expect(failed.steps.map(\.state) == ["done", "failed"])
        behaviour.failing.withLock { $0 = [] }
        let retried = try await record(chain, "--failed")
        #expect(retried.steps.map(\.state) == ["done", "done"])
        #expect(server.requests.map(\.target).sorted() == ["/get/a", "/get/b", "/get/b"])
    }

    @Test func `a captured list in a group is sent for all items, at most as many at once as its concurrency`() async throws {
        let chain = """
            chain:
              - send: api/start
              - parallel:
                  - send: api/get
                    forEach: "{{start.ids}}"
                  - {send: api/get, as: last, with: {item: 9}}
                concurrency: 2

            """
        let record = try await record(chain)
        #expect(record.steps.map(\.step) == ["start", "get#1", "get#2", "get#3", "last"])
        #expect(server.requests.dropFirst().map(\.target).sorted() == ["/get/1", "/get/2", "/get/3", "/get/9"])
        #expect(behaviour.most <= 2)
    }

    @Test func `after a failure no further step of a group is sent`() async throws {
        behaviour.failing.withLock { $0 = ["/get/a"] }
        let chain =
            "chain:\n  - parallel:\n    - {send: api/get, as: a, with: {item: a}}\n    - {send: api/get, as: b, with: {item: b}}\n    concurrency: 1\n"
        let failed = try await record(chain, status: 1)
        #expect(failed.steps.map(\.state) == ["failed", "skipped"])
        #expect(server.requests.map(\.target) == ["/get/a"])
    }

    @Test func `a list that cannot be evaluated fails before a step of its group is sent`() async throws {
        let chain = "chain:\n  - parallel:\n    - {send: api/get, as: a, with: {item: a}}\n    - {send: api/get, forEach: \"{{nothing}}\"}\n"
        try sortie.write("runs/r.yaml", chain)
        let run = try await sortie.run("run", "r")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.output.contains("✗ get") && server.requests.isEmpty, "\(run)")
    }
}
