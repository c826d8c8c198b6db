import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the steps of a run in the pane Runs: what they say, and how they are changed.
@Suite struct RunStepsPaneTests {
    private func workspace(_ change: (inout RunDefinition) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace.sample
        var run = RunDefinition(name: "buy", kind: .chain, sending: ["shop/orders/list", "shop/orders/create"])
        run.location = SourceLocation(file: "runs/buy.yaml")
        for index in run.steps.indices { run.steps[index].location = SourceLocation(file: "runs/buy.yaml", line: index + 2, column: 5) }
        change(&run)
        workspace.runs = [run]
        workspace.services[0].endpoints[2].captures = [Capture(name: "id", path: "$.id")]
        workspace.services[0].endpoints[1].query = [Parameter("id", "{{list.id}}")]
        return workspace
    }

    /// The run in the pane, with its first step selected.
    private func state(_ workspace: Workspace, size: Size = Size(width: 120, height: 30)) -> AppState {
        var state = AppState(workspace: workspace, environment: nil, size: size)
        RunsFeature.look(at: "buy", &state)
        return state
    }

    private func change(_ effects: [Effect]) throws -> (id: JobID, from: RunDefinition, to: RunDefinition) {
        for case .editWorkspace(let id, .changeRun(let from, let to)) in effects { return (id, from, to) }
        throw NoChange()
    }

    private struct NoChange: Error {}

    /// Ends a change of the run, which is read from its file with new locations.
    private func finish(_ change: (id: JobID, from: RunDefinition, to: RunDefinition), _ state: inout AppState) {
        var workspace = state.workspace
        var run = change.to
        for index in run.steps.indices { run.steps[index].location = SourceLocation(file: "runs/buy.yaml", line: index + 2, column: 5) }
        workspace.runs = [run]
        _ = state.update(.workspaceEdited(change.id, .done(FileChanges(), workspace)))
    }

    @Test func `each step says what it captures and uses, its condition and its repetition`() {
        let state = state(
            workspace { run in
                run.steps[1].conditions = [Parameter("list.id", "exists")]
                run.steps[1].loop = .forEach(variable: "item", .list(["1", "2"]))
            })
        #expect(state.screen.contains("· list      waiting  → id"))
        #expect(state.screen.contains("· create#1  waiting  ← list.id  if list.id exists  for each item of 1, 2"))
    }

    @Test func `the whole text of a selected step that is cut is below the steps`() {
        var state = state(
            workspace { run in
                run.steps[1].conditions = [Parameter("list.id", "exists"), Parameter("list.id", "!= 0")]
                run.steps[1].loop = .forEach(variable: "item", .list(["first", "second", "third", "fourth"]))
            }, size: Size(width: 80, height: 30))
        #expect(!state.screen.contains("fourth"))
        state.press("j")
        #expect(state.screen.contains("fourth"), "\(state.screen)")
    }

    @Test func `a value that no earlier step captures is named`() {
        let state = state(workspace { _ = $0.moveStep(0, down: true) })
        #expect(state.screen.contains("← list.id is not captured before"))
    }

    @Test func `the steps of a parallel group are joined`() {
        let state = state(workspace { run in do { _ = try run.toggleParallel(1) } catch { Issue.record(error) } })
        #expect(state.screen.contains("·┌list") && state.screen.contains("·└create"))
    }

    @Test func `J and K move the step, which stays selected and keeps its result`() throws {
        var state = state(workspace())
        var record = try #require(state.runs["buy"]?.shown.record)
        record.steps[0].state = .done
        record.steps[0].status = 200
        record.state = .finished
        state.runs["buy"] = RunColumns(RunView(id: nil, name: "buy", phase: .ended, record: record))
        let moved = try change(state.press("J"))
        #expect(moved.to.steps.map(\.name) == ["create", "list"])
        finish(moved, &state)
        #expect(state.screen.contains("✓ list    200"))
        let back = try change(state.press("K"))
        #expect(back.to.steps.map(\.name) == ["list", "create"])
        finish(back, &state)
        #expect(state.press("K").isEmpty)
        #expect(state.screen.contains("list is the first step"))
    }

    @Test func `X removes a step, and the last one stays`() throws {
        var state = state(workspace())
        let removed = try change(state.press("X"))
        #expect(removed.to.steps.map(\.name) == ["create"])
        finish(removed, &state)
        #expect(!state.screen.contains("· list") && state.screen.contains("0/1"))
        #expect(state.press("X").isEmpty)
        #expect(state.screen.contains("A run has at least one step"))
    }

