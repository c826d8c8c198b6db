internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Context {
    /// The sign-in popup.
    static let signIn = Context("Sign-in")
}

extension Command {
    static let showSignIn = Command.named("showSignIn")
    static let openSignInPage = Command.named("openSignInPage", isInPalette: false)
    static let copySignInPage = Command.named("copySignInPage", isInPalette: false)
    static let cancelSignIn = Command.named("cancelSignIn", isInPalette: false)
}

/// Opening a page of a sign-in in a browser.
struct OpenPageJob: Job {}

/// The pending sign-ins, the oldest first.
struct SignInState: FeatureState {
    var pending: [PendingSignIn] = []
    /// The sign-ins whose popup the user closed.
    var hidden: Set<Int> = []
}

/// What the user must do for an access token of OAuth 2, while requests wait for it.
struct SignInFeature: Feature {
    let stacks: [[Context]] = [[.signIn]]

    var bindings: [Binding] {
        [
            Binding(.signIn, [.enter, .character("o")], .openSignInPage, "Open", "Open the page in a browser", hint: 1, unless: Self.isClosed),
            Binding(
                .signIn, [.character("y")], .copy, "Copy", "Copy the code, or the address where there is no code", hint: 2, unless: Self.isClosed),
            Binding(.signIn, [.character("u")], .copySignInPage, "Address", "Copy the address of the page", hint: 3, unless: Self.isClosed),
            Binding(
                .signIn, [.character("x"), .control("x")], .cancelSignIn, "Cancel", "Cancel the sign-in and the requests that wait for it", hint: 4,
                unless: Self.isClosed),
            Binding(.signIn, [.escape, .control("c"), .character("q")], .close, "Hide", "Hide the popup; the sign-in continues", hint: 5),
            Binding(.everywhere, [], .showSignIn, "Sign-in", "Show the page and the code of the pending sign-in", unless: Self.isNotPending),
        ]
    }

    private static func isClosed(_ state: AppState) -> String? {
        state.popup is SignInPopup ? nil : "The sign-in is not open; the palette shows it"
    }

    private static func isNotPending(_ state: AppState) -> String? {
        state.states[SignInState.self].pending.isEmpty ? "No request waits for a sign-in" : nil
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .showSignIn else { return nil }
        state.states[SignInState.self].hidden = []
        state.stopEditing()
        state.popups.removeAll()
        Self.show(&state)
        return []
    }

    func alert(_ state: AppState) -> Span? {
        state.states[SignInState.self].pending.isEmpty || state.popup is SignInPopup ? nil : Span("waits for a sign-in", .warning)
    }

    /// Whether a call has not been sent, because its access token needs a pending sign-in.
    static func delays(_ call: Call, _ state: AppState) -> Bool {
        guard call.phase == .sending, call.response == nil, call.progress.sent == 0, !state.states[SignInState.self].pending.isEmpty,
            let endpoint = call.endpoint.flatMap({ state.endpoint($0) })
        else { return false }
        let inherited = endpoint.inherits == false ? nil : state.workspace.service(endpoint.serviceName)?.auth
        let auth = endpoint.auth == .inherit ? inherited : endpoint.auth
        guard case .oauth2(let settings)? = auth else { return false }
        return settings.grant.isInteractive
    }

    /// Adds a sign-in, and shows a message where something else is open.
    static func began(_ signIn: PendingSignIn, _ state: inout AppState) {
        state.states[SignInState.self].pending.append(signIn)
        if state.isOccupied { state.toast = Toast("A request waits for a sign-in; close the open field or popup to see it", .warning) }
    }

    /// Removes a sign-in that has ended.
    static func ended(_ id: Int, _ state: inout AppState) {
        state.states[SignInState.self].pending.removeAll { $0.id == id }
        state.states[SignInState.self].hidden.remove(id)
        if let popup = state.popup as? SignInPopup, popup.signIn.id == id { state.popups.pop() }
    }

    /// Opens the oldest sign-in, unless the user hid it, a popup is open, or text is being typed.
    static func show(_ state: inout AppState) {
        let signIns = state.states[SignInState.self]
        guard let signIn = signIns.pending.first(where: { !signIns.hidden.contains($0.id) }), !state.isOccupied else { return }
        state.popups.show(SignInPopup(signIn: signIn))
    }

    /// Handles the result of opening a page.
    static func opened(_ id: JobID, _ outcome: JobOutcome, _ state: inout AppState) {
        guard state.finishJob(id, OpenPageJob.self) != nil else { return }
        switch outcome {
        case .done(let how): state.toast = Toast("The page \(how) in the browser")
        case .failed(let sentence): state.notify("The page cannot be opened: \(sentence)", .warning)
        case .exists, .protected: break
        }
    }
}
