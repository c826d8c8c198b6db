import Foundation
import Support
import Synchronization
import Testing

/// Tests the comparison of a run with the previous one.
@Suite(.serialized)
struct RunDifferenceTests {
    private let sortie: Sortie
    private let server: ScriptedServer
    private let behaviour = Behaviour()

    /// What the server sends.
    private final class Behaviour: Sendable {
        let price = Mutex(10)
        let isFailing = Mutex(false)
        let time = Mutex(0)
    }

    init() throws {
        sortie = try Sortie()
        let behaviour = behaviour
        server = try ScriptedServer { request in
            if request.target == "/state", behaviour.isFailing.withLock({ $0 }) { return .status(503) }
            if request.target == "/large" { return .json("\"\(String(repeating: "x", count: 10_000 + behaviour.price.withLock { $0 }))\"") }
            guard request.target == "/price" else { return .json(#"{"state": "open", "token": "secret-1"}"#) }
            let time = behaviour.time.withLock { time in
                time += 1
                return time
            }
            return .json(#"{"price": \#(behaviour.price.withLock { $0 }), "time": \#(time)}"#)
        }
        try sortie.write("workspace.yaml", "name: W\nenvironments:\n  develop: {variables: {a: b}}\n  staging: {variables: {a: c}}\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        for name in ["state", "price"] { try sortie.write("api/\(name).yaml", "path: \(server.url)/\(name)\n") }
        try sortie.write("runs/r.yaml", "batch:\n  - send: api/state\n  - send: api/price\nstopOnFailure: false\nignore: [$.time]\n")
    }

    private func lines(_ run: ProcessRun) -> [String] {
        run.output.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "TIME").split(separator: "\n").map { String($0) }
    }

    private func diff(_ arguments: String..., name: String = "r") async throws -> ProcessRun {
        try await sortie.run(["run", name, "--diff"] + arguments)
    }

    @Test func `equal responses end with 0, and ignored values do not count`() async throws {
        let first = try await diff()
        #expect(first.status == .exited(0) && lines(first).last == "no earlier run to compare with", "\(first)")
        let second = try await diff()
        #expect(second.status == .exited(0) && lines(second).last == "0 of 2 responses differ from the previous run", "\(second)")
    }

    @Test func `changed values are printed with their paths and end with 1`() async throws {
        _ = try await diff()
        behaviour.price.withLock { $0 = 12 }
        let run = try await diff()
        #expect(run.status == .exited(1), "\(run)")
        #expect(
            lines(run).suffix(4) == [
                "price differs from TIME:", "    - $.price: 10", "    + $.price: 12", "1 of 2 responses differ from the previous run",
            ], "\(run)")
        #expect(run.errorOutput.contains("sortie: differs: the response of a step differs from the previous run: price"), "\(run)")
        let command = try #require(run.errorOutput.firstMatch(of: /sortie history diff (\d+) (\d+)/))
        let complete = try await sortie.run("history", "diff", String(command.1), String(command.2))
        #expect(complete.status == .exited(1) && complete.output.contains("+   \"price\": 12"), "\(complete)")
        // The last run is the one to compare with.
        #expect(try await diff().status == .exited(0))
    }

    @Test func `a changed status differs, and a failed step determines the exit code`() async throws {
        _ = try await diff()
        behaviour.isFailing.withLock { $0 = true }
        let run = try await diff()
        #expect(run.output.contains("    - Status: 200 OK\n    + Status: 503"), "\(run)")
        #expect(run.status == .exited(1) && run.errorOutput.contains("step state: ") && !run.errorOutput.contains("differs"), "\(run)")
    }

    @Test func `a run is compared with the same run in the same environment`() async throws {
        _ = try await diff("-e", "develop")
        let other = try await diff("-e", "staging")
        #expect(lines(other).last == "no earlier run to compare with", "\(other)")
        try sortie.write("runs/other.yaml", "chain: [{send: api/price}]\n")
        let renamed = try await diff(name: "other")
        #expect(lines(renamed).last == "no earlier run to compare with", "\(renamed)")
    }

    @Test func `several environments are compared each with its own previous run`() async throws {
        _ = try await diff("-e", "develop", "-e", "staging")
        behaviour.price.withLock { $0 = 12 }
        let run = try await diff("-e", "develop", "-e", "staging", "--ignore", "$.time")
        #expect(run.status == .exited(1), "\(run)")
        #expect(lines(run).contains("develop: price differs from TIME:") && lines(run).contains("staging: price differs from TIME:"), "\(run)")
    }

    @Test func `each step is compared with its last response, also that of a run that did not reach the others`() async throws {
        try sortie.write("runs/r.yaml", "chain:\n  - send: api/state\n  - send: api/price\nignore: [$.time]\n")
        _ = try await diff()
        behaviour.isFailing.withLock { $0 = true }
        _ = try await diff()
        behaviour.isFailing.withLock { $0 = false }
        let run = try await diff()
        #expect(run.output.contains("state differs from") && run.output.contains("1 of 2 responses differ"), "\(run)")
        #expect(!run.output.contains("without an earlier response"), "\(run)")
    }

    @Test func `a response whose body is missing cannot be compared, and the command ends with 3`() async throws {
        try sortie.write("runs/r.yaml", "batch: [{send: api/large}, {send: api/state}]\n")
        try sortie.write("api/large.yaml", "path: \(server.url)/large\n")
        _ = try await diff()
        try FileManager.default.removeItem(atPath: sortie.home.path("state/sortie/bodies"))
        // The file of an equal body would be written again.
        behaviour.price.withLock { $0 = 12 }
        let run = try await diff()
        #expect(run.status == .exited(3) && run.errorOutput.hasPrefix("sortie: missingBody: "), "\(run)")
        #expect(run.errorOutput.contains("with the previous run: large"), "\(run)")
        #expect(run.output.contains("large cannot be compared: "), "\(run)")
        #expect(lines(run).last == "0 of 1 responses differ from the previous run, 1 cannot be compared", "\(run)")
    }

    @Test func `a response that is missing now is mentioned, and the next run is compared with the last response`() async throws {
        _ = try await diff()
        try sortie.write("api/state.yaml", "path: http://127.0.0.1:1/state\n")
        let failed = try await diff()
        #expect(failed.status == .exited(4) && failed.output.contains("state has no response now; on 2"), "\(failed)")
        #expect(lines(failed).last == "0 of 1 responses differ from the previous run, 1 without a response now", "\(failed)")
        try sortie.write("api/state.yaml", "path: \(server.url)/state\n")
        let run = try await diff()
        #expect(run.status == .exited(0) && lines(run).last == "0 of 2 responses differ from the previous run", "\(run)")
    }

    @Test func `many steps without an earlier response are one short line`() async throws {
        _ = try await diff()
        let steps = (1...9).map { "  - {send: api/state, as: s\($0)}\n" }.joined()
        try sortie.write("runs/r.yaml", "batch:\n  - send: api/state\n" + steps)
        let run = try await diff()
        #expect(lines(run).suffix(2).first == "without an earlier response: s1, s2, s3, s4, s5 and 4 more", "\(run)")
    }

    @Test func `a new step has no earlier response`() async throws {
        _ = try await diff()
        try sortie.write(
            "runs/r.yaml", "batch:\n  - send: api/state\n  - send: api/price\n  - {send: api/price, as: again}\nignore: [$.time]\n")
        let run = try await diff()
        #expect(run.status == .exited(0) && run.output.contains("without an earlier response: again\n"), "\(run)")
    }

    @Test func `secrets are masked in differences`() async throws {
        _ = try await diff()
        let record = try await diff("--json", "--ignore", "$.nothing")
        #expect(record.status == .exited(0) && !record.output.contains("secret-1"), "\(record)")
        struct Record: Decodable {
            struct Step: Decodable {
                struct Difference: Decodable {
                    let equal: Bool
                }

                let step: String
                let difference: Difference?
            }

            let differences: [Step]
        }
        let decoded = try JSONDecoder().decode(Record.self, from: Data(record.outputBytes))
        #expect(decoded.differences.map(\.step) == ["state", "price"])
        #expect(decoded.differences.map { $0.difference?.equal } == [true, true])
    }

    @Test(arguments: [
        (["--diff", "--no-history"], "--diff compares responses of the history; leave out --no-history"),
        (["--ignore", "$.a"], "--ignore is for --diff"),
        (["--diff", "--ignore", "time"], "“time” cannot be ignored; write a JSON path"),
    ])
    func `options that exclude each other are a usage error, and nothing is sent`(arguments: [String], problem: String) async throws {
        let run = try await sortie.run(["run", "r"] + arguments)
        #expect(run.status == .exited(2) && run.errorOutput.contains(problem), "\(run)")
        #expect(server.requests.isEmpty)
    }
}
