import Foundation
import Support
import Synchronization
import Testing

/// Tests conditions and repetitions of the steps of runs.
@Suite(.serialized)
struct RunLoopTests {
    private struct Record: Decodable {
        struct Step: Decodable {
            let step: String
            let state: String
            let reason: String?
            let repetition: Int?
        }

        let state: String
        let failedStep: String?
        let steps: [Step]
    }

    private let sortie: Sortie
    private let server: ScriptedServer

    private final class Counter: Sendable {
        let count = Mutex(0)
        let fails = Mutex(false)

        func isThird() -> Bool {
            count.withLock { count in
                count += 1
                return count % 3 == 0
            }
        }
    }

    private let counter = Counter()

    init() throws {
        sortie = try Sortie()
        let counter = counter
        server = try ScriptedServer { request in
            switch request.target {
            case "/list": .json("{\"ids\": [7, 8, 9], \"none\": [], \"role\": \"guest\"}")
            case "/job": .json("{\"state\": \"\(counter.isThird() ? "done" : "running")\"}")
            case "/get/8": counter.fails.withLock { $0 } ? .status(500) : .ok()
            default: .ok()
            }
        }
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/list.yaml", "path: \(server.url)/list\ncapture: {ids: $.ids, none: $.none, role: $.role}\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/get/{{item}}\n")
        try sortie.write("api/job.yaml", "path: \(server.url)/job\ncapture: {state: $.state}\n")
        try sortie.write("api/end.yaml", "path: \(server.url)/end\n")
    }

    private func record(_ chain: String, _ arguments: String..., status: Int32 = 0) async throws -> Record {
        try sortie.write("runs/r.yaml", "chain:\n" + chain)
        let run = try await sortie.run(["run", "r", "--json"] + arguments)
        #expect(run.status == .exited(status), "\(run)")
        return try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
    }

    @Test func `a step whose condition does not hold is skipped with its reason, and the run succeeds`() async throws {
        let record = try await record(
            "  - send: api/list\n  - send: api/job\n    if: {list.role: admin}\n  - send: api/end\n    if: {list.role: guest}\n")
        #expect(record.state == "finished")
        #expect(record.steps.map(\.state) == ["done", "skipped", "done"])
        #expect(record.steps[1].reason == "list.role is guest, condition: admin")
        #expect(server.requests.map(\.target) == ["/list", "/end"])
        let run = try await sortie.run("run", "r", "--junit", "-")
        #expect(run.errorOutput.contains("– job   skipped: list.role is guest, condition: admin"), "\(run)")
        #expect(run.errorOutput.contains("2 of 3 steps done, 1 skipped"))
        #expect(run.output.contains("<skipped message=\"list.role is guest, condition: admin\"/>"))
    }

    @Test func `a step of a batch has a condition, too`() async throws {
        try sortie.write("runs/b.yaml", "batch:\n  - send: api/end\n    if: {stage: prod}\n  - send: api/list\n    if: {stage: test}\n")
        let run = try await sortie.run("run", "b", "--var", "stage=test")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/list"])
    }

    @Test func `a step is sent for each item of a captured list, in order`() async throws {
        let record = try await record(
            "  - send: api/list\n  - send: api/get\n    forEach: \"{{list.ids}}\"\n    if: {item: \"!= 8\"}\n  - send: api/end\n")
        #expect(record.steps.map(\.step) == ["list", "get#1", "get#2", "get#3", "end"])
        #expect(record.steps.map(\.repetition) == [nil, 1, 2, 3, nil])
        #expect(record.steps.map(\.state) == ["done", "done", "skipped", "done", "done"])
        #expect(server.requests.map(\.target) == ["/list", "/get/7", "/get/9", "/end"])
    }

    @Test func `a list in the file has a name, and an empty one is skipped`() async throws {
        let record = try await record(
            "  - send: api/list\n  - send: api/get\n    forEach: {id: [a, b]}\n    with: {item: \"x{{id}}\"}\n"
                + "  - send: api/get\n    as: none\n    forEach: \"{{list.none}}\"\n")
        #expect(server.requests.map(\.target) == ["/list", "/get/xa", "/get/xb"])
        #expect(record.state == "finished")
        #expect(record.steps.last?.reason == "the list of forEach is empty")
    }

    @Test func `a batch repeats a step for the items of its file`() async throws {
        try sortie.write("runs/b.yaml", "batch:\n  - send: api/get\n    forEach: [1, 2, 3]\n")
        let run = try await sortie.run("run", "b")
        #expect(run.status == .exited(0), "\(run)")
        #expect(Set(server.requests.map(\.target)) == ["/get/1", "/get/2", "/get/3"])
    }

    @Test func `a value that is no list fails the step with a remedy`() async throws {
        try sortie.write("runs/r.yaml", "chain:\n  - send: api/list\n  - send: api/get\n    forEach: \"{{list.role}}\"\n")
        let run = try await sortie.run("run", "r")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("the value of {{list.role}} is not a JSON array"), "\(run)")
    }

    @Test func `a failed repetition is continued with the items of its list`() async throws {
        counter.fails.withLock { $0 = true }
        let failed = try await record("  - send: api/list\n  - send: api/get\n    forEach: \"{{list.ids}}\"\n  - send: api/end\n", status: 1)
        #expect(failed.failedStep == "get#2")
        #expect(failed.steps.map(\.state) == ["done", "done", "failed", "skipped", "skipped"])
        counter.fails.withLock { $0 = false }
        let run = try await sortie.run("run", "r", "--from", "get#2")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/list", "/get/7", "/get/8", "/get/8", "/get/9", "/end"])
    }

    @Test func `a step is sent again while its condition holds`() async throws {
        let record = try await record("  - send: api/job\n    while: {job.state: running}\n    every: 1ms\n  - send: api/end\n")
        #expect(record.steps.map(\.step) == ["job", "job#2", "job#3", "end"])
        #expect(record.steps.map(\.repetition) == [1, 2, 3, nil])
        #expect(record.steps.map(\.state) == ["done", "done", "done", "done"])
        #expect(server.requests.map(\.target) == ["/job", "/job", "/job", "/end"])
    }

    @Test func `a condition that still holds at the limit fails the step and names the limit`() async throws {
        let text = "  - send: api/job\n    while: {job.state: running}\n    every: 1ms\n    limit: 2\n  - send: api/end\n"
        let record = try await record(text, status: 1)
        #expect(record.steps.map(\.state) == ["done", "failed", "skipped"])
        #expect(record.failedStep == "job#2")
        let run = try await sortie.run("run", "r", "--resume")
        // The count begins again: the third response ends the repetition.
        #expect(run.status == .exited(0), "\(run)")
    }
}