    @Test func `| sends a step at the same time as the one above`() throws {
        var state = state(workspace())
        #expect(state.press("|").isEmpty)
        #expect(state.screen.contains("There is no step above list"))
        let grouped = try change(state.press("j", "|"))
        finish(grouped, &state)
        #expect(state.screen.contains("└create") && state.screen.contains("at the same time as the steps beside it"))
    }

    @Test func `a adds the marked endpoints after the step, or asks for one`() throws {
        var state = state(workspace())
        state.services.mark("shop/orders/list")
        let added = try change(state.press("a"))
        #expect(added.to.steps.map(\.name) == ["list", "list-2", "create"])
        finish(added, &state)
        #expect(state.services.marked.isEmpty)
        state.press("a")
        #expect(state.screen.contains("Add a step") && state.screen.contains("shop/big"))
    }

    @Test func `i edits the condition, the repetition, the variables and the captures of a step`() throws {
        var state = state(workspace())
        state.press("j", "i")
        #expect(state.screen.contains("Step create of buy"))
        state.type("list.id: > 3")
        // Below the condition is a row for another one.
        state.press("Tab", "Tab", "Space", "Tab")
        state.type("1, 2")
        state.press("Tab")
        state.type("page")
        let changed = try change(state.press("Enter"))
        #expect(changed.to.steps[1].conditions == [Parameter("list.id", "> 3")])
        #expect(changed.to.steps[1].loop == .forEach(variable: "page", .list(["1", "2"])))
        #expect(changed.to.steps[0] == changed.from.steps[0])
    }

    @Test func `typing a variable of a step adds a row for the next one`() throws {
        var state = state(workspace())
        state.press("i", "↓", "↓", "↓", "↓", "↓", "↓", "↓")
        state.type("page: 1")
        state.press("↓")
        state.type("size: 2")
        state.press("Tab", "Tab")
        state.type("total: $.total")
        state.press("Tab")
        state.type("next: $.next")
        let changed = try change(state.press("Enter"))
        #expect(changed.to.steps[0].variables == ["page": "1", "size": "2"])
        #expect(changed.to.steps[0].captures == [Capture(name: "total", path: "$.total"), Capture(name: "next", path: "$.next")])
    }

    /// The form of a step with a variable typed into it.
    private func typed(_ variable: String) -> AppState {
        var state = state(workspace())
        state.press("i")
        state.popups.change(Form.self) { form in
            if let index = form.rows.firstIndex(where: { $0.label == "With" }) { form.rows[index] = .init("With", variable) }
        }
        return state
    }

    @Test func `a credential among the variables of a step is asked about before the file of the run gets it`() throws {
        var state = typed("password: canary-1")
        #expect(state.press("Enter").isEmpty && state.screen.contains("Save a credential?"))
        // Not saving it shows the form again.
        state.press("End", "Enter")
        #expect(state.popup is Form && state.screen.contains("canary-1"))
        state.press("Enter")
        var stored: (id: JobID, values: [SecretValue], declarations: SecretDeclarations)?
        for case .storeSecrets(let id, let values, let declarations) in state.press("Enter") { stored = (id, values, declarations) }
        let job = try #require(stored)
        #expect(job.values.map(\.value) == ["canary-1"])
        let effects = state.update(.workspaceEdited(job.id, .done(FileChanges(), job.declarations.applied(to: state.workspace))))
        let changed = try change(effects)
        #expect(changed.to.steps[0].variables.keys.sorted() == ["password"] && !"\(changed.to)".contains("canary-1") && state.popup == nil)
    }

    @Test func `a credential of a step is saved in clear text where that is chosen, and is then named`() throws {
        var state = typed("password: canary-1")
        state.press("Enter")
        let changed = try change(state.press("Down", "Enter"))
        #expect(changed.to.steps[0].variables == ["password": "canary-1"] && state.popup == nil)
        finish(changed, &state)
        #expect(state.screen.contains("password in clear text"), "\(state.screen)")
        // It is in the file already.
        state.press("i")
        #expect(state.press("Enter").isEmpty && state.screen.contains("Nothing was changed"))
    }

