import Dispatch
import SortieHTTP
import SortieNetworking
import Support
import Synchronization
import Testing
import WorkspaceModel

@testable import SortieApp

/// The Testing module has a type with this name as well.
private typealias Expectation = WorkspaceModel.Expectation

/// Tests runs of workspaces: order, captures, expectations, restart, cancellation.
@Suite(.serialized)
struct RunRunnerTests {
    /// A run against a server; the test creates the requests of its steps.
    private struct Bench {
        let caller: RunClient
        let plan: RunPlan
        let events = Watched<[RunEvent]>([])
        let kept = Watched<[RunCheckpoint]>([])
        let server: ScriptedServer
        var expectations: [String: Expectation] = [:]
        var captures: [String: [Capture]] = [:]
        var retry: RetryPolicy?
        var method = HTTPMethod.get

        init(
            _ kind: RunDefinition.Kind, _ names: [String], stops: Bool = true, concurrency: Int? = nil, group: StepGroup? = nil,
            rows: [[String: String]]? = nil,
            _ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer
        ) throws {
            server = try ScriptedServer(answer)
            caller = try RunClient()
            let steps = names.map { name in
                var step = RunDefinition.Step(target: "s/\(name)", name: name)
                step.group = group
                return step
            }
            plan = RunPlan(RunDefinition(name: "r", kind: kind, steps: steps, stopsOnFailure: stops, concurrency: concurrency), rows: rows)
        }

        func runner(from record: RunRecord? = nil) -> RunRunner {
            let url = server.url
            let (expectations, captures, retry, method) = (expectations, captures, retry, method)
            return RunRunner(
                plan, from: record ?? plan.newRecord(environment: nil), client: caller.client,
                prepare: { step, known throws(Diagnostic) in
                    let name = step.definition.name
                    let query = known.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
                    let user = step.values["user"].map { "/\($0)" } ?? ""
                    do {
                        var request = Request(method: method, url: try HTTPURL(parsing: "\(url)/\(name)\(user)?\(query)"))
                        request.options.retry = retry
                        return PreparedStep(
                            request: request, expectation: expectations[name] ?? Expectation(), captures: captures[name] ?? [])
                    } catch { throw Diagnostic(SourceLocation(file: name), "\(error)") }
                }, keep: { [kept] checkpoint in kept.change { $0.append(checkpoint) } },
                onEvent: { [events] event in events.change { $0.append(event) } })
        }

        func run(from record: RunRecord? = nil) async throws -> RunRecord {
            let runner = runner(from: record)
            return try await withDeadline(.seconds(300), "the run to end") { await runner.run() }
        }

        var targets: [String] { server.requests.map(\.target) }
    }

    @Test func `a batch reports the first failed step in order, also where a later one failed before it`() async throws {
        let laterFailed = DispatchSemaphore(value: 0)
        var bench = try Bench(.batch, ["slow", "fast"], stops: false) { request in
            if request.target.hasPrefix("/slow") { _ = laterFailed.wait(timeout: .now() + 300) }
            return .status(404)
        }
        for name in ["slow", "fast"] { bench.expectations[name] = Expectation(status: 200) }
        let run = Task { [bench] in try await bench.run() }
        _ = try await bench.events.wait("the later step to fail", within: .seconds(300)) { events in
            events.contains { if case .step(1, let step) = $0 { step.state == .failed } else { false } }
        }
        laterFailed.signal()
        #expect(try await run.value.failedStep == 0)
    }

    @Test func `S2.44 a chain passes on the captured values of its steps`() async throws {
        var bench = try Bench(.chain, ["login", "list"]) { request in
            request.target.hasPrefix("/login") ? .json("{\"token\": \"t1\"}", headers: [("ETag", "e")]) : .ok()
        }
        bench.captures["login"] = [
            Capture(name: "token", path: "$.token"), Capture(name: "tag", path: "header etag"), Capture(name: "code", path: "status"),
        ]
        let record = try await bench.run()
        #expect(record.state == .finished)
        #expect(bench.targets == ["/login?", "/list?login.code=200&login.tag=e&login.token=t1"])
        #expect(record.steps.map(\.status) == [200, 200])
    }

