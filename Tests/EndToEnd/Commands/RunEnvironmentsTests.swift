import Foundation
import Support
import Synchronization
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Tests a run in several environments.
@Suite(.serialized)
struct RunEnvironmentsTests {
    private let sortie: Sortie
    private let server: ScriptedServer
    private let failing = Failing()

    /// The targets whose response is an error.
    private final class Failing: Sendable {
        let targets = Mutex<Set<String>>([])
        /// A file that a request replaces by one that is no HAR file.
        let damagedFile = Mutex<(target: String, path: String)?>(nil)
    }

    init() throws {
        sortie = try Sortie()
        let failing = failing
        server = try ScriptedServer { request in
            if let file = failing.damagedFile.withLock({ $0 }), file.target == request.target {
                // The open file of the program keeps its content.
                guard unlink(file.path) == 0, FileManager.default.createFile(atPath: file.path, contents: Data("x".utf8)) else { return .status(500) }
            }
            return failing.targets.withLock { $0.contains(request.target) } ? .status(503) : .json(#"{"token": "of\#(request.target)"}"#)
        }
        try sortie.write(
            "workspace.yaml",
            "name: W\nenvironments:\n  develop: {variables: {base: dev, extra: no}}\n  staging: {variables: {base: stage, extra: yes}}\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        for name in ["login", "list", "extra"] { try sortie.write("api/\(name).yaml", "path: \(server.url)/{{base}}/\(name)\n") }
        try sortie.write(
            "runs/r.yaml",
            "chain:\n  - {send: api/login, capture: {token: $.token}}\n  - {send: api/extra, if: {extra: yes}}\n  - send: api/list\n"
                + "    expect: {status: 200}\n")
    }

    private func fail(_ targets: Set<String>) { failing.targets.withLock { $0 = targets } }

    private func lines(_ run: ProcessRun) -> [String] {
        run.output.replacing(/[0-9.]+ m?s\b/, with: "T").split(separator: "\n").map { String($0).replacing(/\ +/, with: " ") }
    }

    private let both = ["run", "r", "-e", "develop", "-e", "staging"]

    @Test func `the table of the environments is on stderr where the JUnit report is on stdout`() async throws {
        let run = try await sortie.run(both + ["--junit", "-"])
        #expect(run.output.hasPrefix("<?xml ") && run.output.hasSuffix("</testsuites>\n"), "\(run)")
        #expect(run.errorOutput.contains("✓ login  200  "), "\(run)")
    }

    @Test func `a run in two environments has a line for each step with the results of both`() async throws {
        fail(["/stage/list"])
        let run = try await sortie.run(both)
        #expect(run.status == .exited(1), "\(run)")
        #expect(
            lines(run) == [
                " develop staging", "✓ login 200 T 200 T", "– extra skipped 200 T differs", " develop: skipped: extra is no, condition: yes",
                "✗ list 200 T 503 T differs", " staging: status: expected 200, got 503", "develop finished, 2 of 3 steps done, 1 skipped in T",
                "staging failed, 2 of 3 steps done in T", "r: 2 steps differ",
            ], "\(run)")
        #expect(run.errorOutput.contains("staging: step list: status: expected 200, got 503"), "\(run)")
    }

    @Test func `an endpoint is sent in several environments without a file, and in one`() async throws {
        let several = try await sortie.run("run", "api/list", "-e", "develop", "-e", "staging")
        #expect(several.status == .exited(0) && lines(several).contains("✓ list 200 T 200 T"), "\(several)")
        #expect(try await sortie.run("run", "api/list", "-e", "staging").status == .exited(0))
        #expect(server.requests.map(\.target) == ["/dev/list", "/stage/list", "/stage/list"])
    }

    @Test func `each environment is run from its beginning, one after the other`() async throws {
        let run = try await sortie.run(both)
        #expect(run.status == .exited(0) && lines(run).last == "r: 1 step differs", "\(run)")
        #expect(server.requests.map(\.target) == ["/dev/login", "/dev/list", "/stage/login", "/stage/extra", "/stage/list"])
    }

    @Test func `failed runs of both environments are continued on their own`() async throws {
        fail(["/dev/list", "/stage/list"])
        let failed = try await sortie.run(both)
        #expect(failed.errorOutput.contains("sortie run r --from list -e develop\n"), "\(failed)")
        #expect(failed.errorOutput.contains("sortie run r --from list -e staging"), "\(failed)")
        fail([])
        let sent = server.requests.count
        for environment in ["develop", "staging"] {
            let continued = try await sortie.run("run", "r", "--from", "list", "-e", environment)
            #expect(continued.status == .exited(0), "\(continued)")
        }
        #expect(server.requests.dropFirst(sent).map(\.target) == ["/dev/list", "/stage/list"])
    }

    @Test func `the last unfinished run continues in its environment`() async throws {
        fail(["/stage/list"])
        _ = try await sortie.run("run", "r", "-e", "staging")
        fail([])
        let resumed = try await sortie.run("run", "--resume")
        #expect(resumed.status == .exited(0) && server.requests.last?.target == "/stage/list", "\(resumed)")
    }

    @Test func `the record has the record of each environment`() async throws {
        struct Record: Decodable {
            struct Run: Decodable {
                struct Step: Decodable {
                    let step: String
                    let state: String
                }

                let environment: String
                let state: String
                let steps: [Step]
            }

            let run: String
            let environments: [Run]
        }
        fail(["/dev/list"])
        let run = try await sortie.run(both + ["--json"])
        #expect(run.status == .exited(1), "\(run)")
        let record = try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
        #expect(record.run == "r" && record.environments.map(\.environment) == ["develop", "staging"])
        #expect(record.environments.map(\.state) == ["failed", "finished"])
        #expect(record.environments.map { $0.steps.map(\.state) } == [["done", "skipped", "failed"], ["done", "done", "done"]])
        #expect(run.errorOutput.contains("develop: step list: status: expected 200, got 503"), "\(run)")
    }

    @Test func `an environment whose run cannot start does not discard the results of the others`() async throws {
        failing.damagedFile.withLock { $0 = ("/dev/list", sortie.home.path("work/all.har")) }
        let arguments = both + ["--capture", "all.har"]
        let run = try await sortie.run(arguments + ["--junit", "report.xml"])
        #expect(run.status == .exited(3) && run.errorOutput.contains("staging: ") && run.errorOutput.contains("all.har"), "\(run)")
        #expect(lines(run).contains("develop finished, 2 of 3 steps done, 1 skipped in T"), "\(run)")
        let document = try XMLDocument(data: Data(sortie.read("report.xml")))
        #expect(try document.nodes(forXPath: "/testsuites/testsuite/@name").compactMap(\.stringValue) == ["r develop"])
        try FileManager.default.removeItem(atPath: sortie.home.path("work/all.har"))
        let record = try await sortie.run(arguments + ["--json"])
        let decoded = try #require(try JSONSerialization.jsonObject(with: Data(record.outputBytes)) as? [String: Any])
        #expect((decoded["environments"] as? [[String: Any]])?.count == 1, "\(record)")
    }

    @Test func `the JUnit report has a suite for each environment`() async throws {
        let run = try await sortie.run(both + ["--junit", "report.xml"])
        #expect(run.status == .exited(0), "\(run)")
        let document = try XMLDocument(data: Data(sortie.read("report.xml")))
        let names = try document.nodes(forXPath: "/testsuites/testsuite/@name").compactMap(\.stringValue)
        #expect(names == ["r develop", "r staging"])
        #expect(try document.nodes(forXPath: "/testsuites/@tests").first?.stringValue == "6")
    }

    @Test(arguments: [
        (["run", "r", "-e", "develop", "-e", "nowhere"], "the workspace W has no environment nowhere"),
        (["run", "r", "-e", "develop", "-e", "develop"], "the environment develop is given twice"),
        (["run", "r", "-e", "develop", "-e", "staging", "--from", "list"], "--from is for one environment; give -e only once"),
        (["run", "r", "-e", "develop", "-e", "staging", "--update-snapshots"], "--update-snapshots is for one environment; give -e only once"),
        (["send", "api/login", "-e", "develop", "-e", "staging"], "this command uses one environment: develop or staging"),
    ])
    func `environments that a command cannot use are a usage error, and nothing is sent`(arguments: [String], problem: String) async throws {
        let run = try await sortie.run(arguments)
        #expect(run.status == .exited(2) && run.errorOutput.contains(problem), "\(run)")
        #expect(server.requests.isEmpty)
    }
}
