import SortieHTTP
import SortieTerminal
import Support
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the list of stored access tokens.
@Suite struct TokensTests {
    private static let token: StoredTokenInfo = {
        var settings = OAuth2(grant: .deviceCode, tokenURL: "https://id.example/token", clientID: "app")
        settings.scope = "read"
        return StoredTokenInfo(key: OAuth2TokenKey(settings, environment: "dev"), times: "issued 3 min ago, expires in 57 min, renewable")
    }()

    /// A workbench that asked for the tokens, with the identity of the request.
    private func asked() throws -> (state: AppState, id: JobID) {
        var state = AppState.sample()
        state.press("^P")
        state.type("Access tokens")
        for (id, job) in state.press("Enter").started(TokensJob.self) where job.request == .list { return (state, id) }
        throw CancellationError()
    }

    @Test func `the list shows what each token is for and its times`() throws {
        var (state, id) = try asked()
        _ = state.end(TokensJob.self, id, .tokens([Self.token]))
        #expect(state.screen.contains("deviceCode app (read) at https://id.example/token"), "\(state.screen)")
        #expect(state.screen.contains("issued 3 min ago,") && state.screen.contains("expires in 57 min, renewable · dev"), "\(state.screen)")
    }

    @Test func `without a token the list says how one is stored`() throws {
        var (state, id) = try asked()
        _ = state.end(TokensJob.self, id, .tokens([]))
        #expect(state.screen.contains("No token is stored for this workspace"), "\(state.screen)")
    }

    @Test(arguments: [("Renew", [], TokenRequest.expire(token.key)), ("Forget", ["↓"], .forget(token.key))])
    func `a chosen token is renewed or forgotten`(label: String, keys: [String], request: TokenRequest) throws {
        var (state, id) = try asked()
        _ = state.end(TokensJob.self, id, .tokens([Self.token]))
        state.press("Enter")
        #expect(state.screen.contains(label), "\(state.screen)")
        for key in keys { state.press(key) }
        var found: (JobID, TokenRequest)?
        for (id, job) in state.press("Enter").started(TokensJob.self) { found = (id, job.request) }
        let made = try #require(found)
        #expect(made.1 == request)
        _ = state.end(TokensJob.self, made.0, .done("The token was forgotten"))
        #expect(state.screen.contains("The token was forgotten"), "\(state.screen)")
    }

    @Test func `a file that cannot be read is an error`() throws {
        var (state, id) = try asked()
        _ = state.end(TokensJob.self, id, .failed("the stored access tokens cannot be read"))
        #expect(state.screen.contains("the stored access tokens cannot be read"), "\(state.screen)")
    }
}
