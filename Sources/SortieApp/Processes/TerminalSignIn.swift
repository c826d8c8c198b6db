internal import SortieNetworking
internal import SortieTerminal

/// Displays on stderr what the user must do for an access token, and opens the page where there is a desktop.
struct TerminalSignIn: OAuth2SignInPresenter {
    /// A presenter where a user can see it; nil otherwise, so that scripts get an error and never wait.
    static var whereSeen: TerminalSignIn? { StandardError.isTerminal ? TerminalSignIn() : nil }

    func begin(_ signIn: OAuth2SignIn) {
        let page: String
        switch signIn.step {
        case .browser:
            page = signIn.page.description
            StandardError.line("sortie: sign in with a browser on this machine at")
            StandardError.line("  \(page)")
        case .code(let code, let plain, let pageWithCode):
            page = (pageWithCode ?? plain).description
            StandardError.line("sortie: sign in with a browser at \(plain), and enter the code \(VisibleLine.of(code))")
            if let pageWithCode { StandardError.line("  \(pageWithCode) contains the code") }
        }
        StandardError.line("sortie: waiting for the sign-in; Ctrl-C ends the wait")
        guard StandardError.isTerminal else { return }
        // Without a desktop the user opens the page.
        Task { _ = await Desktop.open(page, advice: "") }
    }

    func end(_ signIn: OAuth2SignIn) {}
}
