import SortieHTTP
import Testing
import WorkspaceModel

/// Tests what is said about the steps of a run: what they capture and use, their conditions and repetitions.
@Suite struct RunOutlineTests {
    private var workspace: Workspace {
        var workspace = Workspace(name: "w", folder: "/w")
        var service = Service(folder: "shop", name: "Shop")
        var login = Endpoint(target: "shop/login", name: "Login", path: "/login")
        login.captures = [Capture(name: "token", path: "$.token")]
        var list = Endpoint(target: "shop/list", name: "List", path: "/list")
        list.auth = .bearer(token: "{{login.token}}")
        list.query = [Parameter("page", "{{page}}"), Parameter("again", "{{login.token}}")]
        service.endpoints = [login, list]
        workspace.services = [service]
        return workspace
    }

    @Test func `a step names what it captures, and what it uses of earlier steps`() {
        var run = RunDefinition(name: "r", kind: .chain, sending: ["shop/login", "shop/list"])
        run.steps[1].captures = [Capture(name: "count", path: "$.count")]
        let outline = RunOutline(run, in: workspace)
        #expect(outline[0].captures == ["token"] && outline[0].uses.isEmpty)
        #expect(outline[1].captures == ["count"] && outline[1].uses == ["login.token"] && outline[1].missing.isEmpty)
    }

    @Test func `a value that is captured later, in the same group or not at all is missing`() throws {
        var run = RunDefinition(name: "r", kind: .chain, sending: ["shop/list", "shop/login"])
        #expect(RunOutline(run, in: workspace)[0].missing == ["login.token"])
        run = RunDefinition(name: "r", kind: .chain, sending: ["shop/login", "shop/list"])
        _ = try run.toggleParallel(1)
        #expect(RunOutline(run, in: workspace)[1].missing == ["login.token"])
        run.steps[1].variables["id"] = "{{login.id}}"
        #expect(RunOutline(run, in: workspace)[1].missing == ["login.token", "login.id"])
    }

    @Test func `conditions and repetitions are said in words`() {
        var run = RunDefinition(name: "r", kind: .chain, sending: ["shop/login", "shop/list"])
        run.steps[1].conditions = [Parameter("login.role", "admin"), Parameter("login.count", "> 3")]
        run.steps[1].loop = .forEach(variable: "page", .list(["1", "2"]))
        #expect(RunOutline(run, in: workspace)[1].condition == "login.role = admin and login.count > 3")
        #expect(RunOutline(run, in: workspace)[1].repetition == "for each page of 1, 2")
        run.steps[1].loop = .repeats(while: [Parameter("list.state", "pending")], every: .seconds(2), limit: 5)
        let outline = RunOutline(run, in: workspace)[1]
        #expect(outline.repetition == "while list.state = pending, every 2s, at most 5 times")
        #expect(!outline.uses.contains("list.state"))
    }

    @Test func `the names of repetitions and rows stand for their step`() {
        var run = RunDefinition(name: "r", kind: .chain, sending: ["shop/login", "shop/list"])
        run.steps[1].name = "all"
        let outline = RunOutline(run, in: workspace)
        #expect(outline.index(named: "all") == 1 && outline.index(named: "all#2") == 1 && outline.index(named: "all[3]#2") == 1)
        #expect(outline.index(named: "login[10]") == 0)
        #expect(outline.index(named: "other") == nil && outline.index(named: "all#") == nil)
    }

    @Test func `the steps after a step begin after its group`() throws {
        var run = RunDefinition(name: "r", kind: .chain, sending: ["shop/login", "shop/list", "shop/list"])
        #expect(RunOutline(run, in: workspace).stepsAfter(0) == 1..<3)
        _ = try run.toggleParallel(1)
        #expect(RunOutline(run, in: workspace).stepsAfter(0) == 2..<3)
        #expect(RunOutline(run, in: workspace).stepsAfter(2).isEmpty)
    }
}
