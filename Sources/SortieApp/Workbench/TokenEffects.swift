internal import FoundationEssentials
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization

extension TokensJob: PerformedWork {
    /// Performs a request; the client reads a changed token when it needs one.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> TokenListing? {
        let (program, folder, client) = (runner.program, runner.workspaceFolder, runner.client)
        do {
            let store = TokenStore(stateFolder: program.folders.state)
            switch request {
            case .list:
                return .tokens(
                    try store.entries().filter { $0.workspace == folder }.map {
                        StoredTokenInfo(key: $0.key, times: $0.token.times(now: program.now()))
                    })
            case .expire(let key):
                guard var token = try store.token(of: folder, for: key) else { return .failed("The token is no longer stored") }
                token.expiresAt = Date()
                try store.store(token, of: folder, for: key)
                client.forgetAccessTokens()
                return .done(token.refreshToken == nil ? "The next request asks you to sign in" : "The next request renews the token")
            case .forget(let key):
                try store.store(nil, of: folder, for: key)
                client.forgetAccessTokens()
                return .done("The token was forgotten")
            }
        } catch {
            return .failed("\(error)")
        }
    }
}

/// The pending sign-ins for access tokens, which the workbench displays.
final class SignIns: OAuth2SignInPresenter {
    private let mailbox: Mailbox
    private let pending = Mutex<[Int: OAuth2SignIn]>([:])

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    func begin(_ signIn: OAuth2SignIn) {
        pending.withLock { $0[signIn.id] = signIn }
        mailbox.post(
            .signInBegan(
                PendingSignIn(
                    id: signIn.id, client: signIn.settings.clientID, plainPage: signIn.plainPage.description, page: signIn.page.description,
                    code: signIn.code,
                    minutes: signIn.expiresAt.timeIntervalSinceNow.minutes)))
    }

    func end(_ signIn: OAuth2SignIn) {
        pending.withLock { $0[signIn.id] = nil }
        mailbox.post(.signInEnded(signIn.id))
    }

    /// Ends a sign-in at the request of the user.
    func cancel(_ id: Int) {
        pending.withLock { $0[id] }?.cancel()
    }
}

extension Double {
    /// These seconds as minutes; 0 only for less than one.
    fileprivate var minutes: Int { self < 59 ? 0 : Int((self / 60).rounded()) }
}
