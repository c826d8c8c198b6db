internal import SortieTerminal

/// The page and the code of a sign-in.
struct SignInPopup: Popup {
    let signIn: PendingSignIn

    var contexts: [Context] { [.signIn] }
    var guideTopic: String? { "requests" }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .openSignInPage: return [.openPage(state.nextJob(OpenPageJob()), signIn.page)]
        case .copy: return signIn.code.map { state.copy($0, "the code") } ?? state.copy(signIn.page, "the address")
        case .copySignInPage: return state.copy(signIn.page, "the address")
        case .cancelSignIn:
            state.popups.pop()
            return [.cancelSignIn(signIn.id)]
        case .close:
            state.states[SignInState.self].hidden.insert(signIn.id)
            state.popups.pop()
            return []
        default: return nil
        }
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] { [] }

    /// The lines, wrapped to a width.
    private func lines(width: Int, _ state: AppState) -> [[Span]] {
        func wrapped(_ text: String, _ style: Style = .text) -> [[Span]] { WrappedText.lines(text, width: width).map { [Span($0, style)] } }
        let time = signIn.minutes < 1 ? "less than a minute" : "at most \(NumberText.count(signIn.minutes, "minute"))"
        var end = "The request waits for \(time)."
        let others = state.states[SignInState.self].pending.count - 1
        if others > 0 {
            let key = state.key(.close, in: .signIn)
            end += " \(NumberText.count(others, "other sign-in")) \(others == 1 ? "is" : "are") pending; \(key) hides this one and shows the next."
        }
        let start = "A request needs an access token for the client “\(VisibleText.of(signIn.client))”."
        guard let code = signIn.code else {
            return wrapped("\(start) Sign in with a browser on this machine at") + wrapped(signIn.page, .accent) + [[Span("")]] + wrapped(end, .muted)
        }
        return wrapped("\(start) Open this page in a browser on any machine:") + wrapped(signIn.plainPage, .accent)
            + wrapped("and enter the code") + [[Span("")], [Span("    " + code, .strong)], [Span("")]] + wrapped(end, .muted)
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let area = state.popupArea
        let width = min(76, max(20, area.width - 4))
        let lines = lines(width: width - 4, state)
        let frame = area.centered(Size(width: width, height: min(lines.count + 2, area.height)))
        canvas.fill(frame, style: .overlay)
        canvas.box(
            frame, title: [Span("Sign in", .titleFocused)], trailing: [Span("\(state.key(.openSignInPage, in: .signIn)) opens the page", .muted)],
            style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        for (offset, line) in lines.prefix(inner.height).enumerated() {
            canvas.write(line, at: Point(column: inner.column, row: inner.row + offset), width: inner.width)
        }
    }
}
