import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests what a request that waits for a sign-in shows.
@Suite struct SignInTests {
    @Test(arguments: [OAuth2.Grant.authorizationCode, .clientCredentials])
    func `a request that waits for a sign-in says so in place of a progress`(grant: OAuth2.Grant) throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let index = try #require(state.workspace.services[0].endpoints.firstIndex { $0.target == "shop/orders/list" })
        state.workspace.services[0].endpoints[index].auth = .oauth2(
            OAuth2(grant: grant, tokenURL: "https://id.example/token", clientID: "app"))
        state.open("shop/orders/list")
        _ = state.sendOpen()
        #expect(state.screen.contains("sending") && !state.screen.contains("waiting for a sign-in"), "\(state.screen)")
        let page = "https://id.example/authorize"
        _ = state.update(.signInBegan(PendingSignIn(id: 1, client: "app", plainPage: page, page: page, code: nil, minutes: 5)))
        state.press("Esc")
        let waits = grant == .authorizationCode
        #expect(state.screen.contains("waiting for a sign-in") == waits, "\(state.screen)")
        #expect(state.screen.contains("The request is sent after you have signed in") == waits, "\(state.screen)")
        _ = state.update(.signInEnded(1))
        #expect(!state.screen.contains("waiting for a sign-in"), "\(state.screen)")
    }

    @Test func `each of several sign-ins names its client, and hiding one shows the next`() {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        for (id, client) in [(1, "first"), (2, "second")] {
            let page = "https://id.example/\(client)"
            _ = state.update(.signInBegan(PendingSignIn(id: id, client: client, plainPage: page, page: page, code: nil, minutes: 0)))
        }
        #expect(state.screen.contains("for the client “first”") && state.screen.contains("less than a minute"), "\(state.screen)")
        #expect(state.screen.contains("1 other sign-in is pending"), "\(state.screen)")
        state.press("Esc")
        #expect(state.screen.contains("for the client “second”") && state.screen.contains("https://id.example/second"), "\(state.screen)")
    }
}
