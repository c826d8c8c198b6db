import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct RevealTests {
    private func sample(_ size: Size = Size(width: 120, height: 30)) -> AppState {
        var workspace = Workspace.sample
        workspace.secrets = ["token": .environment("SHOP_TOKEN")]
        workspace.environments[0].variables["password"] = "literal-pw"
        let index = workspace.services[0].endpoints.count - 1
        workspace.services[0].endpoints[index].auth = .bearer(token: "{{token}}")
        workspace.services[0].endpoints[index].headers = [Parameter("X-Key", "k {{token}}")]
        var state = AppState(workspace: workspace, environment: "develop", size: size, permitted: [Capability(.environment, "SHOP_TOKEN")])
        state.permission.permitted.formUnion(state.permission.scan.all)
        return state
    }

    private func revealed(_ effects: [Effect]) -> (id: JobID, names: [String])? {
        effects.started(RevealJob.self).first.map { ($0.id, $0.job.names) }
    }

    @Test func `x shows the secrets of Auth and of headers until the next key`() throws {
        var state = sample()
        state.open("shop/orders/list")
        state.press("z", "]")
        let job = try #require(revealed(state.press("x")))
        #expect(job.names == ["token"])
        _ = state.update(.secretUsed("s3cr3t-value"))
        #expect(!state.screen.contains("s3cr3t-value"))
        _ = state.end(RevealJob.self, job.id, .done(["token": "s3cr3t-value"]))
        #expect(state.screen.contains("k s3cr3t-value"))
        state.press("]", "]")
        #expect(!state.screen.contains("s3cr3t-value"))
        let again = try #require(revealed(state.press("x")))
        _ = state.end(RevealJob.self, again.id, .done(["token": "s3cr3t-value"]))
        #expect(state.screen.contains("Authorization: Bearer s3cr3t-value"))
        #expect(!state.log.entries.contains { $0.text.contains("s3cr3t") } && state.toast?.text.contains("s3cr3t") != true)
        state.press("Down")
        #expect(!state.screen.contains("s3cr3t-value") && state.openEndpoint?.headers == [Parameter("X-Key", "k {{token}}")])
    }

    @Test func `a few seconds end the display without a key`() throws {
        var state = sample()
        state.open("shop/orders/list")
        state.press("]")
        let job = try #require(revealed(state.press("x")))
        _ = state.end(RevealJob.self, job.id, .done(["token": "s3cr3t-value"]))
        #expect(state.wantsTicks)
        _ = state.update(.tick(now: 100))
        #expect(state.screen.contains("s3cr3t-value"))
        _ = state.update(.tick(now: 100 + Reveal.lifetime))
        #expect(!state.screen.contains("s3cr3t-value") && state.reveal == nil)
    }

    @Test func `values with secret names are shown in the variables`() {
        var state = sample()
        state.press("E", "/")
        state.type("password")
        state.press("Enter")
        #expect(!state.screen.contains("literal-pw"))
        #expect(revealed(state.press("x")) == nil)
        #expect(state.screen.contains("literal-pw"))
        state.press("Down")
        #expect(!state.screen.contains("literal-pw"))
    }

    @Test func `a secret is read for the variables, and a failure is a message`() throws {
        var state = sample()
        state.press("E", "/")
        state.type("token")
        state.press("Enter")
        let job = try #require(revealed(state.press("x")))
        _ = state.end(RevealJob.self, job.id, .done(["token": "s3cr3t-value"]))
        #expect(state.screen.contains("s3cr3t-value"))
        let again = try #require(revealed(state.press("x")))
        _ = state.end(RevealJob.self, again.id, .failed(Diagnostic(.nowhere, "the variable SHOP_TOKEN is not set")))
        #expect(!state.screen.contains("s3cr3t-value") && state.toast?.text.contains("SHOP_TOKEN is not set") == true)
    }

    @Test func `reading a secret needs permission`() throws {
        var state = sample()
        state.permission.permitted = []
        state.press("E", "/")
        state.type("token")
        state.press("Enter")
        #expect(revealed(state.press("x")) == nil)
        #expect(state.screen.contains("May this workspace use your machine?"))
        state.press("Enter")
        #expect(state.reveal == nil)
    }
}
