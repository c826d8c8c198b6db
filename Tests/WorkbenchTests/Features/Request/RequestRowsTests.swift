import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests pasting, copying and moving rows, inherited rows, and credentials.
@Suite struct RequestRowsTests {
    private func opened(_ change: (inout Workspace) -> Void = { _ in }) -> AppState {
        var workspace = Workspace.sample
        change(&workspace)
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 120, height: 40),
            engineHeaders: [HeaderField("User-Agent", "sortie/1"), HeaderField("Accept", "*/*")])
        state.open("shop/orders/list")
        return state
    }

    @Test func `a pasted query string or lines become rows`() {
        var state = opened()
        _ = state.update(.input(.paste("/?a=1%202&b=c+d#e")))
        _ = state.update(.input(.paste("sort=name\nempty\nwhen: a=b\n")))
        let rows = state.openEndpoint?.query.map { "\($0.name)→\($0.value)" }
        #expect(rows == ["page→1", "a→1 2", "b→c+d", "sort→name", "empty→", "when→a=b", "size→20"])
        #expect(state.openEndpoint?.query[2].spelling == "b=c+d", "as it is in the URL")
        state.press("u", "u")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "size"])
    }

    @Test func `pasted header fields become rows`() {
        var state = opened()
        state.press("]")
        _ = state.update(.input(.paste("X-A: 1=2\r\nX-B: http://x\r\n")))
        #expect(state.openEndpoint?.headers == [Parameter("X-A", "1=2"), Parameter("X-B", "http://x")])
    }

    @Test func `a row is copied and moved`() {
        var state = opened()
        state.press("D")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "page", "size"])
        state.press("J")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "size", "page"])
        #expect(state.requestState.row == 2)
        state.press("K", "K", "K")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "page", "size"])
        #expect(state.requestState.row == 0)
    }

    @Test func `additional header fields are displayed below with their source`() {
        var state = opened {
            $0.services[0].auth = .bearer(token: "t0ken")
            $0.services[0].endpoints[2].body = .json("{}")
            $0.services[0].endpoints[2].headers = [Parameter("User-Agent", "mine")]
        }
        state.press("]")
        let text = state.screen
        for row in ["Accept         application/json  from Shop", "from auth of Shop", "Content-Type   application/json  from the Body tab"] {
            #expect(text.contains(row), "\(row)")
        }
        #expect(!text.contains("sortie/1"))
        #expect(!text.contains("*/*"))
        #expect(!text.contains("t0ken"))
    }

    @Test func `an undefined variable is displayed at its row and in the line`() {
        var state = opened { $0.services[0].endpoints[2].query[0].value = "{{pgae}}" }
        #expect(state.screen.contains("nothing defines {{pgae}}"))
        state.press("]", "a")
        state.type("X-A")
        state.press("Tab")
        state.type("{{nope}}")
        state.press("Enter")
        #expect(state.screen.contains("{{nope}}  nothing defines {{nope}}"))
    }

    @Test func `inherited values are displayed with their source, and the result`() {
        var state = opened { $0.services[0].auth = .basic(user: "me", password: "s3cret") }
        state.press("]", "]", "]")
        let text = state.screen
        for row in ["Kind      Inherit", "Inherits  Basic  from Shop", "User      me  from Shop", "Sends     Authorization: Basic ••••"] {
            #expect(text.contains(row), "\(row)")
        }
        #expect(!text.contains("s3cret"))
        state.press("S")
        #expect(state.screen.contains("Authorization: Basic bWU6czNjcmV0"))
    }

    @Test func `a password is masked while it is typed, and the credentials are kept from Basic to Digest`() {
        var state = opened { $0.services[0].endpoints[2].auth = .basic(user: "me", password: "") }
        state.press("]", "]", "]", "↓", "↓", "Enter")
        state.type("s3cret")
        #expect(state.screen.contains("••••••"))
        #expect(!state.screen.contains("s3cret"))
        state.press("Enter", "↑", "↑", "Enter")
        state.type("digest")
        state.press("Enter")
        #expect(state.openEndpoint?.auth == .digest(user: "me", password: "s3cret"))
        state.press("Enter", "Home", "Enter", "Enter")
        state.type("digest")
        state.press("Enter")
        #expect(state.openEndpoint?.auth == .digest(user: "me", password: "s3cret"))
    }
}
