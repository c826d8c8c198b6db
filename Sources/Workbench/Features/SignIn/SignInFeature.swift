internal import SortieBase
package import SortieHTTP
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
package struct OpenPageJob: WorkJob {
    package let page: String

    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let how): state.toast = Toast("The page \(how) in the browser")
        case .failed(let sentence): state.notify("The page cannot be opened: \(sentence)", .warning)
        case .exists, .protected: break
        }
        return []
    }
}

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
        guard call.isSending, call.response == nil, call.progress.sent == 0, !state.states[SignInState.self].pending.isEmpty,
            let endpoint = call.endpoint.flatMap({ state.endpoint($0) })
        else { return false }
        guard case .oauth2(let settings) = endpoint.auth(in: state.workspace.service(endpoint.serviceName)) else { return false }
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
}

/// The page and the code of a sign-in.
struct SignInPopup: Popup {
    let signIn: PendingSignIn

    var contexts: [Context] { [.signIn] }
    var guideAddress: String? { "authentication#sign-in-with-a-browser" }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .openSignInPage: return state.start(OpenPageJob(page: signIn.page))
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
        let time = signIn.minutes < 1 ? "less than a minute" : "at most \(ItemCount.text(signIn.minutes, "minute"))"
        var end = "The request waits for \(time)."
        let others = state.states[SignInState.self].pending.count - 1
        if others > 0 {
            let key = state.key(.close, in: .signIn)
            end += " \(ItemCount.text(others, "other sign-in")) \(others == 1 ? "is" : "are") pending; \(key) hides this one and shows the next."
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
        let hint = Span("\(state.key(.openSignInPage, in: .signIn)) opens the page", .muted)
        let inner = canvas.popup(frame, title: [Span("Sign in", .titleFocused)], trailing: [hint])
        canvas.write(lines: lines.prefix(inner.height), at: inner.origin, width: inner.width)
    }
}

extension Command {
    static let tokens = Command.named("tokens")
}

/// Reading or changing the stored access tokens.
package struct TokensJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true

    package let request: TokenRequest

    func finish(_ listing: TokenListing, _ state: inout AppState) -> [Effect] {
        switch listing {
        case .failed(let sentence): state.notify(sentence, .error)
        case .done(let sentence): state.notify(sentence)
        case .tokens(let tokens):
            guard !tokens.isEmpty else {
                state.notify("No token is stored for this workspace; a request with a sign-in stores one")
                return []
            }
            guard state.mayOpen("The list of the access tokens") else { return [] }
            let items = tokens.map { token in
                ListPopup.Item(label: TokensFeature.name(of: token.key), detail: token.times, place: token.key.environment ?? "") { state in
                    TokensFeature.showActions(of: token, &state)
                    return []
                }
            }
            state.show(
                ListPopup(
                    title: "Access tokens", message: "Enter renews or forgets a token.", items: items,
                    guideAddress: "authentication#sign-in-with-a-browser"))
        }
        return []
    }
}

/// The stored access tokens of the workspace: listing, renewing and forgetting them.
struct TokensFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .tokens, "Access tokens…", "Show the age of the tokens for which you signed in; renew or forget them"
            ).alsoKnownAs("OAuth", "sign out")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .tokens else { return nil }
        state.stopEditing()
        state.stopTyping()
        return Self.ask(.list, &state)
    }

    private static func ask(_ request: TokenRequest, _ state: inout AppState) -> [Effect] {
        state.start(TokensJob(request: request))
    }

    fileprivate static func name(of key: OAuth2TokenKey) -> String {
        "\(key.grant.rawValue) \(key.clientID)" + (key.scope.isEmpty ? "" : " (\(key.scope))") + " at \(key.tokenURL)"
    }

    fileprivate static func showActions(of token: StoredTokenInfo, _ state: inout AppState) {
        let items = [
            ListPopup.Item(label: "Renew", detail: "the next request renews it, or asks you to sign in") { ask(.expire(token.key), &$0) },
            ListPopup.Item(label: "Forget", detail: "the next request asks you to sign in; the server accepts it until it expires") {
                ask(.forget(token.key), &$0)
            },
        ]
        state.show(ListPopup(title: name(of: token.key), message: token.times, items: items, isMenu: true))
    }
}

/// A stored access token, without its value.
package struct StoredTokenInfo: Hashable, Sendable {
    /// What the token was issued for.
    package var key: OAuth2TokenKey
    /// The age, the remaining lifetime, and whether it can be renewed.
    package var times: String

    /// Creates the description of a token.
    package init(key: OAuth2TokenKey, times: String) {
        (self.key, self.times) = (key, times)
    }
}

/// A request to the stored access tokens of the workspace.
package enum TokenRequest: Hashable, Sendable {
    /// List the tokens.
    case list
    /// Let the next request renew a token, or ask the user to sign in where it cannot be renewed.
    case expire(OAuth2TokenKey)
    /// Remove a token.
    case forget(OAuth2TokenKey)
}

/// The result of a ``TokenRequest``.
package enum TokenListing: Hashable, Sendable {
    /// The tokens of the workspace, the newest first.
    case tokens([StoredTokenInfo])
    /// The change was made; a sentence for the user.
    case done(String)
    /// The file of the tokens cannot be read or written.
    case failed(String)
}
