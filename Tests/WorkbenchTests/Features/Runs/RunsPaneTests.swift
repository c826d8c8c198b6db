import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Support
import Testing
import WorkspaceModel

@testable import SortieWorkbench

struct RunsPaneTests {
    /// A workspace with a chain of three steps, selected in Services.
    private func state(size: Size = Size(width: 100, height: 30), left: [RunRecord] = []) -> AppState {
        var workspace = Workspace.sample
        workspace.runs = [definition]
        var state = AppState(workspace: workspace, environment: nil, size: size, runs: left)
        ServicesFeature.select(.run("checkout"), &state)
        return state
    }

    private var definition: RunDefinition {
        RunDefinition(
            name: "checkout", kind: .chain,
            steps: ["login", "list", "detail"].map { .init(target: "shop/orders/list", name: $0) })
    }

    private var record: RunRecord { RunPlan(definition).newRecord(environment: "develop") }

    /// Starts the selected run and returns its identity.
    private func start(_ state: inout AppState) throws -> RunID {
        let effect = try #require(state.press("^R").first)
        guard case .startRun(let id, "checkout", environment: "develop", from: nil) = effect else { throw NoStart() }
        _ = state.update(.run(id, .began(record)))
        return id
    }

    private struct NoStart: Error {}

    private func step(_ index: Int, _ change: (inout StepRecord) -> Void) -> RunUpdate {
        var step = record.steps[index]
        change(&step)
        return .step(index, step)
    }

    /// The record of a run whose second step failed.
    private var failed: RunRecord {
        var record = record
        record.state = .failed
        record.steps[0].state = .done
        record.steps[0].status = 200
        record.steps[0].seconds = 0.034
        record.steps[1].state = .failed
        record.steps[1].status = 503
        record.steps[1].failures = [StepFailure(.expectation, subject: "status", expected: "200", actual: "503")]
        record.steps[2].state = .skipped
        record.failedStep = 1
        record.duration = 0.1
        return record
    }

