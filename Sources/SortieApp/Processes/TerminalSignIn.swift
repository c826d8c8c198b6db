internal import SortieNetworking
internal import SortieTerminal

/// Displays on stderr what the user must do for an access token, and opens the page where there is a desktop.
struct TerminalSignIn: OAuth2SignInPresenter {
    let program: ProgramContext

    /// A presenter where a user can see it; nil otherwise, so that scripts get an error and never wait.
    static func whereSeen(in program: ProgramContext) -> TerminalSignIn? { program.errors.isTerminal ? TerminalSignIn(program: program) : nil }

    func begin(_ signIn: OAuth2SignIn) {
        let page: String
        switch signIn.step {
        case .browser:
            page = signIn.page.description
            program.errors.line("sortie: sign in with a browser on this machine at")
            program.errors.line("  \(page)")
        case .code(let code, let plain, let pageWithCode):
            page = (pageWithCode ?? plain).description
            program.errors.line("sortie: sign in with a browser at \(plain), and enter the code \(VisibleLine.of(code))")
            if let pageWithCode { program.errors.line("  \(pageWithCode) contains the code") }
        }
        program.errors.line("sortie: waiting for the sign-in; Ctrl-C ends the wait")
        guard program.errors.isTerminal else { return }
        // Without a desktop the user opens the page.
        Task { _ = await Desktop.open(page, advice: "", in: program) }
    }

    func end(_ signIn: OAuth2SignIn) {}
}
