import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that secrets on the screen are `••••` until the user requests them (rule 5).
@Suite struct SecretsTests {
    private func answered() -> AppState {
        var state = AppState.sample(size: Size(width: 160, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .decided(Decision(.redirect, "302 redirects to http://h/?token=s3cret", time: 0.01))))
        var exchange = Exchange.sample("{}")
        exchange.attempts[0].sentHeaders = [HeaderField("Authorization", "Bearer s3cret"), HeaderField("X-Own", "v=l1ve")]
        exchange.response?.headers.append("Set-Cookie", "id=s3cret")
        _ = state.update(.secretUsed("l1ve"))
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        return state
    }

    @Test(arguments: [ResponseTab.headers, .cookies, .trace])
    func `no tab of the response displays a secret until S is pressed`(tab: ResponseTab) {
        var state = answered()
        state.responseState.tab = tab
        #expect(!state.screen.contains("s3cret") && !state.screen.contains("l1ve"))
        #expect(state.screen.contains("••••"))
        state.press("S")
        #expect(state.screen.contains("s3cret"))
        #expect(state.screen.contains("Secrets are shown"))
        state.press("S")
        #expect(!state.screen.contains("s3cret"))
    }

    @Test func `a value in a secret parameter is masked in its row and in the URL`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        state.change { $0.query = [Parameter("token", "s3cret"), Parameter("page", "17")] }
        #expect(!state.screen.contains("s3cret") && state.screen.contains("17"))
        state.press("S")
        #expect(state.screen.contains("token=s3cret"))
    }

    @Test func `names of the workspace count as well`() {
        var workspace = Workspace.sample
        workspace.redact = ["page"]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 160, height: 50))
        state.open("shop/orders/list")
        #expect(state.screen.contains("page=••••"))
    }
}