    @Test func `a retried step reports its retry and delay, and is done after the response`() async throws {
        let answers = Mutex(0)
        var bench = try Bench(.chain, ["flaky"]) { _ in
            answers.withLock {
                $0 += 1; return $0
            } == 1 ? HTTPAnswer(status: 503, headers: [("Retry-After", "0")]) : .ok()
        }
        bench.retry = RetryPolicy(limit: 1)
        let record = try await bench.run()
        #expect(record.state == .finished)
        let states = bench.events.current.compactMap { event in if case .step(_, let step) = event { step.state.name } else { nil } }
        #expect(states == ["sending", "retrying", "sending", "done"])
    }

    @Test(arguments: [nil, 500])
    func `S2.29 an error status fails its step, unless it is expected`(_ expected: Int?) async throws {
        var bench = try Bench(.chain, ["down", "next"]) { $0.target.hasPrefix("/down") ? .status(500) : .ok() }
        bench.expectations["down"] = Expectation(status: expected)
        let record = try await bench.run()
        #expect(record.state == (expected == nil ? .failed : .finished))
        #expect(bench.server.requests.count == (expected == nil ? 1 : 2))
        if expected == nil { #expect(record.steps[0].failures.map(\.description) == ["status: expected below 400, got 500"]) }
    }

    @Test func `S2.45 a failed step stops the chain, and a restart does not repeat completed steps`() async throws {
        let answers = Mutex(0)
        var bench = try Bench(.chain, ["login", "flaky", "last"]) { request in
            guard request.target.hasPrefix("/flaky") else { return .json("{\"token\": \"t\"}") }
            return answers.withLock {
                $0 += 1; return $0
            } == 1 ? .status(503) : .ok()
        }
        bench.captures["login"] = [Capture(name: "token", path: "$.token")]
        bench.expectations["flaky"] = Expectation(status: 200)
        let failed = try await bench.run()
        #expect(failed.state == .failed)
        #expect(failed.failedStep == 1)
        #expect(failed.steps.map(\.state) == [.done, .failed, .skipped])
        #expect(failed.steps[1].failures.map(\.description) == ["status: expected 200, got 503"])
        // The record as another process would find it.
        guard case .finished(let found)? = bench.kept.current.last else {
            Issue.record("the end was not kept")
            return
        }
        let record = try await bench.run(from: bench.plan.continuing(found, at: [try #require(found.restartStep)]))
        #expect(record.state == .finished)
        #expect(bench.targets == ["/login?", "/flaky?login.token=t", "/flaky?login.token=t", "/last?login.token=t"])
    }

    /// The stored checkpoints in short form.
    private func names(_ checkpoints: [RunCheckpoint]) -> [String] {
        checkpoints.map { checkpoint in
            switch checkpoint {
            case .began: "began"
            case .sending(let index): "sending \(index)"
            case .expanded(let expansion): "\(expansion.steps.count) added at \(expansion.position)"
            case .ended(let index, let step): "\(step.state.name) \(index)"
            case .finished(let record): record.state.rawValue
            }
        }
    }

    @Test func `a chain stores the end of a step before its next step is sent`() async throws {
        let kept = Watched<[RunCheckpoint]>([])
        let keptAtRequest = Watched<[Int]>([])
        let bench = try Bench(.chain, ["a", "b"]) { _ in
            keptAtRequest.change { $0.append(kept.current.count) }
            return .ok()
        }
        let url = bench.server.url
        let runner = RunRunner(
            bench.plan, from: bench.plan.newRecord(environment: nil), client: bench.caller.client,
            prepare: { step, _ throws(Diagnostic) in
                do { return PreparedStep(request: Request(url: try HTTPURL(parsing: "\(url)/\(step.name)"))) } catch {
                    throw Diagnostic(SourceLocation(file: step.name), "\(error)")
                }
            }, keep: { checkpoint in kept.change { $0.append(checkpoint) } })
        _ = try await withDeadline(.seconds(300), "the run to end") { await runner.run() }
        #expect(names(kept.current) == ["began", "done 0", "done 1", "finished"])
        #expect(keptAtRequest.current == [1, 2])
    }

    @Test(arguments: [RunDefinition.Kind.batch, .chain])
    func `an unsafe step is stored before it is sent`(kind: RunDefinition.Kind) async throws {
        var bench = try Bench(kind, ["a", "b"], concurrency: 1) { _ in .ok() }
        bench.method = .post
        _ = try await bench.run()
        #expect(names(bench.kept.current) == ["began", "sending 0", "done 0", "sending 1", "done 1", "finished"])
    }

    @Test func `a batch repeats an interrupted step only if it is named, and fails because of it`() async throws {
        let bench = try Bench(.batch, ["a", "b", "c"], stops: false, concurrency: 1) { _ in .ok() }
        var left = bench.plan.newRecord(environment: nil)
        left.steps[0].state = .done
        left.steps[1].interrupt()
        left.failedStep = 1
        let record = try await bench.run(from: bench.plan.continuing(left, at: [2]))
        #expect(bench.targets == ["/c?"])
        #expect(record.state == .failed && record.failedStep == 1)
        let again = try await bench.run(from: bench.plan.continuing(record, at: [1]))
        #expect(bench.targets == ["/c?", "/b?"])
        #expect(again.state == .finished)
    }

    @Test func `the duration of a timed-out step, also in its JUnit report, is the time it ran`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let caller = try RunClient()
        let plan = RunPlan(RunDefinition(name: "r", kind: .batch, steps: [.init(target: "s/a", name: "a")]), rows: nil)
        let runner = RunRunner(
            plan, from: plan.newRecord(environment: nil), client: caller.client,
            prepare: { _, _ throws(Diagnostic) in
                do {
                    var request = Request(url: try HTTPURL(parsing: server.url))
                    request.options.timeouts.total = .milliseconds(400)
                    return PreparedStep(request: request, expectation: Expectation(), captures: [])
                } catch { throw Diagnostic(SourceLocation(file: "a"), "\(error)") }
            }, keep: { _ in }, onEvent: { _ in })
        let record = try await withDeadline(.seconds(300), "the run to end") { await runner.run() }
        let seconds = try #require(record.steps.first?.seconds)
        #expect(seconds >= 0.4)
        #expect(JUnitReport.text(of: [record]).contains("<testcase name=\"a\" classname=\"r\" time=\"\(JSONValue.seconds(seconds).text)\""))
    }

    @Test func `the start of each step is counted from the start of the run, a step that was not sent has none`() async throws {
        let bench = try Bench(.chain, ["one", "two", "three"]) { $0.target.hasPrefix("/two") ? HTTPAnswer(status: 500) : .json("{}") }
        let steps = try await bench.run().steps
        let (first, second) = (try #require(steps[0].startedAfter), try #require(steps[1].startedAfter))
        let duration = try #require(steps[0].seconds)
        #expect(first >= 0 && second >= first + duration)
        #expect(steps[2].state == .skipped && steps[2].startedAfter == nil)
    }

    @Test func `a step without a value to capture fails`() async throws {
        var bench = try Bench(.chain, ["login", "next"]) { _ in .json("{}") }
        bench.captures["login"] = [Capture(name: "token", path: "$.token")]
        let record = try await bench.run()
        #expect(record.steps[0].failures.map(\.description) == ["capture token: expected a value at $.token, got nothing"])
        #expect(bench.targets == ["/login?"])
    }

    @Test func `a step that cannot be sent reports reason and location`() async throws {
        let bench = try Bench(.chain, ["a"]) { _ in .ok() }
        let runner = RunRunner(
            bench.plan, from: bench.plan.newRecord(environment: nil), client: bench.caller.client,
            prepare: { _, _ throws(Diagnostic) in throw Diagnostic(SourceLocation(file: "f", line: 2), "nothing defines {{x}}") })
        let record = await runner.run()
        #expect(record.state == .failed)
        #expect(record.steps[0].failures.map(\.description) == ["f:2:1: nothing defines {{x}}"])
        #expect(bench.targets == [])
    }

    @Test func `S2.40 a batch that stops on failure cancels running steps and skips waiting ones`() async throws {
        var bench = try Bench(.batch, ["a", "b", "c"], concurrency: 1) { _ in .status(500) }
        bench.expectations["a"] = Expectation(status: 200)
        let record = try await bench.run()
        #expect(record.state == .failed)
        #expect(record.steps.map(\.state) == [.failed, .skipped, .skipped])
        #expect(bench.targets.count == 1)
    }

    @Test func `S2.41 a batch that does not stop runs all steps, and a restart sends only unfinished ones`() async throws {
        let isBroken = Mutex(true)
        var bench = try Bench(.batch, ["a", "b", "c"], stops: false) { request in
            request.target.hasPrefix("/b") && isBroken.withLock { $0 } ? .status(500) : .ok()
        }
        bench.expectations["b"] = Expectation(status: 200)
        let failed = try await bench.run()
        #expect(failed.steps.map(\.state) == [.done, .failed, .done])
        isBroken.withLock { $0 = false }
        let record = try await bench.run(from: bench.plan.continuing(failed, at: [1]))
        #expect(record.state == .finished)
        #expect(bench.targets.sorted() == ["/a?", "/b?", "/b?", "/c?"])
    }

    @Test func `a chain is repeated for each row with separate captures, and continues after a failed row where permitted`() async throws {
        var bench = try Bench(.chain, ["login", "list"], stops: false, rows: [["user": "a"], ["user": "b"]]) { request in
            request.target.hasPrefix("/login/a") ? .status(401) : .json("{\"token\": \"of-b\"}")
        }
        bench.expectations["login"] = Expectation(status: 200)
        bench.captures["login"] = [Capture(name: "token", path: "$.token")]
        let record = try await bench.run()
        #expect(record.state == .failed)
        #expect(record.steps.map(\.state) == [.failed, .skipped, .done, .done])
        #expect(bench.targets == ["/login/a?", "/login/b?", "/list/b?login.token=of-b"])
    }

    @Test func `a cancelled run ends once, and steps in progress are marked as cancelled`() async throws {
        let bench = try Bench(.chain, ["a", "b"]) { _ in .claiming(length: 100, "held") }
        let runner = bench.runner()
        let task = Task { await runner.run() }
        _ = try await bench.server.waitForRequests(1)
        runner.cancel()
        let record = try await withDeadline(.seconds(300), "the run to end") { await task.value }
        #expect(record.state == .cancelled)
        #expect(record.steps.map(\.state) == [.cancelled, .waiting])
        #expect(bench.events.current.count { if case .finished = $0 { true } else { false } } == 1)
        #expect(record.restartStep == 0)
    }

    /// Pauses a run while its step `a` is being sent, and waits for the end of the step.
    private func paused(_ kind: RunDefinition.Kind) async throws -> (bench: Bench, runner: RunRunner, running: Task<RunRecord, Never>) {
        let pausing = Mutex<RunRunner?>(nil)
        let bench = try Bench(kind, ["a", "b", "c"], concurrency: 1) { request in
            if request.target == "/a?" { pausing.withLock { $0 }?.setPaused(true) }
            return .ok()
        }
        let runner = bench.runner()
        pausing.withLock { $0 = runner }
        let running = Task { await runner.run() }
        try await bench.kept.wait("the end of the first step", within: .seconds(300)) { kept in
            kept.contains { if case .ended(0, _) = $0 { true } else { false } } ? () : nil
        }
        // A step that is not paused would be sent before this request has its response.
        _ = await bench.caller.client.exchange(Request(url: try HTTPURL(parsing: "\(bench.server.url)/other")))
        return (bench, runner, running)
    }

    @Test(arguments: [RunDefinition.Kind.chain, .batch])
    func `a paused run sends no further step until it is continued`(kind: RunDefinition.Kind) async throws {
        let (bench, runner, running) = try await paused(kind)
        #expect(bench.targets == ["/a?", "/other"])
        #expect(runner.record.steps.map(\.state) == [.done, .waiting, .waiting])
        runner.setPaused(false)
        let record = try await withDeadline(.seconds(300), "the run to end") { await running.value }
        #expect(record.state == .finished && bench.targets == ["/a?", "/other", "/b?", "/c?"])
        let changes = bench.events.current.compactMap { if case .paused(let isPaused) = $0 { isPaused } else { nil } }
        #expect(changes == [true, false])
    }

    @Test(arguments: [RunDefinition.Kind.chain, .batch])
    func `a paused run can be cancelled`(kind: RunDefinition.Kind) async throws {
        let (bench, runner, running) = try await paused(kind)
        runner.cancel()
        let record = try await withDeadline(.seconds(300), "the run to end") { await running.value }
        #expect(record.state == .cancelled && bench.targets == ["/a?", "/other"])
        #expect(record.restartStep == 1)
    }

    @Test(arguments: [RunDefinition.Kind.chain, .batch])
    func `a failure ends a paused run that stops at failures, and sends no further step`(kind: RunDefinition.Kind) async throws {
        let pausing = Mutex<RunRunner?>(nil)
        let isReleased = Watched(false)
        let bench = try Bench(kind, ["a", "b", "c"], concurrency: 2, group: kind == .chain ? StepGroup(number: 1, concurrency: 2) : nil) { request in
            if request.target == "/a?" { return isReleased.block(within: .seconds(300)) { $0 } ? .status(500) : .ok() }
            pausing.withLock { $0 }?.setPaused(true)
            return .ok()
        }
        let runner = bench.runner()
        pausing.withLock { $0 = runner }
        let running = Task { await runner.run() }
        try await bench.kept.wait("the end of the second step", within: .seconds(300)) { kept in
            kept.contains { if case .ended(1, _) = $0 { true } else { false } } ? () : nil
        }
        isReleased.change { $0 = true }
        let record = try await withDeadline(.seconds(300), "the run to end") { await running.value }
        #expect(record.state == .failed && record.steps.map(\.state) == [.failed, .done, .skipped])
        #expect(bench.targets.sorted() == ["/a?", "/b?"])
    }

    @Test func `an interrupted step of a chain is not sent again unless it is named, and the run ends at it`() async throws {
        let bench = try Bench(.chain, ["a", "b", "c"]) { _ in .ok() }
        var left = bench.plan.newRecord(environment: nil)
        left.steps[0].state = .done
        left.steps[1].interrupt()
        let record = try await bench.run(from: left)
        #expect(record.state == .failed && record.failedStep == 1 && record.steps[2].state == .skipped)
        #expect(bench.targets == [])
    }

    @Test func `a run cancelled before its start sends nothing`() async throws {
        for kind in [RunDefinition.Kind.batch, .chain] {
            let bench = try Bench(kind, ["a"]) { _ in .ok() }
            let runner = bench.runner()
            runner.cancel()
            #expect(await runner.run().state == .cancelled)
            #expect(bench.targets == [])
        }
    }

    @Test func `a thousand requests, 32 at once, have one finished event each, and one for the run`() async throws {
        let bench = try Bench(.batch, (0..<1000).map { "n\($0)" }, stops: false, concurrency: 32) { _ in .ok("{}") }
        let record = try await bench.run()
        #expect(record.state == .finished)
        var ends = [Int](repeating: 0, count: 1000)
        var runEnds = 0
        for event in bench.events.current {
            if case .call(let index, .finished) = event { ends[index] += 1 }
            if case .finished = event { runEnds += 1 }
        }
        #expect(ends.allSatisfy { $0 == 1 })
        #expect(runEnds == 1)
        #expect(bench.server.requests.count == 1000)
    }

    @Test func `a batch of a thousand ends within its deadline when it is cancelled`() async throws {
        let bench = try Bench(.batch, (0..<1000).map { "n\($0)" }, stops: false, concurrency: 32) { _ in .claiming(length: 9, "held") }
        let runner = bench.runner()
        let task = Task { await runner.run() }
        _ = try await bench.server.waitForRequests(32)
        runner.cancel()
        let record = try await withDeadline(.seconds(300), "the run to end") { await task.value }
        #expect(record.state == .cancelled)
        #expect(record.steps.count { $0.state == .cancelled } == 32)
        #expect(bench.server.requests.count == 32)
    }
}