    @Test func `a run with an error in its file is marked and not started, also not at its failed step`() {
        var workspace = Workspace.sample
        var broken = definition
        broken.location = SourceLocation(file: "runs/checkout.yaml", line: 1, column: 1)
        workspace.runs = [broken]
        let place = SourceLocation(file: "runs/checkout.yaml", line: 5, column: 5)
        workspace.problems = [Diagnostic(place, "there is no endpoint “shop/nope”")]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30), runs: [failed])
        ServicesFeature.select(.run("checkout"), &state)
        #expect(state.screen.contains("✗ checkout"))
        #expect(state.press("^R").isEmpty && state.press("R", "r").isEmpty)
        #expect(state.screen.contains("runs/checkout.yaml:5:5"))
    }

    @Test func `^R on a run starts it and displays the progress of each step`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, step(0) { $0.state = .sending }))
        _ = state.update(.run(id, .progressed(0, CallProgress(received: 2048))))
        #expect(state.screen.contains("checkout"))
        #expect(state.screen.contains("0/3   running"))
        #expect(state.screen.contains("login   sending"))
        _ = state.update(
            .run(
                id,
                step(0) {
                    $0.state = .done
                    $0.status = 200
                    $0.seconds = 0.034
                }))
        _ = state.update(.run(id, step(1) { $0.state = .retrying(seconds: 2) }))
        #expect(state.screen.contains("✓ login   200  34 ms"))
        #expect(state.screen.contains("1/3"))
        #expect(state.screen.contains("retrying in 2.0 s"))
        #expect(state.wantsTicks)
    }

    @Test func `a failed step displays the reason, and r restarts the run there`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, .finished(failed)))
        #expect(state.screen.contains("✗ list    503  status: expected 200, got 503"))
        #expect(state.screen.contains("r resumes at list"))
        #expect(state.runsUnderWay == 0 && !state.calls.wantsTicks)
        let effect = try #require(state.press("r").first)
        guard case .startRun(let next, "checkout", environment: "develop", from: let from?) = effect else { throw NoStart() }
        #expect(next != id)
        #expect(from.steps.map(\.state) == [.done, .waiting, .waiting])
    }

    @Test func `added steps are displayed, and a skipped one with its reason`() throws {
        var state = state()
        let id = try start(&state)
        let added = [1, 2].map { number in
            var step = StepRecord(name: "list#\(number)", target: "shop/orders/list")
            step.repetition = StepRepetition(number: number, item: "\(number)", isAdded: true)
            return step
        }
        _ = state.update(.run(id, .expanded(RunExpansion(position: 1, replacesStep: true, steps: added))))
        var skipped = added[1]
        skipped.state = .skipped
        skipped.reason = "item is 2, condition: 1"
        _ = state.update(.run(id, .step(2, skipped)))
        #expect(state.screen.contains("0/4   running   1 skipped"))
        #expect(state.screen.contains("list#1"))
        #expect(state.screen.contains("– list#2  skipped  item is 2, condition: 1"))
    }

    @Test func `endpoints of a folder that may change something are sent only after a question`() throws {
        var state = state()
        ServicesFeature.select(.service("shop"), &state)
        #expect(RunsFeature().perform(.runFolder, &state) == [])
        #expect(state.screen.contains("Send all endpoints of shop?") && state.screen.contains("have POST"), "\(state.screen)")
        var (kept, safe) = (state, state)
        #expect(kept.press("Down", "Enter") == [] && kept.runs["shop"]?.isUnderWay != true)
        let effect = try #require(state.press("Down", "Down", "Enter").first)
        guard case .startRun(_, "shop", environment: "develop", from: nil) = effect else { throw NoStart() }
        let first = try #require(safe.press("Enter").first)
        guard case .startRun(let id, "shop", environment: "develop", from: let record?) = first else { throw NoStart() }
        for step in record.steps {
            let isSafe = safe.endpoint(EndpointID(step.target))?.method.isSafe == true
            #expect(step.isComplete == !isSafe && (step.reason == nil) == isSafe)
        }
        _ = safe.update(.run(id, .began(record)))
        #expect(safe.screen.contains("left out, because POST may change something"), "\(safe.screen)")
    }

    @Test func `a service is run without a file, and its run is displayed`() throws {
        var state = state()
        state.workspace.services[0].endpoints.removeAll { !$0.method.isSafe }
        ServicesFeature.select(.service("shop"), &state)
        let effect = try #require(RunsFeature().perform(.runFolder, &state)?.first)
        guard case .startRun(_, "shop", environment: "develop", from: nil) = effect else { throw NoStart() }
        #expect(state.runs["shop"]?.isUnderWay == true)
    }

    @Test func `events of an earlier start are dropped`() throws {
        var state = state()
        let first = try start(&state)
        _ = state.update(.run(first, .finished(failed)))
        _ = state.press("r")
        _ = state.update(.run(first, .finished(failed)))
        #expect(state.runs["checkout"]?.isUnderWay == true)
    }

    @Test func `Esc does not cancel a run, and x cancels it only once`() throws {
        var state = state()
        let id = try start(&state)
        #expect(state.press("Esc").isEmpty && state.runs["checkout"]?.shown.phase != .cancelling)
        #expect(state.press("x") == [.cancelRun(id)])
        #expect(state.press("x", "x").isEmpty || state.runs["checkout"]?.shown.phase == .cancelling)
        #expect(state.screen.contains("cancelling"))
    }

    @Test func `p pauses a run after the steps that are being sent, and continues it`() throws {
        var state = state()
        #expect(state.press("p").isEmpty)
        let id = try start(&state)
        _ = state.update(.run(id, step(0) { $0.state = .sending }))
        #expect(state.press("p") == [.pauseRun(id, true)])
        _ = state.update(.run(id, .paused(true)))
        #expect(state.screen.contains("⏸ checkout") && state.screen.contains("0/3   pausing"))
        _ = state.update(.run(id, step(0) { $0.state = .done }))
        #expect(state.screen.contains("1/3   paused") && state.screen.contains("p resumes"))
        #expect(state.press("p") == [.pauseRun(id, false)])
        _ = state.update(.run(id, .paused(false)))
        #expect(state.screen.contains("1/3   running"))
    }

    @Test func `c compares the response of a step with that of the previous run`() throws {
        var state = state()
        let id = try start(&state)
        #expect(state.press("c").isEmpty)
        let exchange = Exchange.sample("{}", status: 503)
        _ = state.update(.run(id, .exchanged(1, exchange)))
        _ = state.update(.run(id, .finished(failed)))
        let effect = try #require(state.press("c").first)
        guard case .history(_, .compareStep(let step)) = effect else { throw NoStart() }
        #expect(step.run == "checkout" && step.step == "list" && step.id == exchange.id && step.environment == failed.environment)
    }

    /// A run whose first two steps were sent, and the request to compare it.
    private func comparing(_ state: inout AppState) throws -> (id: RunID, job: JobID, run: PastRun) {
        let id = try start(&state)
        for index in 0...1 { _ = state.update(.run(id, .exchanged(index, .sample("{}")))) }
        _ = state.update(.run(id, .finished(failed)))
        let effect = try #require(state.press("d").first)
        guard case .history(let job, .compareRun(let run)) = effect else { throw NoStart() }
        return (id, job, run)
    }

    @Test func `d lists the steps that differ from the previous run and marks them, and Enter compares one`() throws {
        var state = state()
        let (id, job, run) = try comparing(&state)
        #expect(run.run == "checkout" && run.environment == "develop" && run.steps.map(\.name) == ["login", "list"])
        let comparison = RunComparison(steps: [
            .init(name: "login", result: .equal), .init(name: "list", result: .different, left: 1, right: 4),
        ])
        _ = state.update(.history(job, .comparedRun(comparison)))
        #expect(state.screen.contains("Differences of checkout") && state.screen.contains("1 of 2 responses differ from the previous run"))
        let effect = try #require(state.press("Enter").first)
        guard case .history(_, .compareStep(let step)) = effect else { throw NoStart() }
        #expect(step.step == "list" && step.id == run.steps[1].id && RunsRows(state).selected == 1)
        let lines = state.screen.split(separator: "\n")
        #expect(lines.contains { $0.contains("✗ list") && $0.contains("≠ differs") })
        #expect(!lines.contains { $0.contains("✓ login") && $0.contains("differs") })
        _ = state.press("r")
        #expect(state.runs["checkout"]?.shown.id != id && !state.screen.contains("≠ differs"))
    }

    @Test func `equal responses are reported without a list`() throws {
        var state = state()
        let (_, job, _) = try comparing(&state)
        _ = state.update(.history(job, .comparedRun(RunComparison(steps: [.init(name: "login", result: .equal)]))))
        #expect(state.screen.contains("checkout: 0 of 1 responses differ from the previous run") && state.popups.isEmpty)
    }

    @Test func `the comparison of a run that was started again meanwhile is dropped`() throws {
        var state = state()
        let (_, job, _) = try comparing(&state)
        _ = state.press("r")
        _ = state.update(.history(job, .comparedRun(RunComparison(steps: [.init(name: "list", result: .different)]))))
        #expect(!state.screen.contains("Differences of checkout") && !state.screen.contains("≠ differs"))
    }

    @Test func `a run that was not sent in this session is not compared`() {
        var state = state(left: [failed])
        _ = state.press("R")
        #expect(state.press("d").isEmpty)
        #expect(state.screen.contains("checkout was not sent since the start of the program"))
    }

    @Test func `a paused run is cancelled by x`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, .paused(true)))
        #expect(state.press("x") == [.cancelRun(id)] && state.screen.contains("cancelling"))
        #expect(!state.screen.contains("p resumes"))
    }

    @Test func `an unfinished run of an earlier program is displayed, and r continues it in its environment`() throws {
        var left = failed
        left.environment = "release"
        var state = state(left: [left])
        _ = state.press("R")
        #expect(state.screen.contains("✗ checkout"))
        let effect = try #require(state.press("r").first)
        guard case .startRun(_, "checkout", environment: "release", from: .some) = effect else { throw NoStart() }
    }

    @Test func `r sends only the interrupted step again that it names`() throws {
        var grouped = definition
        for index in 0...1 { grouped.steps[index].group = StepGroup(number: 1) }
        var left = RunPlan(grouped).newRecord(environment: "develop")
        for index in 0...1 { left.steps[index].interrupt() }
        left.state = .cancelled
        left.failedStep = 0
        var state = state(left: [left])
        state.workspace.runs = [grouped]
        _ = state.press("R")
        #expect(state.screen.contains("r sends login again"))
        let effect = try #require(state.press("r").first)
        guard case .startRun(_, "checkout", environment: "develop", from: let from?) = effect else { throw NoStart() }
        #expect(from.steps.map(\.state) == [.waiting, .interrupted, .waiting])
        #expect(state.log.entries.contains { $0.text == "run resumed; sent again: login" })
    }

    @Test func `what is kept of later steps stays with them when a list before them is evaluated`() {
        var record = RunRecord(run: "r", kind: .chain, steps: ["list", "last"].map { StepRecord(name: $0, target: "t") })
        record.steps[1].state = .done
        var view = RunView(id: RunID(1), name: "r", phase: .running, record: record)
        view.keep(.sample("x"), of: 1)
        view.receive(.progressed(1, CallProgress(received: 5)))
        let items = ["list#1", "list#2"].map { StepRecord(name: $0, target: "t") }
        view.receive(.expanded(RunExpansion(position: 0, replacesStep: true, steps: items)))
        #expect(Array(view.exchanges.keys) == [2] && Array(view.progress.keys) == [2])
    }

    @Test(arguments: 0..<20) func `the exchanges and the selection stay with their steps, wherever steps are added`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let record = RunRecord(run: "r", kind: .chain, steps: (0..<8).map { StepRecord(name: "s\($0)", target: "t") })
        var view = RunView(id: RunID(1), name: "r", phase: .running, record: record)
        for round in 0..<12 {
            let index = Int.random(in: 0..<(view.record?.steps.count ?? 1), using: &generator)
            let name = view.record?.steps[index].name ?? ""
            let selected = view.record?.steps[view.selected].name
            if Bool.random(using: &generator) {
                view.receive(.exchanged(index, .sample(name)))
                continue
            }
            let count = Int.random(in: 1...3, using: &generator)
            let added = (0..<count).map { StepRecord(name: "\(name)/\(round).\($0)", target: "t") }
            // A list is replaced before its first step is sent, and a repetition follows its step.
            let replaces = view.exchanges[index] == nil && view.selected != index && Bool.random(using: &generator)
            view.receive(.expanded(RunExpansion(position: replaces ? index : index + 1, replacesStep: replaces, steps: added)))
            #expect(view.record?.steps[view.selected].name == selected)
        }
        for (index, exchange) in view.exchanges {
            #expect(exchange.response.map { String(decoding: $0.body.prefix(100), as: UTF8.self) } == view.record?.steps[index].name)
        }
    }

    @Test func `a step that is opened stays selected while the next ones are sent`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, step(0) { $0.state = .sending }))
        _ = state.update(.run(id, .exchanged(0, .sample("{\"of\": \"login\"}"))))
        _ = state.press("4", "Enter", "4")
        _ = state.update(.run(id, step(1) { $0.state = .sending }))
        #expect(RunsRows(state).selected == 0)
        _ = state.press("Enter")
        #expect(state.screen.contains("\"of\": \"login\""))
    }

    @Test func `Enter names the environment and the request of a step that was sent in another one`() throws {
        var state = state(size: Size(width: 200, height: 50))
        let id = try start(&state)
        _ = state.update(.run(id, .exchanged(1, .sample("{}", status: 503))))
        _ = state.update(.run(id, .finished(failed)))
        _ = state.press("Enter")
        #expect(state.toast?.text.contains("sent in") != true)
        state.environment = "release"
        _ = state.press("4", "Enter")
        #expect(state.toast?.text == "list was sent in develop: GET http://127.0.0.1:8080/orders")
    }

    @Test func `Enter on a run displays its steps without starting it`() {
        var state = state()
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("not started"))
        #expect(state.screen.contains("· detail  waiting"))
    }

    @Test func `Enter on a step displays its response in Response`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, .exchanged(1, .sample("{\"of\": \"the step\"}", status: 503))))
        _ = state.update(.run(id, .finished(failed)))
        _ = state.press("Enter")
        #expect(state.focus == .response)
        #expect(state.openTarget == "shop/orders/list")
        #expect(state.screen.contains("\"of\": \"the step\""))
        #expect(state.screen.contains("503"))
    }

    @Test func `Enter on a failed step displays the reason in Response`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, .exchanged(1, .sample("{\"of\": \"the step\"}", status: 503))))
        _ = state.update(.run(id, .finished(failed)))
        _ = state.press("Enter")
        #expect(state.screen.contains("not as expected"))
        #expect(state.screen.contains("Not as expected: status: expected 200, got 503"))
    }

    @Test func `Enter on a step without a response displays why there is none`() throws {
        var state = state()
        let id = try start(&state)
        _ = state.update(.run(id, .finished(failed)))
        _ = state.press("End", "Enter")
        #expect(state.toast?.text == "detail was not sent")
    }

    @Test func `responses are kept within a limit, those of failed steps the longest`() {
        var record = RunRecord(run: "r", kind: .batch, steps: (0..<1000).map { StepRecord(name: "\($0)", target: "t") })
        record.steps[3].state = .failed
        var view = RunView(id: RunID(1), name: "r", phase: .running, record: record)
        for step in 0..<1000 { view.keep(.sample("x"), of: step) }
        #expect(view.exchanges.count == RunView.keptSteps)
        #expect(view.exchanges[3] != nil)
        #expect(view.exchanges[999] != nil)
        #expect(view.exchanges[4] == nil)
    }

    @Test func `quitting with a running run requires confirmation`() throws {
        var state = state()
        _ = try start(&state)
        #expect(state.press("^Q").isEmpty)
        #expect(state.screen.contains("1 run in progress"))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the pane is drawn at every size`(size: Size) throws {
        var state = state(size: size)
        let id = try start(&state)
        _ = state.update(.run(id, .finished(failed)))
        #expect(state.screen.contains("list"))
    }
}
