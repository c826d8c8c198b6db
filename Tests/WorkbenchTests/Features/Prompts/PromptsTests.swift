import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct PromptsTests {
    private func sample(_ size: Size = Size(width: 80, height: 24)) -> AppState {
        var workspace = Workspace.sample
        workspace.variables = ["id": "{{$prompt Customer = 7}}"]
        let index = workspace.services[0].endpoints.count - 1
        workspace.services[0].endpoints[index].query = [Parameter("id", "{{id}}"), Parameter("pin", "{{$promptSecret PIN}}")]
        workspace.services[0].endpoints[0].path = "/big/{{$prompt Size}}"
        workspace.runs = [RunDefinition(name: "checkout", kind: .chain, steps: [.init(target: "shop/orders/list", name: "list")])]
        return AppState(workspace: workspace, environment: "develop", size: size)
    }

    private func sent(_ effects: [Effect]) -> Endpoint? {
        for case .send(_, let endpoint, _) in effects { return endpoint }
        return nil
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24)])
    func `one form asks for all prompts of a request before it is sent`(size: Size) throws {
        var state = sample(size)
        state.open("shop/orders/list")
        #expect(sent(state.press("^R")) == nil)
        for text in ["Send List orders with", "Customer", "7", "PIN"] { #expect(state.screen.contains(text)) }
        state.press("^U")
        state.type("8")
        state.press("Tab")
        state.type("1234")
        #expect(!state.screen.contains("1234"))
        let endpoint = try #require(sent(state.press("Enter")))
        #expect(endpoint.promptValues == ["Customer": "8", "PIN": "1234"])
        #expect(state.drafts["shop/orders/list"] == nil && state.openEndpoint?.promptValues == [:])
    }

    @Test func `the last value of the session is proposed, apart from that of a secret`() throws {
        var state = sample()
        state.open("shop/orders/list")
        state.press("^R", "^U")
        state.type("8")
        state.press("Tab")
        state.type("1234")
        state.press("Enter")
        state.press("^R")
        let form = try #require(state.popup as? Form)
        #expect(form.rows.map(\.text) == ["8", ""])
    }

    @Test func `Esc sends nothing`() {
        var state = sample()
        state.open("shop/orders/list")
        state.press("^R")
        #expect(sent(state.press("Esc")) == nil && state.popup == nil && state.callsInFlight == 0)
    }

    @Test func `a variable of the command line answers the prompt with its name`() throws {
        var state = sample()
        state.overrides = ["Customer": "9", "PIN": "1"]
        state.open("shop/orders/list")
        #expect(sent(state.press("^R")) != nil)
    }

    @Test func `a dry run and a download ask too`() throws {
        var state = sample()
        state.open("shop/orders/list")
        state.press("v")
        state.press("Tab")
        state.type("5")
        var tried: Endpoint?
        for (_, job) in state.press("Enter").started(DryRunJob.self) { tried = job.endpoint }
        #expect(tried?.promptValues == ["Customer": "7", "PIN": "5"])
        state.press("Esc")
        state.open("shop/big")
        state.press("^R")
        state.type("1GB")
        var loaded: Endpoint?
        for case .download(_, let order) in state.press("Enter") { loaded = order.endpoint }
        #expect(loaded?.promptValues == ["Size": "1GB"])
    }

    private func loaded(_ effects: [Effect]) -> [Endpoint] {
        effects.compactMap { if case .download(_, let order) = $0 { order.endpoint } else { nil } }
    }

    @Test func `the form of a download asks too`() {
        var state = sample()
        state.open("shop/big")
        state.press("^P")
        state.type("download the response")
        state.press("Enter")
        #expect(loaded(state.press("Enter")).isEmpty)
        state.type("1GB")
        #expect(loaded(state.press("Enter")).map(\.promptValues) == [["Size": "1GB"]])
    }

    @Test(arguments: [Command.resumeTransfer, .resumeFailedTransfers])
    func `a transfer of an earlier session asks again`(command: Command) throws {
        var state = sample()
        let endpoint = try #require(state.endpoint("shop/big"))
        _ = state.start(parked: [], transfers: [QueuedTransfer(endpoint, environment: nil, destination: "/downloads/")])
        state.press("T")
        #expect(loaded(state.perform(command)).isEmpty)
        state.type("2GB")
        #expect(loaded(state.press("Enter")).map(\.promptValues) == [["Size": "2GB"]])
    }

    @Test func `a transfer of this session is tried again with its values`() throws {
        var state = sample()
        state.open("shop/big")
        state.press("^R")
        state.type("1GB")
        let effects = state.press("Enter")
        let id = try #require(effects.compactMap { if case .download(let id, _) = $0 { id } else { nil } }.first)
        let error = NetworkError(.timedOut, "too late")
        let result = DownloadResult(
            state: .failed(error, isResumable: true), file: "/downloads/big", bytes: 1, resumedAt: 0, restarts: 0, digest: nil,
            exchange: .sample(error: error))
        _ = state.update(.download(id, .finished(result)))
        #expect(loaded(state.perform(.resumeFailedTransfers)).map(\.promptValues) == [["Size": "1GB"]])
    }

    @Test func `a run asks once at its start for the prompts of all steps`() throws {
        var state = sample()
        ServicesFeature.select(.run("checkout"), &state)
        state.focus(.services)
        #expect(state.press("^R").isEmpty)
        state.press("Tab")
        state.type("5")
        let effects = state.press("Enter")
        let supplied = effects.compactMap { if case .supplyPrompts(let id, let values) = $0 { (id, values) } else { nil } }
        let started = effects.compactMap { if case .startRun(let id, "checkout", _, _) = $0 { id } else { nil } }
        #expect(started.count == 1 && supplied.map(\.0) == started && supplied.map(\.1) == [["Customer": "7", "PIN": "5"]])
    }

    @Test func `a variable that nothing defines is reported before the prompts are asked`() throws {
        var state = sample()
        state.open("shop/orders/list")
        state.change { $0.headers.append(Parameter("X-Missing", "{{nowhere}}")) }
        #expect(sent(state.press("^R")) == nil && state.popup == nil)
        #expect(state.toast?.text.contains("nothing defines {{nowhere}}") == true)
        state.change { $0.headers.removeLast() }
        state.press("^R")
        #expect(state.popup is Form)
    }
}