    /// What the workbench asks to be stored and declared.
    private func stored(_ effects: [Effect]) throws -> (id: JobID, values: [SecretValue], declarations: SecretDeclarations) {
        for case .storeSecrets(let id, let values, let declarations) in effects { return (id, values, declarations) }
        throw NoChange()
    }

    @Test func `s makes the credential of a step a secret, and the run gets its template`() throws {
        var state = state(workspace { $0.steps[0].variables = ["page": "2", "password": "canary-1"] })
        #expect(state.screen.contains("password in clear text; s hides it"))
        state.press("s")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == ["canary-1"])
        let effects = state.update(.workspaceEdited(job.id, .done(FileChanges(), job.declarations.applied(to: state.workspace))))
        let changed = try change(effects)
        #expect(changed.to.steps[0].variables == ["page": "2", "password": "{{password2}}"])
        finish(changed, &state)
        #expect(!state.screen.contains("in clear text"))
    }

    @Test func `of several variables of a step, the one that becomes a secret is chosen`() throws {
        var state = state(workspace { $0.steps[0].variables = ["a": "canary-1", "b": "canary-2", "c": "{{host}}"] })
        state.press("s")
        #expect(state.popup is ListPopup && !state.screen.contains("canary"))
        state.press("Down", "Enter")
        #expect(try stored(state.press("Enter")).values.map(\.value) == ["canary-2"])
    }

    @Test func `on a step without variables, s hides the credential of another step that the footer names`() throws {
        var state = state(workspace { $0.steps[1].variables = ["url": "https://me:canary-1@shop.test/"] })
        state.press("s")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == ["canary-1"])
        let effects = state.update(.workspaceEdited(job.id, .done(FileChanges(), job.declarations.applied(to: state.workspace))))
        #expect(try change(effects).to.steps[1].variables["url"]?.hasPrefix("https://me:{{") == true)
    }

    @Test func `a step without a variable in clear text names the reason`() {
        var state = state(workspace { $0.steps[0].variables = ["a": "{{host}}"] })
        state.press("s")
        #expect(state.popup == nil && state.screen.contains("no variable in clear text"))
    }

    @Test func `typed items repeat the step also where no repetition was chosen, and so does a condition`() throws {
        var state = state(workspace())
        state.press("j", "i", "Tab", "Tab")
        state.type("1, 2")
        let changed = try change(state.press("Enter"))
        #expect(changed.to.steps[1].loop == .forEach(variable: StepLoop.defaultVariable, .list(["1", "2"])))

        var other = self.state(workspace())
        other.press("j", "i", "Tab", "Tab", "Tab", "Tab")
        other.type("create.state: pending")
        let repeated = try change(other.press("Enter"))
        #expect(
            repeated.to.steps[1].loop
                == .repeats(while: [Parameter("create.state", "pending")], every: StepLoop.defaultPause, limit: StepLoop.defaultLimit))
    }

    @Test func `a repetition that is switched off is removed`() throws {
        var state = state(workspace { $0.steps[1].loop = .forEach(variable: "item", .list(["1", "2"])) })
        state.press("j", "i", "Tab", "o")
        #expect(try change(state.press("Enter")).to.steps[1].loop == nil)
    }

    @Test func `an invalid condition is refused at its row`() {
        var state = state(workspace())
        state.press("j", "i")
        state.type("list.id: < many")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("does not compare with a number"))
        state.press("^U")
        state.type("nonsense")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("write NAME: VALUE"))
    }

    @Test func `a form that changes nothing changes no file`() {
        var state = state(
            workspace { run in
                run.steps[1].conditions = [Parameter("list.id", "exists"), Parameter("list.id", "!= 0")]
                run.steps[1].variables = ["a": "1", "b": "{{list.id}}", "c": "two\nlines", "d": " blanks "]
                run.steps[1].loop = .repeats(while: [Parameter("create.state", "pending")], every: .milliseconds(500), limit: 7)
                run.steps[1].captures = [Capture(name: "state", path: "$.state")]
            })
        state.press("j", "i")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("Nothing was changed"))
    }

    @Test func `the steps of a folder's run, and those of a run in progress, are not changed`() throws {
        var state = state(workspace())
        let effects = state.press("^R")
        #expect(!effects.isEmpty)
        #expect(state.press("J").isEmpty)
        #expect(state.screen.contains("buy is running"))
        RunsFeature.look(at: "shop/orders", &state)
        #expect(state.press("J").isEmpty)
        #expect(state.screen.contains("shop/orders has no file"))
    }
}
