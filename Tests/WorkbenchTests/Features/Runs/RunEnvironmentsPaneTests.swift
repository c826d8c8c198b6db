import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests a run in several environments on the runs tab.
struct RunEnvironmentsPaneTests {
    private struct NoStart: Error {}

    private var definition: RunDefinition {
        RunDefinition(name: "checkout", kind: .chain, steps: ["login", "list", "detail"].map { .init(target: "shop/orders/list", name: $0) })
    }

    private func record(_ environment: String) -> RunRecord { RunPlan(definition).newRecord(environment: environment) }

    /// A workspace with a chain of three steps, whose steps are shown in Runs.
    private func state(_ size: Size = Size(width: 80, height: 24), environments: [String] = ["develop", "release"]) -> AppState {
        var workspace = Workspace.sample
        workspace.environments = environments.map { .init(name: $0, variables: [:]) }
        workspace.runs = [definition]
        var state = AppState(workspace: workspace, environment: nil, size: size)
        ServicesFeature.select(.run("checkout"), &state)
        _ = state.press("Enter", "4")
        return state
    }

    /// Starts the run in all environments.
    private func start(_ state: inout AppState) throws -> [RunID] {
        guard case .startRuns("checkout", let starts)? = state.press("e", "a", "Enter").first else { throw NoStart() }
        return starts.map(\.id)
    }

    private func ended(_ step: StepRecord, status: Int, seconds: Double) -> StepRecord {
        var step = step
        (step.state, step.status, step.seconds) = (status == 200 ? .done : .failed, status, seconds)
        if status != 200 { step.failures = [StepFailure(.expectation, subject: "status", expected: "200", actual: "\(status)")] }
        return step
    }

    /// Runs all steps in one environment, each with a status; those after a failed one are skipped.
    private func run(_ id: RunID, _ environment: String, _ statuses: [Int], _ state: inout AppState) {
        var record = record(environment)
        _ = state.update(.run(id, .began(record)))
        for (index, status) in statuses.enumerated() {
            record.steps[index].state = .sending
            _ = state.update(.run(id, .step(index, record.steps[index])))
            var exchange = Exchange.sample("{\"of\": \"\(record.steps[index].name) in \(environment)\"}", status: status)
            exchange.id = RequestID(high: UInt64(id.number), low: UInt64(index + 1))
            _ = state.update(.run(id, .exchanged(index, exchange)))
            record.steps[index] = ended(record.steps[index], status: status, seconds: 0.034)
            _ = state.update(.run(id, .step(index, record.steps[index])))
        }
        record.failedStep = record.steps.firstIndex { $0.state == .failed }
        record.state = record.failedStep == nil ? .finished : .failed
        for index in record.steps.indices where record.steps[index].state == .waiting { record.steps[index].state = .skipped }
        _ = state.update(.run(id, .finished(record)))
    }

    private func lines(_ state: AppState) -> [String] { state.screen.split(separator: "\n").map { String($0).replacing(/\ +/, with: " ") } }

    @Test func `e asks for environments, and Enter starts the run in the marked ones in the order of the workspace`() throws {
        var state = state()
        #expect(state.press("e").isEmpty)
        #expect(state.screen.contains("Run checkout in environments"))
        #expect(state.screen.contains("[x]  develop") && state.screen.contains("[ ]  release"))
        guard case .startRuns("checkout", let starts)? = state.press("Down", "Space", "Enter").first else { throw NoStart() }
        #expect(starts.map(\.environment) == ["develop", "release"] && starts.allSatisfy { $0.from == nil })
        #expect(state.popups.isEmpty && state.runs["checkout"]?.isUnderWay == true)
        #expect(state.press("e").isEmpty && state.screen.contains("checkout is running already"))
    }

    @Test func `without a mark nothing starts, and a makes all marks and removes them`() {
        var state = state()
        #expect(state.press("e", "Space", "Enter").isEmpty && !state.popups.isEmpty)
        #expect(state.screen.contains("Mark an environment first"))
        _ = state.press("a")
        #expect(state.screen.contains("[x]  develop") && state.screen.contains("[x]  release"))
        _ = state.press("a")
        #expect(state.screen.contains("[ ]  develop") && state.screen.contains("[ ]  release"))
        #expect(state.press("Esc").isEmpty && state.popups.isEmpty && state.runs["checkout"]?.isUnderWay == false)
    }

    @Test func `a workspace with one environment offers no choice`() {
        var state = state(environments: ["develop"])
        #expect(state.press("e").isEmpty && state.popups.isEmpty)
        #expect(state.screen.contains("no second environment"))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `each step has a line with the results of the environments, and different ones are marked`(size: Size) throws {
        var state = state(size)
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        #expect(lines(state).contains { $0.contains("starting in release") && $0.contains("3/6") })
        run(ids[1], "release", [200, 503], &state)
        let lines = lines(state)
        #expect(lines.contains { $0.contains("✓ develop") && $0.contains("✗ release") }, "\(state.screen)")
        #expect(lines.contains { $0.contains("login ✓ 200 34 ms ✓ 200 34 ms") && !$0.contains("≠") }, "\(state.screen)")
        #expect(lines.contains { $0.contains("≠ list ✓ 200 34 ms ✗ 503 34 ms release: status: expec") }, "\(state.screen)")
        #expect(lines.contains { $0.contains("≠ detail ✓ 200 34 ms – skipped") }, "\(state.screen)")
        #expect(lines.contains { $0.contains("✗ checkout") && $0.contains("release failed ≠ 2 steps differ r resumes at list") })
        #expect(state.messages.entries.contains { $0.toast.text == "Run checkout failed in release; 2 steps differ" })
    }

    @Test func `a step that only one environment has reached does not differ`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        _ = state.update(.run(ids[1], .began(record("release"))))
        #expect(!state.screen.contains("≠"))
        #expect(lines(state).contains { $0.contains("list ✓ 200 34 ms · waiting") }, "\(state.screen)")
    }

    @Test(arguments: [(8, "✗ 503"), (15, "✗"), (30, "✗")])
    func `where the cells do not fit, they show the status, and then only marks`(count: Int, cell: String) throws {
        let names = (1...count).map { "environment-\($0)" }
        var state = state(environments: names)
        let ids = try start(&state)
        for (id, name) in zip(ids, names) { run(id, name, [200, 503], &state) }
        let line = try #require(lines(state).first { $0.contains("list \(cell)") })
        #expect(line.contains("\(cell) \(cell) \(cell)") && !line.contains("34 ms"), "\(state.screen)")
        // The name of the selected environment is on the screen at each width.
        #expect(state.screen.contains("environment-1 failed"), "\(state.screen)")
        if count == 15 { #expect(lines(state).contains { $0.contains("✗ ✗ ✗ environment-1") }, "\(state.screen)") }
        for _ in 1..<count { _ = state.press("Right") }
        #expect(state.screen.contains("environment-\(count) failed"), "\(state.screen)")
        #expect(lines(state).contains { $0.contains("list \(cell)") })
    }

    @Test func `Enter shows the response of the step in the selected environment`() throws {
        var state = state(Size(width: 200, height: 50))
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        run(ids[1], "release", [200, 503], &state)
        _ = state.press("Home", "Right", "Enter")
        #expect(state.focus == .response && state.screen.contains("login in release"))
        _ = state.press("4", "Left", "Down", "Enter")
        #expect(state.screen.contains("list in develop"), "\(state.screen)")
    }

    @Test func `the environment that failed is selected at the end, and r continues the run there only`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 503], &state)
        run(ids[1], "release", [200, 200, 200], &state)
        guard case .startRun(let id, "checkout", environment: "develop", from: let from?)? = state.press("r").first else { throw NoStart() }
        #expect(from.environment == "develop" && from.steps.map(\.state) == [.done, .waiting, .waiting])
        var continued = from
        continued.steps[1] = ended(continued.steps[1], status: 200, seconds: 0.01)
        continued.steps[2] = ended(continued.steps[2], status: 200, seconds: 0.01)
        continued.state = .finished
        _ = state.update(.run(id, .began(from)))
        _ = state.update(.run(id, .finished(continued)))
        #expect(lines(state).contains { $0.contains("list ✓ 200 10 ms ✓ 200 34 ms") }, "\(state.screen)")
        #expect(state.screen.contains("✓ checkout") && state.screen.contains("no step differs"))
        _ = state.press("Right")
        #expect(state.press("r").isEmpty && state.screen.contains("No step failed"))
    }

    @Test func `the environment that is continued stays selected at its end, also where another one failed`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [503], &state)
        run(ids[1], "release", [200, 503], &state)
        _ = state.press("Right")
        guard case .startRun(let id, "checkout", environment: "release", from: let from?)? = state.press("r").first else { throw NoStart() }
        var continued = from
        continued.steps[1] = ended(continued.steps[1], status: 503, seconds: 0.01)
        (continued.state, continued.failedStep) = (.failed, 1)
        _ = state.update(.run(id, .began(from)))
        _ = state.update(.run(id, .finished(continued)))
        #expect(state.screen.contains("release failed") && state.screen.contains("resumes at list"), "\(state.screen)")
    }

    @Test func `the message at the end names the environment that failed, also where a later one finished`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 503], &state)
        run(ids[1], "release", [200, 200, 200], &state)
        #expect(state.toast?.text == "Run checkout failed in develop; 2 steps differ" && state.toast?.level == .error)
        #expect(state.log.entries.contains { $0.text == "finished in release" })
    }

    @Test func `x cancels the run in progress and those that have not started, and r starts one of these`() throws {
        var state = state()
        let ids = try start(&state)
        var record = record("develop")
        _ = state.update(.run(ids[0], .began(record)))
        #expect(state.press("x") == ids.map { .cancelRun($0) })
        #expect(state.press("x").isEmpty)
        record.state = .cancelled
        _ = state.update(.run(ids[0], .finished(record)))
        _ = state.update(.run(ids[1], .cancelledBeforeStart))
        #expect(state.runs["checkout"]?.isUnderWay == false && state.runsUnderWay == 0 && !state.calls.wantsTicks)
        _ = state.press("Right")
        #expect(state.screen.contains("release cancelled before its start"), "\(state.screen)")
        #expect(lines(state).contains { $0.contains("– develop – release") }, "\(state.screen)")
        guard case .startRun(_, "checkout", environment: "release", from: nil)? = state.press("r").first else { throw NoStart() }
    }

    @Test func `a run that cannot start in one environment is carried out in the others`() throws {
        var state = state()
        let ids = try start(&state)
        _ = state.update(.run(ids[0], .failedToStart("no")))
        #expect(state.runs["checkout"]?.isUnderWay == true)
        run(ids[1], "release", [200, 200, 200], &state)
        #expect(state.runs["checkout"]?.isUnderWay == false)
        #expect(lines(state).contains { $0.contains("login ✓ 200 34 ms") }, "\(state.screen)")
    }

    @Test func `p pauses the environment that is being run, whichever is selected`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        _ = state.update(.run(ids[1], .began(record("release"))))
        _ = state.press("Left")
        #expect(state.press("p") == [.pauseRun(ids[1], true)])
        _ = state.update(.run(ids[1], .paused(true)))
        #expect(state.screen.contains("paused in release") && state.screen.contains("⏸ release"))
    }

    @Test func `c and d compare with the previous run of the selected environment`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        run(ids[1], "release", [200, 200, 200], &state)
        _ = state.press("Home", "Left")
        guard case .history(_, .compareStep(let step))? = state.press("c").first else { throw NoStart() }
        #expect(step.environment == "develop" && step.step == "login")
        _ = state.press("Right")
        guard case .history(let job, .compareRun(let past))? = state.press("d").first else { throw NoStart() }
        #expect(past.environment == "release" && past.steps.count == 3)
        _ = state.press("Left")
        _ = state.update(
            .history(job, .comparedRun(RunComparison(steps: [.init(name: "detail", result: .different, left: 1, right: 2)]))))
        guard case .history(_, .compareStep(let chosen))? = state.press("Enter").first else { throw NoStart() }
        #expect(chosen.environment == "release" && chosen.step == "detail" && chosen.id == past.steps[2].id)
        #expect(state.screen.contains("≠ differs from the previous run"))
    }

    @Test func `repetitions that only one environment has are rows of their own, and the selection stays on its step`() throws {
        var state = state(Size(width: 120, height: 30))
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        _ = state.press("End")
        _ = state.update(.run(ids[1], .began(record("release"))))
        let added = [1, 2].map { StepRecord(name: "list#\($0)", target: "shop/orders/list") }
        _ = state.update(.run(ids[1], .expanded(RunExpansion(position: 1, replacesStep: true, steps: added))))
        let rows = state.runs["checkout"]?.table?.rows.map(\.name)
        #expect(rows == ["login", "list#1", "list#2", "list", "detail"])
        _ = state.press("Left", "Enter")
        #expect(state.screen.contains("detail in develop"))
    }

    @Test func `prompts are asked for each environment before the first run`() throws {
        var state = state()
        state.workspace.services[0].endpoints[2].path = "/orders/{{$prompt Code}}"
        #expect(state.press("e", "a", "Enter").isEmpty)
        #expect(state.screen.contains("Send checkout in develop with"), "\(state.screen)")
        _ = state.type("one")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("Send checkout in release with"), "\(state.screen)")
        _ = state.press("^U")
        _ = state.type("two")
        let effects = state.press("Enter")
        guard case .startRuns(_, let starts)? = effects.last else { throw NoStart() }
        #expect(effects.dropLast() == [.supplyPrompts(starts[0].id, ["Code": "one"]), .supplyPrompts(starts[1].id, ["Code": "two"])])
    }

    @Test func `permission is asked once, before the run in the first environment, and a refusal starts none`() throws {
        var state = state()
        state.workspace.services[0].endpoints[2].headers = [Parameter("X-Key", "{{$env.HOME}}")]
        state.permission.use(state.workspace, folders: state.folders)
        try #require(!state.permission.scan.all.isEmpty)
        #expect(state.press("e", "a", "Enter").isEmpty)
        #expect(state.screen.contains("May this workspace use your machine?"))
        _ = state.press("Esc")
        #expect(state.runs["checkout"]?.isUnderWay == false && state.runs["checkout"]?.views.count == 2)
    }

    @Test func `a click selects the step and the environment`() throws {
        var state = state()
        let ids = try start(&state)
        run(ids[0], "develop", [200, 200, 200], &state)
        run(ids[1], "release", [200, 200, 200], &state)
        _ = state.press("Home", "Right")
        let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let row = try #require(lines.firstIndex { $0.contains("detail") })
        let column = try #require(lines[row].firstRange(of: "✓"))
        let point = Point(column: lines[row].distance(from: lines[row].startIndex, to: column.lowerBound), row: row)
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: point))))
        #expect(state.runs["checkout"]?.selectedRow == 2 && state.runs["checkout"]?.column == 0)
    }
}
